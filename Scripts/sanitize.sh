#!/usr/bin/env bash
# The test suite under a sanitizer: `address` (with libjansson's leaks, and undefined behaviour of the C in it) or `thread`; both
# unless one is named. More arguments go to `swift test`: Scripts/sanitize.sh thread --filter PushPipelineTests.
#
# The end-to-end tests run the command that was built beside them, so it is sanitized too. A finding in such a process
# ends it with status 66 and appears in the message of the failed test.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

kinds=(address thread)
case ${1-} in
    address | thread) kinds=("$1"); shift ;;
esac
Scripts/setup.sh sqlite3 jq python3 curl

# Never open a debugger at a crash: a test waits for the process.
export SWIFT_BACKTRACE=enable=no

for SANITIZER in "${kinds[@]}"; do
    source Scripts/test-flags.sh
    if [[ $SANITIZER == address ]]; then
        # UndefinedBehaviorSanitizer applies only to the C that SwiftPM compiles; Swift's driver has no such option. AddressSanitizer's
        # library provides its functions.
        flags+=(-Xcc -fsanitize=undefined -Xcc -fno-sanitize-recover=undefined)
    else
        # Where an element of a buffer that a property returns is passed on in place, Swift 6.3 tells the sanitizer of a pointer as an integer:
        # a cast that changes nothing, and that LLVM's verifier refuses.
        flags+=(-Xswiftc -Xfrontend -Xswiftc -disable-llvm-verify)
        mkdir -p .build
        "${CC:-clang}" -c -fPIC -O1 Scripts/sanitizer-mutex.c -o .build/sanitizer-mutex.o
        flags+=(-Xlinker "$PWD/.build/sanitizer-mutex.o")
    fi
    echo "sanitize: building for the $SANITIZER sanitizer" >&2
    build --build-tests
    export ASAN_OPTIONS=exitcode=66:detect_stack_use_after_return=1:detect_leaks=1:suppressions=$PWD/Scripts/sanitizer-address.txt
    export LSAN_OPTIONS=suppressions=$PWD/Scripts/sanitizer-leaks.txt:print_suppressions=0
    export TSAN_OPTIONS=exitcode=66
    run_tests "$@"
done
