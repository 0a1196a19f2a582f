// Only for Linux; elsewhere the module is empty.
#ifdef __linux__
// RTLD_NOLOAD
#define _GNU_SOURCE

#include "openssl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

// MARK: OpenSSL

static struct openssl functions;
static bool is_complete;

static void load(void) {
    // The names of OpenSSL 3 and 1.1, and that of a development package. RTLD_NOLOAD first: the library that libcurl has loaded.
    const char *names[] = {"libssl.so.3", "libssl.so.1.1", "libssl.so"};
    const int count = sizeof names / sizeof *names;
    void *library = NULL;
    for (int i = 0; i < count && !library; i++) library = dlopen(names[i], RTLD_NOW | RTLD_NOLOAD);
    for (int i = 0; i < count && !library; i++) library = dlopen(names[i], RTLD_NOW);
    if (!library) return;
    is_complete = true;
    // A search in libssl includes libcrypto, on which it depends.
#define OPENSSL_LOAD(result, name, parameters)                                                                           \
    functions.name = (result(*) parameters)dlsym(library, #name);                                                      \
    if (!functions.name) is_complete = false;
    OPENSSL_FUNCTIONS(OPENSSL_LOAD)
#undef OPENSSL_LOAD
}

const struct openssl *openssl_functions(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_complete ? &functions : NULL;
}

// MARK: Certificates

// Numbers of <openssl/obj_mac.h> and <openssl/asn1.h>, which do not change.
enum { nid_ec = 408, nid_subject_alt_name = 85, nid_basic_constraints = 87, mbstring_ascii = 0x1001 };

struct stub_authority {
    EVP_PKEY *key;
    X509 *certificate;
};

static EVP_PKEY *make_key(const struct openssl *ssl) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = ssl->EVP_PKEY_CTX_new_id(nid_ec, NULL);
    if (!context) return NULL;
    if (ssl->EVP_PKEY_keygen_init(context) != 1 ||
        ssl->EVP_PKEY_CTX_ctrl_str(context, "ec_paramgen_curve", "P-256") != 1 ||
        ssl->EVP_PKEY_keygen(context, &key) != 1) {
        key = NULL;
    }
    ssl->EVP_PKEY_CTX_free(context);
    return key;
}

static bool add_extension(const struct openssl *ssl, X509 *certificate, int kind, const char *value) {
    X509_EXTENSION *extension = ssl->X509V3_EXT_conf_nid(NULL, NULL, kind, value);
    if (!extension) return false;
    bool is_added = ssl->X509_add_ext(certificate, extension, -1) == 1;
    ssl->X509_EXTENSION_free(extension);
    return is_added;
}

/// A certificate that is valid from yesterday on for a month. Signed by the authority, or by its own key without one.
static X509 *make_certificate(const struct openssl *ssl, EVP_PKEY *key, stub_authority *authority, const char *names) {
    static atomic_long serial = 1;
    const long day = 24 * 60 * 60;
    X509 *certificate = ssl->X509_new();
    if (!certificate) return NULL;
    X509_NAME *subject = ssl->X509_get_subject_name(certificate);
    const char *name = authority ? "pushpipe stub server" : "pushpipe stub server's authority";
    bool is_made =
        ssl->X509_set_version(certificate, 2) == 1 &&
        ssl->ASN1_INTEGER_set(ssl->X509_get_serialNumber(certificate), atomic_fetch_add(&serial, 1)) == 1 &&
        ssl->X509_gmtime_adj(ssl->X509_getm_notBefore(certificate), -day) &&
        ssl->X509_gmtime_adj(ssl->X509_getm_notAfter(certificate), 30 * day) &&
        ssl->X509_set_pubkey(certificate, key) == 1 &&
        ssl->X509_NAME_add_entry_by_txt(subject, "CN", mbstring_ascii, (const unsigned char *)name, -1, -1, 0) == 1 &&
        ssl->X509_set_issuer_name(
            certificate, authority ? ssl->X509_get_subject_name(authority->certificate) : subject) == 1 &&
        (names ? add_extension(ssl, certificate, nid_subject_alt_name, names)
               : add_extension(ssl, certificate, nid_basic_constraints, "critical,CA:TRUE")) &&
        ssl->X509_sign(certificate, authority ? authority->key : key, ssl->EVP_sha256()) > 0;
    return is_made ? certificate : NULL;
}

stub_authority *stub_authority_create(char *pem, size_t capacity, const char **error) {
    const struct openssl *ssl = openssl_functions();
    if (!ssl) {
        *error = "this machine has no OpenSSL 1.1 or 3 (libssl.so.3), which libcurl brings";
        return NULL;
    }
    *error = "OpenSSL makes no certificate";
    stub_authority *authority = calloc(1, sizeof *authority);
    if (!authority) return NULL;
    authority->key = make_key(ssl);
    authority->certificate = authority->key ? make_certificate(ssl, authority->key, NULL, NULL) : NULL;
    BIO *text = authority->certificate ? ssl->BIO_new(ssl->BIO_s_mem()) : NULL;
    if (text && ssl->PEM_write_bio_X509(text, authority->certificate) == 1) {
        int size = ssl->BIO_read(text, pem, (int)capacity - 1);
        ssl->BIO_free(text);
        if (size > 0 && (size_t)size < capacity - 1) {
            pem[size] = 0;
            return authority;
        }
    }
    free(authority);
    return NULL;
}

// An identity is its context.
SSL_CTX *stub_identity_context(stub_identity *identity) { return (SSL_CTX *)identity; }

stub_identity *stub_identity_issue(stub_authority *authority, const char *names) {
    const struct openssl *ssl = openssl_functions();
    if (!ssl) return NULL;
    EVP_PKEY *key = make_key(ssl);
    X509 *certificate = key ? make_certificate(ssl, key, authority, names) : NULL;
    SSL_CTX *context = certificate ? ssl->SSL_CTX_new(ssl->TLS_server_method()) : NULL;
    if (!context || ssl->SSL_CTX_use_certificate(context, certificate) != 1 ||
        ssl->SSL_CTX_use_PrivateKey(context, key) != 1) {
        return NULL;
    }
    return (stub_identity *)context;
}

#endif
