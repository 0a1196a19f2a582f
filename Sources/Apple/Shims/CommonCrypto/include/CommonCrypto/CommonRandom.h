#ifndef PUSHPIPE_COMMON_RANDOM_H
#define PUSHPIPE_COMMON_RANDOM_H

#include <CommonCrypto/CommonCryptoError.h>

typedef CCCryptorStatus CCRNGStatus;

CCRNGStatus CCRandomGenerateBytes(void *bytes, size_t count);

#endif
