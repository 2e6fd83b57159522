#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check-library.sh: check that meson builds the files of the library for C that SwiftPM builds, all of the folder, and that it has the
# version of the programs.
set -eu
cd "$(dirname "$0")/.."

folder=Sources/Client/CLibrary
built=$(grep -o "folder / '[a-z]*\.c'" meson.build | sed "s/.*'\(.*\)'/\1/" | sort)
present=$(cd "$folder" && ls ./*.c | sed 's|^\./||' | sort)
if [ "$built" != "$present" ]; then
    echo "meson.build: sources: $(echo $built); $folder has: $(echo $present)" >&2
    exit 1
fi
if sed -n '/name: "CLibrary"/,/publicHeadersPath/p' Package.swift | grep -q '\.c"'; then
    echo "Package.swift: CLibrary: excludes or lists C files: SwiftPM must build all of $folder" >&2
    exit 1
fi
version=$(sed -n 's/.*current = "\(.*\)"/\1/p' Sources/Protocol/OrientationWire/Version.swift)
for file in meson.build Sources/Client/Python/pyproject.toml; do
    if ! grep -q "version[:=]* *[:=] *['\"]$version['\"]" "$file"; then
        echo "$file: version: must be $version, as in Version.swift" >&2
        exit 1
    fi
done
