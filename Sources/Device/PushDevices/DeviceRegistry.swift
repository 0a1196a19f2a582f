package import AppSimulation
package import PayloadJSON
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
            answer.canonical = table[detailsOf: app].settings.canonical
        }
        let isDelayedByDoze = isDelayedByDoze(message, on: device)
        if table[device: device].isOnline, !isDelayedByDoze {
            // A Focus silences apps that no event has named, too.
            if let app = app ?? silencedApp(message.app, on: device) {
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

/// Android devices in Doze: messages of normal priority wait until it ends, those of high priority are delivered at once.
/// Source: Firebase, "Set and manage message priority". Maintenance windows, in which a device gets what has waited, are not emulated.
extension DeviceRegistry {
    /// True if a message waits until its device leaves Doze.
    func isDelayedByDoze(_ message: DecodedMessage, on device: UInt32) -> Bool {
        table.isDozing(device) && message.platform == .android
            && !transit.androidOptions(of: message).hasHighPriority
    }

    /// Removes and returns the messages queued for an app that its device gets now, and the number of dropped ones.
    func takeQueued(of app: UInt32) -> (messages: [QueuedMessage], deletedCount: Int) {
        guard table.isDozing(table[app: app].device) else {
            return table.changeDetails(of: app) { $0.storage.takeAll() }
        }
        return (table.changeDetails(of: app) { $0.storage.take { !Self.isDelayedByDoze($0) } }, 0)
    }

    private static func isDelayedByDoze(_ message: QueuedMessage) -> Bool {
        guard message.platform == .android else { return false }
        return AppText.withRoot(of: message.payload) { payload in
            !(payload.map { AndroidOptions($0, of: message.provider).hasHighPriority } ?? false)
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
        if !isResumed { try rows.deleteRateWindows() }
    }

    /// Passes the windows that have changed since the last call to a store.
    package func takeRateChanges(_ body: (RateKind, RateChanges) throws -> Void) rethrows {
        for (kind, table) in Self.rateTables {
            let changes = self[keyPath: table].takeChanges()
            if !changes.windows.isEmpty || changes.closedSince != nil { try body(kind, changes) }
        }
    }

    private static var rateTables: [(RateKind, ReferenceWritableKeyPath<DeviceRegistry, RateTable>)] {
        [(.token, \.tokenRates), (.sender, \.senderRates), (.background, \.backgroundRates)]
    }
}

/// The measures of browsers against pushes for which their site shows nothing.
extension DeviceRegistry {
    /// The number of such pushes with which a site loses its permission in Safari. They are counted for as long as it has the permission, and
    /// whether or not one of its pages is visible.
    ///
    /// Sources: Apple, WWDC22 session 10098; WebKit, `maxSilentPushCount` and `PushService::incrementSilentPushCount`.
    private static let mostSilentPushes = 3

    /// Counts a push that shows nothing in Safari. The last one that it takes ends the permission.
    func countSilent(_ message: DecodedMessage, _ app: UInt32) -> Finding? {
        guard !message.isShown || isInFront(app, for: message) else { return nil }
        // The site's service worker shows it.
        if let post = try? reaction(to: message)?.post, post.hasText { return nil }
        let count = table.changeDetails(of: app) { details in
            details.settings.silentPushes = (details.settings.silentPushes ?? 0) + 1
            return details.settings.silentPushes ?? 0
        }
        if count >= Self.mostSilentPushes { table[app: app].state.authorization = .denied }
        noteChange(of: app)
        let consequence =
            count < Self.mostSilentPushes
            ? "with the third one, Safari takes the site's permission away"
            : "Safari takes the site's permission away, and no push reaches it any more"
        return Self.finding("silent push \(count) of \(Self.mostSilentPushes): \(consequence)", message)
    }

    /// Replaces a notification that its site fails to show by the one of Chrome. Chrome lets a site that is much used fail now and then, which
    /// is not emulated.
    ///
    /// Source: Chromium, `push_messaging_notification_manager.cc`.
    func showDefault(_ message: inout DecodedMessage, _ app: UInt32) -> Finding? {
        guard message.content.isRefused, !isInFront(app, for: message) else { return nil }
        let name = table.name(ofApp: app)
        message.content.becomeDefault(of: name.isEmpty ? message.app : name)
        return Self.finding("Chrome shows a notification of its own, because the site shows none", message)
    }

    private static func finding(_ text: String, _ message: DecodedMessage) -> Finding {
        Finding(
            rule: "fcm.web-silent-push", severity: .warning,
            pointer: message.place.string + "\(message.payloadPointer)", message: text)
    }
}

/// A notification that the user taps.
package struct TappedNotification {
    package let app: String
    /// Collapse id, tag, or a generated identifier.
    package let identifier: String
    /// Collapse id or tag; nil when the identifier was generated, and when rules for taps do not ask.
    package let collapseID: String?
    /// The payload as it was sent; nil when it was not kept.
    package let payload: String?
    /// The changes of a service extension, as a JSON object; empty when it changed nothing.
    package let changes: String

    package init(app: String, identifier: String) {
        self.app = app
        self.identifier = identifier
        collapseID = nil
        payload = nil
        changes = ""
    }

    /// - Parameter seq: the number of the record that the notification came in.
    package init(app: String, identifier: String, seq: UInt64, payload: String?, changes: String = "") {
        self.app = app
        self.identifier = identifier
        collapseID = GeneratedIdentifier.target(in: identifier, seq: seq) == nil ? identifier : nil
        self.payload = payload
        self.changes = changes
    }
}

extension DeviceRegistry {
    /// The screen that a tap on a notification opens; nil when no rule says so.
    ///
    /// - Parameter action: the action that the user chose; nil for the notification itself.
    package func screen(for tapped: TappedNotification, action: String?) -> AppScreen? {
        guard let routes = policy.tapRoutes else { return nil }
        return AppText.withRoot(of: tapped.payload) { payload in
            AppText.withRoot(of: tapped.changes) { changes in
                routes.screen(
                    for: action,
                    TappedValues(
                        app: tapped.app, collapseID: tapped.collapseID, payload: payload, changes: changes))
            }
        }
    }
}

/// Notifications that apps post and remove by themselves.
extension DeviceRegistry {
    /// Presents a notification that an app posts. It needs the permission to be shown, and nothing that a push needs: no network, no login, no
    /// registration for pushes. Its type cannot be switched off, because the server does that.
    ///
    /// Sources: Apple, "Scheduling a notification locally from your app"; Android, "Notification runtime permission".
    package func arrive(posted message: inout DecodedMessage, seq: UInt64, at: Int64) throws -> Arrival {
        guard let device = try find(message.device), isKnown(device),
            let app = findApp(of: message, on: device)
                ?? silencedApp(message.app, on: device)
        else { return Arrival() }
        return arrive(&message, app, seq: seq, at: at)
    }

    /// An app's reaction to a message that has reached its device, or that of a web site's service worker; nil without rules, and if none
    /// matches.
    package func reaction(to message: DecodedMessage) throws -> AppReaction? {
        guard let rules = policy.messageRules, message.headers.channelID == nil else {
            return nil
        }
        let isHanded = try isHanded(message)
        return transit.withPayload(of: message) { payload in
            guard let payload, message.provider == .fcm, message.platform != .ios,
                let own = GoogleParts.payloadWithOwnData(payload, on: message.platform)
            else { return Self.reaction(rules, message, payload, isHanded: isHanded) }
            return own.withJSON { Self.reaction(rules, message, $0, isHanded: isHanded) } ?? nil
        }
    }

    private static func reaction(
        _ rules: MessageRules, _ message: DecodedMessage, _ payload: JSONView?, isHanded: Bool
    ) -> AppReaction? {
        var reaction = rules.reaction(to: message, payload, isHanded: isHanded)
        guard !reaction.isEmpty else { return nil }
        if let payload, reaction.post != nil { reaction.data = LocalNotification.data(of: payload) }
        return reaction
    }

    /// True if an app gets a message itself, whatever the system shows of it: on an Android device one without a notification, or any while
    /// the app is in the foreground; on an Apple device one that wakes it.
    ///
    /// Sources: Firebase, "Receive messages in Android apps"; Apple, "Pushing background updates to your App".
    private func isHanded(_ message: DecodedMessage) throws -> Bool {
        if message.platform != .ios { return !message.isShown || message.isUnlisted }
        if message.isBackground { return true }
        guard message.headers.pushType?.row.isShown ?? true, manner(of: message).wakesApp else { return false }
        guard let device = try find(message.device), let app = findApp(of: message, on: device) else { return true }
        return !table[app: app].state.appState.isQuit
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
        var start = 0
        while start < messages.count {
            // SOUND: the range is within the messages, which the caller keeps for the duration of the call.
            let range = start..<min(start + Self.prefetchCount, messages.count)
            unsafe prefetch(messages, range)
            for index in range {
                if unsafe delaysBackground && messages[index].isBackground { return false }
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
        if isOfAPNs, app == nil || type?.hasOwnToken == true {
            guard findKind(of: message, on: device, &app) else { return false }
        }
        guard let app else { return true }
        guard hasOnlyDefaults(app) else { return false }
        if !message.app.isEmpty { return true }
        // An entry without a name stands for all apps, and says nothing about one.
        guard table.name(ofApp: app).isEmpty else { return false }
        if message.isTopicOfTarget { return true }
        return message.topic.isEmpty
    }
}

/// Background pushes that a device delays. Source: Apple, "Pushing background updates to your App": the system may
/// throttle them, keeps only the newest one, and drops it when the user quits the app.
extension DeviceRegistry {
    /// Delays a background push over the limit until the hour is over or the app is opened. An app in the foreground
    /// gets it at once.
    ///
    /// - Parameter app: the app that it is for; called only when the push has to be kept.
    func throttle(
        _ message: inout DecodedMessage, _ app: () -> UInt32, seq: UInt64, at: Int64, _ answer: inout RegistryAnswer
    ) throws {
        guard let limit = policy.backgroundPushesPerHour else { return }
        let name = Self.rateName(message.device.string, message.topic.string)
        if backgroundRates.admits(name, at: at, limit: limit) { return }
        let app = app()
        let state = table[app: app].state.appState
        // Opening would not deliver it to an app that the user has quit; it is refused on arrival.
        if state == .foreground || state.isQuit { return }
        let (latest, overflowed) = at.addingReportingOverflow(TransitOptions.longestOfAPNs)
        let queued = QueuedMessage(message, seq: seq, at: at, expiresAt: overflowed ? .max : latest, collapseKey: nil)
        table.learn(table[app: app].device)
        try keep(queued, of: &message, app, until: backgroundRates.end(of: name))
        answer.delay = .throttled
    }

    /// Removes and returns the messages that an online device has delayed for an app and whose hour is over.
    func takeDelayed(of app: UInt32, at: Int64) -> [QueuedMessage] {
        let device = table[app: app].device
        guard table.isReachable(device), table[detailsOf: app].storage.count > 0 else {
            return []
        }
        guard let limit = policy.backgroundPushesPerHour else {
            return table.changeDetails(of: app) { $0.storage.takeAll() }.messages
        }
        // An app entry that stands for all apps of its device can have several, each with its own hour.
        var due: Set<String> = []
        for message in table[detailsOf: app].storage.messages {
            let name = Self.rateName(message.device, message.topic)
            if backgroundRates.admits(name, at: at, limit: limit) {
                due.insert(message.topic)
            } else {
                note(backgroundRates.end(of: name), app)
            }
        }
        return table.changeDetails(of: app) { $0.storage.take { due.contains($0.topic) } }
    }

    func releaseDelayed(of app: UInt32) throws {
        guard table.isReachable(table[app: app].device) else { return }
        try release(table.changeDetails(of: app) { $0.storage.takeAll() }.messages)
    }

    func release(_ messages: [QueuedMessage]) throws {
        for message in messages.sorted(by: { $0.wasAccepted(before: $1) }) { try drop(.release(message), message) }
    }

    private static func rateName(_ device: String, _ topic: String) -> String { "\(device)\u{0}\(topic)" }
}

/// Notification channels of apps on Android devices.
extension DeviceRegistry {
    /// Presents a notification in the shade as its channel says, and suppresses it if the channel is off. Without an event about channels,
    /// it is presented as on an unknown device.
    ///
    /// Sources: Android, "Create and manage notification channels"; Firebase, `AndroidNotification.channel_id`: a channel that the app has
    /// not created is replaced by that of the manifest, or else by FCM's own.
    func post(_ message: inout DecodedMessage, _ app: UInt32) -> Arrival {
        var arrival = Arrival()
        guard message.platform == .android, message.isShown else { return arrival }
        guard let channels = table[detailsOf: app].settings.channels else { return arrival }
        let named = transit.androidOptions(of: message).channel
        let found = named.flatMap { named in channels.first { $0.identifier == named.id } }
        // What Expo hands on is posted by Expo's library for apps: without a channel it takes its own, and never replaces one.
        let isPostedByApp = message.isLocal || (message.gateway == .expo && named != nil)
        guard found != nil || !isPostedByApp else { return missChannel(&message, named: named?.id) }
        let channel =
            found ?? channels.first(where: \.isDefault)
            ?? channels.first { $0.identifier == NotificationChannel.fallback }
            ?? NotificationChannel(NotificationChannel.fallback)
        if let named, found == nil {
            let place = "\(message.place.string)\(message.payloadPointer)"
            arrival.finding = Finding(
                rule: "android.unknown-channel", severity: .warning,
                pointer: message.isDerived ? "" : place + named.pointer,
                message:
                    "the app has no channel \"\(named.id)\" on this device; this is posted in \"\(channel.identifier)\""
            )
        }
        arrival.isByChannel = true
        guard channel.importance != .none else {
            message.verdict = .suppressed("channel-off")
            return arrival
        }
        let isLoud = channel.importance == .default || channel.importance == .high
        if channel.importance == .high { arrival.steps.append(.banner) }
        arrival.steps.append(.list)
        if isLoud, channel.hasSound { arrival.steps.append(.sound) }
        if channel.showsBadge { arrival.steps.append(.badge) }
        if channel.importance != .high, !isLoud || !channel.hasSound { arrival.quiet = .channel }
        return arrival
    }

    /// Suppresses what an app posts itself in no channel that it has, and a message of Expo's that names such a channel. The fallback is one of
    /// FCM's SDK, which has no part in it.
    ///
    /// Sources: Android, "Create and manage notification channels": without a channel, "the notification doesn't appear and the system logs an
    /// error"; Expo, "Send notifications with Expo's Push API", `channelId`.
    private func missChannel(_ message: inout DecodedMessage, named: String?) -> Arrival {
        message.verdict = .suppressed("no-channel")
        var arrival = Arrival()
        let mistake = named.map { "the app has no channel \"\($0)\" on this device" } ?? "the app names no channel"
        arrival.finding = Finding(
            rule: "android.unknown-channel", severity: .warning, pointer: "",
            message: "\(mistake); " + (message.isLocal ? "what it posts itself" : "what Expo sends there")
                + " does not appear")
        return arrival
    }
}

/// Subscriptions to the topics of GCM and FCM, and whom a message to a topic is for.
extension DeviceRegistry {
    /// Topics that an app can be subscribed to. Source: Firebase, "Topic messaging": "One app instance can be subscribed to
    /// no more than 2000 topics".
    package static let mostTopics = 2000

    /// An app that a message to a topic is for.
    package struct Recipient: Equatable, Comparable, Sendable {
        package var device: String
        package var app: String

        package init(device: String, app: String) {
            self.device = device
            self.app = app
        }

        package static func < (left: Self, right: Self) -> Bool { (left.device, left.app) < (right.device, right.app) }
    }

    func changeTopics(_ event: DeviceEvent, _ name: String) throws -> EventAnswer {
        // Otherwise an event would make a rejected token acceptable.
        guard try !policy.rejectsUnknownDevices || isKnown(name) else { return EventAnswer(ignored: .unknownDevice) }
        guard let topic = event.rare.topic.map(TopicAudience.name) else { return EventAnswer(ignored: .notPossible) }
        let device = try known(name)
        let app = try app(event.app, on: device)
        let isOn = event.name == .subscribe
        if isOn, let topics = table[detailsOf: app].settings.topics, topics.count >= Self.mostTopics,
            !topics.contains(topic)
        {
            return EventAnswer(ignored: .tooManyTopics)
        }
        table.noteRow(ofDevice: device)
        table.set(topic, isOn: isOn, of: app)
        if let others = unnamedApps(besides: app, event, on: device) { table.set(topic, isOn: isOn, of: others) }
        return EventAnswer()
    }

    /// Whom a message to a topic or a condition is for: registered apps with the topics that events have given them, in
    /// the order of their names. Dead tokens are left out. Nil when no app is known to be subscribed.
    ///
    /// - Parameter at: milliseconds since the epoch.
    package func recipients(of message: DecodedMessage, at: Int64) throws -> [Recipient]? {
        guard table.hasSubscribers || rows?.hasSubscribers ?? false else { return nil }
        let audience = TopicAudience(message.device)
        let topics = audience.mayHaveOthers ? nil : audience.topics
        try rows?.touchDevices(subscribedTo: topics)
        var isSubscribed = false
        var found: [Recipient] = []
        for app in table.subscribers(of: topics) {
            guard audience.contains(subscriberOf: table[detailsOf: app].settings.topics ?? []) else { continue }
            let name = table.name(ofApp: app)
            // `restricted_package_name`.
            guard message.topic.isEmpty || name.isEmpty || name == message.topic else { continue }
            let device = table[app: app].device
            // An entry without a name stands for apps that have none of their own.
            if name.isEmpty, let own = findApp(message.topic, on: device), own != app { continue }
            isSubscribed = true
            if let since = table[app: app].state.unregisteredAt, since <= at { continue }
            found.append(
                Recipient(
                    device: table.name(ofDevice: device).string, app: (name.isEmpty ? message.topic : name).string))
        }
        return isSubscribed ? found.sorted() : nil
    }
}

/// The meaning of the user's choice among the actions of a notification for its app.
package enum ActionChoice: Equatable, Sendable {
    /// As without categories.
    case plain
    /// An action that brings the app to the front; nil for one that is carried out in the background.
    case action(opensApp: Bool)
    case dismissal
    /// The notification has no such action, or the action takes no text.
    case impossible
}

extension DeviceRegistry {
    /// The categories that an app has registered; nil when no event has said anything about them.
    package func categories(of app: String, on device: BorrowedText) throws -> [ActionCategory]? {
        let name = device.string
        guard try isKnown(name) else { return nil }
        let position = try known(name)
        return BorrowedText.with(app) { findApp($0, on: position) }.flatMap { table[detailsOf: $0].settings.categories }
    }

    /// The same, to look for an action. O(1).
    package func categoryIndex(of app: String, on device: BorrowedText) throws -> CategoryIndex? {
        let name = device.string
        guard try isKnown(name) else { return nil }
        let position = try known(name)
        guard let app = BorrowedText.with(app, { findApp($0, on: position) }) else { return nil }
        let details = table[detailsOf: app]
        return details.categoryIndex ?? details.settings.categories.map { CategoryIndex($0) }
    }

    /// When an app on a device shows the texts of its notifications; always on an unknown device.
    package func previews(of app: BorrowedText, on device: BorrowedText) throws -> DeviceEvent.Previews {
        guard let position = try find(device), let app = findApp(app, on: position) else { return .always }
        return table[detailsOf: app].settings.previews ?? .always
    }

    /// Registers the categories of an app, and no others, as its service extension does while it handles a push.
    package func setCategories(_ categories: [ActionCategory], of app: String, on device: BorrowedText) throws {
        let device = try known(device.string)
        let app = try self.app(app, on: device)
        table.changeDetails(of: app) { $0.categories = categories }
        table.noteRow(ofDevice: device)
        table.noteChange(ofApp: app)
    }

    /// The meaning of a tap or a dismissal, by the category of the notification that it is about.
    ///
    /// The categories are those that the app has registered. Of a notification whose content was not kept the category is
    /// unknown; then any of them may be meant.
    package func choice(
        _ event: DeviceEvent, of target: TappedNotification, _ categories: CategoryIndex
    ) -> ActionChoice {
        let name: String? = AppText.withRoot(of: target.payload) { payload in
            AppText.withRoot(of: target.changes) { changes in
                payload.map { _ in
                    TappedValues(app: target.app, collapseID: nil, payload: payload, changes: changes)[.category] ?? ""
                }
            }
        }
        if event.name == .dismiss { return categories.reportsDismissal(name) ? .dismissal : .plain }
        guard let chosen = event.action else { return event.text == nil ? .plain : .impossible }
        guard let action = categories.action(chosen, of: name), event.text == nil || action.takesText else {
            return .impossible
        }
        return .action(opensApp: action.opensApp)
    }
}

extension DeviceEvent {
    /// The chosen action as steps and the journal have it: with the text that the user typed.
    var actionWords: String? { action.map { action in text.map { "\(action) \"\($0)\"" } ?? action } }
}
