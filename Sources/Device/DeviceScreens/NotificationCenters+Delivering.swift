package import PayloadJSON
package import PushModel

extension NotificationCenters {
    /// Delivers a message to its device.
    ///
    /// - Parameters:
    ///   - seq: the record's number.
    ///   - at: milliseconds since the epoch.
    package mutating func deliver(
        _ message: DecodedMessage, seq: UInt64, at: Int64, recorder: inout some DeliveryRecorder & ~Copyable
    ) -> Delivery {
        // SOUND: the pointer is used only within the closure.
        unsafe withUnsafePointer(to: message) { message in
            unsafe deliver(DeliveryKey(message, hasher, lanes: 1), message, seq: seq, at: at, recorder: &recorder)
        }
    }

    /// The same without a journal.
    package mutating func deliver(_ message: DecodedMessage, seq: UInt64, at: Int64) -> Delivery {
        var recorder = NoRecorder()
        return deliver(message, seq: seq, at: at, recorder: &recorder)
    }

    /// Delivers a message whose key is known. The message itself is read only for what its key does not have.
    @inline(__always)
    @unsafe
    mutating func deliver(
        _ key: DeliveryKey, _ message: UnsafePointer<DecodedMessage>, seq: UInt64, at: Int64,
        recorder: inout some DeliveryRecorder & ~Copyable
    ) -> Delivery {
        // SOUND: the caller vouches for the message.
        guard key.effect != .nothing else { return Delivery(outcome: .silent) }
        if seq < highestSeq { keepOrderFromNowOn() }
        highestSeq = max(highestSeq, seq)
        let center =
            find(device: key.device, app: key.app, hash: key.centerHash)
            ?? addCenter(device: key.device, key.deviceHash, app: key.app, hash: key.centerHash)
        var cleared = 0
        if key.setsBadge {
            // Most badges come with something to show and are not 0.
            if key.clearsScreen || (key.effect == .badge && recorder.isListening) {
                cleared = unsafe followBadge(key, message.pointee, seq: seq, at: at, center: center, &recorder)
            }
            setBadge(key.badge, of: center)
            recorder.setBadge(key.badge, center: Int(center))
        }
        var delivery = Delivery(outcome: key.effect == .screen ? .delivered : .silent)
        if key.effect == .screen {
            if key.hasCustomID {
                delivery = unsafe repost(key, message, seq: seq, at: at, center: center, &recorder)
            } else {
                unsafe show(key, message, seq: seq, at: at, center: center, &delivery, &recorder)
            }
        }
        delivery.cleared = cleared
        return delivery
    }

    /// Does what a new badge brings about, and journals one that comes alone, before it is set. Returns how many notifications it removed.
    @inline(never)
    private mutating func followBadge(
        _ key: DeliveryKey, _ message: DecodedMessage, seq: UInt64, at: Int64, center: UInt32,
        _ recorder: inout some DeliveryRecorder & ~Copyable
    ) -> Int {
        let before = self[center: center].badge ?? 0
        var cleared = 0
        if key.clearsScreen, before != 0 {
            cleared = removeAll(in: center, for: message, seq: seq, at: at, &recorder)
        }
        if key.effect == .badge, key.badge != before, recorder.isListening {
            BorrowedText.with(String(key.badge)) {
                recorder.record(.badgeSet, seq: seq, at: at, center: Int(center), message, identifier: $0)
            }
        }
        return cleared
    }

    /// Removes the notifications of an app because a push has set its badge to 0. Returns how many there were.
    private mutating func removeAll(
        in center: UInt32, for message: DecodedMessage, seq: UInt64, at: Int64,
        _ recorder: inout some DeliveryRecorder & ~Copyable
    ) -> Int {
        guard self[center: center].shown > 0 else { return 0 }
        makeLists()
        var count = 0
        while case let first = lists.ends(of: center).first, first != Self.none {
            remove(first, as: .cleared, for: message, seq: seq, at: at, &recorder)
            count += 1
        }
        return count
    }

    /// Adds a notification to its app's screen, replacing one with the same identifier.
    @inline(__always)
    @unsafe
    mutating func show(
        _ key: DeliveryKey, _ message: UnsafePointer<DecodedMessage>, seq: UInt64, at: Int64, center: UInt32,
        _ delivery: inout Delivery, _ recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        // SOUND: the caller vouches for the message.
        if key.mayEqualGenerated { indexGenerated() }
        if !key.identifier.isEmpty {
            unsafe show(key, message, as: key.identifier, seq: seq, at: at, center: center, &delivery, &recorder)
        } else if indexesGenerated || recorder.isListening {
            GeneratedIdentifier(seq: seq, target: key.targetIndex).withBorrowedText { identifier in
                var key = key
                key.identifierHash = indexesGenerated ? hasher.hash(identifier, salt(center)) : 0
                unsafe show(key, message, as: identifier, seq: seq, at: at, center: center, &delivery, &recorder)
            }
        } else if isFull(center, for: key) {
            delivery.outcome = .suppressed
        } else {
            // Nothing else has this identifier, and nobody needs its text.
            insert(unsafe entry(key, message, seq: seq, at: at), hash: 0, in: center)
        }
    }

