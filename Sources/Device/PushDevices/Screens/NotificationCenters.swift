package import PushJSON
package import PushModel
import PushSystem

/// The delivered notifications of every app on every device, in memory.
///
/// Pure state: it reads no clock and does no I/O. Changes that a delivery makes are reported to a `DeliveryRecorder`,
/// in the order in which they happen. Delivery is expected O(1) in the number of devices and notifications.
///
/// Of a notification it always keeps what replacement needs: 32 bytes, and for one with an identifier or a custom id up
/// to 24 for each index entry, and these texts with 2 bytes, rounded up to 8. Contents are kept on request (`Keeping`). Lists of what
/// apps show are made when somebody first asks (`makeLists`), because most streams never do, and kept up to date from then
/// on; so is the index of generated identifiers.
@safe  // SOUND: owns the centers, slots and texts; texts leave it only as `BorrowedText`.
package struct NotificationCenters: ~Copyable {
    /// The notifications whose contents are kept.
    package enum Keeping: Sendable {
        /// None: a store has them in a file.
        case nothing
        /// The parts that a tap may ask for (`NotificationContent.tapOptions`).
        case tapOptions
        /// All, so that the notifications can be read.
        case everything
    }

    /// An app on a device. It is 32 bytes, so that none lies across two lines of a cache.
    struct Center {
        /// The number on the app's icon, if it has one.
        private var number = 0
        /// The device's block, which the centers of a device share: a `DeviceHead` and the name.
        var device: TextReference
        var app: UInt32
        /// The hash of both names, from which those of its notifications derive.
        var hash: UInt32
        /// The center of the device that was seen before this one; `none` for its first.
        var earlier: UInt32
        /// The newest notification, while lists are kept; `none` when there is none.
        var newest = NotificationCenters.none
        /// Twice the number of notifications, and 1 more for an icon with a number.
        private var counts: UInt32 = 0

        init(device: TextReference, app: UInt32, hash: UInt32, earlier: UInt32) {
            self.device = device
            self.app = app
            self.hash = hash
            self.earlier = earlier
        }

        /// The number of notifications.
        var shown: Int { Int(counts >> 1) }

        var badge: Int? { counts & 1 == 0 ? nil : number }

        mutating func setBadge(_ badge: Int?) {
            number = badge ?? 0
            counts = counts & ~1 | (badge == nil ? 0 : 1)
        }

        mutating func countOne() { counts &+= 2 }

        mutating func discountOne() { counts &-= 2 }
    }

    /// The beginning of a device's block in the heap. Its name follows.
    struct DeviceHead {
        /// The newest notification on the device, while lists are kept; `none` when there is none.
        var newest = NotificationCenters.none
        /// The center of the device that was seen last.
        var lastCenter = NotificationCenters.none
    }

    struct Slot {
        var seq: UInt64
        /// The place in the order of delivery, by which a store finds the notification's row.
        var order: UInt64
        /// The identifier, the custom id, and what a tap may ask for, as a `TextBlock`; `none` when the notification has none of them.
        var text: TextReference
        /// `none` for a slot without a notification.
        var center: UInt32
        /// 0 for an identifier that is not in the index.
        var identifierHash: UInt32
        /// Index of the target plus one, or 0 for a request with one target; `androidMark` is set for one that was sent to Android.
        var target: UInt32

        static let androidMark: UInt32 = 1 << 31

        /// Index of the target; nil for a request with one target.
        var targetIndex: Int? {
            let target = target & ~Self.androidMark
            return target == 0 ? nil : Int(target &- 1)
        }

        var isAndroid: Bool { target & Self.androidMark != 0 }
    }

    /// The content of a notification.
    struct Content {
        /// Milliseconds since the epoch.
        var at: Int64 = 0
        /// The payload, then the changes; `none` when both are empty.
        var text = TextReference.none
        var payloadCount: UInt32 = 0
        var changesCount: UInt32 = 0
        var provider = Provider.apns
        var platform = Platform.ios
    }

    static let none = UInt32.max

    subscript(center position: UInt32) -> Center {
        // SOUND: the pages check `position`, and never move a value.
        _read { yield unsafe centers[position].pointee }
        nonmutating _modify { yield unsafe &centers[position].pointee }
    }

    subscript(slot position: UInt32) -> Slot {
        // SOUND: the pages check `position`, and never move a value.
        _read { yield unsafe slots[position].pointee }
        nonmutating _modify { yield unsafe &slots[position].pointee }
    }

    let keeping: Keeping
    let hasher: SeededHash
    var centers = PagedStorage<Center>()
    /// The order of delivery in which each was first seen, when all contents are kept.
    var ordersOfCenters: [UInt64] = []
    var slots = PagedStorage<Slot>()
    /// The contents by slot, when all are kept.
    var contents = PagedStorage<Content>()
    /// Free list of slots of removed notifications, linked by `seq`.
    var firstFree = NotificationCenters.none
    var freeCount = 0
    var centerIndex = HashIndex()
    /// A center of each device.
    var deviceIndex = HashIndex()
    var apps: [TextReference] = []
    var appIndex = HashIndex()
    /// Slots by identifier. Generated identifiers are in it once one of that form has been looked for.
    var identifierIndex = HashIndex()
    var indexesGenerated = false
    let customIDs = RingIndex(.customID)
    /// Slots of notifications whose removal an extension has asked for, and that comes late or never.
    var stale: Set<UInt32> = []
    /// Those among them whose senders chose the identifier, so that it can come back.
    var staleChosenCount = 0
    /// The late removals of the deliveries since the last `takeLateRemovals`.
    var lateRemovals: [LateRemoval] = []
    /// How a new notification replaces those with the same custom id; nil for the defaults.
    package var replacement: ReplacementRule?
    /// How many notifications an Android app shows at most.
    package var mostOnAndroid = Platform.mostNotificationsOnAndroid
    /// True if the lists are kept: of each app's and of each device's notifications.
    var keepsLists = false
    var appLists = Rings()
    var deviceLists = Rings()
    /// Indexes that events have asked for so far.
    var indexes: [RingIndex] = []
    var heap = TextHeap()
    /// The next notification's position in the order of delivery.
    package var nextOrder: UInt64
    /// The center that was found last: a message asks for its own several times.
    var lastCenter: UInt32 = 0

    /// - Parameter hasher: the same for all centers whose keys are made together.
    package init(keeping: Keeping, hasher: SeededHash = SeededHash(), nextOrder: UInt64 = 1) {
        self.keeping = keeping
        self.hasher = hasher
        self.nextOrder = nextOrder
    }

    /// Notifications on all screens.
    package var count: Int { slots.count - freeCount }

    /// Known apps on devices, with or without notifications.
    package var centerCount: Int { centers.count }

    /// Notifications that are marked as stale.
    package var staleCount: Int { stale.count }

    /// True if the app on the device has been seen here.
    package func contains(device: BorrowedText, app: BorrowedText) -> Bool {
        find(device: device, app: app) != nil
    }

    /// The position of an app on a device; nil if it has not been seen here.
    package mutating func position(device: BorrowedText, app: BorrowedText) -> Int? {
        if isLast(device: device, app: app) { return Int(lastCenter) }
        guard let found = find(device: device, app: app) else { return nil }
        lastCenter = found
        return Int(found)
    }

    /// Removes everything but the order, so that devices are restored again when they are next used. Keeps its memory
    /// for reuse: freeing it would only fragment the heap and let it grow.
    package mutating func removeAll() {
        heap.removeAll()
        centers.removeAll()
        ordersOfCenters.removeAll()
        slots.removeAll()
        contents.removeAll()
        firstFree = Self.none
        freeCount = 0
        centerIndex.removeAll()
        deviceIndex.removeAll()
        apps.removeAll()
        appIndex.removeAll()
        identifierIndex.removeAll()
        indexesGenerated = false
        customIDs.removeAll()
        stale.removeAll()
        staleChosenCount = 0
        keepsLists = false
        appLists.removeAll()
        deviceLists.removeAll()
        indexes.removeAll()
    }

    /// True if any app on the device has been seen here.
    package func contains(device: BorrowedText) -> Bool { find(device: device) != nil }

    /// The apps on a device, in the order in which they were first seen here. O(apps).
    package func apps(of device: BorrowedText) -> [BorrowedText] { centers(of: device).map { app($0) } }

    /// The number on an app's icon; nil when no push has set it.
    package func badge(device: String, app: String) -> Int? {
        BorrowedText.with(device) { device in
            BorrowedText.with(app) { app in find(device: device, app: app).flatMap { self[center: $0].badge } }
        }
    }
}

