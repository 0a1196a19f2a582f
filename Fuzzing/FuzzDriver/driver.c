// Calls the target that PUSHPIPE_FUZZ_TARGET names from libFuzzer. In C, because SwiftPM gives every Swift executable its own `main`,
// and libFuzzer has one too. Fuzzing/fuzz.sh defines PUSHPIPE_FUZZER; in other builds there is no libFuzzer.
#include "driver.h"

#ifdef PUSHPIPE_FUZZER

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    return pushpipe_fuzz_begin();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    pushpipe_fuzz_check(bytes, count);
    return 0;
}

#else
#include <stdio.h>

int main(void) {
    fputs("built without libFuzzer: run Fuzzing/fuzz.sh\n", stderr);
    return 64;
}
#endif
