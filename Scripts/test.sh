#!/usr/bin/env bash
# The whole check, as `make test` and CI run it: set-up, format, a strict build, tests. Arguments go to `swift test`:
# Scripts/test.sh --filter PushModelTests. Nothing is printed after the test runner's own last lines.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The end-to-end tests read the store with the sqlite3 tool and reports with jq; a sample extension is in
# Python, and a built-in one downloads with curl.
Scripts/setup.sh sqlite3 jq python3 curl
Scripts/check-format.sh

# Package.swift reads this variable: a warning in our own targets is an error here, and only here.
export PUSHPIPE_STRICT=1
# A module may import only what its target declares; this is what keeps the direction of the module table.
flags=(--explicit-target-dependency-import-check error)

swift build --build-tests "${flags[@]}" || {
    # An undeclared import fails the build although its last line says "Build complete!".
    echo "test: the build failed; the reason is the first 'error:' above" >&2
    exit 1
}
# A package of its own, as a user would have it. UserNotifications is there on Linux alone. CryptoKit costs a fresh build a minute.
if [ "$(uname)" = Linux ] && [ $# -eq 0 ]; then
    PUSHPIPE_EXTENSION_SHIMS=1 PUSHPIPE_EXTENSION_CRYPTO=1 swift test --package-path Samples/Extensions
fi
# The same flags again, so that nothing is built twice.
swift test "${flags[@]}" "$@"
