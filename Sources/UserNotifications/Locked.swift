#if os(Linux)
    import Synchronization

    /// A value behind a lock, whose members are read and written one at a time.
    ///
    /// The classes of this module and of `Intents` that can change keep their state in one, because apps hand them from thread to thread. The
    /// value stands beside the mutex and not in it, because user info holds values that are not `Sendable`.
    @dynamicMemberLookup
    package final class Locked<Value>: @unchecked Sendable {
        private let lock = Mutex(())
        private var value: Value

        /// Puts the value behind a new lock.
        package init(_ value: Value) {
            self.value = value
        }

        /// A copy of the whole value.
        package var snapshot: Value { withLock { $0 } }

        /// Reads or writes one member.
        package subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Member {
            get { withLock { $0[keyPath: path] } }
            set { withLock { $0[keyPath: path] = newValue } }
        }

        /// Runs a closure while nobody else can reach the value.
        package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
            try lock.withLock { _ in try body(&value) }
        }
    }
#endif
