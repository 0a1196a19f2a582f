package import AppSimulation
package import PayloadJSON
import PushDecoding
package import PushModel

/// Which devices exist, which are reachable, and what providers queue for those that are offline. Events register
/// devices.
///
/// Part of a store, which keeps it next to the screens. Otherwise pure state: it reads no clock and does no I/O itself.
/// A message to an unknown device costs one index lookup, and none while no device is known.
public final class DeviceRegistry {
    /// Which provider and device limits to enforce.
    public var policy = DevicePolicy()

    // Nothing that a mutation calls mutates it again; see `MemoryStore`.
    @exclusivity(unchecked) var table = DeviceTable()
    /// Loads devices that are not in memory from the store; nil when all are in memory.
    private weak var rows: (any DeviceRows)?
    /// Expiry times of messages queued for apps in memory.
    private var expiries = ExpiryHeap()
    /// The earliest expiry in the store, of apps in memory or not.
    private var expiryInStore = Int64.max
    /// When tokens are due, of apps in memory, and the earliest in the store.
    private var tokensDue = ExpiryHeap()
    private var tokenDueInStore = Int64.max
    private var tokenRates = RateTable(within: RateWindow.minute)
    private var senderRates = RateTable(within: RateWindow.minute)
    var backgroundRates = RateTable(within: RateWindow.hour)
    private var transit = TransitReader()
    private var followUps: [FollowUp] = []

    /// An empty registry.
    public init() {}

    package init(rows: any DeviceRows) { self.rows = rows }

    /// Whether every message can pass without a lookup.
    package var isIdle: Bool {
        table.count == 0 && policy == DevicePolicy() && !(rows?.hasDevices ?? false)
    }

    /// Whether queued messages have caused follow-ups.
    package var hasFollowUps: Bool { !followUps.isEmpty }

    /// Removes and returns the follow-ups since the last call.
    package func takeFollowUps() -> [FollowUp] {
        if followUps.isEmpty { return [] }
        defer { followUps.removeAll() }
        return followUps
    }

    // MARK: - Messages

    /// Prefetches the state that decisions about some messages need.
    package func prefetch(_ messages: UnsafeMutableBufferPointer<PushMessage>, _ range: Range<Int>) {
        table.prefetch(messages, range)
    }

    /// Decides what happens to an accepted message, and sets its verdict unless it arrives.
    ///
    /// - Parameter at: milliseconds since the epoch.
    package func decide(_ message: inout PushMessage, seq: UInt64, at: Int64) throws -> RegistryAnswer {
        var answer = RegistryAnswer()
        try advance(to: at)
        let device = try find(message.device)
        let app = device.flatMap { findApp(of: message, on: $0) }
        guard let device, table[device: device].pointee.isKnown else {
            if policy.rejectsUnknownDevices, !transit.isForMany(message) {
                message.verdict = .rejected(.unknownDevice(of: message.provider))
                return answer
            }
            limitRate(&message, at: at)
            // Nothing is stored of an unknown device but its push rate, unless a message has to be queued.
            if case .accepted = message.verdict, message.isBackground, policy.backgroundPushesPerHour != nil {
                let (name, appName) = (message.device, message.app)
                try throttle(&message, { self.knownApp(appName, of: name) }, seq: seq, at: at, &answer)
            }
            return answer
        }
        // A message without an app is for the device's first app.
        if let app, message.app.isEmpty { message.topic = table.name(ofApp: app) }
        if let app, policy.tokenLifeCycle != nil, let reason = Self.silence(table[app: app].pointee.state.standing) {
            message.verdict = .suppressed(reason)
            return answer
        }
        if let app, let since = table[app: app].pointee.state.unregisteredAt, since <= at {
            message.verdict = .rejected(.unregisteredDevice(of: message.provider))
            answer.unregisteredAt = since
            disable(app, at: at)
            return answer
        }
        if app == nil, policy.rejectsUnknownDevices, let rejection = Rejection.otherApp(of: message.provider) {
            message.verdict = .rejected(rejection)
            return answer
        }
        limitRate(&message, at: at)
        guard case .accepted = message.verdict else { return answer }
        if let app, message.provider == .gcm, table[app: app].pointee.hasDetails {
            answer.canonical = table[detailsOf: app].canonical
        }
        if table[device: device].pointee.isOnline {
            if let app {
                if message.isBackground, policy.backgroundPushesPerHour != nil {
                    try throttle(&message, { app }, seq: seq, at: at, &answer)
                }
                if case .accepted = message.verdict { answer.steps = arrive(&message, app, seq: seq, at: at) }
            }
        } else {
            try hold(&message, app ?? table.app(message.app, on: device), seq: seq, at: at)
        }
        return answer
    }

