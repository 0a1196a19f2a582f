# shellcheck shell=bash
# Shared functions of the scripts in this folder; they load it with `source`. They run in the package's folder.

say() { printf '%s: %s\n' "$(basename "$0" .sh)" "$*" >&2; }
fail() { say "$@"; exit 1; }

# The command to measure: $PUSHPIPE, or a release build made now: that of the filter, or with --whole the whole command.
find_pushpipe() {
    if [[ -n ${PUSHPIPE-} ]]; then
        [[ -x $PUSHPIPE ]] || fail "PUSHPIPE is no command: $PUSHPIPE"
        printf '%s\n' "$PUSHPIPE"
        return
    fi
    say "building pushpipe for release (PUSHPIPE=path takes one that exists)"
    local options=(--core)
    if [[ ${1-} == --whole ]]; then options=(); fi
    printf '%s/pushpipe\n' "$(Scripts/release.sh ${options[@]+"${options[@]}"})"
}

# Checks for a number of at least 1, because an empty or a wrong one would fail only much later.
check_number() {
    [[ ${!1} =~ ^[1-9][0-9]*$ ]] || fail "$1 must be a whole number from 1, not '${!1}'"
}

# Processor, cores and system, for a note below a table. Does not name the host.
describe_machine() {
    local processor cores
    if [[ $(uname) == Darwin ]]; then
        processor=$(sysctl -n machdep.cpu.brand_string)
        cores=$(sysctl -n hw.logicalcpu)
    else
        processor=$(awk -F ': *' '/^model name/ { print $2; exit }' /proc/cpuinfo)
        cores=$(getconf _NPROCESSORS_ONLN)
    fi
    printf '%s, %s cores, %s, %s' "${processor:-unknown processor}" "$cores" "$(uname -srm)" "$(date -u +%Y-%m-%d)"
}

# Lines of a report by outcome, as "count outcome". The pattern cannot be inside a string, where its quotes would be escaped.
count_outcomes() {
    { grep -o '"outcome":"[a-z]*"' "$1" || true; } | LC_ALL=C sort | uniq -c | sed 's/"outcome"://' | tr -d '"' |
        awk '{ print $1, $2 }'
}
