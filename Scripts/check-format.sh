#!/usr/bin/env bash
# Checks the Swift sources against .swift-format, which swift-format finds by itself in the folders above each source.
# Any finding is an error. `Scripts/check-format.sh --changed` looks at what differs from the last commit alone, which takes a moment, and
# `Scripts/check-format.sh --fix` rewrites the sources; `make format` runs that.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

paths=()
for path in Package.swift Sources Tests Benchmarks Fuzzing Samples/Extensions Samples/LibraryUser Samples/SenderTests; do
    if [[ -e $path ]]; then paths+=("$path"); fi
done

if [[ ${1-} == --changed ]]; then
    changed=()
    while IFS= read -r path; do
        if [[ $path == *.swift && -e $path ]]; then changed+=("$path"); fi
    done < <(git ls-files --modified --others --exclude-standard -- "${paths[@]}")
    if ((${#changed[@]} == 0)); then exit 0; fi
    paths=("${changed[@]}")
fi

if [[ ${1-} == --fix ]]; then
    exec swift format format --in-place --parallel --recursive "${paths[@]}"
fi
swift format lint --strict --parallel --recursive "${paths[@]}" || {
    echo "check-format: 'make format' fixes layout; other findings need a manual change" >&2
    exit 1
}