    /// Decides what the device does with a queued message that arrives now.
    ///
    /// - Returns: the steps that the app takes.
    package func arrive(_ message: inout PushMessage, seq: UInt64, at: Int64) throws -> [AppStateMachine.Step] {
        guard let device = try find(message.device), let app = findApp(of: message, on: device) else { return [] }
        return arrive(&message, app, seq: seq, at: at)
    }

    /// Whether a message only wakes its app. One without a push type that has a sound does more.
    func isSilent(_ message: PushMessage, _ manner: TransitReader.Manner) -> Bool {
        message.isBackground && (message.headers.pushType != nil || !manner.hasSound)
    }

    func manner(of message: PushMessage) -> TransitReader.Manner { transit.manner(of: message) }

    /// The device; nil when it is unknown. Looked up in the store first when it is not in memory.
    private func find(_ device: BorrowedText) throws -> UInt32? {
        if let found = table.find(device) { return found }
        guard let rows, rows.hasDevices else { return nil }
        try rows.load(device, into: &table)
        // Unknown devices are added as placeholders, so that the store is queried once.
        let position = table.device(device)
        for app in table.apps(of: position) {
            if let expiry = table[detailsOf: app].storage.nextExpiry {
                // An online device queues only delayed background pushes.
                expiries.insert(table[device: position].pointee.isOnline ? .min : expiry, app)
            }
            noteTokenDue(app)
        }
        return position
    }

    /// The app that a message is for. An app entry without a name stands for all of them, and a message without an app
    /// goes to the first.
    private func findApp(of message: borrowing PushMessage, on device: UInt32) -> UInt32? {
        findApp(message.app, on: device)
    }

    func findApp(_ app: BorrowedText, on device: UInt32) -> UInt32? {
        // Most devices have one app, so there is nothing to search.
        if let only = table.onlyApp(of: device) {
            let name = table.name(ofApp: only)
            return name.isEmpty || app.isEmpty || name == app ? only : nil
        }
        if let found = table.find(app, on: device) { return found }
        if !app.isEmpty { return table.find(.empty, on: device) }
        return table.apps(of: device).first
    }

    private func limitRate(_ message: inout PushMessage, at: Int64) {
        if let limit = policy.pushesPerMinute, !tokenRates.admits(message.device.string, at: at, limit: limit) {
            message.verdict = .rejected(
                transit.isForTopic(message) ? .topicsMessageRateExceeded : .tooManyToDevice(of: message.provider))
        }
        guard let limit = policy.pushesPerMinuteOfSender else { return }
        let sender = "\(message.provider.name) \(message.app.string)"
        let admits = senderRates.admits(sender, at: at, limit: limit)
        if !admits, case .accepted = message.verdict {
            message.verdict = .rejected(.tooManyOfSender(of: message.provider))
        }
    }

    // MARK: - At the device

    /// The reasons for which a message that has reached its device is not shown, or not passed to its app.
    private func arrive(
        _ message: inout PushMessage, _ app: UInt32, seq: UInt64, at: Int64
    ) -> [AppStateMachine.Step] {
        let state = table[app: app].pointee.state
        // Most apps on devices have only default state.
        if state.isPlain, !table[app: app].pointee.hasDetails { return [] }
        if message.isBackground, state.appState == .forceQuit { message.verdict = .suppressed("force-quit") }
        if !state.isPlain, case .accepted = message.verdict, let obstacle = obstacle(to: message, app, state) {
            message.verdict = .suppressed(obstacle.row.name)
        }
        guard case .accepted = message.verdict else { return [] }
        return present(&message, app, seq: seq, at: at)
    }

    /// A message that shows nothing still needs permission for a sound or a badge. A background push needs none.
    /// Source: Apple, `UNUserNotificationCenter.requestAuthorization`.
    private func bringsSoundOrBadge(_ message: PushMessage) -> Bool {
        guard message.platform == .ios else { return false }
        return !isSilent(message, transit.manner(of: message))
            && (message.content.badge != nil || transit.manner(of: message).hasSound)
    }