/// Lookups, insertion and removal of centers and slots.
extension NotificationCenters {
    // MARK: - Centers

    /// A number that distinguishes the identifiers of an app on a device from those of others.
    func salt(_ center: UInt32) -> UInt64 { UInt64(self[center: center].hash) }

    func centerHash(_ device: BorrowedText, _ app: BorrowedText) -> UInt32 {
        hasher.centerHash(device: hasher.hash(device, 0), app)
    }

    func find(device: BorrowedText, app: BorrowedText) -> UInt32? {
        find(device: device, app: app, hash: centerHash(device, app))
    }

    @inline(__always)
    func find(device: BorrowedText, app: BorrowedText, hash: UInt32) -> UInt32? {
        centerIndex.find(hash) { position in
            self.app(position) == app && self.device(position) == device
        }
    }

    @inline(__always)
    func setBadge(_ badge: Int?, of center: UInt32) {
        // SOUND: the pages check the position, and never move a value.
        unsafe centers[center].pointee.setBadge(badge)
    }

    @inline(__always)
    func device(_ center: UInt32) -> BorrowedText { text(self[center: center].device, after: Self.headSize) }

    @inline(__always)
    func app(_ center: UInt32) -> BorrowedText { text(apps[Int(self[center: center].app)]) }

    @inline(__always)
    private func text(_ reference: TextReference, after head: Int = 0) -> BorrowedText {
        // SOUND: the block was filled by `keep`.
        unsafe TextBlock(heap.address(reference) + head).first
    }

