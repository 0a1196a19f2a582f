#!/usr/bin/env bash
# Holds `pushpipe run FILE` against peers that do the same job: peers/collapse_orjson.py and peers/collapse.jq. Prints Markdown
# to stdout: medians with ratios, outcomes, and the raw rows. README.md says what the numbers mean.
#
#     Benchmarks/compare.sh
#     COUNT=100000 ROUNDS=3 PUSHPIPE=.build/release/pushpipe Benchmarks/compare.sh >compare.md
#
# COUNT      records in the workload                      1000000
# SEED       of the workload                              1
# ROUNDS     runs of each program, one after another      5
# JQ_ROUNDS  runs of jq, which is slow                    1
# LIMIT      seconds after which a run is given up        600
# PUSHPIPE, PYTHON, JQ   the programs
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Benchmarks/common.sh

COUNT=${COUNT:-1000000} SEED=${SEED:-1} ROUNDS=${ROUNDS:-5} JQ_ROUNDS=${JQ_ROUNDS:-1} LIMIT=${LIMIT:-600}
for name in COUNT SEED ROUNDS JQ_ROUNDS LIMIT; do check_number "$name"; done
python=${PYTHON:-python3}
jq=${JQ:-jq}
pushpipe=$(find_pushpipe)

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
workload=$folder/workload.ndjson
rows=$folder/rows # peer, round, wall, user, system, KiB

# MARK: Who takes part

# The peers use one core, so pushpipe takes part with one as well.
peers=(pushpipe pushpipe-1-core)
versions=$("$pushpipe" --version)
versions="pushpipe ${versions#pushpipe }"
if ! command -v "$python" >/dev/null; then
    say "without Python: there is no $python (Scripts/setup.sh python3)"
elif ! "$python" -c 'import orjson' 2>/dev/null; then
    say "without Python: it has no orjson ($python -m pip install orjson)"
else
    peers+=(orjson)
    # The interpreter itself: a version manager's stand-in takes a tenth of a second to find it.
    python=$("$python" -c 'import sys; print(sys.executable)')
    versions+=", $("$python" -c 'import orjson, platform as p; print(f"Python {p.python_version()}, orjson {orjson.__version__}")')"
fi
if command -v "$jq" >/dev/null; then
    peers+=(jq)
    versions+=", $("$jq" --version)"
else
    say "without jq: there is no $jq (Scripts/setup.sh jq)"
fi

# GNU time, which Homebrew calls gtime. The shell's own `time` has no memory, and a `time` from BSD no format.
gnu_time=
for candidate in /usr/bin/time gtime; do
    if "$candidate" --version 2>&1 | grep -q GNU; then gnu_time=$candidate; break; fi
done
[[ -n $gnu_time ]] || say "without memory: there is no GNU time (apt-get install time, brew install gnu-time)"
limit=()
for candidate in timeout gtimeout; do
    if command -v "$candidate" >/dev/null; then limit=("$candidate" "$LIMIT"); break; fi
done

command_of() {
    case $1 in
        pushpipe) command=("$pushpipe" run --quiet --report ndjson "$workload") ;;
        pushpipe-1-core) command=("$pushpipe" run --quiet --report ndjson --jobs 1 "$workload") ;;
        orjson) command=("$python" Benchmarks/peers/collapse_orjson.py "$workload") ;;
        jq) command=("$jq" -ncR -f Benchmarks/peers/collapse.jq "$workload") ;;
    esac
}

rounds_of() {
    if [[ $1 == jq ]]; then printf '%s\n' "$JQ_ROUNDS"; else printf '%s\n' "$ROUNDS"; fi
}

# MARK: Measuring

# Runs a peer once, file to file, and adds a row. The report is a new file each time: cutting an old one short costs time.
measure() {
    local peer=$1 round=$2 report=$folder/report figures=$folder/figures command status=0
    command_of "$peer"
    rm -f "$report"
    if [[ -n $gnu_time ]]; then
        "$gnu_time" --quiet --format '%e %U %S %M' --output "$figures" \
            ${limit[@]+"${limit[@]}"} "${command[@]}" >"$report" || status=$?
    else
        local TIMEFORMAT='%R %U %S -'
        { time ${limit[@]+"${limit[@]}"} "${command[@]}" >"$report" 2>&3; } 3>&2 2>"$figures" || status=$?
    fi
    if ((status != 0)); then
        say "$peer ended with status $status (124: longer than $LIMIT s); it takes no further part"
        return 1
    fi
    printf '%s %s %s\n' "$peer" "$round" "$(tail -n 1 "$figures")" >>"$rows"
    say "round $round: $(tail -n 1 "$rows")"
    if [[ ! -e $folder/outcomes.$peer ]]; then count_outcomes "$report" >"$folder/outcomes.$peer"; fi
}

