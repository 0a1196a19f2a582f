import AppSimulation
import PushDecoding
package import PushJSON
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
    var collapsibleRates = DeviceRegistry.noCollapsible
    var updateRates = RateTable(within: RateWindow.second)
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
    package func prefetch(_ messages: UnsafeMutableBufferPointer<DecodedMessage>, _ range: Range<Int>) {
        // SOUND: the range is of messages, which the caller keeps for the duration of the call.
        unsafe table.prefetch(messages, range)
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
            try decideForUnknownDevice(&message, seq: seq, at: at, &answer)
            return answer
        }
        guard findKind(of: message, on: device, &app) else {
            message.verdict = .rejected(.deviceTokenNotForTopic)
            return answer
        }
        // A message without an app is for the device's first app.
        if let app, message.app.isEmpty { name(app, for: &message) }
        if let app, refuse(&message, toDeadTokenOf: app, at: at, isFannedOut: isFannedOut, &answer) { return answer }
        if app == nil, policy.rejectsUnknownDevices, let rejection = message.provider.tokenRejections.otherApp {
            message.verdict = .rejected(rejection)
            return answer
        }
        if !isFannedOut { limitRate(&message, token: activityToken, at: at) }
        guard case .accepted = message.verdict else { return answer }
        if let app, !isFannedOut, message.provider == .gcm, table[app: app].hasDetails {
            answer.canonical = table[detailsOf: app].settings.canonical
        }
        let delay = delay(of: message, to: app, on: device)
        if table[device: device].isOnline, delay == nil {
            // A Focus silences apps that no event has named, too.
            if let app = app ?? silencedApp(message.app, on: device) {
                try throttle(&message, { app }, seq: seq, at: at, &answer)
                if case .accepted = message.verdict { answer.arrival = arrive(&message, app, seq: seq, at: at) }
            }
        } else {
            let app = app ?? table.app(message.app, on: device)
            if table[device: device].isOnline { answer.delay = delay }
            try hold(&message, activityToken: activityToken, app, seq: seq, at: at)
        }
        return answer
    }

    /// Decides about a message to a device that no event has made known.
    private func decideForUnknownDevice(
        _ message: inout DecodedMessage, seq: UInt64, at: Int64, _ answer: inout RegistryAnswer
    ) throws {
        if policy.rejectsUnknownDevices, !transit.isForMany(message) {
            message.verdict = .rejected(message.provider.tokenRejections.unknown)
            return
        }
        limitRate(&message, at: at)
        // Nothing is stored of an unknown device but its push rate, unless a message has to be queued.
        guard case .accepted = message.verdict else { return }
        let name = message.device
        let appName = message.app
        try throttle(&message, { self.knownApp(appName, of: name) }, seq: seq, at: at, &answer)
    }

    /// Refuses a message if the token of its app is dead, to its provider or to its sender. Returns true if it is.
    private func refuse(
        _ message: inout DecodedMessage, toDeadTokenOf app: UInt32, at: Int64, isFannedOut: Bool,
        _ answer: inout RegistryAnswer
    ) -> Bool {
        let state = table[app: app].state
        if !isFannedOut, policy.tokenLifeCycle != nil, let reason = TokenLifeCycle.silence(state.standing) {
            message.verdict = .suppressed(reason)
            // For the sender's answer: to it, the token is dead.
            answer.unregisteredAt = state.unregisteredAt ?? state.standingSince
            return true
        }
        guard let since = state.unregisteredAt, since <= at else { return false }
        message.verdict = .rejected(message.provider.tokenRejections.unregistered)
        answer.unregisteredAt = since
        disable(app, at: at)
        return true
    }

    /// Decides what the device does with a queued message that arrives now.
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
        if forgetting { try loadThrottled() }
        expiryInStore = try rows.nextExpiry() ?? .max
        tokenDueInStore = try rows.nextTokenDue(after: .min) ?? .max
    }

    /// Forgets all devices of a registry that has no store, what is queued for them, and the windows of their rates.
    package func removeAll() throws {
        try begin(forgetting: true)
        tokenRates = RateTable(within: RateWindow.minute)
        senderRates = RateTable(within: RateWindow.minute)
        backgroundRates = RateTable(within: RateWindow.hour)
        collapsibleRates = Self.noCollapsible
        updateRates = RateTable(within: RateWindow.second)
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

/// Android devices that messages wait for. In Doze, those of normal priority wait until it ends, and those of high priority are delivered at
/// once; maintenance windows, in which a device gets what has waited, are not emulated. After a restart, all wait for the first unlock but
/// those with `direct_boot_ok`.
///
/// Sources: Firebase, "Set and manage message priority"; FCM v1, `AndroidConfig.direct_boot_ok`.
extension DeviceRegistry {
    /// Why a message waits though its device may be online; nil if it does not.
    func delay(of message: DecodedMessage, to app: UInt32?, on device: UInt32) -> RegistryAnswer.Delay? {
        let waiting = table.waiting(device)
        guard message.platform == .android, waiting.isDozing || waiting.isLocked else { return nil }
        return Self.delay(transit.androidOptions(of: message), isLowered: isLowered(app), waiting)
    }

    /// True if FCM lowers the high priority of an app's messages. Source: Firebase, "Set and manage message priority", on deprioritization.
    private func isLowered(_ app: UInt32?) -> Bool {
        app.map { table[detailsOf: $0].settings.isLowered == true } ?? false
    }

    private static func delay(
        _ options: AndroidOptions, isLowered: Bool, _ waiting: DeviceTable.Waiting
    ) -> RegistryAnswer.Delay? {
        if waiting.isLocked, !options.isForDirectBoot { return .beforeFirstUnlock }
        return waiting.isDozing && (isLowered || !options.hasHighPriority) ? .doze : nil
    }

    /// Removes and returns the messages queued for an app that its device gets now, and the number of dropped ones.
    func takeQueued(of app: UInt32) -> (messages: [QueuedMessage], deletedCount: Int) {
        let waiting = table.waiting(table[app: app].device)
        guard waiting.isDozing || waiting.isLocked else {
            return table.changeDetails(of: app) { $0.storage.takeAll() }
        }
        let isLowered = isLowered(app)
        return (
            table.changeDetails(of: app) { $0.storage.take { !Self.isDelayed($0, isLowered: isLowered, waiting) } }, 0
        )
    }

    private static func isDelayed(
        _ message: QueuedMessage, isLowered: Bool, _ waiting: DeviceTable.Waiting
    ) -> Bool {
        guard message.platform == .android else { return false }
        return AppText.withRoot(of: message.payload) { payload in
            let options = payload.map { AndroidOptions($0, of: message.provider) } ?? AndroidOptions()
            return delay(options, isLowered: isLowered, waiting) != nil
        }
    }
}

/// The windows in which a run counts pushes, as a store keeps them for a run that is resumed.
extension DeviceRegistry {
    /// Begins a run: a resumed one continues the windows of the interrupted one, any other begins new ones.
    package func beginRun(isResumed: Bool) throws {
        guard let rows else { return }
        for (kind, table) in Self.rateTables {
            self[keyPath: table].noteChanges()
            guard isResumed else { continue }
            try rows.forEachRateWindow(of: kind) { name, window in self[keyPath: table].restore(window, of: name) }
        }
        if isResumed { try loadThrottled() } else { try rows.deleteRateWindows() }
    }

    /// Loads the devices that may have throttled messages: a store knows when these expire, and not when they are delivered.
    private func loadThrottled() throws {
        for name in backgroundRates.names + collapsibleRates.names {
            _ = try find(named: String(name.prefix { $0 != "\u{0}" }))
        }
    }

    /// Passes the windows that have changed since the last call to a store.
    package func takeRateChanges(_ body: (RateKind, RateChanges) throws -> Void) rethrows {
        for (kind, table) in Self.rateTables {
            let changes = self[keyPath: table].takeChanges()
            if !changes.windows.isEmpty || changes.closedSince != nil { try body(kind, changes) }
        }
    }

    private static var rateTables: [(RateKind, ReferenceWritableKeyPath<DeviceRegistry, RateTable>)] {
        [
            (.token, \.tokenRates), (.sender, \.senderRates), (.background, \.backgroundRates),
            (.collapsible, \.collapsibleRates), (.update, \.updateRates),
        ]
    }
}

/// The sender's token life cycle; see `TokenLifeCycle`.
extension DeviceRegistry {
    /// The push service reported the token as unregistered.
    func disable(_ app: UInt32, at: Int64) {
        guard policy.tokenLifeCycle != nil else { return }
        setStanding(.disabled, of: app, at: at)
        noteTokenDue(app)
        append(fate(.disabled, of: app))
    }

    private func setStanding(_ standing: TokenLifeCycle.Standing, of app: UInt32, at: Int64) {
        table[app: app].state.standing = standing
        table[app: app].state.standingSince = at
        noteChange(of: app)
    }

    func fate(_ fate: TokenFate, of app: UInt32) -> FollowUp {
        let device = table[app: app].device
        return .token(
            device: table.name(ofDevice: device).string, app: table.name(ofApp: app).string, fate)
    }

    func tokenDue(_ app: UInt32) -> Int64? {
        let state = table[app: app].state
        return (policy.tokenLifeCycle ?? TokenLifeCycle()).due(state.standing, since: state.standingSince)
    }

    func noteTokenDue(_ app: UInt32) {
        if policy.tokenLifeCycle != nil, let due = tokenDue(app) { tokensDue.insert(due, app) }
    }

    /// Applies the token life cycle up to a time.
    func sweep(until at: Int64) throws {
        if at >= tokenDueInStore { try rows?.touchDevicesWithTokenDue(at: at) }
        var dues: [(due: Int64, app: UInt32, name: (device: String, app: String))] = []
        var seen: Set<UInt32> = []
        while let app = tokensDue.takeEarliest(until: at) {
            // It may have been confirmed or swept since.
            guard let due = tokenDue(app), due <= at, seen.insert(app).inserted else { continue }
            let device = table[app: app].device
            dues.append((due, app, (table.name(ofDevice: device).string, table.name(ofApp: app).string)))
        }
        dues.sort { $0.name < $1.name }
        for (due, app, _) in dues {
            let isDisabled = table[app: app].state.standing == .disabled
            setStanding(.deleted, of: app, at: due)
            append(fate(isDisabled ? .deleted : .sweptAway, of: app))
        }
        // What was due in the store is now in memory, and is written with it.
        tokenDueInStore = try rows?.nextTokenDue(after: at) ?? .max
    }
}

/// Messages about which there is nothing to decide: their devices are reachable, and nothing but the default is known of their apps.
extension DeviceRegistry {
    /// Number of messages whose devices are prefetched together.
    private static let prefetchCount = 256

    /// True if some messages arrive as if their devices were unknown, so that they need not come one after the other: `decide` would change
    /// neither them nor anything here, and nothing is due until they have come. Devices that are in a file are not looked at.
    ///
    /// - Parameter end: the time of the last message, in milliseconds since the epoch.
    package func leavesAlone(_ messages: UnsafeMutableBufferPointer<DecodedMessage>, until end: Int64) -> Bool {
        guard rows == nil, followUps.isEmpty, due > end, !policy.rejectsUnknownDevices, policy.messageRules == nil,
            policy.pushesPerMinute == nil, policy.pushesPerMinuteOfSender == nil
        else { return false }
        let delaysBackground = policy.backgroundPushesPerHour != nil
        let delaysCollapsible = policy.delaysCollapsibleBursts
        var start = 0
        while start < messages.count {
            // SOUND: the range is within the messages, which the caller keeps for the duration of the call.
            let range = start..<min(start + Self.prefetchCount, messages.count)
            unsafe prefetch(messages, range)
            for index in range {
                if unsafe delaysBackground && messages[index].isBackground { return false }
                if unsafe delaysCollapsible && messages[index].platform == .android { return false }
                guard unsafe leavesAlone(messages[index]) else { return false }
            }
            start = range.upperBound
        }
        return true
    }

    private func leavesAlone(_ message: borrowing DecodedMessage) -> Bool {
        // Without subscribers, a topic is a device like others.
        if message.isForTopic, table.hasSubscribers { return false }
        guard case .accepted = message.verdict else { return true }
        let type = message.headers.pushType
        guard message.gateway != .expo, message.headers.channelID == nil, type != .liveactivity else { return false }
        let isOfAPNs = message.provider == .apns
        guard let device = table.find(message.device), table[device: device].isKnown else {
            if isOfAPNs { return true }
            // An event may have written it in capitals.
            return !DeviceToken.isFolded(message.device)
        }
        guard table.isReachable(device), table[focusOf: device] == nil else { return false }
        if !isOfAPNs, let platform = table[device: device].platform, platform != message.platform { return false }
        var app = findApp(of: message, on: device)
        guard findKind(of: message, on: device, &app) else { return false }
        guard let app else { return true }
        guard hasOnlyDefaults(app) else { return false }
        if !message.app.isEmpty { return true }
        // An entry without a name stands for all apps, and says nothing about one.
        guard table.name(ofApp: app).isEmpty else { return false }
        if message.isTopicOfTarget { return true }
        return message.topic.isEmpty
    }
}

/// Background pushes that an Apple device delays, and collapsible messages that FCM delays.
///
/// Sources: Apple, "Pushing background updates to your App": the system may throttle them, keeps only the newest one, and drops it when the user
/// quits the app. Firebase, "FCM throttling and quotas": a burst of 20 collapsible messages per app and device, and one more every 3 minutes.
extension DeviceRegistry {
    private static let collapsibleBurst = 20
    private static let noCollapsible = RateTable(
        within: Int64(collapsibleBurst) * 3 * RateWindow.minute, forgettingEach: 3 * RateWindow.minute)

    private typealias Throttle = (rates: ReferenceWritableKeyPath<DeviceRegistry, RateTable>, limit: Int)

    /// How often messages of a kind are delivered to an app on a device; nil for no limit.
    private func throttle(isBackground: Bool, _ platform: Platform) -> Throttle? {
        if isBackground { return policy.backgroundPushesPerHour.map { (\.backgroundRates, $0) } }
        guard policy.delaysCollapsibleBursts, platform == .android else { return nil }
        return (\.collapsibleRates, Self.collapsibleBurst)
    }

    /// Delays a message over the limit: a background push until the hour is over or the app is opened, if the app is not in the foreground, and
    /// a collapsible message until it may pass or a newer one replaces it.
    ///
    /// - Parameter app: the app that it is for; called only when the push has to be kept.
    func throttle(
        _ message: inout DecodedMessage, _ app: () -> UInt32, seq: UInt64, at: Int64, _ answer: inout RegistryAnswer
    ) throws {
        guard let throttle = throttle(isBackground: message.isBackground, message.platform) else { return }
        var (expiresAt, overflowed) = at.addingReportingOverflow(TransitOptions.longestOfAPNs)
        if overflowed { expiresAt = .max }
        var collapseKey: String?
        if !message.isBackground {
            let options = transit.options(of: message, at: at)
            // A message that is not stored is delivered now or never.
            guard let key = options.collapseKey, let end = options.expiresAt, end > at else { return }
            (collapseKey, expiresAt) = (key, end)
        }
        let name = Self.rateName(message.device.string, message.topic.string)
        if self[keyPath: throttle.rates].admits(name, at: at, limit: throttle.limit) { return }
        let app = app()
        let state = table[app: app].state.appState
        // Opening would not deliver a background push to an app that the user has quit; it is refused on arrival.
        if message.isBackground, state == .foreground || state.isQuit { return }
        let queued = QueuedMessage(message, seq: seq, at: at, expiresAt: expiresAt, collapseKey: collapseKey)
        table.learn(table[app: app].device)
        try keep(queued, of: &message, app, until: min(self[keyPath: throttle.rates].end(of: name), expiresAt))
        answer.delay = .throttled
    }

    /// Removes and returns the messages that an online device has delayed for an app and that it gets now.
    func takeDelayed(of app: UInt32, at: Int64) -> [QueuedMessage] {
        guard table.isReachable(table[app: app].device), table[detailsOf: app].storage.count > 0 else { return [] }
        var due: Set<UInt64> = []
        for message in table[detailsOf: app].storage.messages {
            guard let throttle = throttle(isBackground: message.collapseKey == nil, message.platform) else {
                due.insert(message.seq)
                continue
            }
            // An app entry that stands for all apps of its device can have several, each with its own hour.
            let name = Self.rateName(message.device, message.topic)
            if self[keyPath: throttle.rates].admits(name, at: at, limit: throttle.limit) {
                due.insert(message.seq)
            } else {
                note(self[keyPath: throttle.rates].end(of: name), app)
            }
        }
        return table.changeDetails(of: app) { $0.storage.take { due.contains($0.seq) } }
    }

    func releaseDelayed(of app: UInt32) throws {
        guard table.isReachable(table[app: app].device) else { return }
        try release(table.changeDetails(of: app) { $0.storage.take { $0.collapseKey == nil } })
    }

    func release(_ messages: [QueuedMessage]) throws {
        for message in messages.sorted(by: { $0.wasAccepted(before: $1) }) { try drop(.release(message), message) }
    }

    private static func rateName(_ device: String, _ topic: String) -> String { "\(device)\u{0}\(topic)" }
}

extension DeviceRegistry {
    /// The device; nil when it is unknown. Looked up in the store first when it is not in memory.
    func find(_ device: BorrowedText) throws -> UInt32? {
        if lastFound < table.loadedCount, table[device: lastFound].text == device { return lastFound }
        if let found = table.find(device) {
            lastFound = found
            return found
        }
        // Also while the store has no device: one that is added to those in memory is not loaded over them later.
        guard let rows else { return nil }
        try rows.touch(device)
        return table.find(device)
    }

    /// Adds a device that the store has. Its apps follow.
    package func restore(_ row: DeviceRow) -> UInt32 { table.restore(row) }

    /// Adds an app that the store has on a device, with what is queued for it.
    package func restore(_ row: AppRow, on device: UInt32, queued: [QueuedMessage]) {
        let app = table.restore(row, on: device, queued: queued)
        var storage = table[detailsOf: app].storage
        if let expiry = storage.nextExpiry() {
            // A device that is online and awake queues only delayed background pushes.
            expiries.insert(table.isReachable(device) ? .min : expiry, app)
        }
        noteTokenDue(app)
    }

    /// The lock of a device; an unknown one is not.
    package func lock(of device: BorrowedText) throws -> DeviceEvent.Lock {
        try find(device).map { table[conditionOf: $0].lock } ?? .unlocked
    }

    func find(named device: String) throws -> UInt32? {
        try BorrowedText.with(device) { try find($0) }
    }

    /// The platform of a device as set by an event; nil when none has.
    package func platform(of device: BorrowedText) throws -> Platform? {
        try find(device).flatMap { table[device: $0].platform }
    }

    func isKnown(_ device: String) throws -> Bool {
        try find(named: device).map { table[device: $0].isKnown } ?? false
    }

    /// The app that a message is for. An app entry without a name stands for all of them, and a message without an app
    /// goes to the first.
    func findApp(of message: borrowing DecodedMessage, on device: UInt32) -> UInt32? {
        findApp(message.namedApp, on: device)
    }

    /// Gives a message without an app the name of the one that it is for.
    func name(_ app: UInt32, for message: inout DecodedMessage) {
        let name = table.name(ofApp: app)
        // An entry without a name stands for all apps, and says nothing about this one.
        if name.isEmpty, message.isTopicOfTarget { return }
        message.topic = name
        message.isTopicOfTarget = false
    }

    func isKnown(_ device: UInt32?) -> Bool { device.map { table[device: $0].isKnown } ?? false }

    /// A known device whose name an event wrote in capitals: read as a token of APNs, as long as it did not say otherwise.
    func findInLowerCase(_ device: BorrowedText) throws -> UInt32? {
        guard DeviceToken.isFolded(device), let found = try find(named: DeviceToken.canonical(device.string)),
            isKnown(found)
        else { return nil }
        return found
    }

    /// Finds out whether a device's token is of the kind that a push needs. A token that an event has registered for an app is the app's
    /// own. One that is registered for a topic with a suffix, such as `org.example.phone.voip`, is for pushes of that type.
    ///
    /// Source: Pr0Ger/PyAPNs2, issue 134: a VoIP push to the app's own token is `DeviceTokenNotForTopic`. That it is alike for the other types
    /// with tokens of their own is UNCONFIRMED.
    ///
    /// - Parameter app: becomes the entry of the topic, if there is one.
    /// - Returns: false if the token is known to be of another kind.
    func findKind(of message: borrowing DecodedMessage, on device: UInt32, _ app: inout UInt32?) -> Bool {
        guard message.provider == .apns else { return true }
        let hasOwnToken = message.headers.pushType?.hasOwnToken == true
        guard app == nil || hasOwnToken else { return true }
        let name = message.namedApp
        guard !name.isEmpty else { return true }
        if message.headers.pushType?.hasOwnToken == true, message.topic.count > name.count {
            if let entry = table.find(message.topic, on: device) {
                app = entry
                return true
            }
            // A device that is registered without an app stands for every app, and every token.
            return table.find(name, on: device) == nil || table.find(.empty, on: device) != nil
        }
        if let only = table.onlyApp(of: device), !table.name(ofApp: only).hasPrefix(name) { return true }
        // The app is not on the device. It may have tokens of other kinds there.
        return app != nil
            || !PushType.allCases.contains { type in
                type.hasOwnToken
                    && BorrowedText.with(name.string + type.row.topicSuffix.description) {
                        table.find($0, on: device) != nil
                    }
            }
    }

    func findApp(_ app: BorrowedText, on device: UInt32) -> UInt32? {
        // Most devices have one app, so there is nothing to search.
        if let only = table.onlyApp(of: device) {
            let name = table.name(ofApp: only)
            return name.isEmpty || app.isEmpty || name == app ? only : nil
        }
        if app.isEmpty { return table.firstApp(of: device) }
        return table.find(app, on: device) ?? table.find(.empty, on: device)
    }

    /// An app that no event has named, on a device with a Focus, which silences it, too. A store has a row for it from then on.
    func silencedApp(_ name: BorrowedText, on device: UInt32) -> UInt32? {
        guard table[focusOf: device] != nil else { return nil }
        let app = table.app(name, on: device)
        table.noteRow(ofApp: app)
        return app
    }

    func known(_ device: String) throws -> UInt32 {
        try BorrowedText.with(device) { name in
            let device = try find(name) ?? table.device(name)
            table.learn(device)
            return device
        }
    }

    /// The app on the device that an event is about, registered if it was unknown. Without a name it is the device's first one.
    ///
    /// A new one begins with what has been known of every app of its device.
    func app(_ name: String?, on device: UInt32) throws -> UInt32 {
        if name == nil, let first = table.firstApp(of: device) { return first }
        return try BorrowedText.with(name ?? "") { name in
            if let found = table.find(name, on: device) { return found }
            let everyApp = table.find(.empty, on: device)
            let app = table.app(name, on: device)
            if let everyApp { try inherit(app, from: everyApp) }
            return app
        }
    }

    /// The entry that stands for the apps of a device that no event has named, if an event that names no app is about more than the first app
    /// of the device.
    func unnamedApps(besides app: UInt32, _ event: DeviceEvent, on device: UInt32) -> UInt32? {
        guard event.app == nil, table.onlyApp(of: device) == nil else { return nil }
        return table.find(.empty, on: device).flatMap { $0 == app ? nil : $0 }
    }

    /// Gives an app that an event has named what was known of every app of its device, and what is queued for it there. A banner stays what it
    /// is, and tokens of Live Activities are found by themselves.
    private func inherit(_ app: UInt32, from everyApp: UInt32) throws {
        let device = table[app: app].device
        copyState(of: everyApp, to: app)
        guard table[app: everyApp].hasDetails else { return }
        let topics = table[detailsOf: everyApp].settings.topics
        // What names no app is for the first one.
        let name = table.name(ofApp: app).string
        let isFirst = table.firstApp(of: device) == app
        let taken = table.changeDetails(of: everyApp) { every in
            every.storage.take { $0.topic == name || isFirst && $0.topic.isEmpty }
        }
        let queued = taken.map { $0.topic == name ? $0 : $0.renamed(to: name) }
        table.changeDetails(of: app) { $0.storage = OfflineStorage(messages: queued) }
        if let topics { table.setTopics(topics, of: app) }
        let isOnline = table[device: device].isOnline
        for (old, message) in zip(taken, queued) {
            note(isOnline ? .min : message.expiresAt, app)
            try rows?.delete(old)
            try rows?.insert(message, app: table.name(ofApp: app))
        }
    }

    /// The app on the device that a tap is about: the entry that stands for all apps when this one has not been named before.
    func tappedApp(_ name: String?, on device: UInt32) throws -> UInt32 {
        guard let name else { return try app(nil, on: device) }
        let known = BorrowedText.with(name) { table.find($0, on: device) }
        return try known ?? table.find(.empty, on: device) ?? app(name, on: device)
    }

    /// The app of that name on a device; adds placeholders for either if needed.
    func knownApp(_ name: BorrowedText, of device: BorrowedText) -> UInt32 {
        let device = table.device(device)
        return findApp(name, on: device) ?? table.app(name, on: device)
    }
}

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
