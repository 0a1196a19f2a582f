// Only for Linux; elsewhere the module is empty.
#ifdef __linux__
// accept4
#define _GNU_SOURCE

#include "CStubTransport.h"
#include "openssl.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int stub_listen(uint16_t *port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0) return -1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, size) < 0 || listen(listener, 64) < 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) < 0) {
        int reason = errno;
        close(listener);
        errno = reason;
        return -1;
    }
    *port = ntohs(address.sin_port);
    return listener;
}

int stub_accept(int listener) {
    int descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

void stub_stop_listening(int listener) { shutdown(listener, SHUT_RDWR); }

void stub_close(int listener) { close(listener); }

struct stub_connection {
    int descriptor;
    SSL *tls;
};

stub_connection *stub_connection_create(int descriptor) {
    // OpenSSL writes without MSG_NOSIGNAL.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    stub_connection *connection = calloc(1, sizeof *connection);
    if (connection) connection->descriptor = descriptor;
    else close(descriptor);
    return connection;
}

bool stub_connection_start_tls(stub_connection *connection, stub_identity *identity) {
    const struct openssl *ssl = openssl_functions();
    connection->tls = ssl->SSL_new(stub_identity_context(identity));
    return connection->tls && ssl->SSL_set_fd(connection->tls, connection->descriptor) == 1 &&
           ssl->SSL_accept(connection->tls) == 1;
}

ptrdiff_t stub_connection_read(stub_connection *connection, void *bytes, size_t count) {
    if (connection->tls) {
        int size = openssl_functions()->SSL_read(connection->tls, bytes, count > 1 << 20 ? 1 << 20 : (int)count);
        return size > 0 ? size : 0;
    }
    ssize_t size;
    do size = read(connection->descriptor, bytes, count);
    while (size < 0 && errno == EINTR);
    return size;
}

bool stub_connection_write(stub_connection *connection, const void *bytes, size_t count) {
    const char *next = bytes;
    while (count > 0) {
        ssize_t size;
        if (connection->tls) {
            size = openssl_functions()->SSL_write(connection->tls, next, count > 1 << 20 ? 1 << 20 : (int)count);
        } else {
            do size = send(connection->descriptor, next, count, MSG_NOSIGNAL);
            while (size < 0 && errno == EINTR);
        }
        if (size <= 0) return false;
        next += size;
        count -= (size_t)size;
    }
    return true;
}

void stub_abort(int descriptor) { shutdown(descriptor, SHUT_RDWR); }

void stub_connection_close(stub_connection *connection) {
    if (connection->tls) {
        openssl_functions()->SSL_shutdown(connection->tls);
        openssl_functions()->SSL_free(connection->tls);
    }
    // What the client still sends would reset the connection, and with it the end of the answer.
    shutdown(connection->descriptor, SHUT_WR);
    char rest[4096];
    struct timeval limit = {.tv_usec = 200000};
    setsockopt(connection->descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    for (int count = 0; count < 64 && read(connection->descriptor, rest, sizeof rest) > 0; count++) {}
    close(connection->descriptor);
    free(connection);
}

#endif
