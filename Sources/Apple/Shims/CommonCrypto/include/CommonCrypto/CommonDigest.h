#ifndef PUSHPIPE_COMMON_DIGEST_H
#define PUSHPIPE_COMMON_DIGEST_H

#include <CommonCrypto/CommonCryptoError.h>

typedef uint32_t CC_LONG;
typedef uint64_t CC_LONG64;

#define CC_MD5_DIGEST_LENGTH 16
#define CC_MD5_BLOCK_BYTES 64
#define CC_SHA1_DIGEST_LENGTH 20
#define CC_SHA1_BLOCK_BYTES 64
#define CC_SHA224_DIGEST_LENGTH 28
#define CC_SHA224_BLOCK_BYTES 64
#define CC_SHA256_DIGEST_LENGTH 32
#define CC_SHA256_BLOCK_BYTES 64
#define CC_SHA384_DIGEST_LENGTH 48
#define CC_SHA384_BLOCK_BYTES 128
#define CC_SHA512_DIGEST_LENGTH 64
#define CC_SHA512_BLOCK_BYTES 128

/* A context is freed by …_Final. */
#define PUSHPIPE_DIGEST(name)                                              \
    typedef struct {                                                       \
        void *state;                                                       \
    } CC_##name##_CTX;                                                     \
    int CC_##name##_Init(CC_##name##_CTX *context);                        \
    int CC_##name##_Update(CC_##name##_CTX *context, const void *data, CC_LONG length); \
    int CC_##name##_Final(unsigned char *digest, CC_##name##_CTX *context); \
    unsigned char *CC_##name(const void *data, CC_LONG length, unsigned char *digest);

PUSHPIPE_DIGEST(MD5)
PUSHPIPE_DIGEST(SHA1)
PUSHPIPE_DIGEST(SHA224)
PUSHPIPE_DIGEST(SHA256)
PUSHPIPE_DIGEST(SHA384)
PUSHPIPE_DIGEST(SHA512)
#undef PUSHPIPE_DIGEST

#endif
