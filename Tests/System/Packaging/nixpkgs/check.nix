# SPDX-License-Identifier: Apache-2.0
#
# The package and the module with as much of nixpkgs as they use. An attribute that the stub lacks is an error.
let
  isIf = value: builtins.isAttrs value && value ? _if;
  lib = {
    mkIf = _if: content: { inherit _if content; };
    mkOption = option: option;
    mkEnableOption = description: {
      type = "bool";
      default = false;
      inherit description;
    };
    optional = condition: value: if condition then [ value ] else [ ];
    versionOlder = a: b: builtins.compareVersions a b < 0;
    types.package = "package";
    licenses.asl20 = "Apache-2.0";
    platforms.linux = [ "x86_64-linux" ];
  };
  named = builtins.listToAttrs (
    map
      (name: {
        inherit name;
        value = name;
      })
      [
        "jansson"
        "libiio"
        "libxcb"
        "meson"
        "ninja"
        "pkg-config"
        "python3"
        "systemd"
        "wayland"
      ]
  );
  pkgs = named // {
    inherit lib;
    acl = "acl";
    swiftPackages = {
      swift.version = "6.2.3";
      swiftpm = "swiftpm";
      Dispatch = "Dispatch";
      Foundation = "Foundation";
    };
    stdenv.mkDerivation =
      function:
      let
        attributes = function attributes;
      in
      attributes
      // {
        outPath = attributes.pname;
        sensorproxy = attributes.pname + "-sensorproxy";
      };
    callPackage =
      file: more:
      let
        function = import file;
        arguments = builtins.functionArgs function;
      in
      function ((builtins.intersectAttrs arguments pkgs) // more);
  };
  # The value of a condition that holds, or the default.
  resolve =
    default: value:
    if isIf value then (if value._if then value.content else default) else value;
  evaluate =
    given: iio:
    let
      module = import ../../../../packaging/nix/module.nix {
        inherit lib pkgs;
        config = {
          hardware.sensor.iio.enable = iio;
          services.orientationd = builtins.mapAttrs (
            name: option: given.${name} or option.default
          ) module.options.services.orientationd;
        };
      };
    in
    resolve { } module.config;
  facts = config: {
    packages = map toString config.systemd.packages;
    bus = map toString (resolve [ ] config.services.dbus.packages);
    autorotate = resolve [ ] config.systemd.user.services.orientation-autorotate.wantedBy;
    users = builtins.attrNames config.users.users;
    groups = builtins.attrNames config.users.groups;
    units =
      map (name: name + ".socket") (builtins.attrNames config.systemd.sockets)
      ++ map (name: name + ".service") (
        builtins.attrNames config.systemd.services ++ builtins.attrNames config.systemd.user.services
      );
  };
  package = pkgs.callPackage ../../../../packaging/nix/package.nix { };
  everything = {
    enable = true;
    sensorproxy = true;
    autorotate = true;
  };
in
{
  package = {
    inherit (package)
      version
      installPhase
      nativeBuildInputs
      buildInputs
      ;
    inherit (package.meta) broken;
    srcs = map toString package.srcs;
  };
  off = evaluate { } false;
  base = facts (evaluate { enable = true; } false);
  all = facts (evaluate everything false);
  conflict = map (it: it.assertion) (evaluate everything true).assertions;
}
