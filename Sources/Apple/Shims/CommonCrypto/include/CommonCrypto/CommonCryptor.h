#ifndef PUSHPIPE_COMMON_CRYPTOR_H
#define PUSHPIPE_COMMON_CRYPTOR_H

#include <CommonCrypto/CommonCryptoError.h>

typedef struct _CCCryptor *CCCryptorRef;

enum { kCCEncrypt = 0, kCCDecrypt };
typedef uint32_t CCOperation;

/* AES, DES and 3DES are there; the others are kCCUnimplemented. */
enum {
    kCCAlgorithmAES128 = 0,
    kCCAlgorithmAES = 0,
    kCCAlgorithmDES,
    kCCAlgorithm3DES,
    kCCAlgorithmCAST,
    kCCAlgorithmRC4,
    kCCAlgorithmRC2,
    kCCAlgorithmBlowfish,
};
typedef uint32_t CCAlgorithm;

enum { kCCOptionPKCS7Padding = 1, kCCOptionECBMode = 2 };
typedef uint32_t CCOptions;

enum {
    kCCKeySizeAES128 = 16,
    kCCKeySizeAES192 = 24,
    kCCKeySizeAES256 = 32,
    kCCKeySizeDES = 8,
    kCCKeySize3DES = 24,
};

enum { kCCBlockSizeAES128 = 16, kCCBlockSizeDES = 8, kCCBlockSize3DES = 8 };

/* ECB, CBC, CFB, CTR, OFB and CFB8 are there. */
enum {
    kCCModeECB = 1,
    kCCModeCBC = 2,
    kCCModeCFB = 3,
    kCCModeCTR = 4,
    kCCModeOFB = 7,
    kCCModeRC4 = 9,
    kCCModeCFB8 = 10,
};
typedef uint32_t CCMode;

enum { ccNoPadding = 0, ccPKCS7Padding = 1 };
typedef uint32_t CCPadding;

enum { kCCModeOptionCTR_BE = 2 };
typedef uint32_t CCModeOptions;

CCCryptorStatus CCCryptorCreate(
    CCOperation operation, CCAlgorithm algorithm, CCOptions options, const void *key, size_t keyLength, const void *iv,
    CCCryptorRef *cryptor);
/* `tweak`, `tweakLength` and `rounds` have no effect. */
CCCryptorStatus CCCryptorCreateWithMode(
    CCOperation operation, CCMode mode, CCAlgorithm algorithm, CCPadding padding, const void *iv, const void *key,
    size_t keyLength, const void *tweak, size_t tweakLength, int rounds, CCModeOptions options, CCCryptorRef *cryptor);
CCCryptorStatus CCCryptorRelease(CCCryptorRef cryptor);
CCCryptorStatus CCCryptorUpdate(
    CCCryptorRef cryptor, const void *dataIn, size_t dataInLength, void *dataOut, size_t dataOutAvailable,
    size_t *dataOutMoved);
CCCryptorStatus CCCryptorFinal(CCCryptorRef cryptor, void *dataOut, size_t dataOutAvailable, size_t *dataOutMoved);
size_t CCCryptorGetOutputLength(CCCryptorRef cryptor, size_t inputLength, _Bool final);
CCCryptorStatus CCCryptorReset(CCCryptorRef cryptor, const void *iv);
CCCryptorStatus CCCrypt(
    CCOperation operation, CCAlgorithm algorithm, CCOptions options, const void *key, size_t keyLength, const void *iv,
    const void *dataIn, size_t dataInLength, void *dataOut, size_t dataOutAvailable, size_t *dataOutMoved);

#endif
