#!/usr/bin/env bash
# Checks that memory is released, however long a stream is. Two parts, both by default:
#
#     Benchmarks/leaks.sh valgrind     no block is lost, in any kind of run, over COUNT records
#     Benchmarks/leaks.sh replay       the memory of a run that replays RECORDS records, which replace each other, sampled every second
#
# Prints Markdown, and fails when a block is lost or memory grows. libjansson's blocks are counted by a test as well:
# PUSHPIPE_JSON_TEXTS=1000000 swift test --filter JSONValueMemoryTests
#
# COUNT      records per run under valgrind               20000
# RECORDS    records of a replay                          100000000
# PUSHPIPE   the command
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Benchmarks/common.sh

COUNT=${COUNT:-20000} RECORDS=${RECORDS:-100000000}
check_number COUNT
check_number RECORDS
parts=("$@")
((${#parts[@]})) || parts=(valgrind replay)
[[ $(uname) == Linux ]] || fail "memory is read from /proc, which Linux has"
pushpipe=$(realpath "$(find_pushpipe)")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0

# MARK: Under valgrind

valgrind_run() {
    local name=$1
    shift
    valgrind --tool=memcheck --leak-check=full --show-leak-kinds=definite,indirect \
        --errors-for-leak-kinds=definite,indirect --undef-value-errors=no \
        --log-file="$folder/log" "$folder/pushpipe" "$@" >"$folder/out" 2>"$folder/err" || true
    local taken left lost invalid
    taken=$(sed -n 's/.*total heap usage: \([0-9,]*\) allocs.*/\1/p' "$folder/log")
    # Buffers and the runtime's type metadata: freed with the process, and independent of the number of records.
    left=$(sed -n 's/.*in use at exit: \([0-9,]*\) bytes.*/\1/p' "$folder/log")
    lost=$(awk '/definitely lost|indirectly lost/ { gsub(",", "", $4); n += $4 } END { print n + 0 }' "$folder/log")
    invalid=$(sed -n 's/.*ERROR SUMMARY: \([0-9]*\) errors.*/\1/p' "$folder/log")
    [[ $taken && $invalid ]] || { cat "$folder/log" >&2; fail "valgrind gave no answer"; }
    printf '| %s | %s | %s | %s | %s |\n' "$name" "$taken" "$left" "$lost" "$invalid"
    if ((lost > 0 || invalid > 0)); then
        status=1
        cat "$folder/log" >&2
    fi
}

under_valgrind() {
    command -v valgrind >/dev/null || fail "valgrind is missing (Scripts/setup.sh valgrind)"
    strip --strip-debug -o "$folder/pushpipe" "$pushpipe"
    "$pushpipe" generate --count "$COUNT" --malformed-rate 0.1 >"$folder/traffic"
    printf '%s records, a tenth of them broken.\n\n' "$COUNT"
    printf '| | Blocks taken | Bytes at the end | Bytes lost | Errors |\n|---|---:|---:|---:|---:|\n'
    valgrind_run '`run --fit --rules`' run -q --fit --rules "$folder/traffic"
    valgrind_run '`run --jobs 2 --format text`' run -q --jobs 2 --format text "$folder/traffic"
    valgrind_run '`trace --replace-by`' trace --replace-by custom-payload-id "$folder/traffic"
    valgrind_run '`run --store`' run -q --format none --store "$folder/store.db" "$folder/traffic"
    valgrind_run '`store export`' store export --complete "$folder/store.db"
    valgrind_run '`store show --format text`' store show --format text "$folder/store.db"
    valgrind_run '`lint`' lint -q "$folder/traffic"
}

# MARK: A replay

# The resident memory of a process in KiB, once per second: one line each, with the seconds since the first.
watch() {
    local start=$SECONDS
    while [[ -r /proc/$1/status ]]; do
        awk -v at="$((SECONDS - start))" '/^VmRSS/ { print at, $2 }' "/proc/$1/status" 2>/dev/null || true
        sleep 1
    done
}

replay_run() {
    local name=$1 process
    shift
    mkfifo "$folder/pipe"
    "$pushpipe" run -q "$@" <"$folder/pipe" >/dev/null &
    process=$!
    watch "$process" >"$folder/samples" &
    { for ((done = 0; done < RECORDS; done += lines)); do cat "$folder/part"; done; } >"$folder/pipe"
    wait "$process" || fail "a replay failed: $name"
    wait
    rm "$folder/pipe"
    awk -v name="$name" '
        { at[NR] = $1; kib[NR] = $2 }
        END {
            if (NR < 12) { print "the replay is too short to judge" > "/dev/stderr"; exit 1 }
            # Memory is allocated during the first tenth.
            first = int(NR / 10) + 1; low = high = kib[first]
            for (i = first; i <= NR; i++) { if (kib[i] < low) low = kib[i]; if (kib[i] > high) high = kib[i] }
            printf "| %s | %d |", name, at[NR]
            for (tenth = 1; tenth <= 10; tenth += 3) printf " %.1f |", kib[int(NR * tenth / 10)] / 1024
            printf " %.1f | %.1f |\n", low / 1024, high / 1024
            exit high > low * 1.05 + 2048
        }' "$folder/samples" || status=1
}

replay() {
    # Each of these replaces the same notification as in the previous round.
    {
        "$pushpipe" generate --count 200000 --device-count 1000 --replace-rate 1 --seed 3
        "$pushpipe" generate --count 200000 --device-count 1000 --replace-rate 1 --seed 4 --record-bytes 415
    } | grep -E '"(apns-collapse-id|tag)"' >"$folder/part"
    lines=$(wc -l <"$folder/part")
    printf '%s records, %s different ones over and over. Memory in MiB, looked at once a second.\n\n' "$RECORDS" "$lines"
    printf '| | Seconds | at 10 %% | 40 %% | 70 %% | the end | Lowest | Highest |\n|---|---:|---:|---:|---:|---:|---:|---:|\n'
    replay_run '`--format none`' --format none
    replay_run '`--format ndjson`' --format ndjson
    replay_run '`--format text --rules`' --format text --rules --jobs 2
}

for part in "${parts[@]}"; do
    case $part in
        valgrind) under_valgrind ;;
        replay) replay ;;
        *) fail "usage: leaks.sh [valgrind] [replay]" ;;
    esac
    printf '\n'
done
printf '%s. pushpipe %s.\n' "$(describe_machine)" "$("$pushpipe" --version | head -n 1)"
((status == 0)) || fail "memory was lost, or grows"
