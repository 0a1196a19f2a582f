#include "CSecurityKeys.h"

#include <limits.h>
#include <openssl/core_names.h>
#include <openssl/decoder.h>
#include <openssl/ec.h>
#include <openssl/encoder.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>

// A push has 4 KiB; nothing here needs more.
static const size_t largest = 16 * 1024 * 1024;

static bool allocate(security_bytes *result, size_t length) {
    result->bytes = malloc(length > 0 ? length : 1);
    result->length = length;
    return result->bytes != NULL;
}

static bool failed(security_bytes *result) {
    free(result->bytes);
    result->bytes = NULL;
    result->length = 0;
    return false;
}

// MARK: - Forms of keys

static EVP_PKEY *rsa(security_key key) {
    EVP_PKEY *result = NULL;
    int parts = key.isPrivate ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
    // iOS takes public keys in the form of certificates, too, and private ones as PKCS #1 only.
    const char *forms[] = {"type-specific", key.isPrivate ? NULL : "SubjectPublicKeyInfo"};
    for (int form = 0; form < 2 && !result && forms[form]; form++) {
        const unsigned char *bytes = key.bytes;
        size_t length = key.length;
        OSSL_DECODER_CTX *decoder =
            OSSL_DECODER_CTX_new_for_pkey(&result, "DER", forms[form], "RSA", parts, NULL, NULL);
        if (decoder && !OSSL_DECODER_from_data(decoder, &bytes, &length)) result = NULL;
        OSSL_DECODER_CTX_free(decoder);
    }
    return result;
}

static const struct curve {
    size_t bits, bytes;
    const char *name;
} curves[] = {{256, 32, "P-256"}, {384, 48, "P-384"}, {521, 66, "P-521"}};

static EVP_PKEY *elliptic(security_key key) {
    const struct curve *curve = NULL;
    for (size_t index = 0; index < 3; index++) {
        if (key.length == 1 + curves[index].bytes * (key.isPrivate ? 3 : 2)) curve = &curves[index];
    }
    if (!curve || key.bytes[0] != 4) return NULL;
    size_t publicLength = 1 + curve->bytes * 2;
    EVP_PKEY *result = NULL;
    BIGNUM *secret = key.isPrivate ? BN_bin2bn(key.bytes + publicLength, (int)curve->bytes, NULL) : NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    OSSL_PARAM *parameters = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    if (builder && context && (secret || !key.isPrivate)
        && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, curve->name, 0)
        && OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, key.bytes, publicLength)
        && (!secret || OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, secret))
        && (parameters = OSSL_PARAM_BLD_to_param(builder)) && EVP_PKEY_fromdata_init(context) > 0) {
        int parts = key.isPrivate ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
        if (EVP_PKEY_fromdata(context, &result, parts, parameters) <= 0) result = NULL;
    }
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    EVP_PKEY_CTX_free(context);
    BN_clear_free(secret);
    return result;
}

static EVP_PKEY *parsed(security_key key) {
    if (!key.bytes || key.length == 0 || key.length > largest) return NULL;
    return key.isRSA ? rsa(key) : elliptic(key);
}

static bool encodedRSA(EVP_PKEY *key, bool isPrivate, security_bytes *result) {
    unsigned char *bytes = NULL;
    size_t length = 0;
    int parts = isPrivate ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
    OSSL_ENCODER_CTX *encoder = OSSL_ENCODER_CTX_new_for_pkey(key, parts, "DER", "type-specific", NULL);
    bool done = encoder && OSSL_ENCODER_to_data(encoder, &bytes, &length) && allocate(result, length);
    if (done) memcpy(result->bytes, bytes, length);
    OSSL_ENCODER_CTX_free(encoder);
    OPENSSL_free(bytes);
    return done;
}

static bool encodedEC(EVP_PKEY *key, bool isPrivate, security_bytes *result) {
    size_t bytes = ((size_t)EVP_PKEY_get_bits(key) + 7) / 8, length = 0;
    if (!allocate(result, 1 + bytes * (isPrivate ? 3 : 2))) return false;
    // 1 + X + Y; a compressed point is shorter and not the form that Security has.
    if (!EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, result->bytes, result->length, &length)
        || length != 1 + bytes * 2) {
        return failed(result);
    }
    BIGNUM *secret = NULL;
    bool done = !isPrivate
        || (EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &secret)
            && BN_bn2binpad(secret, result->bytes + length, (int)bytes) == (int)bytes);
    BN_clear_free(secret);
    return done || failed(result);
}

