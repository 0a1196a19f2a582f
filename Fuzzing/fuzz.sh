#!/usr/bin/env bash
# Builds the fuzzer and looks for texts that violate the invariants in `Fuzzing/FuzzTargets`. See CONTRIBUTING.md.
#
#   Fuzzing/fuzz.sh [--seconds N] [--target X]... [--jobs N]    N seconds per target (default 60), two targets at a time
#   Fuzzing/fuzz.sh --smoke                                     a fixed number of runs with a fixed seed, the same every time
#
# Each finding is saved as a file in Fuzzing/Findings/TARGET, which the tests check again, and the status is 1.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

seconds=60
jobs=2
smoke=false
targets=()
while (($# > 0)); do
    case $1 in
        --seconds) seconds=$2; shift 2 ;;
        --target) targets+=("$2"); shift 2 ;;
        --jobs) jobs=$2; shift 2 ;;
        --smoke) smoke=true; shift ;;
        *) echo "fuzz: unknown argument $1" >&2; exit 64 ;;
    esac
done

# A debugger that opens at each crash would delay the run.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=detect_leaks=${FUZZ_LEAKS:-0}:allocator_may_return_null=1
scratch=.build-fuzz
export PUSHPIPE_FUZZER=1
# Everything is compiled with libFuzzer's counters and under AddressSanitizer, dependencies too; libFuzzer itself is linked in.
swift build -c release --scratch-path "$scratch" --product fuzz-pushpipe \
    -Xswiftc -sanitize=fuzzer,address -Xswiftc -enforce-exclusivity=checked \
    -Xcc -fsanitize=fuzzer-no-link,address -Xcc -DPUSHPIPE_FUZZER >&2
fuzzer=$PWD/$scratch/release/fuzz-pushpipe
if ((${#targets[@]} == 0)); then
    # An unknown name makes the fuzzer list its targets.
    read -ra targets <<<"$(PUSHPIPE_FUZZ_TARGET='' "$fuzzer" 2>&1 | sed -nE 's/.*none of //p' | tr -d ,)" || true
fi

work=$PWD/$scratch/work
rm -rf "$work"/seeds*
own_seeds=(extension bundle features preferences schema ignore language-server assistant configuration binary-frames log placed
    faults source store)
Fuzzing/seeds.sh "$work/seeds"
for name in "${own_seeds[@]}"; do Fuzzing/seeds.sh "$work/seeds-$name" "$name"; done

# The number of smoke test inputs that take a few seconds.
smoke_runs() {
    case $1 in
        emit | extension | gateway | picture | partition | store) echo 1000 ;;
        report | redact | events | activities | fit | lint | schema | language-server | assistant | configuration) echo 4000 ;;
        *) echo 20000 ;;
    esac
}

run() {
    local target=$1 seeds=$work/seeds corpus=$work/corpus/$1 log=$work/$1.log limits
    case $target in
        plist | strings | catalog | project) seeds=$work/seeds-bundle ;;
        gherkin) seeds=$work/seeds-features ;;
        *) if [[ -d $work/seeds-$target ]]; then seeds=$work/seeds-$target; fi ;;
    esac
    mkdir -p "Fuzzing/Findings/$target"
    # Long runs give way to other work. A smoke test is waited for, and would hardly get on beside a busy process.
    local polite=(nice -n 19)
    if $smoke; then
        polite=(env)
        corpus=$work/smoke/$target
        rm -rf "$corpus"
        limits=(-runs="$(smoke_runs "$target")" -seed=1)
    else
        limits=(-max_total_time="$seconds")
    fi
    mkdir -p "$corpus"
    local status=0
    PUSHPIPE_FUZZ_TARGET=$target "${polite[@]}" "$fuzzer" "${limits[@]}" -max_len=4096 -timeout=20 -rss_limit_mb=3000 \
        -dict=Fuzzing/json.dict -print_final_stats=1 -artifact_prefix="Fuzzing/Findings/$target/" \
        "$corpus" "$seeds" >"$log" 2>&1 || status=$?
    # Remove the folder if there is no finding.
    rmdir "Fuzzing/Findings/$target" 2>/dev/null || true
    awk -v target="$target" '
        /^#[0-9]/ { for (i = 1; i < NF; i++) { if ($i == "cov:") cov = $(i + 1); if ($i == "ft:") ft = $(i + 1) } }
        /number_of_executed_units/ { runs = $2 }
        /average_exec_per_sec/ { rate = $2 }
        /^fuzz-pushpipe: |SUMMARY|Fatal error/ { if (words == "") words = $0 }
        END { printf "%-18s %11d runs %7d a second %6d edges %6d features  %s\n", target, runs, rate, cov, ft, words }' "$log"
    return "$status"
}

# Runs one process per job, each with the next target.
status=0
running=0
for target in "${targets[@]}"; do
    if ((running == jobs)); then
        wait -n || status=1
        running=$((running - 1))
    fi
    run "$target" &
    running=$((running + 1))
done
while ((running > 0)); do
    wait -n || status=1
    running=$((running - 1))
done
exit "$status"
