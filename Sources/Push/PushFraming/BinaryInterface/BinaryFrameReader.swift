/// Finds the notifications in what a sender writes to APNs' binary interface, however its bytes are cut.
///
/// A pure state machine. All numbers are big-endian:
///
///     command 0   0 · token length (2) · token · payload length (2) · payload
///     command 1   1 · identifier (4) · expiry (4) · token length (2) · token · payload length (2) · payload
///     command 2   2 · frame length (4) · items: number (1) · length (2) · data
///
/// Accepted notifications are not acknowledged, so an error ends the stream; later bytes are ignored.
///
/// Sources: Apple (archived), "Binary Provider API" and "Legacy Notification Format". They do not say what becomes of items with an
/// unknown number, of repeated items, and of an identifier, expiry or priority of another length. Here these frames are invalid.
package struct BinaryFrameReader: Sendable {
    package enum Event: Sendable, Equatable {
        /// A whole notification. If it has a `problem`, it is the last event.
        case notification(BinaryNotification)
        /// An invalid frame; the last event. The identifier is 0 if none was read before.
        case unreadable(identifier: UInt32)
    }

    /// Longest list of items, in bytes: with the longest payload that an item can have, 65,535 bytes, and all other items.
    package static let defaultMaximumItemBytes = 66 << 10  // 66 KiB
    /// Longest token that is kept, in bytes. A longer one is no token of APNs.
    private static let maximumTokenBytes = 256

    private let maximumItemBytes: Int
    /// The beginning of a frame.
    private var buffer: [UInt8] = []
    /// True if there was an error: later bytes are ignored.
    package private(set) var isFinished = false

    /// - Parameter maximumItemBytes: longest list of items of a frame, in bytes.
    package init(maximumItemBytes: Int = defaultMaximumItemBytes) { self.maximumItemBytes = maximumItemBytes }

    /// Bytes of a frame whose rest has not come: at most a whole frame.
    package var bufferedBytes: Int { buffer.count }

    /// Takes bytes, and returns what they complete. O(bytes).
    package mutating func read(_ bytes: some Collection<UInt8>) -> [Event] {
        guard !isFinished else { return [] }
        buffer.append(contentsOf: bytes)
        var events: [Event] = []
        var start = 0
        while !isFinished, let (event, end) = next(at: start) {
            events.append(event)
            start = end
            switch event {
            case .notification(let notification): isFinished = notification.problem != nil
            case .unreadable: isFinished = true
            }
        }
        buffer.removeFirst(isFinished ? buffer.count : start)
        return events
    }

    /// The event at a place, and where the next one begins; nil if more bytes are needed.
    private func next(at start: Int) -> (event: Event, end: Int)? {
        guard start < buffer.count else { return nil }
        guard let command = BinaryNotification.Command(rawValue: buffer[start]) else {
            return (.unreadable(identifier: 0), buffer.count)
        }
        var cursor = Cursor(bytes: buffer[(start + 1)...])
        switch command {
        case .simple, .enhanced: return fields(BinaryNotification(command), &cursor)
        case .items:
            guard let length = cursor.number(bytes: 4) else { return nil }
            guard length <= maximumItemBytes else { return (.unreadable(identifier: 0), buffer.count) }
            guard let items = cursor.take(Int(length)) else { return nil }
            return (Self.notification(ofItems: items), cursor.position)
        }
    }

    /// A notification of the commands 0 and 1, whose parts have an order.
    private func fields(_ notification: BinaryNotification, _ cursor: inout Cursor) -> (event: Event, end: Int)? {
        var notification = notification
        if notification.command == .enhanced {
            guard let identifier = cursor.number(bytes: 4), let expiry = cursor.number(bytes: 4) else { return nil }
            notification.identifier = identifier
            notification.expiry = expiry
        }
        guard let tokenLength = cursor.number(bytes: 2) else { return nil }
        notification.hasToken = tokenLength > 0
        // It is refused, so that its rest need not come.
        guard tokenLength <= Self.maximumTokenBytes else { return (.notification(notification), buffer.count) }
        guard let token = cursor.take(Int(tokenLength)), let payloadLength = cursor.number(bytes: 2),
            let payload = cursor.take(Int(payloadLength))
        else { return nil }
        notification.token = Array(token)
        notification.payload = Array(payload)
        return (.notification(notification), cursor.position)
    }

    /// A notification of command 2.
    private static func notification(ofItems items: ArraySlice<UInt8>) -> Event {
        var notification = BinaryNotification(.items)
        var cursor = Cursor(bytes: items)
        var seen: Set<UInt32> = []
        while !cursor.isAtEnd {
            guard let number = cursor.number(bytes: 1), let length = cursor.number(bytes: 2),
                let data = cursor.take(Int(length)), seen.insert(number).inserted, notification.take(data, item: number)
            else { return .unreadable(identifier: notification.identifier) }
        }
        return .notification(notification)
    }

    /// Reads numbers and bytes from the beginning of a slice.
    private struct Cursor {
        private var rest: ArraySlice<UInt8>

        init(bytes: ArraySlice<UInt8>) { rest = bytes }

        var isAtEnd: Bool { rest.isEmpty }
        /// The index of the next byte in the array that the slice is of.
        var position: Int { rest.startIndex }

        /// Nil, and nothing is taken, if there are not so many bytes.
        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        /// - Parameter bytes: at most 4.
        mutating func number(bytes: Int) -> UInt32? {
            take(bytes).map { $0.reduce(0) { $0 << 8 | UInt32($1) } }
        }
    }

    fileprivate static func isKept(_ token: ArraySlice<UInt8>) -> Bool { token.count <= maximumTokenBytes }
}

