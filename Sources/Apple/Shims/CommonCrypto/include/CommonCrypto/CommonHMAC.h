#ifndef PUSHPIPE_COMMON_HMAC_H
#define PUSHPIPE_COMMON_HMAC_H

#include <CommonCrypto/CommonDigest.h>

enum {
    kCCHmacAlgSHA1,
    kCCHmacAlgMD5,
    kCCHmacAlgSHA256,
    kCCHmacAlgSHA384,
    kCCHmacAlgSHA512,
    kCCHmacAlgSHA224,
};
typedef uint32_t CCHmacAlgorithm;

/* Freed by CCHmacFinal. */
typedef struct {
    void *state;
} CCHmacContext;

void CCHmacInit(CCHmacContext *context, CCHmacAlgorithm algorithm, const void *key, size_t keyLength);
void CCHmacUpdate(CCHmacContext *context, const void *data, size_t dataLength);
void CCHmacFinal(CCHmacContext *context, void *macOut);
void CCHmac(
    CCHmacAlgorithm algorithm, const void *key, size_t keyLength, const void *data, size_t dataLength, void *macOut);

#endif
