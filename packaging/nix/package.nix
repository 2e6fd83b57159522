# SPDX-License-Identifier: Apache-2.0
#
# Built from the tarballs of `make -C packaging dist` in this folder: nix-build -E 'with import <nixpkgs> {}; callPackage ./package.nix {}'
{
  lib,
  stdenv,
  jansson,
  libiio,
  libxcb,
  meson,
  ninja,
  pkg-config,
  python3,
  swiftPackages,
  systemd,
  wayland,
  tarballs ? ./.,
}:

stdenv.mkDerivation (finalAttrs: {
  pname = "orientationd";
  version = "0.9.0";

  srcs = map (name: tarballs + "/orientationd-${finalAttrs.version}${name}.tar.gz") [
    ""
    "-vendor"
  ];
  sourceRoot = "orientationd-${finalAttrs.version}";
  # The Swift packages.
  postUnpack = "mv vendor $sourceRoot";

  # D-Bus service and tool that replace iio-sensor-proxy.
  outputs = [
    "out"
    "sensorproxy"
  ];

  nativeBuildInputs = [
    meson
    ninja
    pkg-config
    python3
    swiftPackages.swift
    swiftPackages.swiftpm
  ];
  buildInputs = [
    jansson
    libiio
    libxcb
    swiftPackages.Dispatch
    swiftPackages.Foundation
    systemd
    wayland
  ];

  # `make library` runs meson.
  dontUseMesonConfigure = true;
  dontUseNinjaBuild = true;
  dontUseNinjaInstall = true;
  makeFlags = [ "RUNTIME=dynamic" ];
  buildFlags = [ "programs" ];

  installPhase = ''
    runHook preInstall
    export SBINDIR=bin POLICYDIR=share/dbus-1/system.d ACTIONDIR=share/polkit-1/actions
    make install $makeFlags PREFIX=$out
    make install $makeFlags PREFIX=$sensorproxy COMPONENT=sensorproxy
    # The daemon is in the other output.
    sed -i "s|$sensorproxy/bin/orientationd|$out/bin/orientationd|" $sensorproxy/lib/systemd/system/*.d/*.conf
    runHook postInstall
  '';

  meta = {
    description = "Device orientation service for local apps";
    license = with lib.licenses; [ asl20 ];
    platforms = lib.platforms.linux;
    mainProgram = "orientationctl";
    broken = lib.versionOlder swiftPackages.swift.version "6.2.3";
  };
})
