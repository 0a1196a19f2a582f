// Linked into what runs for the thread sanitizer. A contended `Mutex` is acquired and released inside Swift's library, which is not
// instrumented: the sanitizer would see no order between two threads that waited for each other. These two stand in front of the
// library's own, and tell it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT void lock(uint32_t thread, SELF void *mutex) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void unlock(SELF void *mutex) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

static void *next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) abort();
    return function;
}

SWIFT void lock(uint32_t thread, SELF void *mutex) {
    SWIFT void (*library)(uint32_t, SELF void *) = next("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    library(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT void unlock(SELF void *mutex) {
    SWIFT void (*library)(SELF void *) = next("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    __tsan_release(mutex);
    library(mutex);
}
