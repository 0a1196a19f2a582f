// Foundation's URLSession for Linux reads the authorities that it trusts from the first of some files, whatever the environment says. A
// program that contains this function opens the file of SSL_CERT_FILE instead, as OpenSSL does: what the program defines comes before what
// its libraries find in the C library.
#ifdef __linux__
#define _GNU_SOURCE
#include <features.h>
#endif

#ifdef __GLIBC__
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef FILE *(*open_function)(const char *, const char *);

static const char *const system_files[] = {
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
};

/// The file to open in place of another one: that of SSL_CERT_FILE for a file of the system's authorities, else the same.
static const char *replaced(const char *path) {
    const char *own = getenv("SSL_CERT_FILE");
    if (path == NULL || own == NULL || *own == 0) return path;
    for (size_t index = 0; index < sizeof system_files / sizeof *system_files; index++) {
        if (strcmp(path, system_files[index]) == 0) return own;
    }
    return path;
}

static FILE *open_next(const char *name, const char *path, const char *mode) {
    open_function next = (open_function)dlsym(RTLD_NEXT, name);
    return next == NULL ? NULL : next(replaced(path), mode);
}

#undef fopen
#undef fopen64
FILE *fopen(const char *path, const char *mode) { return open_next("fopen", path, mode); }
FILE *fopen64(const char *path, const char *mode) { return open_next("fopen64", path, mode); }
#endif
