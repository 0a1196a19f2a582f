#include <CommonCrypto/CommonCrypto.h>

#include <limits.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <stdlib.h>

// Digests, HMAC, PBKDF2 and random bytes of Apple's CommonCrypto, by the system's libcrypto.

static int begin(void **state, const EVP_MD *kind) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    *state = context;
    return context && EVP_DigestInit_ex(context, kind, NULL);
}

static int finish(void **state, unsigned char *digest) {
    int done = *state && EVP_DigestFinal_ex(*state, digest, NULL);
    EVP_MD_CTX_free(*state);
    *state = NULL;
    return done;
}

#define DIGEST(name, kind)                                                                              \
    int CC_##name##_Init(CC_##name##_CTX *context) { return begin(&context->state, kind()); }           \
    int CC_##name##_Update(CC_##name##_CTX *context, const void *data, CC_LONG length) {                \
        return context->state && EVP_DigestUpdate(context->state, data, length);                        \
    }                                                                                                   \
    int CC_##name##_Final(unsigned char *digest, CC_##name##_CTX *context) {                            \
        return finish(&context->state, digest);                                                         \
    }                                                                                                   \
    unsigned char *CC_##name(const void *data, CC_LONG length, unsigned char *digest) {                 \
        return digest && EVP_Digest(data, length, digest, NULL, kind(), NULL) ? digest : NULL;          \
    }

DIGEST(MD5, EVP_md5)
DIGEST(SHA1, EVP_sha1)
DIGEST(SHA224, EVP_sha224)
DIGEST(SHA256, EVP_sha256)
DIGEST(SHA384, EVP_sha384)
DIGEST(SHA512, EVP_sha512)

static const EVP_MD *hmacDigest(CCHmacAlgorithm algorithm) {
    switch (algorithm) {
    case kCCHmacAlgSHA1: return EVP_sha1();
    case kCCHmacAlgMD5: return EVP_md5();
    case kCCHmacAlgSHA256: return EVP_sha256();
    case kCCHmacAlgSHA384: return EVP_sha384();
    case kCCHmacAlgSHA512: return EVP_sha512();
    case kCCHmacAlgSHA224: return EVP_sha224();
    default: return NULL;
    }
}

// The name of a digest, for EVP_MAC.
static const char *digestName(CCHmacAlgorithm algorithm) {
    const EVP_MD *kind = hmacDigest(algorithm);
    return kind ? EVP_MD_get0_name(kind) : NULL;
}

void CCHmacInit(CCHmacContext *context, CCHmacAlgorithm algorithm, const void *key, size_t keyLength) {
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    EVP_MAC_CTX *state = mac ? EVP_MAC_CTX_new(mac) : NULL;
    EVP_MAC_free(mac);
    const char *name = digestName(algorithm);
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string("digest", (char *)name, 0), OSSL_PARAM_construct_end()};
    // Without a key, EVP_MAC_init begins again with the last one.
    if (!name || !state || !EVP_MAC_init(state, key ? key : (const void *)"", keyLength, parameters)) {
        EVP_MAC_CTX_free(state);
        state = NULL;
    }
    context->state = state;
}

void CCHmacUpdate(CCHmacContext *context, const void *data, size_t dataLength) {
    if (context->state && dataLength > 0) EVP_MAC_update(context->state, data, dataLength);
}

void CCHmacFinal(CCHmacContext *context, void *macOut) {
    if (!context->state) return;
    size_t length = 0;
    EVP_MAC_final(context->state, macOut, &length, EVP_MAX_MD_SIZE);
    EVP_MAC_CTX_free(context->state);
    context->state = NULL;
}

void CCHmac(
    CCHmacAlgorithm algorithm, const void *key, size_t keyLength, const void *data, size_t dataLength, void *macOut) {
    CCHmacContext context;
    CCHmacInit(&context, algorithm, key, keyLength);
    CCHmacUpdate(&context, data, dataLength);
    CCHmacFinal(&context, macOut);
}

int CCKeyDerivationPBKDF(
    CCPBKDFAlgorithm algorithm, const char *password, size_t passwordLen, const uint8_t *salt, size_t saltLen,
    CCPseudoRandomAlgorithm prf, unsigned rounds, uint8_t *derivedKey, size_t derivedKeyLen) {
    const EVP_MD *kind = NULL;
    switch (prf) {
    case kCCPRFHmacAlgSHA1: kind = EVP_sha1(); break;
    case kCCPRFHmacAlgSHA224: kind = EVP_sha224(); break;
    case kCCPRFHmacAlgSHA256: kind = EVP_sha256(); break;
    case kCCPRFHmacAlgSHA384: kind = EVP_sha384(); break;
    case kCCPRFHmacAlgSHA512: kind = EVP_sha512(); break;
    }
    if (algorithm != kCCPBKDF2 || !kind || !derivedKey || derivedKeyLen == 0 || rounds == 0) return kCCParamError;
    if (passwordLen > INT_MAX || saltLen > INT_MAX || derivedKeyLen > INT_MAX || rounds > INT_MAX) return kCCParamError;
    return PKCS5_PBKDF2_HMAC(
               password ? password : "", (int)passwordLen, salt, (int)saltLen, (int)rounds, kind, (int)derivedKeyLen,
               derivedKey)
               ? kCCSuccess
               : kCCUnspecifiedError;
}

CCRNGStatus CCRandomGenerateBytes(void *bytes, size_t count) {
    if (count > INT_MAX) return kCCParamError;
    return RAND_bytes(bytes, (int)count) == 1 ? kCCSuccess : kCCRNGFailure;
}
