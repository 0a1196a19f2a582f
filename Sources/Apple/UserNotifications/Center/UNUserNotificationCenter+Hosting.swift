#if os(Linux)
    import Synchronization

    /// There is one center per process, as on a device, so hosts have to take turns.
    extension UNUserNotificationCenter {
        private struct Turns {
            var isTaken = false
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private static let turns = Mutex(Turns())

        /// Waits for its turn, and makes `host` the device behind the center until `endHosting`. Nil is a new host in memory.
        package static func beginHosting(_ host: (any UserNotificationHost)?) async {
            await withCheckedContinuation { continuation in
                let isFree = turns.withLock { turns in
                    defer { turns.isTaken = true }
                    if turns.isTaken { turns.waiting.append(continuation) }
                    return !turns.isTaken
                }
                if isFree { continuation.resume() }
            }
            setHost(host)
        }

        /// Ends the turn. The host stays until the next one takes over: an app may go on working.
        package static func endHosting() {
            let next = turns.withLock { turns in
                if turns.waiting.isEmpty {
                    turns.isTaken = false
                    return CheckedContinuation<Void, Never>?.none
                }
                return turns.waiting.removeFirst()
            }
            next?.resume()
        }
    }
#endif