    /// Keeps a text, after room for a head.
    private mutating func keep(_ text: BorrowedText, after head: Int = 0) -> TextReference {
        let block = heap.allocate(head + TextBlock.size(text))
        // SOUND: the block has room for the text.
        var end = unsafe heap.address(block) + head
        unsafe TextBlock.append(text, to: &end)
        return block
    }

    private static var headSize: Int { MemoryLayout<DeviceHead>.size }

    /// The head of a device's block, which stays where it is.
    func head(_ device: TextReference) -> UnsafeMutablePointer<DeviceHead> {
        // SOUND: blocks are aligned to 8 bytes, and that of a device begins with its head.
        unsafe UnsafeMutableRawPointer(heap.address(device)).assumingMemoryBound(to: DeviceHead.self)
    }

    /// A center of a device; nil if none has been seen here.
    func find(device: BorrowedText) -> UInt32? {
        deviceIndex.find(hasher.hash(device, 0)) { self.device($0) == device }
    }

    /// The centers of a device, in the order in which they were first seen here. O(apps).
    func centers(of device: BorrowedText) -> [UInt32] {
        guard let known = find(device: device) else { return [] }
        var found: [UInt32] = []
        // SOUND: the block is that of a device.
        var position = unsafe head(self[center: known].device).pointee.lastCenter
        while position != Self.none {
            found.append(position)
            position = self[center: position].earlier
        }
        return found.reversed()
    }

    /// True for the center that was found last.
    func isLast(device: BorrowedText, app: BorrowedText) -> Bool {
        lastCenter < centers.count && self.app(lastCenter) == app && self.device(lastCenter) == device
    }

    mutating func center(device: BorrowedText, app: BorrowedText) -> UInt32 {
        if isLast(device: device, app: app) { return lastCenter }
        let deviceHash = hasher.hash(device, 0)
        let hash = hasher.centerHash(device: deviceHash, app)
        lastCenter =
            find(device: device, app: app, hash: hash)
            ?? addCenter(device: device, deviceHash, app: app, hash: hash)
        return lastCenter
    }

