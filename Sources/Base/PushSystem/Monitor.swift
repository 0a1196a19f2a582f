#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// State behind a lock, for whose changes threads can wait.
///
/// The standard library's `Mutex` has no condition to wait for, and ThreadSanitizer does not see it while it is contended.
@safe  // SOUND: owns both variables, and touches the state only under the lock.
package final class Monitor<State>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State
    private var waiting = 0

    package init(_ state: State) {
        self.state = state
        // SOUND: both are initialized once, here, and never move.
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(changed, nil)
    }

    deinit {
        // SOUND: nobody waits on a monitor without references.
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    /// Passes the state to `body` alone. `body` must not come back here.
    package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        // SOUND: locked and unlocked in pairs.
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Passes the state to `body` alone, and wakes whoever waits.
    package func change<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        // SOUND: as above.
        unsafe pthread_mutex_lock(mutex)
        defer {
            if waiting > 0 { unsafe pthread_cond_broadcast(changed) }
            unsafe pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Waits until `body` returns a result: calls it at once, and again after every change.
    package func wait<Result>(for body: (inout State) -> Result?) -> Result {
        // SOUND: as above; waiting releases the lock and takes it again.
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            waiting += 1
            unsafe pthread_cond_wait(changed, mutex)
            waiting -= 1
        }
    }
}
