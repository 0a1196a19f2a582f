#ifndef PUSHPIPE_C_SECURITY_KEYS_H
#define PUSHPIPE_C_SECURITY_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// RSA and elliptic-curve keys by the system's libcrypto, in the forms that Apple's Security gives and takes: PKCS #1 for RSA, X9.63
// for P-256, P-384 and P-521. Every function returns whether it succeeded; results are allocated with malloc, and the caller frees them.

typedef struct {
    const uint8_t *bytes;
    size_t length;
    bool isRSA;
    bool isPrivate;
} security_key;

typedef struct {
    uint8_t *bytes;
    size_t length;
} security_bytes;

typedef enum { security_padding_none, security_padding_pkcs1, security_padding_oaep, security_padding_pss } security_padding;

// Makes a private key of 2048 to 8192 bits for RSA, of 256, 384 or 521 bits for a curve.
bool security_key_generate(bool isRSA, size_t bits, security_bytes *key);
// The public half of a private key.
bool security_key_public(security_key key, security_bytes *result);
// The size of the modulus or of the curve.
bool security_key_bits(security_key key, size_t *bits);
// Encryption with a public RSA key, decryption with a private one. `digest` is OpenSSL's name, for OAEP.
bool security_key_crypt(
    security_key key, bool encrypts, security_padding padding, const char *digest, const uint8_t *data, size_t length,
    security_bytes *result);
// A signature of `data`: of its digest if `hashes`, else `data` is the digest itself. `digest` is NULL for PKCS #1 without one.
bool security_key_sign(
    security_key key, security_padding padding, const char *digest, bool hashes, const uint8_t *data, size_t length,
    security_bytes *result);
bool security_key_verify(
    security_key key, security_padding padding, const char *digest, bool hashes, const uint8_t *data, size_t length,
    const uint8_t *signature, size_t signatureLength);
// The shared secret of a private and a public key on one curve: the X coordinate.
bool security_key_agree(security_key key, security_key other, security_bytes *result);
// The key derivation of X9.63.
bool security_derive(
    const char *digest, const uint8_t *secret, size_t secretLength, const uint8_t *info, size_t infoLength,
    size_t length, security_bytes *result);
// AES-GCM with a key of 16 or 32 bytes and a nonce of 16. What is sealed ends with a tag of 16 bytes.
bool security_gcm(
    bool seals, const uint8_t *key, size_t keyLength, const uint8_t nonce[16], const uint8_t *data, size_t length,
    security_bytes *result);

#endif