    mutating func addCenter(device: BorrowedText, _ deviceHash: UInt32, app: BorrowedText, hash: UInt32) -> UInt32 {
        let position = UInt32(centers.count)
        let block: TextReference
        // SOUND: the block is that of a device, and has room for its head.
        if let other = deviceIndex.find(deviceHash, { self.device($0) == device }) {
            block = self[center: other].device
        } else {
            block = keep(device, after: Self.headSize)
            unsafe head(block).initialize(to: DeviceHead())
            deviceIndex.insert(deviceHash, position)
        }
        let head = unsafe head(block)
        centers.append(
            Center(device: block, app: index(ofApp: app), hash: hash, earlier: unsafe head.pointee.lastCenter))
        unsafe head.pointee.lastCenter = position
        if keeping == .everything { ordersOfCenters.append(nextOrder) }
        centerIndex.insert(hash, position)
        return position
    }

    private mutating func index(ofApp app: BorrowedText) -> UInt32 {
        let hash = hasher.hash(app, 0)
        if let known = appIndex.find(hash, { text(apps[Int($0)]) == app }) { return known }
        let index = UInt32(apps.count)
        apps.append(keep(app))
        appIndex.insert(hash, index)
        return index
    }

    // MARK: - Slots

    /// The identifier, the custom id, and what a tap may ask for of a slot; all empty for one without a text.
    @inline(__always)
    func texts(of slot: Slot) -> TextBlock {
        // SOUND: the block was filled by `text(for:)`.
        slot.text == .none ? TextBlock() : unsafe TextBlock(heap.address(slot.text))
    }

    @inline(__always)
    func findIdentifier(_ identifier: BorrowedText, _ hash: UInt32, _ center: UInt32) -> UInt32? {
        identifierIndex.find(hash) { position in
            let slot = self[slot: position]
            guard slot.center == center else { return false }
            let chosen = texts(of: slot).first
            return chosen.isEmpty ? isGenerated(slot, as: identifier) : chosen == identifier
        }
    }

    private func isGenerated(_ slot: Slot, as identifier: BorrowedText) -> Bool {
        withIdentifier(of: slot) { $0 == identifier }
    }

    /// Lookup of an identifier of any form.
    mutating func findIdentifier(_ identifier: BorrowedText, in center: UInt32) -> UInt32? {
        if GeneratedIdentifier.mayEqual(identifier) { indexGenerated() }
        return findIdentifier(identifier, hasher.hash(identifier, salt(center)), center)
    }

    /// Adds the generated identifiers to the index, where they stay from then on. O(n) on the first call, then O(1).
    mutating func indexGenerated() {
        guard !indexesGenerated else { return }
        indexesGenerated = true
        for position in 0..<UInt32(slots.count) {
            let slot = self[slot: position]
            guard slot.center != Self.none, texts(of: slot).first.isEmpty else { continue }
            let hash = withIdentifier(of: slot) { hasher.hash($0, salt(slot.center)) }
            self[slot: position].identifierHash = hash
            identifierIndex.insert(hash, position)
        }
    }

    func withIdentifier<Result>(of slot: Slot, _ body: (BorrowedText) throws -> Result) rethrows -> Result {
        let chosen = texts(of: slot).first
        if !chosen.isEmpty { return try body(chosen) }
        return try GeneratedIdentifier(seq: slot.seq, target: slot.targetIndex).withText(body)
    }

    /// Adds a notification to a screen as its newest one. Nothing there has its identifier.
    ///
    /// - Parameter hash: that of its identifier; 0 for a generated one, unless these are in the index.
    /// - Returns: its slot.
    @inline(__always) @discardableResult
    mutating func insert(_ entry: Entry, hash: UInt32, in center: UInt32) -> UInt32 {
        let slot = Slot(
            seq: entry.seq, order: entry.order, text: text(for: entry), center: center, identifierHash: hash,
            target: entry.slotTarget)
        let position = firstFree == Self.none ? UInt32(slots.count) : firstFree
        if position == slots.count {
            slots.append(slot)
        } else {
            firstFree = UInt32(truncatingIfNeeded: self[slot: position].seq)
            freeCount -= 1
            self[slot: position] = slot
        }
        if keeping == .everything { keepContent(of: entry, at: position) }
        self[center: center].countOne()
        if entry.identifier != nil || indexesGenerated { identifierIndex.insert(hash, position) }
        if entry.customID != nil { link(position, in: customIDs) }
        if keepsLists { addToLists(position) }
        return position
    }

