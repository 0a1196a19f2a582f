#!/usr/bin/env bash
# The cost per record in counts that repeat, independent of the machine's load: heap allocations and instructions of a release build
# under valgrind. The cost of 10,000 records is the count for 20,000 minus the count for the first 10,000, so that start and
# end of the process cancel out. Prints Markdown to stdout. README.md says what the numbers mean.
#
#     PUSHPIPE=.build/release/core/pushpipe Benchmarks/counts.sh
#     Benchmarks/counts.sh --check      fails when a count is more than 5 % above its limit in Benchmarks/limits.txt
#
# COUNT      records in the shorter run                   10000
# SEED       of the workload                              1
# LIMIT      time limit of a run in seconds               600
# PUSHPIPE   the command
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Benchmarks/common.sh

COUNT=${COUNT:-10000} SEED=${SEED:-1} LIMIT=${LIMIT:-600}
for name in COUNT SEED LIMIT; do check_number "$name"; done
command -v valgrind >/dev/null || fail "valgrind is missing (Scripts/setup.sh valgrind)"
check=${1-}
[[ -z $check || $check == --check ]] || fail "usage: counts.sh [--check]"
if [[ $check && $(uname -m) != x86_64 ]] || { [[ $check ]] && ! grep -qw avx2 /proc/cpuinfo; }; then
    say "not checked: the limits are those of x86-64 with AVX2, as the scanner takes other instructions elsewhere"
    exit 0
fi
pushpipe=$(find_pushpipe)

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Without debug information, because older valgrinds fail on it.
strip --strip-debug -o "$folder/pushpipe" "$pushpipe" 2>/dev/null || cp "$pushpipe" "$folder/pushpipe"
pushpipe=$folder/pushpipe
run=(run --quiet --format ndjson --jobs 1)

# MARK: A workload that is accepted throughout

# A rejection writes a finding, a cost that accepted records do not have. One in a hundred is rejected, so a tenth more
# is plenty. Each line is a record here, so `seq` is its line number; `seq` is a report's first key.
"$pushpipe" generate --count "$((COUNT * 22 / 10 + 100))" --seed "$SEED" >"$folder/all"
"$pushpipe" "${run[@]}" "$folder/all" >"$folder/report"
awk -F '[:,]' '
    NR == FNR { if (/"outcome":"(rejected|malformed)"/) refused[$2]; next }
    !(FNR in refused)
' "$folder/report" "$folder/all" >"$folder/accepted"
head -n "$COUNT" "$folder/accepted" >"$folder/once"
head -n "$((2 * COUNT))" "$folder/accepted" >"$folder/twice"
(($(wc -l <"$folder/twice") == 2 * COUNT)) || fail "too few records were accepted"

# Records that reach an app and show nothing leave nothing in the store, so they cost only the path. One in eleven is such a
# record.
"$pushpipe" generate --count "$((COUNT * 26))" --seed "$SEED" >"$folder/all"
"$pushpipe" "${run[@]}" "$folder/all" >"$folder/report"
awk -F '[:,]' '
    NR == FNR { if (/"outcome":"silent"/) silent[$2]; else shown[$2]; next }
    FNR in silent && !(FNR in shown)
' "$folder/report" "$folder/all" >"$folder/silent"
head -n "$COUNT" "$folder/silent" >"$folder/silent-once"
head -n "$((2 * COUNT))" "$folder/silent" >"$folder/silent-twice"
(($(wc -l <"$folder/silent-twice") == 2 * COUNT)) || fail "too few records were silent"

# Uniform records: APNs alerts of 415 bytes.
"$pushpipe" generate --count "$((2 * COUNT))" --seed "$SEED" --record-bytes 415 >"$folder/uniform-twice"
head -n "$COUNT" "$folder/uniform-twice" >"$folder/uniform-once"

for length in once twice; do
    "$pushpipe" "${run[@]}" "$folder/$length" >"$folder/report"
    ! grep -q '"outcome":"\(rejected\|malformed\)"' "$folder/report" || fail "a record was refused after all"
    count_outcomes "$folder/report" |
        awk '$2 ~ /^(delivered|replaced|reposted)$/ { n += $1 } END { print n + 0 }' >"$folder/shown.$length"
    wc -l <"$folder/report" >"$folder/messages.$length"
done

# MARK: Counting

# valgrind writes to its own log, and pushpipe's report goes where it costs least.
under_valgrind() {
    local limit=()
    if command -v timeout >/dev/null; then limit=(timeout "$LIMIT"); fi
    ${limit[@]+"${limit[@]}"} valgrind --log-file="$folder/log" "${@:2}" "$pushpipe" "${run[@]}" "$folder/$1" >/dev/null ||
        { cat "$folder/log" >&2; fail "valgrind failed, or took longer than $LIMIT s"; }
}

