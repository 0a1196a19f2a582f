#!/usr/bin/env bash
# The test suite under a sanitizer: `address` (with libjansson's leaks, and undefined behaviour of the C in it) or `thread`; both
# unless one is named. More arguments go to `swift test`: Scripts/sanitize.sh thread --filter PushPipelineTests.
#
# The end-to-end tests run the command that was built beside them, so that is under the sanitizer too. What a process of theirs
# finds ends it with status 66, and is in the text of the failed test.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

kinds=(address thread)
case ${1-} in
    address | thread) kinds=("$1"); shift ;;
esac
Scripts/setup.sh sqlite3 jq python3 curl

# How often a debugger is opened at a crash, which a test waits for, is never.
export SWIFT_BACKTRACE=enable=no

for kind in "${kinds[@]}"; do
    folder=.build-${kind:0:1}san
    flags=(--scratch-path "$folder" --sanitize="$kind")
    if [[ $kind == address ]]; then
        # Swift knows no undefined behaviour here, and its driver no such option; the C that SwiftPM compiles does. AddressSanitizer's
        # library has the functions that are called.
        flags+=(-Xcc -fsanitize=undefined -Xcc -fno-sanitize-recover=undefined)
    fi
    echo "sanitize: building for the $kind sanitizer" >&2
    swift build --build-tests "${flags[@]}"
    export ASAN_OPTIONS=exitcode=66:detect_stack_use_after_return=1:detect_leaks=1
    export LSAN_OPTIONS=suppressions=$PWD/Scripts/sanitizer-leaks.txt:print_suppressions=0
    export TSAN_OPTIONS=exitcode=66:suppressions=$PWD/Scripts/sanitizer-threads.txt
    swift test --skip-build "${flags[@]}" "$@"
done
