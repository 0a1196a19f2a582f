import PushDecoding
import PushModel

/// The messages queued for offline devices, and their expiry.
extension DeviceRegistry {
    /// - Parameter activityToken: see `QueuedMessage`.
    func hold(
        _ message: inout DecodedMessage, activityToken: String?, _ app: UInt32, seq: UInt64, at: Int64
    ) throws {
        let options = transit.options(of: message, at: at)
        guard let expiresAt = options.expiresAt else {
            message.verdict = .expired("not-stored")
            return
        }
        guard expiresAt > at else {
            message.verdict = .expired("expired")
            return
        }
        let queued = QueuedMessage(
            message, activityToken: activityToken, seq: seq, at: at, expiresAt: expiresAt,
            collapseKey: options.collapseKey)
        try keep(queued, of: &message, app, until: expiresAt)
    }

    /// Queues a message for an app, discarding those that it supersedes, and sets its verdict.
    ///
    /// - Parameter end: when to look at it again, in milliseconds since the epoch.
    func keep(_ queued: QueuedMessage, of message: inout DecodedMessage, _ app: UInt32, until end: Int64) throws {
        let change = table.changeDetails(of: app) { $0.storage.keep(queued) }
        for discarded in change.discarded { try drop(.discarded(discarded, change.reason), discarded) }
        if let refusal = change.refusal {
            message.verdict = .discarded(refusal.name)
            noteChange(of: app)
            return
        }
        message.verdict = .held
        note(end, app)
        if rows != nil { table.noteRow(ofApp: app) }
        try rows?.insert(queued, app: table.name(ofApp: app))
    }

    func drop(_ followUp: FollowUp, _ message: QueuedMessage) throws {
        append(followUp)
        try rows?.delete(message)
    }

    func append(_ followUp: FollowUp) { followUps.append(followUp) }

    func note(_ expiry: Int64, _ app: UInt32) {
        expiries.insert(expiry, app)
        // Superseded messages leave stale entries in the heap.
        if expiries.isBloated(holding: table.detailsCount) {
            expiries.removeAll()
            table.forEachDetails { app, details in
                var storage = details.storage
                guard let expiry = storage.nextExpiry() else { return }
                expiries.insert(table.isReachable(table[app: app].device) ? .min : expiry, app)
            }
        }
    }

    func noteChange(of app: UInt32) {
        guard rows != nil else { return }
        table.noteRow(ofDevice: table[app: app].device)
        table.noteChange(ofApp: app)
    }

    /// When something happens by itself next, in milliseconds since the epoch; `Int64.max` when nothing does. What was to happen then may
    /// have happened otherwise meanwhile.
    package var due: Int64 {
        let due = min(expiries.earliest, expiryInStore)
        return policy.tokenLifeCycle == nil ? due : min(due, tokensDue.earliest, tokenDueInStore)
    }

    /// Carries out what is due at a time: queued messages expire, delayed ones are delivered, tokens are swept. O(1) when nothing is due.
    ///
    /// The follow-ups are in an order that depends on nothing but what they are about: messages by record, device and app, then tokens
    /// by device and app.
    package func advance(to at: Int64) throws {
        if at >= min(expiries.earliest, expiryInStore) { try takeDue(at: at) }
        if policy.tokenLifeCycle != nil, at >= min(tokensDue.earliest, tokenDueInStore) { try sweep(until: at) }
    }

    /// Expires queued messages, and delivers delayed ones.
    private func takeDue(at: Int64) throws {
        if at >= expiryInStore { try rows?.touchDevicesWithExpired(at: at) }
        var expired: [QueuedMessage] = []
        var delayed: [QueuedMessage] = []
        var seen: Set<UInt32> = []
        while let app = expiries.takeEarliest(until: at) {
            // An app may be there several times, and would get an entry for its next message each time.
            guard seen.insert(app).inserted else { continue }
            table.changeDetails(of: app) { details in
                expired += details.storage.takeExpired(at: at)
                // An Android app can have more than one.
                if let next = details.storage.nextExpiry() { expiries.insert(next, app) }
            }
            delayed += takeDelayed(of: app, at: at)
        }
        let due = expired.map { ($0, FollowUp.expired($0)) } + delayed.map { ($0, FollowUp.release($0)) }
        for (message, followUp) in due.sorted(by: { $0.0.isReported(before: $1.0) }) { try drop(followUp, message) }
        if let rows { expiryInStore = try rows.nextExpiry() ?? .max }
    }
}
