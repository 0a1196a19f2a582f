import PayloadJSON
import PushDecoding
package import PushModel

/// Which devices exist, which are reachable, and what providers queue for those that are offline. Events register
/// devices.
///
/// Part of a store, which keeps it next to the screens. Otherwise pure state: it reads no clock and does no I/O itself.
/// A message to an unknown device costs one index lookup, and none while no device is known.
package final class DeviceRegistry {
    /// True if messages for Apple devices are presented after their service extensions (`presentLater`), and not when they arrive.
    package var presentsLater = false
    /// Which provider and device limits to enforce.
    package var policy = DevicePolicy()

    @exclusivity(unchecked) private var uncheckedTable = DeviceTable()
    var table: DeviceTable {
        // SOUND: nothing that a mutation of the table calls comes back to it; see `MemoryStore`.
        _read { yield unsafe uncheckedTable }
        _modify { yield unsafe &uncheckedTable }
    }
    // SOUND: reading and writing a number calls nothing.
    @exclusivity(unchecked) private var uncheckedLastFound: UInt32 = 0
    /// The device that was looked up last: a message asks for its own several times.
    var lastFound: UInt32 {
        get { unsafe uncheckedLastFound }
        set { unsafe uncheckedLastFound = newValue }
    }
    /// Loads devices that are not in memory from the store; nil when all are in memory.
    let rows: (any DeviceRows)?
    /// Expiry times of messages queued for apps in memory.
    var expiries = ExpiryHeap()
    /// The earliest expiry in the store, of apps in memory or not.
    var expiryInStore = Int64.max
    /// When tokens are due, of apps in memory, and the earliest in the store.
    var tokensDue = ExpiryHeap()
    var tokenDueInStore = Int64.max
    var tokenRates = RateTable(within: RateWindow.minute)
    var senderRates = RateTable(within: RateWindow.minute)
    var backgroundRates = RateTable(within: RateWindow.hour)
    var transit = TransitReader()
    var followUps: [FollowUp] = []

    package init() { rows = nil }

    /// - Parameter rows: a store that does not own the registry.
    package init(rows: any DeviceRows) { self.rows = rows }

    /// True if every message can pass without a lookup.
    package var isIdle: Bool {
        table.count == 0 && policy.isPlain && !(rows?.hasDevices ?? false)
    }

    /// True if queued messages have caused follow-ups.
    package var hasFollowUps: Bool { !followUps.isEmpty }

    /// Removes and returns the follow-ups since the last call.
    package func takeFollowUps() -> [FollowUp] {
        if followUps.isEmpty { return [] }
        defer { followUps.removeAll() }
        return followUps
    }

    // MARK: - Messages

    /// Prefetches the state that decisions about some messages need.
    package func prefetch(
        _ messages: UnsafeMutableBufferPointer<DecodedMessage>, _ indices: [Int]
    ) {
        // SOUND: `indices` are those of messages, which the caller keeps for the duration of the call.
        unsafe table.prefetch(messages, indices)
    }

    /// Decides what happens to an accepted message, and sets its verdict unless it arrives.
    ///
    /// - Parameters:
    ///   - at: milliseconds since the epoch; what is due then has happened (`advance`).
    ///   - isFannedOut: true if it reaches the device through a topic: the sender does not know its token, and its
    ///     provider's limits apply to the topic.
    ///   - activityToken: the token of a Live Activity that it was sent to, if that is not its device.
    package func decide(
        _ message: inout DecodedMessage, activityToken: String? = nil, seq: UInt64, at: Int64, isFannedOut: Bool = false
    ) throws -> RegistryAnswer {
        var answer = RegistryAnswer()
        // A broadcast is for the activities of its channel, whatever is known of the device that the request is filed under.
        if message.headers.channelID != nil {
            limitRate(&message, at: at)
            return answer
        }
        var device = try find(message.device)
        if message.provider != .apns, !isKnown(device), let other = try findInLowerCase(message.device) {
            message.device = table.name(ofDevice: other)
            device = other
        }
        var app = device.flatMap { findApp(of: message, on: $0) }
        guard let device, table[device: device].isKnown else {
            if policy.rejectsUnknownDevices, !transit.isForMany(message) {
                message.verdict = .rejected(message.provider.tokenRejections.unknown)
                return answer
            }
            limitRate(&message, at: at)
            // Nothing is stored of an unknown device but its push rate, unless a message has to be queued.
            if case .accepted = message.verdict, message.isBackground, policy.backgroundPushesPerHour != nil {
                let name = message.device
                let appName = message.app
                try throttle(&message, { self.knownApp(appName, of: name) }, seq: seq, at: at, &answer)
            }
            return answer
        }
        if message.provider == .apns, app == nil || message.headers.pushType?.hasOwnToken == true {
            guard findKind(of: message, on: device, &app) else {
                message.verdict = .rejected(.deviceTokenNotForTopic)
                return answer
            }
        }
        // A message without an app is for the device's first app.
        if let app, message.app.isEmpty { name(app, for: &message) }
        if let app, !isFannedOut, policy.tokenLifeCycle != nil,
            let reason = TokenLifeCycle.silence(table[app: app].state.standing)
        {
            message.verdict = .suppressed(reason)
            // For the sender's answer: to it, the token is dead.
            let state = table[app: app].state
            answer.unregisteredAt = state.unregisteredAt ?? state.standingSince
            return answer
        }
        if let app, let since = table[app: app].state.unregisteredAt, since <= at {
            message.verdict = .rejected(message.provider.tokenRejections.unregistered)
            answer.unregisteredAt = since
            disable(app, at: at)
            return answer
        }
        if app == nil, policy.rejectsUnknownDevices, let rejection = message.provider.tokenRejections.otherApp {
            message.verdict = .rejected(rejection)
            return answer
        }
        if !isFannedOut { limitRate(&message, token: activityToken, at: at) }
        guard case .accepted = message.verdict else { return answer }
        if let app, !isFannedOut, message.provider == .gcm, table[app: app].hasDetails {
            answer.canonical = table[detailsOf: app].canonical
        }
        let isDelayedByDoze = isDelayedByDoze(message, on: device)
        if table[device: device].isOnline, !isDelayedByDoze {
            // A Focus silences apps that no event has named, too.
            if let app = app ?? (table[focusOf: device] == nil ? nil : table.app(message.app, on: device)) {
                if message.isBackground, policy.backgroundPushesPerHour != nil {
                    try throttle(&message, { app }, seq: seq, at: at, &answer)
                }
                if case .accepted = message.verdict { answer.arrival = arrive(&message, app, seq: seq, at: at) }
            }
        } else {
            let app = app ?? table.app(message.app, on: device)
            if table[device: device].isOnline { answer.delay = .doze }
            try hold(&message, activityToken: activityToken, app, seq: seq, at: at)
        }
        return answer
    }

    /// Decides what the device does with a queued message that arrives now.
    ///
    package func arrive(_ message: inout DecodedMessage, seq: UInt64, at: Int64) throws -> Arrival {
        guard let device = try find(message.device), let app = findApp(of: message, on: device) else {
            return Arrival()
        }
        return arrive(&message, app, seq: seq, at: at)
    }

    /// Counts a message, and refuses it when it is over a limit.
    ///
    /// - Parameters:
    ///   - token: the token that it was sent to, if that is not its device.
    ///   - at: milliseconds since the epoch.
    package func limitRate(_ message: inout DecodedMessage, token: String? = nil, at: Int64) {
        if message.headers.channelID == nil, let limit = policy.pushesPerMinute,
            !tokenRates.admits(token ?? message.device.string, at: at, limit: limit)
        {
            message.verdict = .rejected(
                message.isForTopic && message.provider == .gcm
                    ? .topicsMessageRateExceeded : message.provider.tokenRejections.tooMany)
        }
        guard let limit = policy.pushesPerMinuteOfSender else { return }
        let sender = "\(message.provider.name) \(message.namedApp.string)"
        let admits = senderRates.admits(sender, at: at, limit: limit)
        if !admits, case .accepted = message.verdict {
            message.verdict = .rejected(message.provider.tokenRejections.tooMany)
        }
    }

    // MARK: - Persistence

    /// Loads the state from the store; called before a transaction, and when the state in memory is stale.
    package func begin(forgetting: Bool) throws {
        if forgetting {
            table.removeAll()
            expiries.removeAll()
            tokensDue.removeAll()
        }
        followUps.removeAll()
        guard let rows, rows.hasDevices else { return }
        expiryInStore = try rows.nextExpiry() ?? .max
        tokenDueInStore = try rows.nextTokenDue(after: .min) ?? .max
    }

    /// Forgets all devices of a registry that has no store, what is queued for them, and the windows of their rates.
    package func removeAll() throws {
        try begin(forgetting: true)
        tokenRates = RateTable(within: RateWindow.minute)
        senderRates = RateTable(within: RateWindow.minute)
        backgroundRates = RateTable(within: RateWindow.hour)
    }

    /// Says where rows belong that are added from now on until they are stored.
    package func setRowPlace(_ place: Int64) { table.rowPlace = place }

    /// Devices in memory, including placeholders for unknown ones.
    package var loadedCount: Int { table.loadedCount }

    /// Passes changed rows to a store, devices before the apps on them, and keeps the row ids that it returns.
    package func forEachChange(device: (DeviceRow) throws -> Int64, app: (AppRow) throws -> Int64) rethrows {
        try table.forEachChange(device: device, app: app)
    }
}
