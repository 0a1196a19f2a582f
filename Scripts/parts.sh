# shellcheck shell=bash
# Runs targets of the Makefile as parts of one run, for .ci/run and Scripts/nightly.sh; they load it with `source`. A part runs even if an
# earlier one failed; any failure makes `status` 1.

export CI=true
# No command may wait for input.
exec </dev/null

status=0
results=()
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
# part MINUTES TARGET [VARIABLE=VALUE]: with a time limit in minutes. The limits are for what hangs; they leave room for a machine that is
# busy with something else.
part() {
    local limit=$1 target=$2 result=0 start=$SECONDS words=()
    shift
    if command -v timeout >/dev/null; then words=(timeout --kill-after=10 "${limit}m"); fi
    # make reports a failed command again after its last lines. The status already reports it, so that line is dropped. With pipefail
    # the pipe has make's status: that grep printed nothing is no failure, because a check that finds nothing prints nothing.
    ${words[@]+"${words[@]}"} make "$@" 2>&1 |
        { grep -a --line-buffered -v '^make: \*\*\* \[.*\] Error ' || (($? == 1)); } | tee "$logs/$target" || result=$?
    results+=("$(printf '%-11s %-6s %4d s' "$target" "$( ((result == 0)) && echo passed || echo FAILED)" $((SECONDS - start)))")
    if ((result != 0)); then
        status=1
        # What failed stands far above in a log that people see the end of.
        local line
        while IFS= read -r line; do results+=("    $line"); done < <(
            grep -aE -A 8 'FAILED|✘|error:|[Ff]atal|failed:|differs' "$logs/$target" | cut -c1-300 | head -40
            echo "and at its end:"
            tail -n 5 "$logs/$target" | cut -c1-300)
    fi
}

lanes=()
# aside COMMAND [WORD]...: `part`, or a function with several of them, beside what follows, until `join` prints what they wrote.
aside() {
    local lane=$logs/lane-${#lanes[@]}
    (
        results=()
        "$@" >"$lane"
        printf '%s\n' "${results[@]}" >"$lane-results"
        exit "$status"
    ) &
    lanes+=($!)
}

join() {
    local index line
    for index in "${!lanes[@]}"; do
        wait "${lanes[index]}" || status=1
        cat "$logs/lane-$index"
        if [[ -f $logs/lane-$index-results ]]; then
            while IFS= read -r line; do results+=("$line"); done <"$logs/lane-$index-results"
        else
            results+=("a lane ended early")
            status=1
        fi
    done
    lanes=()
}

# Prints what the parts came to, before a line that matches a pattern, or at the end.
summarize_before() {
    local summary
    printf -v summary 'ci: %s\n' "${results[@]}"
    awk -v summary="$summary" -v pattern="$1" '$0 ~ pattern { printf "%s", summary; summary = "" } { print; fflush() }
        END { printf "%s", summary }'
}
