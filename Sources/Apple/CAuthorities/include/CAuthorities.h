#ifndef CAUTHORITIES_H
#define CAUTHORITIES_H

#include <stdbool.h>
#include <stddef.h>

// Without a call, URLSession trusts the certificates in the file of SSL_CERT_FILE: see authorities.c.

/// The file with the certificates that URLSession trusts, unless authorities_trust was called. NULL if there is none.
const char *authorities_file(void);

/// Has URLSession trust these certificates in place of those in a file, in all sessions that have opened no connection with TLS yet. The
/// `size` bytes of `pem` stay valid, and unchanged, until the process ends. Returns false where the program cannot do that: with another C library, or when its
/// linker has not made this module's functions visible to libraries. Thread-safe.
bool authorities_trust(const void *pem, size_t size);

#endif
