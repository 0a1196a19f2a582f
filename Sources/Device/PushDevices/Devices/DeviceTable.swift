import AppSimulation
package import PushJSON
package import PushModel
import PushSystem

/// The known devices, and the apps on them. Pure state.
///
/// A device takes 64 bytes and its name, an app on it 64 and its name, their index entries up to 24 each. A lookup of
/// either is expected O(1).
@safe  // SOUND: owns the rows and their names; names leave it only as `BorrowedText`.
struct DeviceTable: ~Copyable {
    struct Device {
        /// The name, which stays in the heap of the table until `removeAll`.
        let text: BorrowedText
        /// The app that was registered last; `none` when there is none.
        var newestApp = DeviceTable.none
        /// Nil when no event has set it.
        var platform: Platform?
        var isOnline = true
        /// False for a placeholder: the device was looked up and is unknown.
        var isKnown = false
        var isChanged = false
        /// Row id in the store; 0 for a new one.
        var rowID: Int64 = 0
    }

    /// 64 bytes, and so one line of a cache.
    struct App {
        /// The name, which stays in the heap of the table until `removeAll`.
        let text: BorrowedText
        let device: UInt32
        /// The app of the device that was registered before it.
        let earlierApp: UInt32
        /// The place of its `InstallationDetails`; `none` for most apps.
        var details = DeviceTable.none
        var isChanged = false
        var state = Installation()
        var rowID: Int64 = 0

        var hasDetails: Bool { details != DeviceTable.none }
    }

    static let none = UInt32.max

    private var devices = PagedStorage<Device>()
    private var apps = PagedStorage<App>()
    private var details = DetailsTable()
    var crowded: [UInt32: CrowdedDevice] = [:]
    /// Apps about whose topics something is known, by topic, and all of them. Few apps are subscribed to anything.
    var subscribers: [String: Set<UInt32>] = [:]
    var allSubscribers: Set<UInt32> = []
    /// The apps by the tokens of their Live Activities, and by those of Expo's.
    var appsOfTokens: [String: Set<UInt32>] = [:]
    /// The conditions of the devices that have any.
    var conditions: [UInt32: DeviceCondition] = [:]
    private var deviceIndex = HashIndex()
    private var appIndex = HashIndex()
    private var heap = TextHeap()
    private let hasher = SeededHash()
    private static let mostInCache = 4096
    /// Positions of devices whose changes the store has not been told yet.
    private var changedDevices: [UInt32] = []
    private var changedApps: [UInt32] = []
    /// Apps among them whose topics or tokens of Live Activities have changed.
    var changedTopics: Set<UInt32> = []
    /// Known devices.
    private(set) var count = 0
    /// Where rows belong that are added now, in the store of a part; 0 in any other.
    var rowPlace: Int64 = 0
    /// Where new devices and apps belong, as far as the store has not been told.
    private var deviceBirths: [UInt32: Int64] = [:]
    private var appBirths: [UInt32: Int64] = [:]

    init() {}

    /// All devices in memory, including placeholders.
    var loadedCount: Int { devices.count }

    mutating func removeAll() {
        heap = TextHeap()
        devices.removeAll()
        apps.removeAll()
        details.removeAll()
        crowded.removeAll()
        conditions.removeAll()
        subscribers.removeAll()
        allSubscribers.removeAll()
        appsOfTokens.removeAll()
        changedTopics.removeAll()
        deviceIndex = HashIndex()
        appIndex = HashIndex()
        changedDevices.removeAll()
        changedApps.removeAll()
        deviceBirths.removeAll()
        appBirths.removeAll()
        count = 0
    }

    // MARK: - Devices

    func find(_ device: BorrowedText) -> UInt32? {
        deviceIndex.find(hasher.hash(device, 0)) { position in
            self[device: position].text == device
        }
    }

