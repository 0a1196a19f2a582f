#!/usr/bin/env bash
# The check to run before each commit: set-up, the format of what has changed, house rules, a strict build, the mistakes that must not compile,
# and the fast tests. Those are all suites whose name does not end in `SlowTests`; Scripts/soak.sh runs the others. With arguments it only runs the tests that they select for `swift test`, fast or
# slow: Scripts/test.sh --filter PushModelTests. Nothing is printed after the test runner's own last lines.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Scripts/test-flags.sh

# The end-to-end tests read the store with the sqlite3 tool and reports with jq; a sample extension is in
# Python, and a built-in one downloads with curl.
Scripts/setup.sh sqlite3 jq python3 curl

if (($# > 0)); then
    # A filter that begins with the name of a test target builds that target alone, and what it needs: `--build-tests` builds all that is not a test.
    if [[ $# == 2 && $1 == --filter && -n $(compgen -G "*/*/${2%%[./]*}/" || compgen -G "*/${2%%[./]*}/") ]]; then
        export PUSHPIPE_TESTS=${2%%[./]*}
        build --product pushpipePackageTests
    else
        build --build-tests
    fi
    run_tests "$@"
    exit
fi

Scripts/check-format.sh --changed
Scripts/check-house.sh
build --build-tests
Scripts/mistakes.sh
# `swift test` cannot select by tag before Swift 6.4, hence the rule about names. Only what fails is printed, and the closing line.
run_tests --quiet --skip 'SlowTests/'
