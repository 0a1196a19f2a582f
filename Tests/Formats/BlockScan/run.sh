#!/usr/bin/env bash
# Compares the variants of CPushBlockScan with each other and with functions that go byte by byte: on this machine, and as arm64 code under
# qemu. Debian's compiler and Swift's own clang make that code.
#
#   Tests/Formats/BlockScan/run.sh [TEXTS]    how many random texts; 400,000 without
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

missing=()
command -v aarch64-linux-gnu-gcc >/dev/null || missing+=(gcc-aarch64-linux-gnu)
[[ -e /usr/aarch64-linux-gnu/include/stdio.h ]] || missing+=(libc6-dev-arm64-cross)
command -v qemu-aarch64 >/dev/null || missing+=(qemu-user)
if ((${#missing[@]} > 0)); then
    echo "BlockScan: missing: ${missing[*]}; install with Scripts/setup.sh ${missing[*]}" >&2
    exit 1
fi

texts=${1:-400000}
scanner=Sources/Formats/CPushBlockScan
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# compare NAME RUNNER COMPILER [OPTION...]
compare() {
    local name=$1 runner=$2
    shift 2
    "$@" -O2 -Wall -Wextra -I"$scanner/include" Tests/Formats/BlockScan/differential.c "$scanner/blockscan.c" -o "$work/differential"
    printf '%-22s ' "$name:"
    $runner "$work/differential" "$texts"
}

compare "this machine, clang" "" clang -Werror
# libgcc and crt1.o stand where only the cross compiler looks.
compare "arm64, clang" qemu-aarch64 clang --target=aarch64-linux-gnu -isystem /usr/aarch64-linux-gnu/include -Werror -static \
    --ld-path=/usr/bin/aarch64-linux-gnu-ld
# GCC knows no `#pragma clang`.
compare "arm64, gcc" qemu-aarch64 aarch64-linux-gnu-gcc -Wno-unknown-pragmas -static
