package import PushDecoding
package import PushJSON
public import PushModel

/// Keeps notifications in memory for as long as the process runs.
///
/// Takes about 140 bytes and the payload per notification, or 100 bytes when the content is not kept. Not thread-safe: use
/// it from one pipeline, or one reader, at a time.
public final class MemoryStore: PipelineStore {
    /// The hash function of the keys (`DeliveryKey`) of this store's messages.
    package let hasher = SeededHash()
    private let keeping: NotificationCenters.Keeping
    var parts: [MemoryLane]
    var isDivided = false
    private(set) var rule: ReplacementRule?
    private(set) var androidLimit = Platform.mostNotificationsOnAndroid
    var nextOrder: UInt64 = 1
    @exclusivity(unchecked) private var uncheckedRecorder: MemoryRecorder
    fileprivate var recorder: MemoryRecorder {
        _read { yield unsafe uncheckedRecorder }
        _modify { yield unsafe &uncheckedRecorder }
    }
    /// The registry of all devices.
    package let registry = DeviceRegistry()
    /// Removals that are not due yet.
    let removals = LateRemovals()
    package var lastSequence: UInt64 = 0
    private var activities = LiveActivities()
    /// The time of the last record, in milliseconds since the epoch.
    private var lastTime = Int64.min

    /// An empty store.
    ///
    /// - Parameters:
    ///   - keepsJournal: true to keep `events`, which grow with every notification. A journal has one order, so with
    ///     one a pipeline delivers messages one at a time, whatever its number of jobs.
    ///   - keepsContent: true to keep payloads and times. Without them the store shows no notifications; it only
    ///     knows which ones replace each other, and what taps on them may ask for.
    public convenience init(keepsJournal: Bool = true, keepsContent: Bool = true) {
        self.init(journalLimit: keepsJournal ? .max : 0, keepsContent: keepsContent)
    }

    /// An empty store.
    ///
    /// - Parameter journalLimit: how many lines of the journal to keep, the newest ones; 0 for no journal.
    package init(journalLimit: Int, keepsContent: Bool = true) {
        keeping = keepsContent ? .everything : .tapOptions
        parts = [MemoryLane(keeping, hasher)]
        unsafe uncheckedRecorder = MemoryRecorder(limit: journalLimit)
    }

    /// The store as the pipeline sees it.
    public var deliveries: StoreDeliveries { StoreDeliveries(to: self) }

    /// Calls `body` for each notification on the screens, newest last. There are none when the content is not kept.
    public func forEachNotification(
        device: String?, app: String?, _ body: (DeliveredNotification) throws -> Void
    ) throws {
        let device = nameOnScreens(device)
        let shown = parts.flatMap { $0.centers.orderedNotifications(device: device, app: app) }
        for entry in parts.count == 1 ? shown : shown.sorted(by: { $0.place < $1.place }) {
            try body(entry.notification)
        }
    }

    /// Calls `body` for each journal line, oldest first. There are none when no journal is kept.
    public func forEachEvent(device: String?, _ body: (JournalEntry) throws -> Void) throws {
        let device = nameOnScreens(device)
        for entry in recorder.journal.all where device == nil || entry.device == device { try body(entry) }
    }

    /// Calls `body` for each Live Activity, in the order in which they began.
    public func forEachLiveActivity(
        device: String?, app: String?, _ body: (LiveActivity) throws -> Void
    ) throws {
        for activity in activities.activities(device: device, app: app, at: lastTime) { try body(activity) }
    }

    /// The number on an app's icon; nil when no push has set it.
    public func badge(device: String, app: String) -> Int? {
        let device = nameOnScreens(device) ?? device
        return BorrowedText.with(device) { part(of: $0).centers.badge(device: device, app: app) }
    }

    /// Forgets all devices and what they show, between runs. Numbers of records go on.
    package func removeAll() throws {
        for part in parts { part.centers.removeAll() }
        recorder.journal.removeAll()
        activities = LiveActivities()
        removals.removeAll()
        try registry.removeAll()
    }

    /// A device's name as the screens have it: a token of APNs may be written in either case.
    func nameOnScreens(_ device: String?) -> String? {
        guard let device else { return nil }
        let token = DeviceToken.canonical(device)
        return token == device || BorrowedText.with(device) { part(of: $0).centers.contains(device: $0) }
            ? device : token
    }