bool security_key_generate(bool isRSA, size_t bits, security_bytes *key) {
    EVP_PKEY *made = NULL;
    if (isRSA && bits >= 2048 && bits <= 8192) made = EVP_PKEY_Q_keygen(NULL, NULL, "RSA", bits);
    for (size_t index = 0; !isRSA && index < 3; index++) {
        if (curves[index].bits == bits) made = EVP_PKEY_Q_keygen(NULL, NULL, "EC", curves[index].name);
    }
    if (!made) return false;
    bool done = isRSA ? encodedRSA(made, true, key) : encodedEC(made, true, key);
    EVP_PKEY_free(made);
    return done;
}

bool security_key_public(security_key key, security_bytes *result) {
    EVP_PKEY *parsedKey = parsed(key);
    bool done = parsedKey
        && (key.isRSA ? encodedRSA(parsedKey, false, result) : encodedEC(parsedKey, false, result));
    EVP_PKEY_free(parsedKey);
    return done;
}

bool security_key_bits(security_key key, size_t *bits) {
    EVP_PKEY *parsedKey = parsed(key);
    if (parsedKey) *bits = (size_t)EVP_PKEY_get_bits(parsedKey);
    EVP_PKEY_free(parsedKey);
    return parsedKey != NULL;
}

// MARK: - Encryption

static int paddingNumber(security_padding padding) {
    switch (padding) {
    case security_padding_pkcs1: return RSA_PKCS1_PADDING;
    case security_padding_oaep: return RSA_PKCS1_OAEP_PADDING;
    case security_padding_pss: return RSA_PKCS1_PSS_PADDING;
    default: return RSA_NO_PADDING;
    }
}

bool security_key_crypt(
    security_key key, bool encrypts, security_padding padding, const char *digest, const uint8_t *data, size_t length,
    security_bytes *result) {
    if (!key.isRSA || length > largest) return false;
    EVP_PKEY *parsedKey = parsed(key);
    EVP_PKEY_CTX *context = parsedKey ? EVP_PKEY_CTX_new(parsedKey, NULL) : NULL;
    const EVP_MD *hash = digest ? EVP_get_digestbyname(digest) : NULL;
    int (*step)(EVP_PKEY_CTX *, unsigned char *, size_t *, const unsigned char *, size_t) =
        encrypts ? EVP_PKEY_encrypt : EVP_PKEY_decrypt;
    size_t size = 0;
    bool done = context
        && (encrypts ? EVP_PKEY_encrypt_init(context) : EVP_PKEY_decrypt_init(context)) > 0
        && EVP_PKEY_CTX_set_rsa_padding(context, paddingNumber(padding)) > 0
        && (padding != security_padding_oaep
            || (hash && EVP_PKEY_CTX_set_rsa_oaep_md(context, hash) > 0
                && EVP_PKEY_CTX_set_rsa_mgf1_md(context, hash) > 0))
        && step(context, NULL, &size, data, length) > 0 && allocate(result, size);
    if (done) {
        result->length = size;
        done = step(context, result->bytes, &result->length, data, length) > 0 || failed(result);
    }
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(parsedKey);
    return done;
}

// MARK: - Signatures

static bool choose(EVP_PKEY_CTX *context, security_key key, security_padding padding, const EVP_MD *hash) {
    if (!key.isRSA) return !hash || EVP_PKEY_CTX_set_signature_md(context, hash) > 0;
    return EVP_PKEY_CTX_set_rsa_padding(context, paddingNumber(padding)) > 0
        && (!hash || EVP_PKEY_CTX_set_signature_md(context, hash) > 0)
        && (padding != security_padding_pss
            || (EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) > 0
                && EVP_PKEY_CTX_set_rsa_mgf1_md(context, hash) > 0));
}

// What is signed: a digest, or `data` itself.
static bool hashed(const EVP_MD *hash, bool hashes, const uint8_t **data, size_t *length, uint8_t *room) {
    if (!hashes) return !hash || *length == (size_t)EVP_MD_get_size(hash);
    unsigned size = 0;
    if (!hash || !EVP_Digest(*data, *length, room, &size, hash, NULL)) return false;
    *data = room;
    *length = size;
    return true;
}

