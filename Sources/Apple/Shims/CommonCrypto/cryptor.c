#include <CommonCrypto/CommonCryptor.h>

#include <limits.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// The symmetric ciphers of Apple's CommonCrypto, by the system's libcrypto.

struct _CCCryptor {
    EVP_CIPHER_CTX *context;
    bool encrypts;
    bool pads;
    size_t block;
    // Input that is not yet a whole block.
    size_t pending;
    bool isFinal;
};

// DES is 3DES with the same key three times, which needs no legacy provider.
static const EVP_CIPHER *cipher(CCAlgorithm algorithm, CCMode mode, size_t keyLength) {
    static const struct {
        CCMode mode;
        const EVP_CIPHER *(*aes128)(void), *(*aes192)(void), *(*aes256)(void), *(*des)(void);
    } modes[] = {
        {kCCModeECB, EVP_aes_128_ecb, EVP_aes_192_ecb, EVP_aes_256_ecb, EVP_des_ede3_ecb},
        {kCCModeCBC, EVP_aes_128_cbc, EVP_aes_192_cbc, EVP_aes_256_cbc, EVP_des_ede3_cbc},
        {kCCModeCFB, EVP_aes_128_cfb128, EVP_aes_192_cfb128, EVP_aes_256_cfb128, EVP_des_ede3_cfb64},
        {kCCModeCTR, EVP_aes_128_ctr, EVP_aes_192_ctr, EVP_aes_256_ctr, NULL},
        {kCCModeOFB, EVP_aes_128_ofb, EVP_aes_192_ofb, EVP_aes_256_ofb, EVP_des_ede3_ofb},
        {kCCModeCFB8, EVP_aes_128_cfb8, EVP_aes_192_cfb8, EVP_aes_256_cfb8, EVP_des_ede3_cfb8},
    };
    for (size_t index = 0; index < sizeof modes / sizeof *modes; index++) {
        if (modes[index].mode != mode) continue;
        if (algorithm != kCCAlgorithmAES) return modes[index].des ? modes[index].des() : NULL;
        if (keyLength == kCCKeySizeAES128) return modes[index].aes128();
        return keyLength == kCCKeySizeAES192 ? modes[index].aes192() : modes[index].aes256();
    }
    return NULL;
}

static bool hasLength(CCAlgorithm algorithm, size_t length) {
    if (algorithm == kCCAlgorithmDES) return length == kCCKeySizeDES;
    if (algorithm == kCCAlgorithm3DES) return length == kCCKeySize3DES;
    return length == kCCKeySizeAES128 || length == kCCKeySizeAES192 || length == kCCKeySizeAES256;
}

CCCryptorStatus CCCryptorCreateWithMode(
    CCOperation operation, CCMode mode, CCAlgorithm algorithm, CCPadding padding, const void *iv, const void *key,
    size_t keyLength, const void *tweak, size_t tweakLength, int rounds, CCModeOptions options, CCCryptorRef *cryptor) {
    static const unsigned char zeros[16];
    if (!cryptor || !key || operation > kCCDecrypt) return kCCParamError;
    *cryptor = NULL;
    if (algorithm > kCCAlgorithm3DES) return kCCUnimplemented;
    if (!hasLength(algorithm, keyLength)) return kCCKeySizeError;
    const EVP_CIPHER *kind = cipher(algorithm, mode, keyLength);
    if (!kind) return kCCUnimplemented;
    unsigned char tripled[kCCKeySize3DES];
    if (algorithm == kCCAlgorithmDES) {
        for (int part = 0; part < 3; part++) memcpy(tripled + part * kCCKeySizeDES, key, kCCKeySizeDES);
        key = tripled;
    }
    CCCryptorRef made = calloc(1, sizeof *made);
    if (!made) return kCCMemoryFailure;
    made->context = EVP_CIPHER_CTX_new();
    made->encrypts = operation == kCCEncrypt;
    made->block = (size_t)EVP_CIPHER_get_block_size(kind);
    made->pads = padding == ccPKCS7Padding && made->block > 1;
    if (!made->context
        || !EVP_CipherInit_ex(made->context, kind, NULL, key, iv ? iv : zeros, made->encrypts)
        || !EVP_CIPHER_CTX_set_padding(made->context, made->pads)) {
        CCCryptorRelease(made);
        return kCCMemoryFailure;
    }
    *cryptor = made;
    return kCCSuccess;
}

CCCryptorStatus CCCryptorCreate(
    CCOperation operation, CCAlgorithm algorithm, CCOptions options, const void *key, size_t keyLength, const void *iv,
    CCCryptorRef *cryptor) {
    CCMode mode = options & kCCOptionECBMode ? kCCModeECB : kCCModeCBC;
    CCPadding padding = options & kCCOptionPKCS7Padding ? ccPKCS7Padding : ccNoPadding;
    return CCCryptorCreateWithMode(operation, mode, algorithm, padding, iv, key, keyLength, NULL, 0, 0, 0, cryptor);
}

CCCryptorStatus CCCryptorRelease(CCCryptorRef cryptor) {
    if (!cryptor) return kCCSuccess;
    EVP_CIPHER_CTX_free(cryptor->context);
    free(cryptor);
    return kCCSuccess;
}