    private func part(of device: BorrowedText) -> MemoryLane {
        guard parts.count > 1 else { return parts[0] }
        return parts[DeliveryKey.lane(of: device, hasher, lanes: parts.count)]
    }

    /// Calls `body` with the lane of a device, whose next delivery follows the last one in any lane.
    fileprivate func delivering<Result>(
        to device: BorrowedText, _ body: (MemoryLane, inout MemoryRecorder) throws -> Result
    ) rethrows -> Result {
        let lane = part(of: device)
        lane.centers.nextOrder = nextOrder
        // An app that is new in one lane was seen later than those in others.
        defer { nextOrder = lane.centers.nextOrder &+ (parts.count > 1 ? 1 : 0) }
        return try body(lane, &recorder)
    }

    /// Written only when it changes: between runs, when no lane is at work.
    private func setRule(_ rule: ReplacementRule?) {
        guard rule != self.rule else { return }
        self.rule = rule
        for part in parts { part.centers.replacement = rule }
    }
}

extension MemoryStore: DeliveryStore {
    /// Runs `body`. Its deliveries are kept even when it throws: there is no earlier state to restore.
    package func transaction(replacing rule: ReplacementRule?, _ body: (StoreTransaction) throws -> Void) throws {
        setRule(rule)
        try registry.begin(forgetting: false)
        try body(StoreTransaction(screens: self, registry: registry, progress: self, removals: removals))
    }

    package func staleCount() -> StaleCount {
        StaleCount(shown: parts.reduce(0) { $0 + $1.centers.staleCount }, pending: removals.count)
    }

    /// Lets `body` ask what is known of devices.
    package func readRegistry(replacing rule: ReplacementRule?, _ body: (DeviceRegistry) throws -> Void) throws {
        try body(registry)
    }

    /// Passes the tokens in the order in which their devices became known.
    package func forEachDeadToken(since: Int64, _ body: (DeadToken) throws -> Void) throws {
        for token in registry.deadTokens() where token.unregisteredAt ?? since >= since { try body(token) }
    }
}

extension MemoryStore: ProgressKeeper {
    /// Nil: a pipeline knows its own deliveries.
    package var latestTime: Int64? { nil }

    /// Does nothing: memory does not survive an interrupted run.
    package func checkpoint(_ progress: InputProgress?, report: @escaping () -> BorrowedText?) {}
}

extension MemoryStore: DeliverySession {
    package var log: DeliveryLog? {
        get { recorder.log }
        set { recorder.log = newValue }
    }

    /// Written only when it changes: between runs, when no lane is at work.
    package var mostOnAndroid: Int {
        get { androidLimit }
        set {
            guard newValue != androidLimit else { return }
            androidLimit = newValue
            for part in parts { part.centers.mostOnAndroid = newValue }
        }
    }

    package func isFull(for message: DecodedMessage) -> Bool { part(of: message.device).centers.isFull(for: message) }

    package func deliver(_ message: DecodedMessage, seq: UInt64, at: Int64) -> Delivery {
        delivering(to: message.device) { lane, recorder in
            recorder.isListening
                ? lane.centers.deliver(message, seq: seq, at: at, recorder: &recorder)
                : lane.centers.deliver(message, seq: seq, at: at)
        }
    }

    package func apps(of device: BorrowedText) -> [String] { part(of: device).centers.apps(of: device).map(\.string) }

    package func appsShowing(on device: BorrowedText) -> [String] { part(of: device).centers.appsShowing(on: device) }

    package func newest(on device: BorrowedText, _ query: NotificationQuery) -> FoundNotification? {
        part(of: device).centers.newest(on: device, query)
    }

    package func content(
        of identifier: String, for message: DecodedMessage
    ) -> (seq: UInt64, payload: String, changes: String)? {
        part(of: message.device).centers.content(of: identifier, device: message.device, app: message.app)
            .map { ($0.seq, $0.payload, $0.changes) }
    }

    /// Adds a journal line about a message that is not shown.
    package func record(
        _ event: JournalKind, for message: DecodedMessage, about subject: BorrowedText?, seq: UInt64, at: Int64
    ) {
        delivering(to: message.device) { lane, recorder in
            lane.centers.record(event, for: message, about: subject, seq: seq, at: at, recorder: &recorder)
        }
    }