    /// Prefetches the entries of the messages' devices into the processor's cache. One lookup after the other waits for
    /// memory several times; here the waits of different devices overlap. Skipped when the table fits into a cache.
    func prefetch(_ messages: UnsafeMutableBufferPointer<DecodedMessage>, _ range: Range<Int>) {
        guard count > Self.mostInCache else { return }
        // SOUND: the range is of the caller's buffer, candidates are below the counts, and a prefetch may be of any address.
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: range.count) { found in
            for place in 0..<range.count {
                unsafe found[place] = unsafe hasher.hash(messages[range.lowerBound + place].device, 0)
                unsafe Memory.prefetch(deviceIndex.address(found[place]))
            }
            for place in 0..<range.count {
                unsafe found[place] = unsafe deviceIndex.firstCandidate(found[place])
                if unsafe found[place] != Self.none { unsafe Memory.prefetch(devices.address(found[place])) }
            }
            for place in 0..<range.count where unsafe found[place] != Self.none {
                let device = unsafe devices.address(found[place])
                // A registration id takes three of the cache's lines.
                for offset in unsafe stride(from: 0, to: device.pointee.text.count, by: DetailsTable.cacheLine) {
                    unsafe Memory.prefetch(device.pointee.text.start + offset)
                }
                unsafe found[place] = unsafe device.pointee.newestApp
                if unsafe found[place] != Self.none { unsafe Memory.prefetch(apps.address(found[place])) }
            }
            for place in 0..<range.count where unsafe found[place] != Self.none {
                let app = unsafe apps.address(found[place])
                unsafe Memory.prefetch(app.pointee.text.start)
                if unsafe app.pointee.hasDetails { unsafe details.prefetch(app.pointee.details) }
            }
        }
    }

    /// The device; adds a placeholder when it is missing.
    mutating func device(_ name: BorrowedText) -> UInt32 {
        if let found = find(name) { return found }
        let hash = hasher.hash(name, 0)
        let position = UInt32(devices.count)
        devices.append(Device(text: copy(name)))
        deviceIndex.insert(hash, position)
        return position
    }

    subscript(device position: UInt32) -> Device {
        // SOUND: the pages check `position`, and never move a row.
        _read { yield unsafe devices[position].pointee }
        nonmutating _modify { yield unsafe &devices[position].pointee }
    }

    func name(ofDevice position: UInt32) -> BorrowedText {
        self[device: position].text
    }

    mutating func learn(_ position: UInt32) {
        if !self[device: position].isKnown {
            self[device: position].isKnown = true
            count += 1
        }
    }

    mutating func noteChange(ofDevice position: UInt32) {
        guard !self[device: position].isChanged else { return }
        self[device: position].isChanged = true
        changedDevices.append(position)
        if rowPlace != 0, self[device: position].rowID == 0 { deviceBirths[position] = rowPlace }
    }

    /// Has the store get a row for a device, unless it has one.
    mutating func noteRow(ofDevice position: UInt32) {
        if self[device: position].rowID == 0 { noteChange(ofDevice: position) }
    }

    // MARK: - Apps

    func find(_ app: BorrowedText, on device: UInt32) -> UInt32? {
        appIndex.find(hasher.hash(app, Self.salt(device))) { position in
            self[app: position].device == device && self[app: position].text == app
        }
    }

    /// The app; adds one with default state when it is missing.
    mutating func app(_ name: BorrowedText, on device: UInt32) -> UInt32 {
        if let found = find(name, on: device) { return found }
        let hash = hasher.hash(name, Self.salt(device))
        let position = UInt32(apps.count)
        let earlier = self[device: device].newestApp
        apps.append(App(text: copy(name), device: device, earlierApp: earlier))
        self[device: device].newestApp = position
        appIndex.insert(hash, position)
        if earlier != Self.none { noteCrowd(on: device, before: earlier) }
        return position
    }

    subscript(app position: UInt32) -> App {
        // SOUND: the pages check `position`, and never move a row.
        _read { yield unsafe apps[position].pointee }
        nonmutating _modify { yield unsafe &apps[position].pointee }
    }

    func name(ofApp position: UInt32) -> BorrowedText {
        self[app: position].text
    }

    /// State that few apps have; empty when this one has none.
    subscript(detailsOf app: UInt32) -> InstallationDetails {
        unsafeAddress { unsafe details.address(orNothing: self[app: app].details) }
    }

    /// Changes an app's details in place.
    mutating func changeDetails<Result>(
        of app: UInt32, _ body: (inout InstallationDetails) throws -> Result
    ) rethrows -> Result {
        if !self[app: app].hasDetails { self[app: app].details = details.add(app) }
        let place = self[app: app].details
        defer {
            if details.isEmpty(place) {
                details.remove(place)
                self[app: app].details = Self.none
            }
            noteState(of: app)
        }
        return try body(&details[place])
    }

    var detailsCount: Int { details.count }

    func forEachDetails(_ body: (UInt32, InstallationDetails) -> Void) {
        details.forEachApp(body)
    }

    mutating func noteChange(ofApp position: UInt32) {
        guard !self[app: position].isChanged else { return }
        self[app: position].isChanged = true
        changedApps.append(position)
        if rowPlace != 0, self[app: position].rowID == 0 { appBirths[position] = rowPlace }
    }

    /// Has the store get rows for an app and its device, unless it has them.
    mutating func noteRow(ofApp position: UInt32) {
        noteRow(ofDevice: self[app: position].device)
        if self[app: position].rowID == 0 { noteChange(ofApp: position) }
    }

    // MARK: - Persistence

    /// Passes changed rows to a store, devices before the apps on them, and keeps the row ids that it returns.
    mutating func forEachChange(
        device: (DeviceRow) throws -> Int64, app: (AppRow) throws -> Int64
    ) rethrows {
        changedDevices = Self.inOrderOfRows(changedDevices) { self[device: $0].rowID }
        changedApps = Self.inOrderOfRows(changedApps) { self[app: $0].rowID }
        for position in changedDevices {
            self[device: position].rowID = try device(row(ofDevice: position))
            self[device: position].isChanged = false
        }
        changedDevices.removeAll(keepingCapacity: true)
        for position in changedApps {
            self[app: position].rowID = try app(row(ofApp: position))
            self[app: position].isChanged = false
        }
        changedApps.removeAll(keepingCapacity: true)
        changedTopics.removeAll()
        if rowPlace != 0 {
            rowPlace = 0
            deviceBirths.removeAll(keepingCapacity: true)
            appBirths.removeAll(keepingCapacity: true)
        }
    }

    /// Those with a row first, in the order of their rows: a page that several are on is then found once. New ones keep their order.
    private static func inOrderOfRows(_ changed: [UInt32], _ rowID: (UInt32) -> Int64) -> [UInt32] {
        var old = changed.compactMap { rowID($0) == 0 ? nil : (row: rowID($0), position: $0) }
        old.sort { $0.row < $1.row }
        return old.map(\.position) + changed.filter { rowID($0) == 0 }
    }

    private func row(ofDevice position: UInt32) -> DeviceRow {
        let device = self[device: position]
        return DeviceRow(
            id: device.rowID, name: name(ofDevice: position), platform: device.platform, isOnline: device.isOnline,
            focus: self[conditionOf: position].text, birth: deviceBirths[position] ?? 0)
    }

    private func row(ofApp position: UInt32) -> AppRow {
        let app = self[app: position]
        return AppRow(
            id: app.rowID, device: self[device: app.device].rowID, name: name(ofApp: position), state: app.state,
            canonical: self[detailsOf: position].settings.canonical,
            deletedCount: self[detailsOf: position].storage.deletedCount,
            tokenDue: TokenLifeCycle().due(app.state.standing, since: app.state.standingSince),
            details: app.hasDetails ? AppText.text(self[detailsOf: position]) : nil,
            changedNames: changedTopics.contains(position) ? self[detailsOf: position].settings.names : nil,
            birth: appBirths[position] ?? 0)
    }

    /// Restores a device from a store. Its apps follow.
    mutating func restore(_ row: DeviceRow) -> UInt32 {
        let position = device(row.name)
        learn(position)
        self[device: position].platform = row.platform
        self[device: position].isOnline = row.isOnline
        self[device: position].rowID = row.id
        self[conditionOf: position] =
            row.focus.map { BorrowedText.with($0) { DeviceCondition($0) } } ?? DeviceCondition()
        return position
    }

    mutating func restore(_ row: AppRow, on device: UInt32, queued: [QueuedMessage]) -> UInt32 {
        let position = app(row.name, on: device)
        self[app: position].state = row.state
        self[app: position].rowID = row.id
        var details = InstallationDetails()
        details.settings.canonical = row.canonical
        details.storage = OfflineStorage(messages: queued, deletedCount: row.deletedCount)
        if let text = row.details {
            BorrowedText.with(text) { AppText.read($0, state: row.state.appState, into: &details) }
        }
        self[app: position].state.hasTypes = details.settings.types != nil
        if self[app: position].hasDetails || !details.isEmpty { changeDetails(of: position) { $0 = details } }
        if let topics = details.settings.topics { indexTopics(topics, of: position) }
        indexTokens(details.settings.tokens.all, of: position)
        noteState(of: position)
        return position
    }

    private static func salt(_ device: UInt32) -> UInt64 { (UInt64(device) + 1) &* 0x9E37_79B9_7F4A_7C15 }

    private mutating func copy(_ text: BorrowedText) -> BorrowedText {
        // SOUND: the block has room for `text.count` bytes, which a borrowed text can read.
        let copy = unsafe heap.address(heap.allocate(text.count))
        unsafe Memory.copy(text.start, to: copy, count: text.count)
        return unsafe BorrowedText(start: copy, count: text.count)
    }
}