size_t CCCryptorGetOutputLength(CCCryptorRef cryptor, size_t inputLength, _Bool final) {
    size_t all = 0;
    if (!cryptor || __builtin_add_overflow(cryptor->pending, inputLength, &all)) return 0;
    size_t whole = all - all % cryptor->block;
    if (!final) return whole;
    return cryptor->pads && cryptor->encrypts && whole <= SIZE_MAX - cryptor->block ? whole + cryptor->block : all;
}

CCCryptorStatus CCCryptorUpdate(
    CCCryptorRef cryptor, const void *dataIn, size_t dataInLength, void *dataOut, size_t dataOutAvailable,
    size_t *dataOutMoved) {
    if (dataOutMoved) *dataOutMoved = 0;
    if (!cryptor || (!dataIn && dataInLength > 0)) return kCCParamError;
    if (cryptor->isFinal) return kCCCallSequenceError;
    if (dataInLength > INT_MAX - 64) return kCCParamError;
    if (dataInLength == 0) return kCCSuccess;
    // A padded decryption keeps its last block for the end.
    size_t all = cryptor->pending + dataInLength;
    size_t whole = all - all % cryptor->block;
    if (cryptor->pads && !cryptor->encrypts && whole == all && whole > 0) whole -= cryptor->block;
    if (dataOutAvailable < whole || (!dataOut && whole > 0)) {
        if (dataOutMoved) *dataOutMoved = whole;
        return kCCBufferTooSmall;
    }
    // libcrypto takes the whole input as what it may write, so it gets room of its own.
    unsigned char *room = malloc(all + 2 * EVP_MAX_BLOCK_LENGTH);
    if (!room) return kCCMemoryFailure;
    int length = 0;
    CCCryptorStatus status = kCCUnspecifiedError;
    if (EVP_CipherUpdate(cryptor->context, room, &length, dataIn, (int)dataInLength) && (size_t)length <= dataOutAvailable) {
        if (length > 0) memcpy(dataOut, room, (size_t)length);
        cryptor->pending = all - (size_t)length;
        if (dataOutMoved) *dataOutMoved = (size_t)length;
        status = kCCSuccess;
    }
    free(room);
    return status;
}

CCCryptorStatus CCCryptorFinal(CCCryptorRef cryptor, void *dataOut, size_t dataOutAvailable, size_t *dataOutMoved) {
    if (dataOutMoved) *dataOutMoved = 0;
    if (!cryptor) return kCCParamError;
    if (cryptor->isFinal) return kCCCallSequenceError;
    if (!cryptor->pads) {
        if (cryptor->block > 1 && cryptor->pending > 0) return kCCAlignmentError;
        cryptor->isFinal = true;
        return kCCSuccess;
    }
    if (cryptor->encrypts && dataOutAvailable < cryptor->block) {
        if (dataOutMoved) *dataOutMoved = cryptor->block;
        return kCCBufferTooSmall;
    }
    unsigned char room[2 * EVP_MAX_BLOCK_LENGTH];
    int length = 0;
    if (!EVP_CipherFinal_ex(cryptor->context, room, &length)) {
        return cryptor->pending % cryptor->block == 0 ? kCCDecodeError : kCCAlignmentError;
    }
    if ((size_t)length > dataOutAvailable || (!dataOut && length > 0)) {
        if (dataOutMoved) *dataOutMoved = (size_t)length;
        return kCCBufferTooSmall;
    }
    if (length > 0) memcpy(dataOut, room, (size_t)length);
    if (dataOutMoved) *dataOutMoved = (size_t)length;
    cryptor->isFinal = true;
    cryptor->pending = 0;
    return kCCSuccess;
}

CCCryptorStatus CCCryptorReset(CCCryptorRef cryptor, const void *iv) {
    static const unsigned char zeros[16];
    if (!cryptor) return kCCParamError;
    if (!EVP_CipherInit_ex(cryptor->context, NULL, NULL, NULL, iv ? iv : zeros, -1)) return kCCUnspecifiedError;
    cryptor->pending = 0;
    cryptor->isFinal = false;
    return kCCSuccess;
}

CCCryptorStatus CCCrypt(
    CCOperation operation, CCAlgorithm algorithm, CCOptions options, const void *key, size_t keyLength, const void *iv,
    const void *dataIn, size_t dataInLength, void *dataOut, size_t dataOutAvailable, size_t *dataOutMoved) {
    CCCryptorRef cryptor = NULL;
    CCCryptorStatus status = CCCryptorCreate(operation, algorithm, options, key, keyLength, iv, &cryptor);
    if (status != kCCSuccess) return status;
    size_t needed = CCCryptorGetOutputLength(cryptor, dataInLength, true);
    size_t moved = 0, last = 0;
    if (!cryptor->pads && dataInLength % cryptor->block > 0) {
        status = kCCAlignmentError;
    } else if (cryptor->encrypts && dataOutAvailable < needed) {
        status = kCCBufferTooSmall;
        moved = needed;
    } else {
        status = CCCryptorUpdate(cryptor, dataIn, dataInLength, dataOut, dataOutAvailable, &moved);
        if (status == kCCSuccess) {
            char *rest = dataOut ? (char *)dataOut + moved : NULL;
            status = CCCryptorFinal(cryptor, rest, dataOutAvailable - moved, &last);
            moved = status == kCCBufferTooSmall ? needed : moved + last;
        } else if (status == kCCBufferTooSmall) {
            moved = needed;
        }
    }
    if (dataOutMoved) *dataOutMoved = moved;
    CCCryptorRelease(cryptor);
    return status;
}
