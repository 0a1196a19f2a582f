#!/usr/bin/env bash
# Builds the documentation of the library products with the toolchain's DocC, into .build/docs: one archive per library. Every warning is
# an error, so every link in a docstring or an article resolves.
#
#   Scripts/docs.sh [MODULE]...    all libraries without a MODULE
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Scripts/test-flags.sh
source Scripts/symbol-graph.sh

# A library is a target with a catalog. Apple's systems have their own UserNotifications, so the modules that build on it are Linux only.
libraries=("$@")
if ((${#libraries[@]} == 0)); then
    for catalogue in Sources/*/*/*.docc; do
        library=$(basename "$catalogue" .docc)
        case $library in
            UserNotifications | ServiceExtension | ServiceExtensionTesting | ExtensionRuntime) [[ $(uname) == Linux ]] || continue ;;
        esac
        libraries+=("$library")
    done
fi

if ((${#libraries[@]} == 1)); then build --target "${libraries[0]}"; else build; fi
for library in "${libraries[@]}"; do
    graphs=.build/docs/graphs/$library
    rm -rf "$graphs" ".build/docs/$library.doccarchive"
    mkdir -p "$graphs"
    # What comes along when the library is imported has its pages in the same archive.
    exported=$(sed -nE 's/^@_exported public import ([a-z]+ )?([A-Za-z]+).*/\2/p' Sources/*/"$library"/Exports.swift 2>/dev/null | paste -sd, -) || true
    symbol_graph "$library" "$graphs" ${exported:+"-experimental-allowed-reexported-modules=$exported"}
    tool docc convert Sources/*/"$library/$library.docc" --additional-symbol-graph-dir "$graphs" --warnings-as-errors \
        --fallback-display-name "$library" --fallback-bundle-identifier "org.pushpipe.$library" \
        --output-dir ".build/docs/$library.doccarchive" >&2
    printf '%s\n' ".build/docs/$library.doccarchive"
done
