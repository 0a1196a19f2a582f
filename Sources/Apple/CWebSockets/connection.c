// Only for Linux; elsewhere the module is empty.
#ifdef __linux__
// RTLD_DEFAULT
#define _GNU_SOURCE

#include "CWebSockets.h"

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

// The functions of libcurl that are used, with the types of their manual pages.
typedef void CURL;

static struct {
    CURL *(*init)(void);
    int (*setopt)(CURL *, int, ...);
    int (*perform)(CURL *);
    int (*getinfo)(CURL *, int, ...);
    int (*send)(CURL *, const void *, size_t, size_t *);
    int (*recv)(CURL *, void *, size_t, size_t *);
    void (*cleanup)(CURL *);
} curl;
static bool is_complete;

// Numbers of <curl/curl.h>, which do not change.
enum {
    option_url = 10002,
    option_http_proxy_tunnel = 61,
    option_http_version = 84,
    option_no_signal = 99,
    option_connect_only = 141,
    option_connect_timeout_milliseconds = 156,
    option_authorities = 10065,
    info_active_socket = 0x500000 + 44,
    http_version_1_1 = 2,
    code_not_built_in = 4,
    code_again = 81,
};

static void load(void) {
    void *library = RTLD_DEFAULT;
    if (!dlsym(library, "curl_easy_init")) {
        library = dlopen("libcurl.so.4", RTLD_NOW);
        if (!library) return;
    }
    curl.init = (CURL * (*)(void)) dlsym(library, "curl_easy_init");
    curl.setopt = (int (*)(CURL *, int, ...))dlsym(library, "curl_easy_setopt");
    curl.perform = (int (*)(CURL *))dlsym(library, "curl_easy_perform");
    curl.getinfo = (int (*)(CURL *, int, ...))dlsym(library, "curl_easy_getinfo");
    curl.send = (int (*)(CURL *, const void *, size_t, size_t *))dlsym(library, "curl_easy_send");
    curl.recv = (int (*)(CURL *, void *, size_t, size_t *))dlsym(library, "curl_easy_recv");
    curl.cleanup = (void (*)(CURL *))dlsym(library, "curl_easy_cleanup");
    is_complete = curl.init && curl.setopt && curl.perform && curl.getinfo && curl.send && curl.recv && curl.cleanup;
}

/// The file of authorities that URLSession gives to libcurl; NULL for libcurl's own. Where CAuthorities is part of the program, it opens
/// another file in its place.
static const char *authorities(void) {
    static const char *const files[] = {
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    };
    const char *named = getenv("URLSessionCertificateAuthorityInfoFile");
    if (named && *named) return named;
    for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
        if (access(files[index], R_OK) == 0) return files[index];
    }
    return NULL;
}

struct web_connection {
    CURL *handle;
    int descriptor;
    /// libcurl admits one thread at a time.
    pthread_mutex_t lock;
};

static void block_sigpipe(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

web_connection *web_connection_open(const char *url, long milliseconds, int *code) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    *code = code_not_built_in;
    if (!is_complete) return NULL;
    block_sigpipe();
    web_connection *connection = calloc(1, sizeof *connection);
    if (!connection) return NULL;
    connection->handle = curl.init();
    if (!connection->handle) {
        free(connection);
        return NULL;
    }
    pthread_mutex_init(&connection->lock, NULL);
    connection->descriptor = -1;
    curl.setopt(connection->handle, option_url, url);
    curl.setopt(connection->handle, option_connect_only, 1L);
    curl.setopt(connection->handle, option_no_signal, 1L);
    curl.setopt(connection->handle, option_http_version, (long)http_version_1_1);
    curl.setopt(connection->handle, option_http_proxy_tunnel, 1L);
    curl.setopt(connection->handle, option_connect_timeout_milliseconds, milliseconds);
    if (authorities()) curl.setopt(connection->handle, option_authorities, authorities());
    *code = curl.perform(connection->handle);
    if (*code == 0) *code = curl.getinfo(connection->handle, info_active_socket, &connection->descriptor);
    if (*code == 0 && connection->descriptor >= 0) return connection;
    web_connection_close(connection);
    return NULL;
}

static bool wait_for(web_connection *connection, short events, int milliseconds) {
    struct pollfd descriptor = {.fd = connection->descriptor, .events = events};
    return poll(&descriptor, 1, milliseconds) != 0;
}

ptrdiff_t web_connection_read(web_connection *connection, void *bytes, size_t count, int milliseconds) {
    for (;;) {
        size_t size = 0;
        pthread_mutex_lock(&connection->lock);
        int code = curl.recv(connection->handle, bytes, count, &size);
        pthread_mutex_unlock(&connection->lock);
        if (code == 0) return (ptrdiff_t)size;
        if (code != code_again) return -1;
        if (!wait_for(connection, POLLIN, milliseconds)) return -2;
    }
}

bool web_connection_write(web_connection *connection, const void *bytes, size_t count) {
    block_sigpipe();
    const char *next = bytes;
    while (count > 0) {
        size_t size = 0;
        pthread_mutex_lock(&connection->lock);
        int code = curl.send(connection->handle, next, count, &size);
        pthread_mutex_unlock(&connection->lock);
        if (code == code_again) {
            wait_for(connection, POLLOUT, -1);
            continue;
        }
        if (code != 0) return false;
        next += size;
        count -= size;
    }
    return true;
}

void web_connection_abort(web_connection *connection) { shutdown(connection->descriptor, SHUT_RDWR); }

void web_connection_close(web_connection *connection) {
    curl.cleanup(connection->handle);
    pthread_mutex_destroy(&connection->lock);
    free(connection);
}

#endif
