#include "CSystemCalls.h"

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