    private func obstacle(
        to message: PushMessage, _ app: UInt32, _ state: Installation
    ) -> SuppressionReason? {
        if state.isLoggedIn == false { return .loggedOut }
        let isShown = message.isShown
        if !state.authorization.allowsNotifications, isShown || bringsSoundOrBadge(message) {
            return state.authorization == .denied ? .denied : .notDetermined
        }
        switch state.registration {
        case .succeeded: break
        case .pending: return .notRegistered
        case .failed: return .registrationFailed
        }
        guard isShown else { return nil }
        if !state.showsAlerts { return .alertsOff }
        guard state.hasTypes, let typesOn = table[detailsOf: app].typesOn, let type = type(of: message) else {
            return nil
        }
        return typesOn.contains(type) ? nil : .typeOff
    }

    /// The notification type of a message; nil when no rule matches.
    private func type(of message: PushMessage) -> NotificationType? {
        guard let mapping = policy.typeMapping else { return nil }
        guard mapping.needsPayload else { return mapping.type(of: message, payload: nil) }
        return transit.withPayload(of: message) { mapping.type(of: message, payload: $0) }
    }

    // MARK: - Offline devices

    private func hold(_ message: inout PushMessage, _ app: UInt32, seq: UInt64, at: Int64) throws {
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
            message, seq: seq, at: at, expiresAt: expiresAt, collapseKey: options.collapseKey)
        try keep(queued, of: &message, app, until: expiresAt)
    }

    /// Queues a message for an app, discarding those that it supersedes, and sets its verdict.
    ///
    /// - Parameter end: when to look at it again, in milliseconds since the epoch.
    func keep(_ queued: QueuedMessage, of message: inout PushMessage, _ app: UInt32, until end: Int64) throws {
        let change = table.changeDetails(of: app) { $0.storage.keep(queued) }
        for discarded in change.discarded { try drop(.discarded(discarded, change.reason), discarded) }
        if let refusal = change.refusal {
            message.verdict = .discarded(refusal.name)
            noteChange(of: app)
            return
        }
        message.verdict = .held
        note(end, app)
        noteChange(of: app)
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
                guard let expiry = details.storage.nextExpiry else { return }
                let isOnline = table[device: table[app: app].pointee.device].pointee.isOnline
                expiries.insert(isOnline ? .min : expiry, app)
            }
        }
    }

    func noteChange(of app: UInt32) {
        guard rows != nil else { return }
        table.noteChange(ofDevice: table[app: app].pointee.device)
        table.noteChange(ofApp: app)
    }

    /// Expires queued messages up to a time. O(1) when none expires.
    package func advance(to at: Int64) throws {
        if policy.tokenLifeCycle != nil, at >= min(tokensDue.earliest, tokenDueInStore) { try sweep(until: at) }
        guard at >= min(expiries.earliest, expiryInStore) else { return }
        if let rows, at >= expiryInStore {
            for device in try rows.devicesWithExpired(at: at) { _ = try find(named: device) }
        }
        var expired: [QueuedMessage] = []
        var delayed: [QueuedMessage] = []
        while let app = expiries.takeEarliest(until: at) {
            table.changeDetails(of: app) { details in
                expired += details.storage.takeExpired(at: at)
                // An Android app can have more than one.
                if let next = details.storage.nextExpiry { expiries.insert(next, app) }
            }
            delayed += takeDelayed(of: app, at: at)
        }
        for message in expired.sorted(by: { $0.expires(before: $1) }) { try drop(.expired(message), message) }
        try release(delayed)
        if let rows { expiryInStore = try rows.nextExpiry() ?? .max }
    }

    // MARK: - Tokens

    /// Why a sender does not send to a token.
    private static func silence(_ standing: TokenLifeCycle.Standing) -> StaticString? {
        switch standing {
        case .confirmed, .unconfirmed: nil
        case .disabled: "token-disabled"
        case .deleted: "token-deleted"
        }
    }

    /// The push service reported the token as unregistered.
    private func disable(_ app: UInt32, at: Int64) {
        guard policy.tokenLifeCycle != nil else { return }
        setStanding(.disabled, of: app, at: at)
        noteTokenDue(app)
        append(fate(.disabled, of: app))
    }

    private func setStanding(_ standing: TokenLifeCycle.Standing, of app: UInt32, at: Int64) {
        table[app: app].pointee.state.standing = standing
        table[app: app].pointee.state.standingSince = at
        noteChange(of: app)
    }

    private func fate(_ fate: TokenFate, of app: UInt32) -> FollowUp {
        let device = table[app: app].pointee.device
        return .token(
            device: table.name(ofDevice: device).string, app: table.name(ofApp: app).string, fate)
    }

    /// When the token of an app is due.
    func tokenDue(_ app: UInt32) -> Int64? {
        let state = table[app: app].pointee.state
        return (policy.tokenLifeCycle ?? TokenLifeCycle()).due(state.standing, since: state.standingSince)
    }

    func noteTokenDue(_ app: UInt32) {
        if policy.tokenLifeCycle != nil, let due = tokenDue(app) { tokensDue.insert(due, app) }
    }

    /// Applies the token life cycle up to a time.
    private func sweep(until at: Int64) throws {
        if let rows, at >= tokenDueInStore {
            for device in try rows.devicesWithTokenDue(at: at) { _ = try find(named: device) }
        }
        // In an order that does not depend on when devices were loaded.
        var dues: [(due: Int64, app: UInt32, name: (device: String, app: String))] = []
        var seen: Set<UInt32> = []
        while let app = tokensDue.takeEarliest(until: at) {
            // It may have been confirmed or swept since.
            guard let due = tokenDue(app), due <= at, seen.insert(app).inserted else { continue }
            let device = table[app: app].pointee.device
            dues.append((due, app, (table.name(ofDevice: device).string, table.name(ofApp: app).string)))
        }
        dues.sort { ($0.due, $0.name.device, $0.name.app) < ($1.due, $1.name.device, $1.name.app) }
        for (due, app, _) in dues {
            let isDisabled = table[app: app].pointee.state.standing == .disabled
            setStanding(.deleted, of: app, at: due)
            append(fate(isDisabled ? .deleted : .sweptAway, of: app))
        }
        // What was due in the store is now in memory, and is written with it.
        tokenDueInStore = .max
    }

    private func find(named device: String) throws -> UInt32? {
        try BorrowedText.with(device) { try find($0) }
    }

    /// The platform of a device as set by an event; nil when none has.
    package func platform(of device: BorrowedText) throws -> Platform? {
        try find(device).flatMap { table[device: $0].pointee.platform }
    }

    /// Whether a device is known.
    func isKnown(_ device: String) throws -> Bool {
        try find(named: device).map { table[device: $0].pointee.isKnown } ?? false
    }

    /// The device, registered if it was unknown.
    func known(_ device: String) throws -> UInt32 {
        try BorrowedText.with(device) { name in
            let device = try find(name) ?? table.device(name)
            table.learn(device)
            return device
        }
    }

    /// An app on the device, registered if it was unknown. Without a name it is the device's first one.
    func app(_ name: String?, on device: UInt32) -> UInt32 {
        if name == nil, let first = table.apps(of: device).first { return first }
        return BorrowedText.with(name ?? "") { table.app($0, on: device) }
    }

    /// The app on the device that an event affects: the entry that stands for all apps when this one has not been named
    /// before.
    func affectedApp(_ name: String?, on device: UInt32) -> UInt32 {
        guard let name else { return app(nil, on: device) }
        let known = BorrowedText.with(name) { table.find($0, on: device) }
        return known ?? table.find(.empty, on: device) ?? app(name, on: device)
    }

    /// The app of that name on a device; adds placeholders for either if needed.
    private func knownApp(_ name: BorrowedText, of device: BorrowedText) -> UInt32 {
        let device = table.device(device)
        return findApp(name, on: device) ?? table.app(name, on: device)
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
        tokenDueInStore = try rows.nextTokenDue() ?? .max
    }

    /// Devices in memory, including placeholders for unknown ones.
    package var loadedCount: Int { table.loadedCount }

    /// Passes changed rows to a store, devices before the apps on them, and keeps the row ids that it returns.
    package func forEachChange(device: (DeviceRow) throws -> Int64, app: (AppRow) throws -> Int64) rethrows {
        try table.forEachChange(device: device, app: app)
    }
}
