#pragma once
#include <stddef.h>
#include <stdint.h>

int pushpipe_fuzz_begin(void);
void pushpipe_fuzz_check(const uint8_t *bytes, size_t count);
