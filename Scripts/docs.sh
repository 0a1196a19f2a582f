#!/usr/bin/env bash
# Builds the documentation of the library products with the toolchain's DocC, into .build/docs: one archive per library. Every warning is
# an error, so every link in a docstring or an article resolves.
#
#   Scripts/docs.sh [MODULE]...    all libraries without a MODULE
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Scripts/test-flags.sh

# A library is a target with a catalog. Apple's systems have their own UserNotifications, so the modules that build on it are Linux only.
libraries=("$@")
if ((${#libraries[@]} == 0)); then
    for catalogue in Sources/*/*/*.docc; do
        library=$(basename "$catalogue" .docc)
        case $library in
            UserNotifications | ServiceExtension | ExtensionRuntime) [[ $(uname) == Linux ]] || continue ;;
        esac
        libraries+=("$library")
    done
fi

# On macOS swift-symbolgraph-extract and docc are found through xcrun.
tool() {
    local name=$1
    shift
    if command -v "$name" >/dev/null; then "$name" "$@"; else xcrun "$name" "$@"; fi
}

target=$(swiftc -print-target-info | sed -nE 's/^ *"triple": "([^"]+)".*/\1/p' | head -1)
sdk=()
if [[ $(uname) == Darwin ]]; then
    target=${target/macosx*/macosx15.0}
    sdk=(-sdk "$(xcrun --show-sdk-path)")
fi
modules=$(swift build --show-bin-path "${flags[@]}")
for library in "${libraries[@]}"; do
    build --target "$library"
    graphs=.build/docs/graphs/$library
    rm -rf "$graphs" ".build/docs/$library.doccarchive"
    mkdir -p "$graphs"
    # C modules are imported by name, so their module maps are needed too: our own, and those that SwiftPM generated.
    includes=(-I "$modules/Modules")
    for map in "$modules"/*.build/module.modulemap Sources/*/*/module.modulemap \
        .build/tests/checkouts/*/Sources/*/module.modulemap .build/tests/checkouts/*/Sources/*/include/module.modulemap; do
        if [[ -f $map ]]; then includes+=(-I "$(dirname "$map")"); fi
    done
    tool swift-symbolgraph-extract -module-name "$library" -target "$target" ${sdk[@]+"${sdk[@]}"} "${includes[@]}" \
        -minimum-access-level public -skip-synthesized-members -output-dir "$graphs"
    tool docc convert Sources/*/"$library/$library.docc" --additional-symbol-graph-dir "$graphs" --warnings-as-errors \
        --fallback-display-name "$library" --fallback-bundle-identifier "org.pushpipe.$library" \
        --output-dir ".build/docs/$library.doccarchive" >&2
    printf '%s\n' ".build/docs/$library.doccarchive"
done
