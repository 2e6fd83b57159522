#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# nix.sh: parse the package and the module for NixOS, and evaluate both with a stub of nixpkgs: names, options and the files that the
# module refers to. Nothing is built: that needs nixpkgs.
set -eu

cd "$(dirname "$0")/../../.."
state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
# No store of the machine, and no network.
export NIX_STORE_DIR="$state/store" NIX_STATE_DIR="$state/var" NIX_LOG_DIR="$state/log" NIX_CONF_DIR="$state/conf" NIX_CONFIG="build-users-group =" HOME="$state"

nix-instantiate --parse packaging/nix/package.nix packaging/nix/module.nix >/dev/null
nix-instantiate --eval --strict --json Tests/System/Packaging/nixpkgs/check.nix >"$state/values"
python3 - "$state/values" <<'EOF'
import json
import pathlib
import re
import sys

values = json.load(open(sys.argv[1]))
version = re.search(r'current = "(.*)"', pathlib.Path("Sources/Protocol/OrientationWire/Version.swift").read_text())[1]
install = pathlib.Path("Scripts/install.sh").read_text()
users = {line.split()[1] for path in pathlib.Path("systemd").glob("*.sysusers") for line in path.read_text().splitlines() if line[:2] == "u "}
checks = {
    "version": (values["package"]["version"], version),
    "the file of the tarball": (values["package"]["srcs"][0].rsplit("/", 1)[1], f"orientationd-{version}.tar.gz"),
    "off": (values["off"], {}),
    "users": (set(values["all"]["users"]), users),
    "groups": (set(values["all"]["groups"]), users | {"orientation"}),
    "packages": (values["base"]["packages"], ["orientationd"]),
    "packages with sensorproxy": (values["all"]["packages"], ["orientationd", "orientationd-sensorproxy"]),
    "the bus": ((values["base"]["bus"], values["all"]["bus"]), ([], ["orientationd-sensorproxy"])),
    "autorotate": ((values["base"]["autorotate"], values["all"]["autorotate"]), ([], ["graphical-session.target"])),
    "beside iio-sensor-proxy": (values["conflict"], [False]),
}
failed = [f"{name}: {found}, not {expected}" for name, (found, expected) in checks.items() if found != expected]
failed += [f"install.sh has no unit {unit}" for unit in values["all"]["units"] if f"/{unit}" not in install]
sys.exit("\n".join(f"FAILED  nix: {line}" for line in failed) if failed else 0)
EOF
echo "passed  nix: the package and the module are parsed, and evaluated with a stub of nixpkgs; not built"