/// The apps that are subscribed to topics of GCM and FCM.
extension DeviceTable {
    /// True if something is known about the topics of an app in memory.
    var hasSubscribers: Bool { !allSubscribers.isEmpty }

    /// The apps that are subscribed to one of some topics, or with nil all about whose topics something is known.
    func subscribers(of topics: [String]?) -> Set<UInt32> {
        guard let topics else { return allSubscribers }
        return topics.reduce(into: Set()) { $0.formUnion(subscribers[$1] ?? []) }
    }

    mutating func setTopics(_ topics: Set<String>, of app: UInt32) {
        let old = self[detailsOf: app].settings.topics ?? []
        changeDetails(of: app) { $0.settings.topics = topics }
        for topic in old.subtracting(topics) {
            subscribers[topic]?.remove(app)
            if subscribers[topic]?.isEmpty == true { subscribers[topic] = nil }
        }
        indexTopics(topics, of: app)
        changedTopics.insert(app)
        noteChange(ofApp: app)
    }

    mutating func set(_ topic: String, isOn: Bool, of app: UInt32) {
        // In place: there may be thousands of topics.
        changeDetails(of: app) { details in
            if details.settings.topics == nil { details.settings.topics = [] }
            if isOn { details.settings.topics?.insert(topic) } else { details.settings.topics?.remove(topic) }
        }
        if isOn {
            subscribers[topic, default: []].insert(app)
        } else {
            subscribers[topic]?.remove(app)
            if subscribers[topic]?.isEmpty == true { subscribers[topic] = nil }
        }
        allSubscribers.insert(app)
        changedTopics.insert(app)
        noteChange(ofApp: app)
    }