    private mutating func text(for entry: Entry) -> TextReference {
        let identifier = entry.identifier ?? .empty
        let customID = entry.customID ?? .empty
        guard !identifier.isEmpty || entry.customID != nil || !entry.tapText.isEmpty else { return .none }
        let text = heap.allocate(
            TextBlock.size(identifier) + TextBlock.size(customID) + TextBlock.size(entry.tapText))
        // SOUND: the block has room for the three texts.
        var end = unsafe heap.address(text)
        unsafe TextBlock.append(identifier, to: &end)
        unsafe TextBlock.append(customID, to: &end)
        unsafe TextBlock.append(entry.tapText, to: &end)
        return text
    }

    private mutating func keepContent(of entry: Entry, at position: UInt32) {
        var content = Content(at: entry.at, provider: entry.provider, platform: entry.platform)
        let size = entry.payload.count + entry.changes.count
        if size > 0 {
            content.text = heap.allocate(size)
            content.payloadCount = UInt32(truncatingIfNeeded: entry.payload.count)
            content.changesCount = UInt32(truncatingIfNeeded: entry.changes.count)
            // SOUND: the block has room for both texts, and a borrowed text has `count` readable bytes.
            let block = unsafe heap.address(content.text)
            unsafe Memory.copy(entry.payload.start, to: block, count: entry.payload.count)
            unsafe Memory.copy(entry.changes.start, to: block + entry.payload.count, count: entry.changes.count)
        }
        while position >= contents.count { contents.append(Content()) }
        // SOUND: the pages check the position.
        unsafe contents[position].pointee = content
    }

    /// The content of a notification, where all are kept.
    func content(of position: UInt32) -> Content {
        // SOUND: the pages check the position.
        unsafe contents[position].pointee
    }

    @inline(__always)
    private mutating func forgetContent(of position: UInt32) {
        guard keeping == .everything else { return }
        let content = content(of: position)
        guard content.text != .none else { return }
        heap.deallocate(content.text, Int(content.payloadCount) + Int(content.changesCount))
    }

    func texts(of content: Content) -> (payload: BorrowedText, changes: BorrowedText) {
        guard content.text != .none else { return (.empty, .empty) }
        // SOUND: the block has as many bytes as the content says.
        let block = unsafe heap.address(content.text)
        return (
            unsafe BorrowedText(start: block, count: Int(content.payloadCount)),
            unsafe BorrowedText(start: block + Int(content.payloadCount), count: Int(content.changesCount))
        )
    }