bool security_key_sign(
    security_key key, security_padding padding, const char *digest, bool hashes, const uint8_t *data, size_t length,
    security_bytes *result) {
    const EVP_MD *hash = digest ? EVP_get_digestbyname(digest) : NULL;
    uint8_t room[EVP_MAX_MD_SIZE];
    if ((digest && !hash) || !hashed(hash, hashes, &data, &length, room)) return false;
    EVP_PKEY *parsedKey = parsed(key);
    EVP_PKEY_CTX *context = parsedKey ? EVP_PKEY_CTX_new(parsedKey, NULL) : NULL;
    size_t size = 0;
    bool done = context && EVP_PKEY_sign_init(context) > 0 && choose(context, key, padding, hash)
        && EVP_PKEY_sign(context, NULL, &size, data, length) > 0 && allocate(result, size);
    if (done) done = EVP_PKEY_sign(context, result->bytes, &result->length, data, length) > 0 || failed(result);
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(parsedKey);
    return done;
}

bool security_key_verify(
    security_key key, security_padding padding, const char *digest, bool hashes, const uint8_t *data, size_t length,
    const uint8_t *signature, size_t signatureLength) {
    const EVP_MD *hash = digest ? EVP_get_digestbyname(digest) : NULL;
    uint8_t room[EVP_MAX_MD_SIZE];
    if ((digest && !hash) || !hashed(hash, hashes, &data, &length, room)) return false;
    EVP_PKEY *parsedKey = parsed(key);
    EVP_PKEY_CTX *context = parsedKey ? EVP_PKEY_CTX_new(parsedKey, NULL) : NULL;
    bool isValid = context && EVP_PKEY_verify_init(context) > 0 && choose(context, key, padding, hash)
        && EVP_PKEY_verify(context, signature, signatureLength, data, length) == 1;
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(parsedKey);
    return isValid;
}

// MARK: - Agreement

bool security_key_agree(security_key key, security_key other, security_bytes *result) {
    if (key.isRSA || other.isRSA) return false;
    EVP_PKEY *mine = parsed(key), *theirs = parsed(other);
    EVP_PKEY_CTX *context = mine && theirs ? EVP_PKEY_CTX_new(mine, NULL) : NULL;
    size_t size = 0;
    bool done = context && EVP_PKEY_derive_init(context) > 0 && EVP_PKEY_derive_set_peer(context, theirs) > 0
        && EVP_PKEY_derive(context, NULL, &size) > 0 && allocate(result, size);
    if (done) done = EVP_PKEY_derive(context, result->bytes, &result->length) > 0 || failed(result);
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(mine);
    EVP_PKEY_free(theirs);
    return done;
}

bool security_derive(
    const char *digest, const uint8_t *secret, size_t secretLength, const uint8_t *info, size_t infoLength,
    size_t length, security_bytes *result) {
    if (length == 0 || length > largest || !allocate(result, length)) return false;
    EVP_KDF *kind = EVP_KDF_fetch(NULL, "X963KDF", NULL);
    EVP_KDF_CTX *context = kind ? EVP_KDF_CTX_new(kind) : NULL;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)digest, 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SECRET, (void *)secret, secretLength),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, infoLength),
        OSSL_PARAM_construct_end(),
    };
    bool done = context && EVP_KDF_derive(context, result->bytes, length, parameters) > 0;
    EVP_KDF_CTX_free(context);
    EVP_KDF_free(kind);
    return done || failed(result);
}

bool security_gcm(
    bool seals, const uint8_t *key, size_t keyLength, const uint8_t nonce[16], const uint8_t *data, size_t length,
    security_bytes *result) {
    const size_t tag = 16;
    if ((keyLength != 16 && keyLength != 32) || length > largest || (!seals && length < tag)) return false;
    size_t text = seals ? length : length - tag;
    if (!allocate(result, seals ? length + tag : text)) return false;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written = 0, last = 0;
    uint8_t end[16];
    bool done = context
        && EVP_CipherInit_ex(context, keyLength == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm(), NULL, NULL, NULL, seals)
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, 16, NULL) > 0
        && EVP_CipherInit_ex(context, NULL, NULL, key, nonce, seals)
        && (seals
            || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, (int)tag, (void *)(data + text)) > 0)
        && (text == 0 || EVP_CipherUpdate(context, result->bytes, &written, data, (int)text))
        && EVP_CipherFinal_ex(context, end, &last)
        && (!seals
            || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, (int)tag, result->bytes + text) > 0);
    EVP_CIPHER_CTX_free(context);
    return done || failed(result);
}
