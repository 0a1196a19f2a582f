// The way from libFuzzer to the target that PUSHPIPE_FUZZ_TARGET names. In C, because SwiftPM gives every executable of Swift a `main` of
// its own, and libFuzzer brings one along.
#include "driver.h"

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    return pushpipe_fuzz_begin();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    pushpipe_fuzz_check(bytes, count);
    return 0;
}