    /// Passes the payload and the changes of a notification, and when it was delivered. Where only what a tap may ask for is kept, the payload is
    /// the shortest one of its platform that has it. Empty where a store has it in a file.
    func withBody<Result>(
        of position: UInt32, _ body: ((payload: BorrowedText, changes: BorrowedText, at: Int64)) throws -> Result
    ) rethrows -> Result {
        switch keeping {
        case .nothing: return try body((.empty, .empty, 0))
        case .everything:
            let content = content(of: position)
            let (payload, changes) = texts(of: content)
            return try body((payload, changes, content.at))
        case .tapOptions:
            let slot = self[slot: position]
            let text = texts(of: slot).third
            // SOUND: the first byte of a text that is not empty.
            if unsafe !text.isEmpty && text.start.pointee != UInt8(ascii: "\"") {
                return try body((text, .empty, 0))
            }
            let action = text.string
            let payload =
                slot.isAndroid
                ? "{\"notification\":{\(action.isEmpty ? "" : "\"click_action\":\(action)")}}"
                : "{\"aps\":{\(action.isEmpty ? "" : "\"category\":\(action)")}}"
            return try BorrowedText.with(payload) { try body(($0, .empty, 0)) }
        }
    }

    /// True if a notification can take the place of another with the same identifier without new texts. A custom id has
    /// to be linked anew.
    @inline(__always)
    func canRenew(_ position: UInt32, with entry: Entry) -> Bool {
        let old = texts(of: self[slot: position])
        return old.second.isEmpty && entry.customID == nil && old.first.isEmpty == (entry.identifier == nil)
            && old.third == entry.tapText && !customIDs.contains(position)
    }

    /// Replaces a notification by another with the same identifier, which makes it the newest one of its app.
    mutating func renew(_ position: UInt32, with entry: Entry) {
        if keepsLists { removeFromLists(position) }
        self[slot: position].seq = entry.seq
        self[slot: position].order = entry.order
        forgetContent(of: position)
        self[slot: position].target = entry.slotTarget
        unmarkStale(position)
        if keeping == .everything { keepContent(of: entry, at: position) }
        if keepsLists { addToLists(position) }
    }

    mutating func remove(_ position: UInt32) {
        let slot = self[slot: position]
        let texts = texts(of: slot)
        if !texts.first.isEmpty || indexesGenerated { identifierIndex.remove(slot.identifierHash, position) }
        self[center: slot.center].discountOne()
        unmarkStale(position)
        if customIDs.contains(position) { unlink(position, in: customIDs) }
        forgetContent(of: position)
        if keepsLists { removeFromLists(position) }
        if slot.text != .none { heap.deallocate(slot.text, texts.size) }
        self[slot: position] = Slot(
            seq: UInt64(firstFree), order: 0, text: .none, center: Self.none, identifierHash: 0, target: 0)
        firstFree = position
        freeCount += 1
    }
}

/// Up to three texts in one block, each after its count. A count below 255 takes one byte; any other takes five.
@safe  // SOUND: whoever makes one of a block vouches for it.
struct TextBlock {
    private let start: UnsafePointer<UInt8>

    private static let longMark: UInt8 = 255

    /// Three empty texts.
    @inline(__always)
    init() {
        // SOUND: three counts of 0.
        unsafe start = BorrowedText("\0\0\0").start
    }

    /// The texts of a block that `append` filled. They live as long as the block.
    @unsafe @inline(__always)
    init(_ block: UnsafeMutablePointer<UInt8>) {
        // SOUND: stores the address, for which the caller vouches.
        unsafe start = UnsafePointer(block)
    }

    var first: BorrowedText { @inline(__always) get { unsafe text(at: start) } }
    var second: BorrowedText { @inline(__always) get { unsafe text(at: first.end) } }
    var third: BorrowedText { @inline(__always) get { unsafe text(at: second.end) } }

    /// Bytes of a block with three texts.
    var size: Int {
        // SOUND: both are addresses in the block.
        unsafe third.end - start
    }

    @unsafe @inline(__always)
    private func text(at place: UnsafePointer<UInt8>) -> BorrowedText {
        // SOUND: the block has a count here, and as many bytes after it.
        let byte = unsafe place.pointee
        guard byte == Self.longMark else { return unsafe BorrowedText(start: place + 1, count: Int(byte)) }
        let count = unsafe UnsafeRawPointer(place + 1).loadUnaligned(as: UInt32.self)
        return unsafe BorrowedText(start: place + 5, count: Int(count))
    }

    /// Bytes of a text with its count.
    static func size(_ text: BorrowedText) -> Int { text.count + (text.count < Int(longMark) ? 1 : 5) }

    /// Writes a text to a block that has room for it, and moves to its end.
    @unsafe @inline(__always)
    static func append(_ text: BorrowedText, to end: inout UnsafeMutablePointer<UInt8>) {
        // SOUND: the caller vouches for the block, and a borrowed text has `count` readable bytes.
        if text.count < Int(longMark) {
            unsafe end.pointee = UInt8(truncatingIfNeeded: text.count)
            unsafe end += 1
        } else {
            unsafe end.pointee = longMark
            unsafe UnsafeMutableRawPointer(end + 1).storeBytes(
                of: UInt32(truncatingIfNeeded: text.count), as: UInt32.self)
            unsafe end += 5
        }
        if text.count > 0 { unsafe Memory.copy(text.start, to: end, count: text.count) }
        unsafe end += text.count
    }
}

