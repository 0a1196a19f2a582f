import PushFraming

/// What a sender writes to APNs' binary interface is found in any pieces; nothing follows an error; and a notification without one can
/// be written again.
enum BinaryFramesCheck {
    /// The first byte selects the pieces, and the second one the limit of a list of items.
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            let text = Array(input.text)
            let limit = 64 << Int(input.options.1 & 7)
            var cuts = CutGenerator(seed: UInt64(input.options.0))
            var whole = BinaryFrameReader(maximumItemBytes: limit)
            var parts = BinaryFrameReader(maximumItemBytes: limit)
            let events = whole.read(text)
            var found: [BinaryFrameReader.Event] = []
            var rest = text[...]
            while !rest.isEmpty {
                let count = min(1 + cuts.below(40), rest.count)
                found += parts.read(rest.prefix(count))
                rest = rest.dropFirst(count)
                // A frame of the commands 0 and 1, or of command 2.
                guard parts.bufferedBytes <= max(13 + 256 + 65_535, 5 + limit) else { return "too much is kept" }
            }
            if events != found { return "pieces give other notifications" }
            if whole.isFinished != parts.isFinished { return "pieces end otherwise" }
            if whole.bufferedBytes > text.count { return "more is kept than came" }
            for (index, event) in events.enumerated() {
                switch event {
                case .unreadable:
                    if index != events.count - 1 { return "something follows an error" }
                case .notification(let notification):
                    if let trouble = trouble(with: notification, isLast: index == events.count - 1) { return trouble }
                }
            }
            return nil
        }
    }

    private static func trouble(with notification: BinaryNotification, isLast: Bool) -> String? {
        guard notification.problem == nil else { return isLast ? nil : "something follows an error" }
        guard notification.token.count == BinaryNotification.tokenBytes else { return "a token has another length" }
        var reader = BinaryFrameReader()
        guard reader.read(frame(notification)) == [.notification(notification)] else {
            return "a notification cannot be written again"
        }
        return nil
    }

    private static func frame(_ notification: BinaryNotification) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        func part(_ bytes: [UInt8]) -> [UInt8] {
            [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
        }
        let body = part(notification.token) + part(notification.payload)
        switch notification.command {
        case .simple: return [0] + body
        case .enhanced: return [1] + number(notification.identifier) + number(notification.expiry ?? 0) + body
        case .items:
            var items = [1] + part(notification.token) + [2] + part(notification.payload)
            if notification.identifier != 0 { items += [3] + part(number(notification.identifier)) }
            if let expiry = notification.expiry { items += [4] + part(number(expiry)) }
            if let priority = notification.priority { items += [5] + part([priority]) }
            return [2] + number(UInt32(items.count)) + items
        }
    }
}
