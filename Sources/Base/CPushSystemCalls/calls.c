#include "CPushSystemCalls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

int system_connect_loopback(bool is_ipv6, unsigned short port) {
    int descriptor = socket(is_ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0) return -1;
    (void)fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    int result;
    if (is_ipv6) {
        struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
        result = connect(descriptor, (const struct sockaddr *)&address, sizeof address);
    } else {
        struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        result = connect(descriptor, (const struct sockaddr *)&address, sizeof address);
    }
    if (result == 0) return descriptor;
    int error = errno;
    (void)close(descriptor);
    errno = error;
    return -1;
}

#ifdef __APPLE__
#include <copyfile.h>
#include <stddef.h>

bool system_adopt_orphans(bool adopts) {
    (void)adopts;
    return false;
}

void system_copy_attributes(int from, int to) { fcopyfile(from, to, NULL, COPYFILE_XATTR | COPYFILE_ACL); }
#else
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/xattr.h>

bool system_adopt_orphans(bool adopts) { return prctl(PR_SET_CHILD_SUBREAPER, adopts ? 1L : 0L, 0L, 0L, 0L) == 0; }

void system_copy_attributes(int from, int to) {
    // XATTR_LIST_MAX and XATTR_SIZE_MAX of <linux/limits.h>: all names of a file, and one value, are never longer.
    enum { limit = 64 * 1024 };
    char *names = malloc(2 * limit);
    if (names == NULL) return;
    char *value = names + limit;
    ssize_t size = flistxattr(from, names, limit);
    for (ssize_t start = 0; start < size; start += (ssize_t)strlen(names + start) + 1) {
        ssize_t length = fgetxattr(from, names + start, value, limit);
        if (length >= 0) (void)fsetxattr(to, names + start, value, (size_t)length, 0);
    }
    free(names);
}
#endif
