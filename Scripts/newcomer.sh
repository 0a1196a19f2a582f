#!/usr/bin/env bash
# Measures how long it takes from nothing to the first line of a report, and prints the rows with the times that README.md has:
#
#   - with the archive, in a system without Swift (Scripts/packages.sh); the limit is 30 seconds
#   - with a clone and Swift, in an empty folder with nothing built and no package fetched; the limit is 3 minutes on two cores
#
#   Scripts/newcomer.sh [archive | clone]...    both without a word
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() { printf 'newcomer: %s\n' "$*" >&2; exit 1; }

parts=("$@")
((${#parts[@]})) || parts=(archive clone)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for part in "${parts[@]}"; do
    case $part in
        archive)
            Scripts/packages.sh 2>&1 | tee "$work/log" >&2
            time=$(sed -nE 's/.* first line of a report in ([0-9]+) ms/\1/p' "$work/log")
            [[ $time ]] || fail "the archive was not tried"
            tenths=$(((time + 50) / 100))
            printf '%s\n' "| unpack the archive, and run | $((tenths / 10)).$((tenths % 10)) s |"
            ;;
        clone)
            start=$SECONDS
            git clone --quiet . "$work/clone"
            first=$(make -s -C "$work/clone" run SWIFTFLAGS="--cache-path $work/cache" | head -n 1)
            time=$((SECONDS - start))
            [[ $first == *outcome* || $first == *delivered* ]] || fail "make run prints: $first"
            printf '%s\n' "| clone, and \`make run\`: compile the filter | $((time / 60)) min $((time % 60)) s |"
            ((time < 180)) || fail "that is more than 3 minutes"
            ;;
        *) fail "unknown part: $part" ;;
    esac
done