# The median of a column over a peer's rows; of an even number of rows the lower one in the middle.
median() {
    awk -v peer="$1" -v column="$2" '$1 == peer { print $column }' "$rows" | sort -n |
        awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'
}

say "generating $COUNT records"
"$pushpipe" generate --count "$COUNT" --seed "$SEED" >"$workload"
bytes=$(wc -c <"$workload")
sync # or the first rounds would run while the workload is written to the disk

load=$(uptime | sed 's/.*load average[s]*: *//')
out=()
for ((round = 1; round <= ROUNDS || round <= JQ_ROUNDS; round++)); do
    for peer in "${peers[@]}"; do
        ((round <= $(rounds_of "$peer"))) || continue
        [[ " ${out[*]-} " != *" $peer "* ]] || continue
        measure "$peer" "$round" || out+=("$peer")
    done
done

# MARK: Reporting

measured=()
for peer in "${peers[@]}"; do
    if [[ " ${out[*]-} " != *" $peer "* ]]; then measured+=("$peer"); fi
done
[[ ${measured[0]-} == pushpipe ]] || fail "pushpipe was not measured"
base_wall=$(median pushpipe 3)
base_memory=$(median pushpipe 6)

printf '%s records, %s bytes, seed %s; medians.\n\n' "$COUNT" "$bytes" "$SEED"
printf '| | Runs | Wall s | × | Records/s | MB/s | Max RSS MiB | × | Report lines |\n'
printf '|---|---:|---:|---:|---:|---:|---:|---:|---:|\n'
for peer in "${measured[@]}"; do
    awk -v peer="$peer" -v runs="$(rounds_of "$peer")" -v wall="$(median "$peer" 3)" -v base_wall="$base_wall" \
        -v memory="$(median "$peer" 6)" -v base_memory="$base_memory" -v count="$COUNT" -v bytes="$bytes" \
        -v lines="$(awk '{ n += $1 } END { print n + 0 }' "$folder/outcomes.$peer")" '
        # A small workload may take less than the clock can tell from nothing.
        function ratio(a, b) { return b > 0 ? sprintf("%.2f", a / b) : "–" }
        BEGIN {
            printf "| %s | %d | %.2f | %s | %s | %s | %s | %s | %d |\n", peer, runs, wall, ratio(wall, base_wall),
                (wall > 0 ? sprintf("%d", count / wall) : "–"), (wall > 0 ? sprintf("%.0f", bytes / 1e6 / wall) : "–"),
                (memory == "-" ? "–" : sprintf("%.0f", memory / 1024)),
                (memory == "-" ? "–" : ratio(memory, base_memory)), lines
        }'
done

printf '\n| Outcome |'; printf ' %s |' "${measured[@]}"
printf '\n|---|'; printf '%0.s---:|' "${measured[@]}"; printf '\n'
for outcome in delivered replaced reposted silent suppressed rejected malformed; do
    grep -q " $outcome\$" "$folder"/outcomes.* || continue
    printf '| %s |' "$outcome"
    for peer in "${measured[@]}"; do
        printf ' %s |' "$(awk -v outcome="$outcome" '$2 == outcome { n = $1 } END { print n + 0 }' "$folder/outcomes.$peer")"
    done
    printf '\n'
done
for peer in "${measured[@]}"; do
    cmp -s "$folder/outcomes.pushpipe" "$folder/outcomes.$peer" || say "the outcomes of pushpipe and $peer differ"
done

printf '\n%s. %s. Load before: %s.\n' "$(describe_machine)" "$versions" "$load"
printf '\n```\nprogram round wall-s user-s system-s max-rss-KiB\n'
cat "$rows"
printf '```\n'
