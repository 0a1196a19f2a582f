#!/usr/bin/env bash
# Checks that the mistakes of Samples/LibraryUser/Mistakes do not compile, in seconds: a file each, whose first line is `// error: PATTERN` with what
# the compiler says, or `// compiles`. They are compiled as files of another package, with the modules of a build.
#
#   Scripts/mistakes.sh [FOLDER]    the folder of the build's products; without one, that of the tests
set -euo pipefail
build=${1:-$(dirname "${BASH_SOURCE[0]}")/../.build/tests/release}
build=$(cd "$build" && pwd -P)
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# C modules are imported by name, so their module maps are needed too: our own, and those that SwiftPM generated.
includes=(-I "$build/Modules")
checkouts=$build/../../checkouts
for map in "$build"/*.build/module.modulemap Sources/*/*/module.modulemap \
    "$checkouts"/*/Sources/*/module.modulemap "$checkouts"/*/Sources/*/include/module.modulemap; do
    if [[ -f $map ]]; then includes+=(-I "$(dirname "$map")"); fi
done
for include in $(pkg-config --cflags-only-I jansson sqlite3); do includes+=("$include"); done

# Some mistakes are found only after type checking, so this goes further. Prints why a file is not as its first line says.
check() {
    local file=$1 expected output others result=compiles
    expected=$(sed -n '1s|^// error: ||p' "$file")
    output=$(swiftc -emit-sil -wmo -o /dev/null -parse-as-library -swift-version 6 -enable-upcoming-feature MemberImportVisibility \
        -strict-memory-safety -package-name user-of-pushpipe "${includes[@]}" "$file" 2>&1) || result='does not compile'
    others=$(grep -E '^[^ ].*(error|warning): ' <<<"$output" | grep -vE "error: .*(${expected:-nothing is expected})") || true
    if [[ $others ]]; then
        printf '%s: %s\n%s\n' "$file" "$result" "$others"
    elif [[ $expected ]]; then
        grep -qE "error: .*($expected)" <<<"$output" || printf '%s: %s without that error\n' "$file" "$result"
    elif [[ $result != compiles ]]; then
        printf '%s: %s\n' "$file" "$output"
    fi
}

# Two at a time, because there are many and each is short.
wrong=$(
    files=(Samples/LibraryUser/Mistakes/*.swift)
    for ((half = 0; half < 2; half++)); do
        for ((index = half; index < ${#files[@]}; index += 2)); do check "${files[index]}" || true; done &
    done
    wait
)
if [[ $wrong ]]; then
    printf '%s\n' "$wrong" 'mistakes: these are not as the first line of the file says' >&2
    exit 1
fi

# A product whose trait was forgotten says so before it says what is missing for that reason.
modules=$(mktemp -d)
trap 'rm -rf "$modules"' EXIT
ln -s "$build"/Modules/* "$modules"
rm -rf "$modules"/NIO*
while read -r target trait; do
    first=$(swiftc -typecheck -parse-as-library -swift-version 6 -module-name "$target" -package-name pushpipe \
        -I "$modules" Sources/*/"$target"/*.swift 2>&1 | grep -m1 'error: ') || true
    if [[ $first != *"needs a trait of its package"*"[\"$trait\"]"* ]]; then
        printf 'mistakes: without the trait %s, the first error of %s is: %s\n' "$trait" "$target" "$first" >&2
        exit 1
    fi
done <<'END'
PushGateway Testing
END
