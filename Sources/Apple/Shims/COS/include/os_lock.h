#ifndef PUSHPIPE_OS_LOCK_H
#define PUSHPIPE_OS_LOCK_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

/* Zero is unlocked. A waiting thread gives up its time slice: sections under such a lock are short. */
typedef struct os_unfair_lock_s {
    uint32_t _os_unfair_lock_opaque;
} os_unfair_lock, os_unfair_lock_s;
typedef os_unfair_lock_s *os_unfair_lock_t;

static inline bool os_unfair_lock_trylock(os_unfair_lock_t lock) {
    uint32_t unlocked = 0;
    return __atomic_compare_exchange_n(
        &lock->_os_unfair_lock_opaque, &unlocked, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline void os_unfair_lock_lock(os_unfair_lock_t lock) {
    while (!os_unfair_lock_trylock(lock)) sched_yield();
}

static inline void os_unfair_lock_unlock(os_unfair_lock_t lock) {
    __atomic_store_n(&lock->_os_unfair_lock_opaque, 0, __ATOMIC_RELEASE);
}

#endif
