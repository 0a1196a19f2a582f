#!/usr/bin/env bash
# Creates a large store and measures operations on it: time, peak memory and size, as a table on standard output.
# RECORDS= and DEVICES= set the size (10 million notifications on a million devices), FOLDER= the place of the files (a temporary
# folder, removed at the end). At full size that takes 30 GB of disk, and an hour on two cores.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Benchmarks/common.sh

RECORDS=${RECORDS:-10000000}
DEVICES=${DEVICES:-1000000}
check_number RECORDS
check_number DEVICES
command -v python3 >/dev/null || fail "there is no python3 (Scripts/setup.sh python3)"
pushpipe=$(realpath "$(find_pushpipe)")
folder=$(mktemp -d "${FOLDER:-${TMPDIR:-/tmp}}/store-scale.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Runs a command and writes a row: wall-clock seconds, processor seconds, the peak memory of the process.
measure() {
    local name=$1
    shift
    say "$name"
    python3 - "$name" "$@" 3<&0 <<'PYTHON'
import os, resource, subprocess, sys, time
name, command = sys.argv[1], sys.argv[2:]
start = time.monotonic()
status = subprocess.call(command, stdin=3, stdout=subprocess.DEVNULL if os.environ.get("OUT") is None else open(os.environ["OUT"], "w"))
seconds = time.monotonic() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
peak = used.ru_maxrss / (1024 if sys.platform != "darwin" else 1 << 20)
print(f"| {name} | {seconds:.1f} | {used.ru_utime + used.ru_stime:.1f} | {peak:.0f} |", flush=True)
sys.exit(status)
PYTHON
}

size() { printf '%s' "$(($(stat -c %s "$1" 2>/dev/null || stat -f %z "$1") >> 20))"; }

printf '%s notifications on %s devices, one size, none replaces another.\n\n' "$RECORDS" "$DEVICES"
printf '| | Seconds | Processor, s | Peak memory, MiB |\n|---|---:|---:|---:|\n'
generate=("$pushpipe" generate --count "$RECORDS" --device-count "$DEVICES" --record-bytes 415 --replace-rate 0)
"${generate[@]}" | measure '`run --store`' \
    "$pushpipe" run -q --format none --clock 2026-11-03T20:00:00Z --store store.db
made=$(size store.db)
device=$("$pushpipe" generate --count 1 --device-count "$DEVICES" --record-bytes 415 | sed -E 's/.*"device":"([^"]*)".*/\1/')
measure '`store show DEVICE`' "$pushpipe" store show store.db "$device" </dev/null
measure '`store list`' "$pushpipe" store list store.db </dev/null
measure '`store show`' "$pushpipe" store show store.db --format ndjson </dev/null
measure '`store show --format text`' "$pushpipe" store show store.db --format text </dev/null
OUT=export.ndjson measure '`store export --complete`' "$pushpipe" store export --complete store.db </dev/null
exported=$(size export.ndjson)
measure '`store export --format csv`' "$pushpipe" store export --format csv store.db </dev/null
measure '`store import`' "$pushpipe" store import -q copy.db <export.ndjson
rm -f copy.db* export.ndjson
measure '`store prune --keep 3 --dry-run`' "$pushpipe" store prune -q --keep 3 --dry-run store.db </dev/null
measure '`store prune --keep 3`' "$pushpipe" store prune -q --keep 3 store.db </dev/null
measure '`store prune --vacuum`' "$pushpipe" store prune -q --vacuum store.db </dev/null
printf '\nThe store takes %s MiB, its export %s MiB, and the store that is left %s MiB.\n' \
    "$made" "$exported" "$(size store.db)"
printf '%s\n' "$(describe_machine)"