extension BinaryNotification {
    /// Takes an item of command 2. False if it has an unknown number or a wrong length.
    fileprivate mutating func take(_ data: ArraySlice<UInt8>, item number: UInt32) -> Bool {
        func integer() -> UInt32 { data.reduce(0) { $0 << 8 | UInt32($1) } }
        switch number {
        case 1:
            hasToken = !data.isEmpty
            if BinaryFrameReader.isKept(data) { token = Array(data) }
        case 2: payload = Array(data)
        case 3 where data.count == 4: identifier = integer()
        case 4 where data.count == 4: expiry = integer()
        case 5 where data.count == 1: priority = data.first
        default: return false
        }
        return true
    }
}

/// A notification as a sender put it into a frame of APNs' binary interface.
///
/// Source: Apple (archived), "Binary Provider API" and "Legacy Notification Format".
package struct BinaryNotification: Sendable, Equatable {
    /// The first byte of a frame, which says what follows.
    package enum Command: UInt8, Sendable {
        /// A token and a payload.
        case simple = 0
        /// A token and a payload after an identifier and an expiry.
        case enhanced = 1
        /// Items in any order, each with its number and length.
        case items = 2
    }

    /// Why a notification is refused that could be read.
    package enum Problem: Sendable, Equatable {
        case missingToken, missingPayload
        /// The token has another length than `tokenBytes`.
        case invalidTokenSize
        /// The priority is neither 10 nor 5.
        case invalidPriority
    }

    /// The length of a token, in bytes.
    package static let tokenBytes = 32

    package var command: Command
    /// The sender's name for it, which comes back in an error; 0 if it has none.
    package var identifier: UInt32 = 0
    /// Empty if there is none, or if it is too long to be kept.
    package var token: [UInt8] = []
    package var payload: [UInt8] = []
    /// Epoch seconds, 0 not to store the notification; nil if there is none.
    package var expiry: UInt32?
    /// Nil if there is none.
    package var priority: UInt8?
    /// True if the frame has a token, of any length.
    package var hasToken = false

    package init(_ command: Command) { self.command = command }

    /// Its first error; nil for none. The length of the payload is not checked.
    package var problem: Problem? {
        if !hasToken { return .missingToken }
        if token.count != Self.tokenBytes { return .invalidTokenSize }
        if payload.isEmpty { return .missingPayload }
        if let priority, priority != 10, priority != 5 { return .invalidPriority }
        return nil
    }
}
