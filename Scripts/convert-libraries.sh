#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# convert-libraries.sh FOLDER: convert the documentation of the libraries with DocC into archives, FOLDER/MODULE.doccarchive; a
# warning is an error. build-docs.py makes pages of their data.
set -eu

cd "$(dirname "$0")/.."
archives=$1
build=$(swift build --show-bin-path)
target=$(swift -print-target-info | sed -n 's/^ *"unversionedTriple": "\(.*\)",$/\1/p')
rm -rf "${archives:?}"
mkdir -p "$archives"

for module in OrientationClient InterfaceRotation AppManifest OrientationModel Varlink; do
    swift build --target "$module"
    graphs=.build/symbol-graphs/$module
    rm -rf "$graphs"
    mkdir -p "$graphs"
    swift-symbolgraph-extract -module-name "$module" -I "$build/Modules" -target "$target" \
        -Xcc -fmodule-map-file=Sources/Protocol/CJansson/module.modulemap \
        -Xcc -fmodule-map-file=Sources/Client/CLibrary/module.modulemap \
        -Xcc -fmodule-map-file="$build/CPosix.build/module.modulemap" \
        -experimental-allowed-reexported-modules=OrientationClientCore,OrientationRules \
        -minimum-access-level public -output-dir "$graphs"
    # Some libraries have comments only.
    catalog=$(echo Sources/*/"$module")/$module.docc
    [ -d "$catalog" ] || catalog=
    docc convert ${catalog:+"$catalog"} --additional-symbol-graph-dir "$graphs" \
        --fallback-display-name "$module" --fallback-bundle-identifier "org.orientationd.$module" \
        --no-transform-for-static-hosting --output-path "$archives/$module.doccarchive" --warnings-as-errors
done
