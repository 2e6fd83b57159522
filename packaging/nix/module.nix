# SPDX-License-Identifier: Apache-2.0
{
  config,
  lib,
  pkgs,
  ...
}:

let
  cfg = config.services.orientationd;
in
{
  options.services.orientationd = {
    enable = lib.mkEnableOption "the device orientation service";
    package = lib.mkOption {
      type = lib.types.package;
      default = pkgs.callPackage ./package.nix { };
      description = "The package of the service.";
    };
    sensorproxy = lib.mkEnableOption "the D-Bus service of iio-sensor-proxy, for GNOME, KDE Plasma and Phosh";
    autorotate = lib.mkEnableOption "rotation of the display in sessions that do not rotate it themselves";
  };

  config = lib.mkIf cfg.enable {
    assertions = [
      {
        assertion = !(cfg.sensorproxy && config.hardware.sensor.iio.enable);
        message = "services.orientationd.sensorproxy replaces hardware.sensor.iio.enable: disable one of them.";
      }
    ];

    environment.systemPackages = [ cfg.package ] ++ lib.optional cfg.sensorproxy cfg.package.sensorproxy;
    services.dbus.packages = lib.mkIf cfg.sensorproxy [ cfg.package.sensorproxy ];
    # The rule runs setfacl.
    services.udev.packages = [ cfg.package ];
    services.udev.path = [ pkgs.acl ];

    systemd.packages = [ cfg.package ] ++ lib.optional cfg.sensorproxy cfg.package.sensorproxy;
    # NixOS does not read the section Install of packages.
    systemd.sockets.orientationd.wantedBy = [ "sockets.target" ];
    systemd.user.services.orientation-autorotate.wantedBy = lib.mkIf cfg.autorotate [ "graphical-session.target" ];
    # Units of packages are started with the empty PATH of NixOS.
    systemd.services.orientation-tablet-switch.path = [ pkgs.acl ];

    users.users.orientationd = {
      isSystemUser = true;
      group = "orientationd";
      description = "Device orientation service";
    };
    users.groups.orientationd = { };
    # Its members may use the interfaces Control and Motion.
    users.groups.orientation = { };
    users.users.orientation-tablet-switch = {
      isSystemUser = true;
      group = "orientation-tablet-switch";
      description = "Tablet switch from the lid angle";
    };
    users.groups.orientation-tablet-switch = { };
  };
}
