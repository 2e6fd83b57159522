#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# build-docs.sh FOLDER: build the documentation of the libraries into FOLDER with DocC, to be served at the root of a web
# server; a warning is an error.
set -eu

output=$1
cd "$(dirname "$0")/.."
build=$(swift build --show-bin-path)
target=$(swift -print-target-info | sed -n 's/^ *"unversionedTriple": "\(.*\)",$/\1/p')
archives=.build/doc-archives
rm -rf "$archives" "${output:?}"
mkdir -p "$archives"

libraries="OrientationClient InterfaceRotation AppManifest OrientationModel Varlink"
for module in $libraries; do
    swift build --target "$module"
    graphs=.build/symbol-graphs/$module
    rm -rf "$graphs"
    mkdir -p "$graphs"
    swift-symbolgraph-extract -module-name "$module" -I "$build/Modules" -target "$target" \
        -Xcc -fmodule-map-file=Sources/Protocol/CJansson/module.modulemap \
        -Xcc -fmodule-map-file="$build/CPosix.build/module.modulemap" \
        -experimental-allowed-reexported-modules=OrientationClientCore \
        -minimum-access-level public -output-dir "$graphs"
    # Some libraries have comments only.
    catalog=$(echo Sources/*/"$module")/$module.docc
    [ -d "$catalog" ] || catalog=
    docc convert ${catalog:+"$catalog"} --additional-symbol-graph-dir "$graphs" \
        --fallback-display-name "$module" --fallback-bundle-identifier "org.orientationd.$module" \
        --output-path "$archives/$module.doccarchive" --warnings-as-errors
done

docc merge "$archives"/*.doccarchive --synthesized-landing-page-name orientationd --output-path "$output"
# DocC shows nothing at the root of its folder.
echo '<!DOCTYPE html><title>orientationd</title><meta http-equiv="refresh" content="0; url=documentation/">' \
    >"$output/index.html"
for module in $libraries; do
    page=documentation/$(echo "$module" | tr '[:upper:]' '[:lower:]')
    if [ ! -f "$output/$page/index.html" ] || ! grep -q "\"org.orientationd.$module\"" "$output/index/index.json"; then
        echo "build-docs: $module: not in the index of $output" >&2
        exit 1
    fi
done
echo "To view it, run this and open http://localhost:8000: python3 -m http.server --bind localhost --directory $output"
