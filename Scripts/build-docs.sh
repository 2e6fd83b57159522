#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# build-docs.sh FOLDER: build the documentation of the libraries into FOLDER with DocC; a warning is an error.
set -eu

output=$1
cd "$(dirname "$0")/.."
build=$(swift build --show-bin-path)
target=$(swift -print-target-info | sed -n 's/^ *"unversionedTriple": "\(.*\)",$/\1/p')
mkdir -p "$output"

for module in OrientationClient InterfaceRotation; do
    swift build --target "$module"
    graphs=.build/symbol-graphs/$module
    rm -rf "$graphs" "${output:?}/$module"
    mkdir -p "$graphs"
    swift-symbolgraph-extract -module-name "$module" -I "$build/Modules" -target "$target" \
        -Xcc -fmodule-map-file=Sources/CJansson/module.modulemap \
        -Xcc -fmodule-map-file="$build/CPosix.build/module.modulemap" \
        -experimental-allowed-reexported-modules=OrientationClientCore \
        -minimum-access-level public -output-dir "$graphs"
    docc convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$graphs" \
        --fallback-display-name "$module" --fallback-bundle-identifier "org.orientationd.$module" \
        --output-path "$output/$module" --warnings-as-errors
    echo "$output/$module/index.html"
done
