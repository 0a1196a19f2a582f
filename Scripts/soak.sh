#!/usr/bin/env bash
# The slow tests, one at a time: kills, full disks, floods, megabytes of input, large random corpora, and the sample extensions, which are a
# package of their own. They are the suites whose name ends in `SlowTests`; Scripts/test.sh runs the others. The command that they run is a
# release build of the filter; those of tools run the tests' build. Arguments go to `swift test`: Scripts/soak.sh --skip DiskFullSlowTests.
#
#   Scripts/soak.sh --short    without the sample extensions, the guide's Xcode project, all but one of the projects of extensions, the official
#                              cases of JSON Schema, and the width of each character, in a few minutes: what CI runs
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Scripts/test-flags.sh

short=false
if [[ ${1-} == --short ]]; then
    short=true
    shift
fi
# Neovim is the editor that the language server is tried in; the other libraries are those of shims for extensions.
if [[ $(uname) == Linux ]]; then
    Scripts/setup.sh sqlite3 jq python3 curl neovim libpng-dev libjpeg-dev libssl-dev
else
    Scripts/setup.sh sqlite3 jq python3 curl neovim
fi

build --build-tests
release=$(Scripts/release.sh --core)

# A separate package, as a user would have it. UserNotifications exists only on Linux. CryptoKit adds a minute to a fresh build.
if ! $short && [[ $(uname) == Linux ]]; then
    PUSHPIPE_EXTENSION_SHIMS=1 swift test --disable-xctest --package-path Samples/Extensions
    swift test --disable-xctest --package-path Samples/SenderTests
fi

PUSHPIPE_COMMAND=$release/pushpipe
export PUSHPIPE_COMMAND
# Some minutes of the compiler, and half a minute of one core.
if $short; then
    long='GuideSlowTests/|ExtensionModulesSlowTests/|OfficialSuiteSlowTests/|TerminalSlowTests/'
    long+='|ExtensionProjectSlowTests/.*(pictures are drawn|texts are decrypted|publishers and intents)'
    set -- --skip "$long" "$@"
fi
tools='EditorSlowTests/|ExtensionCommandSlowTests/|DiskFullHalfWaySlowTests/|EndlessInputSlowTests/'
(unset PUSHPIPE_COMMAND && run_tests --no-parallel --filter "$tools" "$@")
run_tests --no-parallel --filter 'SlowTests/' --skip "$tools" "$@"
