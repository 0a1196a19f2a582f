// Foundation's URLSession for Linux reads the authorities that it trusts from the first of some files, whatever the environment says. A
// program that contains this function opens the file of SSL_CERT_FILE instead, as OpenSSL does, or reads what authorities_trust was given:
// what the program defines comes before what its libraries find in the C library.
#define _GNU_SOURCE
#include "CAuthorities.h"

#include <stddef.h>
#include <stdio.h>

#ifdef __GLIBC__
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef FILE *(*open_function)(const char *, const char *);

static const char *const system_files[] = {
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
};
static const size_t system_file_count = sizeof system_files / sizeof *system_files;

struct bundle {
    const void *bytes;
    size_t size;
};

/// What authorities_trust was given.
static _Atomic(const struct bundle *) trusted;

/// The file of SSL_CERT_FILE, or NULL.
static const char *named_file(void) {
    const char *own = getenv("SSL_CERT_FILE");
    return own == NULL || *own == 0 ? NULL : own;
}

static bool is_system_file(const char *path) {
    if (path == NULL) return false;
    for (size_t index = 0; index < system_file_count; index++) {
        if (strcmp(path, system_files[index]) == 0) return true;
    }
    return false;
}

static FILE *open_next(const char *name, const char *path, const char *mode) {
    if (is_system_file(path)) {
        const struct bundle *own = atomic_load(&trusted);
        // Nothing is written to it in this mode.
        if (own != NULL && mode != NULL && *mode == 'r') return fmemopen((void *)own->bytes, own->size, "r");
        if (named_file() != NULL) path = named_file();
    }
    open_function next = (open_function)dlsym(RTLD_NEXT, name);
    return next == NULL ? NULL : next(path, mode);
}

#undef fopen
#undef fopen64
FILE *fopen(const char *path, const char *mode) { return open_next("fopen", path, mode); }
FILE *fopen64(const char *path, const char *mode) { return open_next("fopen64", path, mode); }

const char *authorities_file(void) {
    if (named_file() != NULL) return named_file();
    for (size_t index = 0; index < system_file_count; index++) {
        if (access(system_files[index], R_OK) == 0) return system_files[index];
    }
    return NULL;
}

bool authorities_trust(const void *pem, size_t size) {
    if (dlsym(RTLD_DEFAULT, "fopen64") != (void *)fopen64) return false;
    // Never freed: another thread may be about to open it.
    struct bundle *own = malloc(sizeof *own);
    if (own == NULL) return false;
    *own = (struct bundle){.bytes = pem, .size = size};
    atomic_store(&trusted, own);
    return true;
}
#else
const char *authorities_file(void) { return NULL; }
bool authorities_trust(const void *pem, size_t size) { return false; }
#endif
