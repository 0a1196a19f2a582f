#!/usr/bin/env bash
# Demonstrates pushpipe: builds the filter, runs sample notifications through it, and shows every device's screen. Headings and commands go to
# stderr, so standard output is only pushpipe's output. The store is in a temporary folder, removed at the end.
#
# Four fifths of the time of a release build go to the optimizer, which a first look does not need. Scripts/release.sh builds what is measured
# and installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Scripts/test-flags.sh

folder=.build/quick
# SWIFTFLAGS is a list of words, so it is left unquoted on purpose.
# shellcheck disable=SC2086
SWIFT_DETERMINISTIC_HASHING=1 swift build "${unoptimized[@]}" --scratch-path "$folder" --product pushpipe-core ${SWIFTFLAGS-} >&2
ln -sf release/pushpipe-core "$folder/pushpipe"
pushpipe=$folder/pushpipe
samples=Samples/quickstart.ndjson
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
store=$temporary/quickstart.db

# Prints the command that a reader would type here for the same output, so without the temporary folder.
heading() { printf '\n# %s\n$ %s\n' "$1" "$2" >&2; }

heading "The report: one line per notification" "$pushpipe run --store quickstart.db < $samples"
"$pushpipe" run --store "$store" <"$samples"

heading "What is on every device's screen now" "$pushpipe store show --store quickstart.db --format text"
"$pushpipe" store show --store "$store" --format text

printf '\n# To use it anywhere, optimized and with all commands\n$ make install PREFIX=~/.local\n' >&2
