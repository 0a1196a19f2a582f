// Records what a process does to the files of a folder, in the order in which it does it: LD_PRELOAD, with RECORDED_FOLDER, its path without links, and
// RECORD, the file that takes the record. run.py builds and uses it.
//
// Each entry is a line "OPERATION OFFSET LENGTH NAME", with the bytes of a write after it. Memory maps are not recorded: SQLite has the index of its log
// in one, and makes it again from the log.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// Held during each call and its entry, so that the record has the order of the calls.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// The name of a path in the folder; NULL for any other path.
static const char *name_in_folder(const char *path) {
    const char *folder = getenv("RECORDED_FOLDER");
    size_t length = folder ? strlen(folder) : 0;
    return length && !strncmp(path, folder, length) && path[length] == '/' ? path + length + 1 : NULL;
}

static void enter(const char *operation, const char *name, off_t offset, const void *bytes, size_t length) {
    static int record = -1;
    if (record < 0) record = (int)syscall(SYS_openat, AT_FDCWD, getenv("RECORD"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    char head[4200];
    int count = snprintf(head, sizeof head, "%s %lld %zu %s\n", operation, (long long)offset, length, name);
    struct iovec parts[] = {{head, (size_t)count}, {(void *)bytes, bytes ? length : 0}};
    if (syscall(SYS_writev, record, parts, 2) != (long)(parts[0].iov_len + parts[1].iov_len)) abort();
}

// Enters a call on a descriptor after it has succeeded.
static void enter_file(const char *operation, int file, off_t offset, const void *bytes, size_t length) {
    char link[64], path[4097];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t count = readlink(link, path, sizeof path - 1);
    if (count < 0) return;
    path[count] = 0;
    const char *name = name_in_folder(path);
    if (name) enter(operation, name, offset, bytes, length);
}

ssize_t write(int file, const void *bytes, size_t length) {
    pthread_mutex_lock(&lock);
    off_t offset = lseek(file, 0, SEEK_CUR);
    ssize_t count = syscall(SYS_write, file, bytes, length);
    if (count > 0 && offset >= 0) enter_file("write", file, offset, bytes, (size_t)count);
    pthread_mutex_unlock(&lock);
    return count;
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
    pthread_mutex_lock(&lock);
    ssize_t count = syscall(SYS_pwrite64, file, bytes, length, offset);
    if (count > 0) enter_file("write", file, offset, bytes, (size_t)count);
    pthread_mutex_unlock(&lock);
    return count;
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off_t offset) { return pwrite(file, bytes, length, offset); }

int ftruncate(int file, off_t length) {
    pthread_mutex_lock(&lock);
    int result = (int)syscall(SYS_ftruncate, file, length);
    if (result == 0) enter_file("truncate", file, length, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate64(int file, off_t length) { return ftruncate(file, length); }

static int sync_file(long call, int file) {
    pthread_mutex_lock(&lock);
    int result = (int)syscall(call, file);
    if (result == 0) enter_file("sync", file, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int fsync(int file) { return sync_file(SYS_fsync, file); }

int fdatasync(int file) { return sync_file(SYS_fdatasync, file); }

int unlink(const char *path) {
    pthread_mutex_lock(&lock);
    int result = (int)syscall(SYS_unlink, path);
    const char *name = name_in_folder(path);
    if (result == 0 && name) enter("unlink", name, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}
