#!/usr/bin/env bash
# Measures `pushpipe extension build`: the first build with an empty cache, the next one after a change, and the same for an extension with
# CryptoKit; next to the compiler alone, for a file as small that imports Foundation. Prints a table of medians; Benchmarks/README.md
# explains it. CryptoKit takes minutes on a busy machine, and a network the first time: CRYPTO=0 leaves it out.
#
#   ROUNDS=3 CRYPTO=1 PUSHPIPE=path Benchmarks/extension-build.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Benchmarks/common.sh

rounds=${ROUNDS-3}
check_number rounds
pushpipe=$(find_pushpipe --whole)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# seconds NAME COMMAND…: appends the wall-clock seconds and the processor seconds of a command.
seconds() {
    local name=$1
    shift
    # `time` takes the formats of a POSIX shell: real, user, system.
    TIMEFORMAT='%R %U %S'
    { time "$@" >/dev/null 2>"$folder/log"; } 2>>"$folder/times.$name" || {
        cat "$folder/log" >&2
        fail "$name: failed"
    }
}

build() { "$pushpipe" extension build --cache "$folder/cache" --output "$folder/out" "$1"; }

names=("extension, first build" "extension, next build" "CryptoKit, first build" "CryptoKit, next build" "swiftc, one file")
for ((round = 1; round <= rounds; round++)); do
    say "round $round of $rounds"
    rm -rf "$folder/cache" "$folder/out" "$folder/plain" "$folder/crypto"
    cp -R Benchmarks/TemplateExtension "$folder/plain"
    cp -R Samples/Extensions/Sources/EncryptedMessage "$folder/crypto"
    seconds 0 build "$folder/plain"
    echo "// changed" >>"$folder/plain/NotificationService.swift"
    seconds 1 build "$folder/plain"
    if [[ ${CRYPTO-1} != 0 ]]; then
        seconds 2 build "$folder/crypto"
        echo "// changed" >>"$folder/crypto/NotificationService.swift"
        seconds 3 build "$folder/crypto"
    fi
    printf 'import Foundation\nprint(Date(), URL(string: "https://example.org") as Any)\n' >"$folder/main.swift"
    seconds 4 swiftc -Onone -g "$folder/main.swift" -o "$folder/main"
done

echo "| | Median, s | Processor time, s | Fastest, slowest, s |"
echo "|---|---:|---:|---:|"
for index in "${!names[@]}"; do
    [[ -e $folder/times.$index ]] || continue
    LC_ALL=C sort -n "$folder/times.$index" | awk -v name="${names[$index]}" '
        { real[NR] = $1; cpu[NR] = $2 + $3 }
        END { m = int((NR + 1) / 2); printf "| %s | %.1f | %.1f | %.1f, %.1f |\n", name, real[m], cpu[m], real[1], real[NR] }'
done
echo
describe_machine
echo
