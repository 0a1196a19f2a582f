#if os(Linux)
    import Synchronization

    /// A lock around a value, as Apple's `OSAllocatedUnfairLock`.
    public final class OSAllocatedUnfairLock<State>: @unchecked Sendable {
        // Unchecked: the state is accessed under the lock only.
        private let lock = Mutex(())
        private var state: State

        /// A lock around `initialState`.
        public init(initialState: State) { state = initialState }

        /// A lock around a value that is not checked for `Sendable`.
        public init(uncheckedState: State) { state = uncheckedState }

        /// Calls `body` with exclusive access to the value.
        public func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
            try lock.withLock { _ in try body(&state) }
        }

        /// As `withLock`.
        public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
            try lock.withLock { _ in try body(&state) }
        }
    }

    extension OSAllocatedUnfairLock where State == Void {
        /// A lock around nothing.
        public convenience init() { self.init(initialState: ()) }

        /// Calls `body` while nobody else holds the lock.
        public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
            try withLock { _ in try body() }
        }
    }
#endif