    package func screen(for message: DecodedMessage) -> ScreenState {
        part(of: message.device).centers.screen(for: message)
    }

    package func apply(_ push: LiveActivityPush, seq: UInt64, target: Int?, at: Int64) -> LiveActivities.Answer {
        activities.apply(push, seq: seq, target: target, at: at)
    }

    package func claim(
        _ activityTokens: [String], of known: [String], device: String, app: String, at: Int64
    ) -> [String] {
        activities.claim(activityTokens, of: known, device: device, app: app, at: at)
    }

    package func dismissActivities(_ identifier: String?, device: String, app: String?, at: Int64) -> [LiveActivity] {
        activities.dismiss(identifier, device: device, app: app, at: at)
    }

    package func advance(to time: Int64) { lastTime = time }

    /// Calls `body` for each notification of the app that a push is for, oldest first.
    package func forEachShown(for message: DecodedMessage, _ body: (ShownNotification) throws -> Void) rethrows {
        try part(of: message.device).centers.forEachShown(for: message, body)
    }

    /// Removes notifications of the app that a push was for. Nil removes all of them.
    package func remove(
        _ identifiers: [String]?, askedBy message: DecodedMessage, seq: UInt64, at: Int64
    ) -> UInt64? {
        delivering(to: message.device) { lane, recorder in
            lane.centers.remove(identifiers, askedBy: message, seq: seq, at: at, recorder: &recorder)
        }
    }

    /// Takes note of a removal that comes late, or never.
    package func removeLate(
        _ identifiers: [String]?, askedBy message: DecodedMessage, seq: UInt64, shownAt: Int64, due: Int64?
    ) {
        delivering(to: message.device) { lane, recorder in
            lane.centers.removeLate(
                identifiers, askedBy: message, seq: seq, shownAt: shownAt, due: due, recorder: &recorder)
        }
    }

    package func takeLateRemovals() -> [LateRemoval] { parts.flatMap { $0.centers.takeLateRemovals() } }
}

private struct MemoryRecorder: DeliveryRecorder {
    private let keepsJournal: Bool
    var journal: JournalLines
    var log: DeliveryLog? {
        didSet { isListening = keepsJournal || log != nil }
    }
    private(set) var isListening: Bool

    /// - Parameter limit: how many lines to keep; 0 for none.
    init(limit: Int) {
        keepsJournal = limit > 0
        journal = JournalLines(limit: limit)
        isListening = keepsJournal
    }

    mutating func record(
        _ event: JournalKind, seq: UInt64, at: Int64, center: Int, _ message: DecodedMessage, identifier: BorrowedText
    ) {
        log?.record(event, seq: seq, at: at, message, identifier: identifier)
        guard keepsJournal else { return }
        journal.append(JournalEntry(event, seq: seq, at: at, message, identifier: identifier))
    }
}

/// The devices of a store in memory in lanes, so that several threads deliver to them: what one lane delivers changes nothing that another one
/// sees.
///
/// A device's lane follows from its name alone. So each lane delivers its messages in input order, and the lanes need not
/// wait for each other.
extension MemoryStore {
    /// Number of lanes, at least 1.
    package var laneCount: Int { parts.count }

    /// Why messages must be delivered one at a time all the same; nil when lanes may deliver. A journal has one order.
    package var obstacle: String? { recorder.isListening ? "journal" : nil }

    package var lanes: MemoryStore? { self }

    /// Divides the devices into lanes, unless that was done before or there are devices already.
    package func divide(into lanes: Int) {
        guard !isDivided else { return }
        isDivided = true
        // With a journal they would not be used, and the order in which apps were first seen would be lost.
        guard obstacle == nil, lanes != parts.count, parts.allSatisfy({ $0.centers.centerCount == 0 }) else { return }
        parts = (0..<max(lanes, 1)).map { _ in MemoryLane(keeping, hasher) }
        for part in parts {
            part.centers.replacement = rule
            part.centers.mostOnAndroid = androidLimit
        }
    }

    /// Takes a place in the order of delivery for each message of a chunk, and returns the first.
    package func takeOrder(_ messages: Int) -> UInt64 {
        defer { nextOrder &+= UInt64(truncatingIfNeeded: messages) }
        return nextOrder
    }

