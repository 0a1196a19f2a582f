#!/usr/bin/env bash
# Demonstrates pushpipe: runs sample notifications through a release build, then shows every device's screen. Headings and
# commands go to stderr, so standard output is only pushpipe's output. The store is in a temporary folder, removed at the end.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

pushpipe=$(Scripts/release.sh --core)/pushpipe
samples=Samples/quickstart.ndjson
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
store=$folder/quickstart.db

# Prints the command that a reader would type here for the same output, so without the temporary folder.
heading() { printf '\n# %s\n$ %s\n' "$1" "$2" >&2; }

heading "The report: one line per notification" "${pushpipe#"$PWD"/} run --store quickstart.db < $samples"
"$pushpipe" run --store "$store" <"$samples"

heading "What is on every device's screen now" "${pushpipe#"$PWD"/} store show --store quickstart.db --format text"
"$pushpipe" store show --store "$store" --format text