    @inline(__always)
    @unsafe
    private mutating func show(
        _ key: DeliveryKey, _ message: UnsafePointer<DecodedMessage>, as identifier: BorrowedText, seq: UInt64,
        at: Int64,
        center: UInt32, _ delivery: inout Delivery, _ recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        // SOUND: the caller vouches for the message.
        let isIndexed = !key.identifier.isEmpty || indexesGenerated
        let found = isIndexed ? findIdentifier(identifier, key.identifierHash, center) : nil
        if found == nil, isFull(center, for: key) {
            delivery.outcome = .suppressed
            return unsafe recorder.record(
                .suppressed, seq: seq, at: at, center: Int(center), message.pointee, identifier: identifier)
        }
        var event = JournalKind.delivered
        let entry = unsafe entry(key, message, seq: seq, at: at)
        if let found {
            if delivery.outcome == .delivered {
                delivery.outcome = .replaced
                delivery.replaces = self[slot: found].seq
            }
            event = .replaced
            recorder.remove(order: order(of: found))
            if canRenew(found, with: entry) {
                renew(found, with: entry)
            } else {
                remove(found)
                insert(entry, hash: key.identifierHash, in: center)
            }
        } else {
            insert(entry, hash: key.identifierHash, in: center)
        }
        unsafe recorder.add(
            order: entry.order, message.pointee, seq: seq, at: at, center: Int(center), identifier: identifier)
        unsafe recorder.record(
            event, seq: seq, at: at, center: Int(center), message.pointee, identifier: identifier)
    }

    /// True if Android drops the notification of a message: its app shows as many as it may, and none with its identifier.
    package mutating func isFull(for message: DecodedMessage) -> Bool {
        // SOUND: the pointer is used only within the closure.
        unsafe withUnsafePointer(to: message) { message in
            let key = unsafe DeliveryKey(message, hasher, lanes: 1)
            guard key.effect == .screen, let center = find(device: key.device, app: key.app, hash: key.centerHash),
                isFull(center, for: key)
            else { return false }
            return key.identifier.isEmpty || findIdentifier(key.identifier, in: center) == nil
        }
    }

    /// True if Android drops a further notification of the app. An update of a shown tag passes.
    /// Source: AOSP, `NotificationManagerService`, "Allow updating existing notification".
    @inline(__always)
    private func isFull(_ center: UInt32, for key: DeliveryKey) -> Bool {
        key.isAndroid && Int(self[center: center].shown) >= mostOnAndroid
    }

    @inline(__always)
    @unsafe
    private mutating func entry(
        _ key: DeliveryKey, _ message: UnsafePointer<DecodedMessage>, seq: UInt64, at: Int64
    ) -> Entry {
        // SOUND: the caller vouches for the message.
        let order = nextOrder
        nextOrder &+= 1
        var entry = Entry(
            order: order, seq: seq, at: at, target: key.targetIndex,
            identifier: key.identifier.isEmpty ? nil : key.identifier,
            customID: key.hasCustomID ? unsafe message.pointee.content.customID : nil,
            platform: key.isAndroid ? .android : .ios)
        if keeping == .everything || (key.hasTapOptions && keeping == .replacement) {
            entry.payload = unsafe message.pointee.payload
            entry.changes = unsafe message.pointee.changes
            entry.provider = unsafe message.pointee.provider
            entry.platform = unsafe message.pointee.platform
        }
        return entry
    }

    /// Adds a journal line about a message that is not shown.
    ///
    /// - Parameter subject: the subject of the line; nil for the message's notification.
    package mutating func record(
        _ event: JournalKind, for message: DecodedMessage, about subject: BorrowedText? = nil, seq: UInt64, at: Int64,
        recorder: inout some DeliveryRecorder & ~Copyable
    ) {
        let center = Int(center(device: message.device, app: message.app))
        guard recorder.isListening else { return }
        if let identifier = subject ?? message.identifier {
            recorder.record(event, seq: seq, at: at, center: center, message, identifier: identifier)
        } else {
            GeneratedIdentifier(seq: seq, target: message.target).withBorrowedText {
                recorder.record(event, seq: seq, at: at, center: center, message, identifier: $0)
            }
        }
    }
}
