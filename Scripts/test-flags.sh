# shellcheck shell=bash
# The flags of the build for tests, for every script that builds or runs them, so that nothing is built twice; they load it with `source`.
# `Scripts/times.py` prints what each step of the build takes.

# A warning in our own targets is an error here, and only here. A module may import only what its target declares.
flags=(--traits Command,Strict --explicit-target-dependency-import-check error)
# A folder of its own, so that a plain `swift build` and this one do not replace each other's modules; another one with SANITIZER=address
# or thread.
flags+=(--scratch-path ".build/tests${SANITIZER:+-$SANITIZER}")
if [[ -n ${SANITIZER-} ]]; then flags+=(--sanitize="$SANITIZER"); fi
# The release configuration without optimization. The debug configuration compiles each module with three processes, and has
# swift-argument-parser validate every option again and again at each start of the command: eight times the instructions of a parse.
unoptimized=(-c release -Xswiftc -Onone -Xcc -O0 -Xswiftc -no-emit-module-separately-wmo)
# Nobody debugs this build.
unoptimized+=(-debug-info-format none --disable-local-rpath)
flags+=("${unoptimized[@]}" -Xswiftc -enable-testing)

# Scripts/test-clang.sh compiles BoringSSL in half the time. Sets the variables of a build with it, and removes what no longer suits the compiler.
use_test_clang() {
    local compiler=${CC:-$(dirname "$(command -v swift)")/clang} folder=$PWD/.build/tests header
    mkdir -p "$folder"
    for header in "$folder"/*.pch; do
        "$compiler" -target "$(uname -m)-unknown-linux-gnu" -fblocks -fPIC -O0 -g0 -fno-omit-frame-pointer -std=c++17 \
            -include-pch "$header" -fsyntax-only -x c++ /dev/null 2>/dev/null || rm -f "$header"
    done
    variables+=("CC=$PWD/Scripts/test-clang.sh" "PUSHPIPE_CLANG=$compiler" "PUSHPIPE_PRECOMPILED=$folder")
}

# build --build-tests, or build --product NAME. With PUSHPIPE_IS_BUILT it is there: to find that out takes SwiftPM five seconds of a processor.
build() {
    [[ -z ${PUSHPIPE_IS_BUILT-} ]] || return 0
    # SwiftPM passes a flag for each trait in the order of a hashed set. With another order than last time it compiles every module again.
    local variables=(SWIFT_DETERMINISTIC_HASHING=1)
    if [[ $(uname) == Linux && -z ${SANITIZER-} ]]; then use_test_clang; fi
    env "${variables[@]}" swift build "$@" "${flags[@]}" >&2 || {
        # An undeclared import fails the build although its last line says "Build complete!".
        printf "%s: the build failed; the reason is the first 'error:' above\n" "$(basename "$0" .sh)" >&2
        exit 1
    }
}

# Runs what `build --build-tests` has built. Nothing uses XCTest, which would say that it executed no test. `swift test` would keep SwiftPM's
# lock until the tests end, and other builds would wait for it.
run_tests() {
    if [[ $(uname) == Linux ]]; then
        "$(swift build --show-bin-path "${flags[@]}")/pushpipePackageTests.xctest" --testing-library swift-testing "$@"
    else
        swift test --skip-build --disable-xctest "${flags[@]}" "$@"
    fi
}

# Builds the command, and prints its path.
build_command() {
    build --product pushpipe
    printf '%s/pushpipe\n' "$(swift build --show-bin-path "${flags[@]}")"
}
