#!/usr/bin/env bash
# The check to run before each commit: set-up, format, house rules, a strict build, and the fast tests. Those are all suites whose name does
# not end in `SlowTests`; Scripts/soak.sh runs the others. With arguments it runs the tests that they select for `swift test`, fast or slow:
# Scripts/test.sh --filter PushModelTests. Nothing is printed after the test runner's own last lines.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The end-to-end tests read the store with the sqlite3 tool and reports with jq; a sample extension is in
# Python, and a built-in one downloads with curl.
Scripts/setup.sh sqlite3 jq python3 curl
Scripts/check-format.sh
Scripts/check-house.sh
Scripts/check-manifest.sh

# A warning in our own targets is an error here, and only here. A module may import only what its target declares.
flags=(--traits Strict --explicit-target-dependency-import-check error)

swift build --build-tests "${flags[@]}" || {
    # An undeclared import fails the build although its last line says "Build complete!".
    echo "test: the build failed; the reason is the first 'error:' above" >&2
    exit 1
}
if (($# > 0)); then exec swift test --skip-build "${flags[@]}" "$@"; fi

# `swift test` cannot select by tag before Swift 6.4, hence the rule about names.
swift test list --skip-build "${flags[@]}" 2>/dev/null |
    awk '/SlowTests\// { slow++; next } /\// { fast++ } END { printf "test: %d fast tests; make soak runs the other %d\n", fast, slow }' >&2
# The same flags again, so that nothing is built twice. Of some 3,000 tests that run at once, the few that fail are hard to find in
# the output, so their lines are repeated before the test runner's closing line.
swift test --skip-build "${flags[@]}" --skip 'SlowTests/' 2>&1 | awk '
    function repeat(  i) {
        if (failures > 0) print "test: what failed:"
        for (i = 1; i <= failures; i++) print substr(failure[i], 1, 500)
        failures = 0
    }
    / Test run with / { repeat() }
    /recorded an issue|unexpected signal/ { failure[++failures] = $0; detail = 1; print; next }
    detail && /↳/ { failure[++failures] = $0; print; next }
    { detail = 0; print; fflush() }
    END { repeat() }'
