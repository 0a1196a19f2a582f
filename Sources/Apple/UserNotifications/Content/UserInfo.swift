#if os(Linux)
    import Synchronization

    /// User info that may not have been parsed yet: a payload's is parsed on first use, once for all copies of the content.
    package struct UserInfo {
        private final class Source: @unchecked Sendable {
            // Unchecked: what changes is under the lock.
            private let lock = Mutex(())
            private var read: (@Sendable () -> [AnyHashable: Any])?
            private var values: [AnyHashable: Any] = [:]

            init(_ values: [AnyHashable: Any]) { self.values = values }

            init(readBy read: @escaping @Sendable () -> [AnyHashable: Any]) { self.read = read }

            var dictionary: [AnyHashable: Any] {
                lock.withLock { _ in
                    if let read {
                        values = read()
                        self.read = nil
                    }
                    return values
                }
            }
        }

        private enum Storage {
            case values([AnyHashable: Any])
            case source(Source)
        }

        private let storage: Storage

        package init(_ values: [AnyHashable: Any]) { storage = .values(values) }

        /// - Parameter read: called at most once, on the thread that asks first.
        package init(readBy read: @escaping @Sendable () -> [AnyHashable: Any]) {
            storage = .source(Source(readBy: read))
        }

        /// A payload's, which has been read already.
        package init(ofPayload values: [String: Any]) { storage = .source(Source(values)) }

        /// True if both are what came with the same payload, so that nothing need be compared.
        func isSamePayload(as other: UserInfo) -> Bool {
            if case .source(let own) = storage, case .source(let others) = other.storage {
                own === others
            } else {
                false
            }
        }

        package var dictionary: [AnyHashable: Any] {
            switch storage {
            case .values(let values): values
            case .source(let source): source.dictionary
            }
        }
    }
#endif
