#ifndef CWEBSOCKETS_H
#define CWEBSOCKETS_H

#include <stdbool.h>
#include <stddef.h>

// Connections for web sockets, with TLS where it is asked for. They are libcurl's, which FoundationNetworking has loaded: its functions are
// looked up when they are used, so that nothing of it is compiled, installed or linked. Functions block. One thread may read while another
// one writes; apart from that none may be called twice at the same time for one connection, except web_connection_abort.

/// A connection to a server.
typedef struct web_connection web_connection;
/// Connects to the host of a URL with the scheme http or https, as URLSession does: with its proxies, and the authorities that it trusts.
/// The thread that calls it gets no SIGPIPE from then on. Returns NULL and libcurl's code; 4 if this process has no libcurl.
web_connection *web_connection_open(const char *url, long milliseconds, int *code);
/// Reads at least one byte. Returns how many, 0 at the end, -1 for an error, or -2 if none comes in this time; -1 waits for ever.
ptrdiff_t web_connection_read(web_connection *connection, void *bytes, size_t count, int milliseconds);
/// Writes all bytes. Returns whether it could.
bool web_connection_write(web_connection *connection, const void *bytes, size_t count);
/// Ends reads and writes in other threads. The connection stays.
void web_connection_abort(web_connection *connection);
/// Closes a connection and frees it.
void web_connection_close(web_connection *connection);

#endif