extension BorrowedText {
    /// The address after the last byte.
    @unsafe fileprivate var end: UnsafePointer<UInt8> { @inline(__always) get { unsafe start + count } }
}

/// Taking over the notifications of another store.
extension NotificationCenters {
    /// Adds an app on a device, with its last badge.
    package mutating func restore(device: BorrowedText, app: BorrowedText, badge: Int?) {
        setBadge(badge, of: center(device: device, app: app))
    }

    /// Adds a notification from another store to a restored app. Call it oldest first.
    package mutating func restore(_ entry: Entry, device: BorrowedText, app: BorrowedText) {
        let center = center(device: device, app: app)
        nextOrder = max(nextOrder, entry.order &+ 1)
        let slot = insert(entry, hash: hash(of: entry, in: center), in: center)
        if entry.isStale { markStale(slot) }
    }

    /// Adds a notification from another store to a restored app, as the newest one, replacing one with the same
    /// identifier.
    ///
    /// - Returns: its position in the order of delivery, the position of its app on its device, and the order of the
    ///   one that it replaced.
    package mutating func place(
        _ entry: Entry, device: BorrowedText, app: BorrowedText
    ) -> (order: UInt64, center: Int, replaced: UInt64?) {
        let center = center(device: device, app: app)
        var replaced: UInt64?
        let generated = GeneratedIdentifier(seq: entry.seq, target: entry.target)
        generated.withText { text in
            if let found = findIdentifier(entry.identifier ?? text, in: center) {
                replaced = self[slot: found].order
                remove(found)
            }
        }
        let hash = hash(of: entry, in: center)
        var entry = entry
        entry.order = nextOrder
        nextOrder &+= 1
        insert(entry, hash: hash, in: center)
        return (entry.order, Int(center), replaced)
    }

    /// The hash of an identifier that is in the index, or will be; 0 for another.
    private mutating func hash(of entry: Entry, in center: UInt32) -> UInt32 {
        if let chosen = entry.identifier {
            if GeneratedIdentifier.mayEqual(chosen) { indexGenerated() }
            return hasher.hash(chosen, salt(center))
        }
        guard indexesGenerated else { return 0 }
        return GeneratedIdentifier(seq: entry.seq, target: entry.target).withText { hasher.hash($0, salt(center)) }
    }

    /// Continues the order of delivery after another store's last notification.
    package mutating func continueOrder(after last: UInt64) {
        nextOrder = max(nextOrder, last &+ 1)
    }

    /// A notification to add to a screen.
    package struct Entry {
        var order: UInt64
        var seq: UInt64
        var at: Int64
        var target: Int?
        /// Nil when the device generates one.
        var identifier: BorrowedText?
        var customID: BorrowedText?
        var payload: BorrowedText
        var changes: BorrowedText
        var provider: Provider
        var platform: Platform
        /// The part of the payload that a tap may ask for (`TapOptions`): a JSON string, or all of it. Empty if there is none, or if the store has
        /// the whole content anyway.
        var tapText = BorrowedText.empty
        /// True if it should have been removed.
        package var isStale = false

        /// `Slot.target`.
        var slotTarget: UInt32 {
            let target = target.map { UInt32(truncatingIfNeeded: $0 &+ 1) } ?? 0
            return platform == .android ? target | Slot.androidMark : target
        }

        package init(
            order: UInt64, seq: UInt64, at: Int64, target: Int?, identifier: BorrowedText?, customID: BorrowedText?,
            payload: BorrowedText = .empty, changes: BorrowedText = .empty, provider: Provider = .apns,
            platform: Platform = .ios
        ) {
            self.order = order
            self.seq = seq
            self.at = at
            self.target = target
            self.identifier = identifier
            self.customID = customID
            self.payload = payload
            self.changes = changes
            self.provider = provider
            self.platform = platform
        }
    }
}