    mutating func indexTopics(_ topics: Set<String>, of app: UInt32) {
        for topic in topics { subscribers[topic, default: []].insert(app) }
        allSubscribers.insert(app)
    }
}

/// Which apps of a device with several are in a state that few are in at a time, so that an event need not look at all of them.
struct CrowdedDevice {
    /// The first app that has a name: an entry without one stands for apps that no event has named.
    let first: UInt32
    fileprivate(set) var inFront: Set<UInt32> = []
    /// Apps for which something is queued.
    fileprivate(set) var queued: Set<UInt32> = []
    /// Apps with a banner, which may be over.
    fileprivate(set) var withBanner: Set<UInt32> = []

    init(first: UInt32) { self.first = first }
}

extension DeviceTable {
    func onlyApp(of device: UInt32) -> UInt32? {
        let newest = self[device: device].newestApp
        return newest != Self.none && self[app: newest].earlierApp == Self.none ? newest : nil
    }

    /// The apps of a device, in the order in which they were registered. O(apps).
    func apps(of device: UInt32) -> [UInt32] {
        var found: [UInt32] = []
        var position = self[device: device].newestApp
        while position != Self.none {
            found.append(position)
            position = self[app: position].earlierApp
        }
        return found.reversed()
    }

    func firstApp(of device: UInt32) -> UInt32? {
        let newest = self[device: device].newestApp
        return newest == Self.none ? nil : crowded[device]?.first ?? newest
    }

    /// The apps of a device that are in the foreground, in the order in which they were registered. O(n log n) in their number.
    func appsInFront(of device: UInt32) -> [UInt32] {
        if let crowd = crowded[device] { return crowd.inFront.sorted() }
        return onlyApp(of: device).map { self[app: $0].state.appState == .foreground ? [$0] : [] } ?? []
    }

    /// The apps of a device for which something is queued, in the order in which they were registered. O(n log n) in their number.
    func appsWithQueue(of device: UInt32) -> [UInt32] {
        if let crowd = crowded[device] { return crowd.queued.sorted() }
        return onlyApp(of: device).map { self[detailsOf: $0].storage.isEmpty ? [] : [$0] } ?? []
    }

    /// The app with the newest banner that is still there and fits: that of the greatest record number; of several the app that was
    /// registered first. Nil if there is none.
    ///
    /// - Parameters:
    ///   - seq: the record that it came in; nil for any.
    ///   - identifier: nil for any.
    ///   - at: milliseconds since the epoch.
    func appWithBanner(on device: UInt32, seq: UInt64?, identifier: String?, at: Int64) -> UInt32? {
        let apps = crowded[device]?.withBanner ?? onlyApp(of: device).map { [$0] } ?? []
        var found: (app: UInt32, seq: UInt64)?
        for app in apps {
            guard let banner = self[detailsOf: app].banner, banner.isShown(at: at), banner.seq == seq ?? banner.seq,
                banner.identifier == identifier ?? banner.identifier
            else { continue }
            if let found, banner.seq < found.seq || (banner.seq == found.seq && app > found.app) { continue }
            found = (app, banner.seq)
        }
        return found?.app
    }

