#ifndef OPENSSL_H
#define OPENSSL_H

#include "CStubTransport.h"

// The functions of OpenSSL 1.1 and 3 that are used, with the types of their manual pages.
typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct evp_pkey_st EVP_PKEY;
typedef struct evp_pkey_ctx_st EVP_PKEY_CTX;
typedef struct x509_st X509;
typedef struct x509_name_st X509_NAME;
typedef struct x509_extension_st X509_EXTENSION;
typedef struct bio_st BIO;

#define OPENSSL_FUNCTIONS(F)                                                                                             \
    F(const void *, TLS_server_method, (void))                                                                         \
    F(SSL_CTX *, SSL_CTX_new, (const void *))                                                                          \
    F(int, SSL_CTX_use_certificate, (SSL_CTX *, X509 *))                                                               \
    F(int, SSL_CTX_use_PrivateKey, (SSL_CTX *, EVP_PKEY *))                                                            \
    F(SSL *, SSL_new, (SSL_CTX *))                                                                                     \
    F(int, SSL_set_fd, (SSL *, int))                                                                                   \
    F(int, SSL_accept, (SSL *))                                                                                        \
    F(int, SSL_read, (SSL *, void *, int))                                                                             \
    F(int, SSL_write, (SSL *, const void *, int))                                                                      \
    F(int, SSL_shutdown, (SSL *))                                                                                      \
    F(void, SSL_free, (SSL *))                                                                                         \
    F(EVP_PKEY_CTX *, EVP_PKEY_CTX_new_id, (int, void *))                                                              \
    F(void, EVP_PKEY_CTX_free, (EVP_PKEY_CTX *))                                                                       \
    F(int, EVP_PKEY_keygen_init, (EVP_PKEY_CTX *))                                                                     \
    F(int, EVP_PKEY_CTX_ctrl_str, (EVP_PKEY_CTX *, const char *, const char *))                                        \
    F(int, EVP_PKEY_keygen, (EVP_PKEY_CTX *, EVP_PKEY **))                                                             \
    F(X509 *, X509_new, (void))                                                                                        \
    F(int, X509_set_version, (X509 *, long))                                                                           \
    F(void *, X509_get_serialNumber, (X509 *))                                                                         \
    F(int, ASN1_INTEGER_set, (void *, long))                                                                           \
    F(void *, X509_getm_notBefore, (const X509 *))                                                                     \
    F(void *, X509_getm_notAfter, (const X509 *))                                                                      \
    F(void *, X509_gmtime_adj, (void *, long))                                                                         \
    F(int, X509_set_pubkey, (X509 *, EVP_PKEY *))                                                                      \
    F(X509_NAME *, X509_get_subject_name, (const X509 *))                                                              \
    F(int, X509_set_issuer_name, (X509 *, const X509_NAME *))                                                          \
    F(int, X509_NAME_add_entry_by_txt, (X509_NAME *, const char *, int, const unsigned char *, int, int, int))         \
    F(X509_EXTENSION *, X509V3_EXT_conf_nid, (void *, void *, int, const char *))                                      \
    F(int, X509_add_ext, (X509 *, X509_EXTENSION *, int))                                                              \
    F(void, X509_EXTENSION_free, (X509_EXTENSION *))                                                                   \
    F(const void *, EVP_sha256, (void))                                                                                \
    F(int, X509_sign, (X509 *, EVP_PKEY *, const void *))                                                              \
    F(const void *, BIO_s_mem, (void))                                                                                 \
    F(BIO *, BIO_new, (const void *))                                                                                  \
    F(int, BIO_read, (BIO *, void *, int))                                                                             \
    F(int, BIO_free, (BIO *))                                                                                          \
    F(int, PEM_write_bio_X509, (BIO *, X509 *))

struct openssl {
#define OPENSSL_MEMBER(result, name, parameters) result(*name) parameters;
    OPENSSL_FUNCTIONS(OPENSSL_MEMBER)
#undef OPENSSL_MEMBER
};

/// The functions; NULL if this machine has no OpenSSL 1.1 or 3. Thread-safe.
const struct openssl *openssl_functions(void);

/// An identity as servers use it.
SSL_CTX *stub_identity_context(stub_identity *identity);

#endif
