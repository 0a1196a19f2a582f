#if os(Linux)
    import Synchronization

    /// A value behind a lock, with access to one member at a time.
    ///
    /// The mutable classes of this module and of `Intents` keep their state in one, because apps pass them between threads. The value is stored
    /// beside the mutex and not in it, because user info holds values that are not `Sendable`.
    @dynamicMemberLookup
    package final class Locked<Value>: @unchecked Sendable {
        private let lock = Mutex(())
        private var value: Value

        package init(_ value: Value) {
            self.value = value
        }

        package var snapshot: Value { withLock { $0 } }

        /// Reads or writes one member.
        package subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Member {
            get { withLock { $0[keyPath: path] } }
            set { withLock { $0[keyPath: path] = newValue } }
        }

        /// Runs a closure with exclusive access to the value.
        package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
            try lock.withLock { _ in try body(&value) }
        }
    }
#endif
