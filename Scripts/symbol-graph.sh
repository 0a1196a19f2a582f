# shellcheck shell=bash
# Symbol graphs of modules that the build for tests has made. Scripts load this with `source`, after Scripts/test-flags.sh.

# On macOS swift-symbolgraph-extract and docc are found through xcrun.
tool() {
    local name=$1
    shift
    if command -v "$name" >/dev/null; then "$name" "$@"; else xcrun "$name" "$@"; fi
}

# symbol_graph MODULE FOLDER [FLAG]...: writes the module's public symbols as JSON, those that it adds to other modules in files of their own.
symbol_graph() {
    local modules target map sdk=() includes
    modules=$(swift build --show-bin-path "${flags[@]}")
    target=$(swiftc -print-target-info | sed -nE 's/^ *"triple": "([^"]+)".*/\1/p' | head -1)
    if [[ $(uname) == Darwin ]]; then
        target=${target/macosx*/macosx15.0}
        sdk=(-sdk "$(xcrun --show-sdk-path)")
    fi
    # C modules are imported by name, so their module maps are needed too: our own, and those that SwiftPM generated.
    includes=(-I "$modules/Modules")
    for map in "$modules"/*.build/module.modulemap Sources/*/*/module.modulemap \
        .build/tests/checkouts/*/Sources/*/module.modulemap .build/tests/checkouts/*/Sources/*/include/module.modulemap; do
        if [[ -f $map ]]; then includes+=(-I "$(dirname "$map")"); fi
    done
    tool swift-symbolgraph-extract -module-name "$1" -target "$target" ${sdk[@]+"${sdk[@]}"} "${includes[@]}" \
        -minimum-access-level public -skip-synthesized-members -output-dir "$2" "${@:3}"
}
