#!/usr/bin/env bash
# Checks the Swift sources against .swift-format, which swift-format finds by itself in the folders above each source.
# Any finding is an error. `Scripts/check-format.sh --fix` rewrites the sources instead; `make format` runs that.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

paths=()
for path in Package.swift Sources Tests Benchmarks Fuzzing Samples/Extensions Samples/LibraryUser Samples/SenderTests; do
    if [[ -e $path ]]; then paths+=("$path"); fi
done

if [[ ${1-} == --fix ]]; then
    exec swift format format --in-place --parallel --recursive "${paths[@]}"
fi
swift format lint --strict --parallel --recursive "${paths[@]}" || {
    echo "check-format: 'make format' fixes layout; other findings need a manual change" >&2
    exit 1
}