    /// Loads what the deliveries of some messages of a chunk are going to need into the processor's caches, for messages that are
    /// delivered one at a time. At most as many as `NotificationCenters.group`.
    @unsafe
    package func prefetch(_ keys: UnsafePointer<DeliveryKey>, _ range: Range<Int>) {
        // SOUND: passes the keys on.
        for (lane, part) in parts.enumerated() { unsafe part.centers.prefetch(keys, range, lane: lane) }
    }

    /// Delivers the messages of one lane. Called on any thread, by one thread at a time for a lane, with chunks in their
    /// order.
    package func deliver(_ work: LaneWork, lane: Int) { parts[lane].centers.deliver(work, lane: lane) }
}

/// The devices of one lane of a store in memory, which one thread at a time uses.
final class MemoryLane {
    // SOUND: nothing that a mutation calls comes back here, so the dynamic exclusivity check, which costs a fifth of
    // a delivery, would find nothing.
    @exclusivity(unchecked) private var uncheckedCenters: NotificationCenters
    var centers: NotificationCenters {
        _read { yield unsafe uncheckedCenters }
        _modify { yield unsafe &uncheckedCenters }
    }

    init(_ keeping: NotificationCenters.Keeping, _ hasher: SeededHash) {
        unsafe uncheckedCenters = NotificationCenters(keeping: keeping, hasher: hasher)
    }
}

extension MemoryStore: BrowsableStore {
    /// O(apps on devices).
    package func apps(matching search: String?, offset: Int, limit: Int) throws -> [CenterSummary] {
        var found: [CenterSummary] = []
        var skipped = 0
        func take(_ summary: CenterSummary) {
            guard found.count < limit, summary.contains(search) else { return }
            if skipped < offset { skipped += 1 } else { found.append(summary) }
        }
        for summary in centers() {
            guard found.count < limit else { break }
            take(summary)
        }
        guard found.count < limit else { return found }
        for (device, app) in registry.names() {
            guard found.count < limit else { break }
            let isShown = BorrowedText.with(device) { device in
                apps(of: device).contains { app.isEmpty || $0 == app }
            }
            if !isShown { take(CenterSummary(device: device, app: app, badge: nil, count: 0, latest: nil)) }
        }
        return found
    }

    package func apps(on device: String) throws -> [CenterSummary] {
        BorrowedText.with(nameOnScreens(device) ?? device) { device in
            part(of: device).centers.summaries(on: device).map(\.summary)
        }
    }

    package func newest(
        on device: String, app: String?, before place: UInt64, limit: Int
    ) throws -> [PlacedNotification] {
        let device = nameOnScreens(device) ?? device
        return BorrowedText.with(device) { device in
            part(of: device).centers.newest(on: device, app: app, before: place, limit: limit)
        }
    }

    package func journal(_ query: JournalQuery) throws -> [PlacedEntry] {
        var query = query
        query.device = nameOnScreens(query.device)
        return recorder.journal.lines(query)
    }

    package func journalPlaces() throws -> Range<UInt64> {
        recorder.journal.firstPlace..<recorder.journal.nextPlace
    }

    package func hasLostLines() throws -> Bool { recorder.journal.hasLostLines }

    package func forEachBadge(_ body: (_ device: String, _ app: String, _ badge: Int?) throws -> Void) throws {
        for center in centers() { try body(center.device, center.app, center.badge) }
    }

    /// The apps on devices that have shown something, in the order in which they were first seen in any lane.
    private func centers() -> [CenterSummary] {
        var found: [(order: UInt64, summary: CenterSummary)] = []
        for part in parts { found += part.centers.summaries(on: nil) }
        guard laneCount > 1 else { return found.map(\.summary) }
        let places = found.indices.sorted { (found[$0].order, $0) < (found[$1].order, $1) }
        return places.map { found[$0].summary }
    }

    package func lockedDevices() throws -> Set<String> { registry.lockedDevices() }

    package func badges(on device: String) throws -> [(app: String, badge: Int)] {
        try apps(on: device).compactMap { app in app.badge.map { (app.app, $0) } }
    }

    package func devicesSeenDifferently() throws -> Set<String> { registry.devicesSeenDifferently() }

    package func registered(on device: String) throws -> [RegisteredApp] {
        try registry.registeredApps(on: nameOnScreens(device) ?? device)
    }
}