    mutating func setState(_ state: AppState, of app: UInt32) {
        self[app: app].state.appState = state
        noteState(of: app)
    }

    /// Called after the state of an app has changed.
    mutating func noteState(of app: UInt32) {
        let device = self[app: app].device
        guard !crowded.isEmpty, crowded[device] != nil else { return }
        func note(_ isMember: Bool, in apps: WritableKeyPath<CrowdedDevice, Set<UInt32>>) {
            if isMember {
                crowded[device]?[keyPath: apps].insert(app)
            } else {
                crowded[device]?[keyPath: apps].remove(app)
            }
        }
        note(self[app: app].state.appState == .foreground, in: \.inFront)
        note(!self[detailsOf: app].storage.isEmpty, in: \.queued)
        note(self[detailsOf: app].banner != nil, in: \.withBanner)
    }

    /// Called after an app was added to a device that had others.
    mutating func noteCrowd(on device: UInt32, before app: UInt32) {
        guard crowded[device] == nil else { return }
        let isNamed = !self[app: app].text.isEmpty
        crowded[device] = CrowdedDevice(first: isNamed ? app : self[device: device].newestApp)
        noteState(of: app)
    }
}

/// Stores devices and queued messages when there are more than fit in memory.
package protocol DeviceRows: AnyObject {
    var hasDevices: Bool { get }

    /// Has a device in memory, with everything that the store has about it.
    func touch(_ device: BorrowedText) throws

    /// When the next queued message expires, in milliseconds since the epoch; nil when none is queued.
    func nextExpiry() throws -> Int64?

    /// Touches the devices with queued messages that have expired at a time.
    func touchDevicesWithExpired(at: Int64) throws

    /// When the next token is due after a time.
    func nextTokenDue(after at: Int64) throws -> Int64?

    /// Touches the devices whose tokens are due at a time.
    func touchDevicesWithTokenDue(at: Int64) throws

    /// True if something is known about the topics of an app in the store.
    var hasSubscribers: Bool { get }

    /// Touches the devices with an app that is subscribed to one of some topics, or with nil about whose topics something is
    /// known.
    func touchDevices(subscribedTo topics: [String]?) throws

    /// Passes the windows of a kind that were stored.
    func forEachRateWindow(of kind: RateKind, _ body: (_ name: String, RateWindow) -> Void) throws
    func deleteRateWindows() throws

    func insert(_ message: QueuedMessage, app: BorrowedText) throws

    func delete(_ message: QueuedMessage) throws
}

/// A device as a store keeps it.
package struct DeviceRow {
    package var id: Int64
    package var name: BorrowedText
    /// Nil when no event has set it.
    package var platform: Platform?
    package var isOnline: Bool
    /// The Focus that is on, and whether the device is locked, as JSON; nil while neither is.
    package var focus: String?
    /// Where a new row belongs, in the store of a part; 0 in any other. Not read back.
    package var birth: Int64

    package init(
        id: Int64, name: BorrowedText, platform: Platform?, isOnline: Bool, focus: String? = nil, birth: Int64 = 0
    ) {
        self.birth = birth
        self.id = id
        self.name = name
        self.platform = platform
        self.isOnline = isOnline
        self.focus = focus
    }
}

/// An app on a device as a store keeps it.
package struct AppRow {
    package var id: Int64
    package var device: Int64
    package var name: BorrowedText
    package var state: Installation
    package var canonical: String?
    package var deletedCount: Int
    /// When the token is due under the default life cycle; nil when it is not. Not read back.
    package var tokenDue: Int64?
    /// The app's screens and similar state, as JSON; nil when there is none.
    package var details: String?
    /// The names by which the app can be found, if they have changed: `AppSettings.names`. Not read back.
    package var changedNames: Set<String>?
    /// Where a new row belongs, as in a `DeviceRow`.
    package var birth: Int64

    package init(
        id: Int64, device: Int64, name: BorrowedText, state: Installation, canonical: String?, deletedCount: Int,
        tokenDue: Int64? = nil, details: String? = nil, changedNames: Set<String>? = nil, birth: Int64 = 0
    ) {
        self.birth = birth
        self.id = id
        self.device = device
        self.name = name
        self.state = state
        self.canonical = canonical
        self.deletedCount = deletedCount
        self.tokenDue = tokenDue
        self.details = details
        self.changedNames = changedNames
    }
}
