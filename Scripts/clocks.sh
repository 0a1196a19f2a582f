#!/usr/bin/env bash
# Runs the fast tests where somebody else may run them: at other times of day and of the year, in other zones and languages, with another
# home or none, as a user that is not root, and in a folder whose name has a space. Before that the built command runs while its clock jumps.
# Linux only.
#
#   Scripts/clocks.sh [NAME]...      all runs, or those whose names contain one of the words
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Scripts/test-flags.sh

[[ $(uname) == Linux ]] || { echo "clocks: Linux only" >&2; exit 0; }
Scripts/setup.sh sqlite3 jq python3 curl locales util-linux
build --build-tests

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
# A locale of one's own needs no change of the system.
mkdir "$work/locales" "$work/home"
for language in tr_TR de_DE; do localedef -i "$language" -f UTF-8 "$work/locales/$language.UTF-8"; done
clang -shared -fPIC -O1 -o "$work/clock.so" Tests/Command/Clock/clock.c

status=0
# run NAME [WORD]...: the tests, with words of `env` before them.
run() {
    local name=$1 bundle
    shift
    if ((${#wanted[@]})); then
        local word isWanted=false
        for word in "${wanted[@]}"; do [[ $name == *"$word"* ]] && isWanted=true; done
        $isWanted || return 0
    fi
    bundle=$(swift build --show-bin-path "${flags[@]}")/pushpipePackageTests.xctest
    echo "clocks: $name" >&2
    timeout 900 env LOCPATH="$work/locales" "$@" "$bundle" --testing-library swift-testing --quiet --skip SlowTests/ >"$work/log" 2>&1 || {
        echo "clocks: failed: $name" >&2
        status=1
    }
    grep -aE 'recorded an issue|↳|Fatal|Test run with' "$work/log" | cut -c1-300 || true
}

# The clock jumps while the command runs.
jumps() { Tests/Command/Clock/jumps.py "$(swift build --show-bin-path "${flags[@]}")/pushpipe" "$work/clock.so" >&2 || status=1; }

# at TIME [WORD]...: the clock of the day, in UTC, begins at that time and runs.
at() {
    local offset
    offset=$(($(date -u -d "$1" +%s) - $(date +%s)))
    run "at $1" LD_PRELOAD="$work/clock.so" CLOCK_OFFSET="$offset" "${@:2}"
}

wanted=("$@")

jumps
at "2027-01-31 22:02:00"
at "2027-01-31 12:02:00"
at "2026-12-31 23:59:58"
at "2027-01-01 00:00:00"
at "2028-02-29 23:59:30"
at "2027-03-28 00:59:50" TZ=Europe/London LANG=de_DE.UTF-8 env -u HOME
at "2038-01-19 03:14:00"
for zone in Pacific/Kiritimati America/St_Johns; do run "in the zone $zone" TZ="$zone"; done
for language in tr_TR.UTF-8 de_DE.UTF-8 C xx_XX.UTF-8; do run "in the language $language" LANG="$language" LC_ALL="$language"; done
run "with another home" HOME="$work/home"
run "without a home" env -u HOME
# Nobody may write into the folder of the package.
mkdir -m 1777 "$work/tmp"
run "as a user that is not root" TMPDIR="$work/tmp" HOME=/nonexistent setpriv --reuid 65534 --regid 65534 --clear-groups
mkdir "$work/a folder"
run "in a temporary folder with a space" TMPDIR="$work/a folder"
exit "$status"
