#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension FileDescriptor {
    /// Events to wait for, or events that have happened.
    package struct Events: OptionSet, Sendable {
        package let rawValue: Int16

        package init(rawValue: Int16) { self.rawValue = rawValue }

        package static let readable = Events(rawValue: Int16(POLLIN))
        package static let writable = Events(rawValue: Int16(POLLOUT))
    }

    /// A descriptor, and the events of it that `poll` waits for.
    package struct PollRequest: Sendable {
        package let descriptor: FileDescriptor
        package let events: Events

        package init(_ descriptor: FileDescriptor, _ events: Events) {
            self.descriptor = descriptor
            self.events = events
        }
    }

    /// Waits until something happens to one of the descriptors, and returns the positions of those with an event, an error or a hang-up.
    ///
    /// - Parameter milliseconds: timeout; negative for none.
    /// - Returns: an empty array on timeout, without requests, or if a signal interrupts the call.
    package static func poll(_ requests: [PollRequest], milliseconds: Int32) -> [Int] {
        guard !requests.isEmpty else { return [] }
        var entries = requests.map { pollfd(fd: $0.descriptor.rawValue, events: $0.events.rawValue, revents: 0) }
        // SOUND: the call reads and writes `count` entries, the size of the array.
        guard unsafe systemPoll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return [] }
        return entries.indices.filter { entries[$0].revents != 0 }
    }

    /// Waits for some time, or until a signal arrives.
    package static func pause(milliseconds: Int32) {
        var none: [pollfd] = []
        // SOUND: the call reads no entry.
        _ = unsafe systemPoll(&none, 0, milliseconds)
    }

    /// True if a read would return immediately. Also true at the end of the input.
    package var isReadable: Bool { isReady(.readable, milliseconds: 0) }

    /// Waits until a read would return immediately, or a signal arrives.
    package func waitUntilReadable() { _ = isReady(.readable, milliseconds: -1) }

    /// Waits until a write would return immediately, or a signal arrives.
    package func waitUntilWritable() { _ = isReady(.writable, milliseconds: -1) }

    private func isReady(_ events: Events, milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: rawValue, events: events.rawValue, revents: 0)
        // SOUND: the call reads and writes one entry.
        return unsafe systemPoll(&entry, 1, milliseconds) > 0
    }
}

/// `poll(2)`, under a name that the method `poll` does not hide.
@unsafe private func systemPoll(_ entries: UnsafeMutablePointer<pollfd>, _ count: nfds_t, _ time: Int32) -> Int32 {
    // SOUND: the caller vouches for `count` entries.
    unsafe poll(entries, count, time)
}
