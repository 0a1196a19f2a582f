#ifndef CSTUBTRANSPORT_H
#define CSTUBTRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Sockets of a server on the loopback interface, and TLS on them. TLS is the OpenSSL that FoundationNetworking loads with libcurl: it is
// looked up when it is used, so that nothing of it is compiled, installed or linked. Functions block. None may be called twice at
// the same time for one connection, except stub_abort.

/// Makes a socket that listens on 127.0.0.1. Returns its descriptor and the port, or -1 and errno.
int stub_listen(uint16_t *port);
/// Waits for a connection. Returns its descriptor, or minus an errno: EINVAL once stub_stop_listening was called.
int stub_accept(int listener);
/// Ends stub_accept in another thread. The socket must not be closed yet.
void stub_stop_listening(int listener);
/// Closes a listening socket.
void stub_close(int listener);

/// A certificate authority with a key of its own.
typedef struct stub_authority stub_authority;
/// Makes an authority. Writes its certificate as PEM, with a zero at the end. Returns NULL, and the reason in `error`, a static text.
stub_authority *stub_authority_create(char *pem, size_t capacity, const char **error);
/// A server's certificate and key.
typedef struct stub_identity stub_identity;
/// Issues a certificate for these names, such as "DNS:localhost,IP:127.0.0.1". Thread-safe after stub_authority_create has returned.
/// Returns NULL if OpenSSL refuses. Identities are never freed: a process has few of them.
stub_identity *stub_identity_issue(stub_authority *authority, const char *names);

/// A connection of a client.
typedef struct stub_connection stub_connection;
/// Takes a descriptor over. The thread that calls it gets no SIGPIPE from then on. Returns NULL without memory.
stub_connection *stub_connection_create(int descriptor);
/// Begins TLS as a server. Returns whether the client agreed.
bool stub_connection_start_tls(stub_connection *connection, stub_identity *identity);
/// Reads at least one byte. Returns how many, 0 at the end, or -1.
ptrdiff_t stub_connection_read(stub_connection *connection, void *bytes, size_t count);
/// Writes all bytes. Returns whether it could.
bool stub_connection_write(stub_connection *connection, const void *bytes, size_t count);
/// Ends reads and writes of a connection's descriptor in other threads. The connection stays.
void stub_abort(int descriptor);
/// Tells the client that it is over, closes the connection and frees it.
void stub_connection_close(stub_connection *connection);

#endif