# "total heap usage: 1,234 allocs, …": each call of malloc and its like counts as one, and so does one of realloc.
allocations() {
    under_valgrind "$1" --tool=memcheck --leak-check=no --undef-value-errors=no
    sed -n 's/.*total heap usage: \([0-9,]*\) allocs.*/\1/p' "$folder/log" | tr -d ,
}

# "Collected : 123456"
instructions() {
    under_valgrind "$1" --tool=callgrind --callgrind-out-file=/dev/null
    sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p' "$folder/log"
}

for length in once twice; do
    say "counting over $(wc -l <"$folder/$length") records"
    allocations "$length" >"$folder/allocations.$length"
    instructions "$length" >"$folder/instructions.$length"
    allocations "silent-$length" >"$folder/allocations-silent.$length"
    allocations "uniform-$length" >"$folder/allocations-uniform.$length"
    instructions "uniform-$length" >"$folder/instructions-uniform.$length"
done

difference() {
    local once twice
    once=$(<"$folder/$1.once")
    twice=$(<"$folder/$1.twice")
    [[ $once =~ ^[0-9]+$ && $twice =~ ^[0-9]+$ ]] || fail "valgrind printed no number of $1"
    printf '%s\n' "$((twice - once))"
}

# MARK: Starts

# What a command with one record costs in all: start, arguments, settings, and that record.
head -n 1 "$folder/accepted" >"$folder/one.json"
start() {
    rm -f "$folder"/start.db*
    (cd "$folder" && valgrind --log-file="$folder/log" --tool=callgrind --callgrind-out-file=/dev/null "$pushpipe" "$@" >/dev/null 2>&1) ||
        fail "valgrind failed"
    sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p' "$folder/log"
}
declare -A starts=(
    [start-run]=$(start run -q -j 1 one.json) [start-run-store]=$(start run -q -j 1 --store start.db one.json)
    [start-lint]=$(start lint one.json) [start-explain]=$(start explain BadTopic)
)

# MARK: Reporting

row() {
    awk -v name="$1" -v once="$2" -v twice="$3" -v difference="$4" -v count="$COUNT" '
        BEGIN { printf "| %s | %s | %s | %d | %.4f |\n", name, once, twice, difference, difference / count }'
}

printf 'Accepted records of seed %s; the difference is what records %d to %d cost.\n\n' "$SEED" "$((COUNT + 1))" "$((2 * COUNT))"
printf '| | %d records | %d records | Difference | Per record |\n|---|---:|---:|---:|---:|\n' "$COUNT" "$((2 * COUNT))"
for name in messages shown allocations instructions; do
    row "$name" "$(<"$folder/$name.once")" "$(<"$folder/$name.twice")" "$(difference "$name")"
done
for name in allocations-silent allocations-uniform instructions-uniform; do
    row "${name/-/, } records only" "$(<"$folder/$name.once")" "$(<"$folder/$name.twice")" "$(difference "$name")"
done
printf '\n| Start | Instructions |\n|---|---:|\n'
for name in start-run start-run-store start-lint start-explain; do printf '| %s | %s |\n' "$name" "${starts[$name]}"; done
printf '\n%s. pushpipe %s, %s.\n' "$(describe_machine)" "$("$pushpipe" --version | head -n 1)" "$(valgrind --version)"

# MARK: Checking

[[ $check ]] || exit 0
failed=0
while read -r name limit; do
    [[ $name && $name != \#* && $name != ways-* ]] || continue
    if [[ ${starts[$name]-} ]]; then
        if ((starts[$name] * 20 > limit * 21)); then
            say "$name: ${starts[$name]} instructions, over the limit of $limit"
            failed=1
        fi
        continue
    fi
    # With so few allocations, a handful more is not a higher cost per record.
    if awk -v found="$(difference "$name")" -v count="$COUNT" -v limit="$limit" \
        'BEGIN { exit !(found / count > limit * 1.05 + 0.005) }'; then
        say "$name: $(awk -v n="$(difference "$name")" -v c="$COUNT" 'BEGIN { print n / c }') per record, over the limit of $limit"
        failed=1
    fi
done <Benchmarks/limits.txt
((failed == 0)) || fail "a record or a start costs more than before; if that is meant, raise its limit in Benchmarks/limits.txt and say why"
say "all counts are within 5 % of their limits"
