import PayloadJSON
import PushCompactStorage
import PushModel
import PushSystem

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
    func device(_ center: UInt32) -> BorrowedText { text(self[center: center].device) }

    @inline(__always)
    func app(_ center: UInt32) -> BorrowedText { text(apps[Int(self[center: center].app)]) }

    @inline(__always)
    private func text(_ reference: TextReference) -> BorrowedText {
        // SOUND: the block was filled by `TextPair.write`.
        unsafe TextPair(heap.address(reference)).first
    }

    private mutating func keep(_ text: BorrowedText) -> TextReference {
        let block = heap.allocate(TextPair.size(text, .empty))
        // SOUND: the block has room for the text.
        unsafe TextPair.write(text, .empty, to: heap.address(block))
        return block
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
        let text: TextReference
        if let other = deviceIndex.find(deviceHash, { self.device($0) == device }) {
            text = self[center: other].device
        } else {
            text = keep(device)
            deviceIndex.insert(deviceHash, position)
        }
        centers.append(Center(device: text, app: index(ofApp: app), hash: hash))
        if keeping == .everything { ordersOfCenters.append(nextOrder) }
        centerIndex.insert(hash, position)
        centersOfDevices?[deviceHash, default: []].append(position)
        lists.addCenter()
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

    /// The identifier and the custom id of a slot; both empty for one without a text.
    @inline(__always)
    func texts(of slot: Slot) -> TextPair {
        // SOUND: the block was filled by `TextPair.write`.
        slot.text == .none ? TextPair() : unsafe TextPair(heap.address(slot.text))
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

    /// Always inlined: the call copied all tables' heads.
    @inline(__always)
    func order(of slot: UInt32) -> UInt64 {
        // SOUND: there is an order for each slot unless only replacement matters, and the pages check the position.
        keeping == .replacement ? lists.order(of: slot) : unsafe orders[slot].pointee
    }

    /// Adds a notification to a screen as its newest one. Nothing there has its identifier.
    ///
    /// - Parameter hash: that of its identifier; 0 for a generated one, unless these are in the index.
    /// - Returns: its slot.
    @inline(__always) @discardableResult
    mutating func insert(_ entry: Entry, hash: UInt32, in center: UInt32) -> UInt32 {
        let slot = Slot(
            seq: entry.seq, text: text(for: entry), center: center, identifierHash: hash, targetIndex: entry.target,
            isAndroid: entry.platform == .android)
        let position = firstFree == Self.none ? UInt32(slots.count) : firstFree
        if position == slots.count {
            slots.append(slot)
        } else {
            firstFree = UInt32(truncatingIfNeeded: self[slot: position].seq)
            freeCount -= 1
            self[slot: position] = slot
        }
        keep(entry, at: position)
        self[center: center].countOne()
        if entry.identifier != nil || indexesGenerated { identifierIndex.insert(hash, position) }
        if let customID = entry.customID { link(customID, position, center) }
        if lists.isKept { addToLists(position, order: entry.order) }
        return position
    }

    private mutating func text(for entry: Entry) -> TextReference {
        let identifier = entry.identifier ?? .empty
        let customID = entry.customID ?? .empty
        guard !identifier.isEmpty || entry.customID != nil else { return .none }
        let text = heap.allocate(TextPair.size(identifier, customID))
        // SOUND: the block has room for both texts.
        unsafe TextPair.write(identifier, customID, to: heap.address(text))
        return text
    }

    /// Keeps what more than replacement needs.
    @inline(__always)
    private mutating func keep(_ entry: Entry, at position: UInt32) {
        // SOUND: the pages check the position.
        if keeping == .replacement {
            if entry.payload.isEmpty { return }
        } else if position == orders.count {
            orders.append(entry.order)
        } else {
            unsafe orders[position].pointee = entry.order
        }
        if keeping != .order { keepContent(entry, at: position) }
    }

    private mutating func keepContent(_ entry: Entry, at position: UInt32) {
        while position >= contents.count { contents.append(Content(at: 0, provider: .apns, platform: .ios)) }
        // SOUND: the pages check the position.
        unsafe contents[position].pointee = content(for: entry)
    }

    private mutating func content(for entry: Entry) -> Content {
        var content = Content(at: entry.at, provider: entry.provider, platform: entry.platform)
        let size = entry.payload.count + entry.changes.count
        guard size > 0 else { return content }
        content.text = heap.allocate(size)
        content.payloadCount = UInt32(truncatingIfNeeded: entry.payload.count)
        content.changesCount = UInt32(truncatingIfNeeded: entry.changes.count)
        // SOUND: the block has room for both texts, and a borrowed text has `count` readable bytes.
        let block = unsafe heap.address(content.text)
        unsafe Memory.copy(entry.payload.start, to: block, count: entry.payload.count)
        unsafe Memory.copy(entry.changes.start, to: block + entry.payload.count, count: entry.changes.count)
        return content
    }

    private mutating func forgetContent(of position: UInt32) {
        guard position < contents.count else { return }
        // SOUND: the pages check the position, and the block is not used once it is forgotten.
        let content = unsafe contents[position].pointee
        if content.text != .none { heap.deallocate(content.text, content.textCount) }
        unsafe contents[position].pointee.text = .none
    }

    /// True if a notification can take the place of another with the same identifier without new texts. A custom id has
    /// to be linked anew.
    @inline(__always)
    func canRenew(_ position: UInt32, with entry: Entry) -> Bool {
        let old = texts(of: self[slot: position])
        return old.second.isEmpty && entry.customID == nil && old.first.isEmpty == (entry.identifier == nil)
            && !customIDs.contains(position)
    }

    /// Replaces a notification by another with the same identifier, which makes it the newest one of its app.
    mutating func renew(_ position: UInt32, with entry: Entry) {
        if lists.isKept { removeFromLists(position) }
        self[slot: position].seq = entry.seq
        self[slot: position].setTarget(entry.target, isAndroid: entry.platform == .android)
        forgetContent(of: position)
        unmarkStale(position)
        keep(entry, at: position)
        if lists.isKept { addToLists(position, order: entry.order) }
    }

    mutating func remove(_ position: UInt32) {
        let slot = self[slot: position]
        let texts = texts(of: slot)
        if !texts.first.isEmpty || indexesGenerated { identifierIndex.remove(slot.identifierHash, position) }
        self[center: slot.center].discountOne()
        unmarkStale(position)
        unlinkCustomID(position)
        forgetContent(of: position)
        if lists.isKept { removeFromLists(position) }
        if slot.text != .none { heap.deallocate(slot.text, TextPair.size(texts.first, texts.second)) }
        self[slot: position] = Slot(
            seq: UInt64(firstFree), text: .none, center: Self.none, identifierHash: 0)
        firstFree = position
        freeCount += 1
    }
}

extension NotificationCenters.Content {
    var textCount: Int { Int(payloadCount) + Int(changesCount) }
}

extension NotificationCenters {
    /// The payload and the changes of a notification. Where replacement alone matters, a payload that was not kept has nothing that a tap
    /// could ask for, and is the shortest one of its platform. Empty where a store has it in a file.
    func body(of slot: UInt32) -> (payload: BorrowedText, changes: BorrowedText, content: Content?) {
        guard keeping != .order else { return (.empty, .empty, nil) }
        // SOUND: the pages check the position, and the block has as many bytes as the content says.
        let content = slot < contents.count ? unsafe contents[slot].pointee : nil
        guard let content, content.text != .none else {
            if keeping == .everything { return (.empty, .empty, content) }
            let payload: StaticString = self[slot: slot].isAndroid ? #"{"notification":{}}"# : #"{"aps":{}}"#
            return (BorrowedText(payload), .empty, nil)
        }
        let block = unsafe heap.address(content.text)
        return (
            unsafe BorrowedText(start: block, count: Int(content.payloadCount)),
            unsafe BorrowedText(start: block + Int(content.payloadCount), count: Int(content.changesCount)), content
        )
    }
}

/// Two texts in one block: both counts, then the texts. A count below 255 takes one byte; any other takes four more.
struct TextPair {
    var first = BorrowedText.empty
    var second = BorrowedText.empty

    /// Both empty.
    init() {}

    /// The texts of a block that `write` filled. They live as long as the block.
    @unsafe @inline(__always)
    init(_ block: UnsafeMutablePointer<UInt8>) {
        // SOUND: the caller vouches for the block.
        var next = unsafe block
        let firstCount = unsafe Self.readCount(&next)
        let secondCount = unsafe Self.readCount(&next)
        unsafe first = BorrowedText(start: next, count: firstCount)
        unsafe second = BorrowedText(start: next + firstCount, count: secondCount)
    }

    private static let longMark: UInt8 = 255

    @inline(__always)
    private static func readCount(_ next: inout UnsafeMutablePointer<UInt8>) -> Int {
        // SOUND: the caller is at a count, which has as many bytes as are read.
        let byte = unsafe next.pointee
        unsafe next += 1
        guard byte == longMark else { return Int(byte) }
        let count = unsafe UnsafeRawPointer(next).loadUnaligned(as: UInt32.self)
        unsafe next += 4
        return Int(count)
    }

    private static func countSize(_ text: BorrowedText) -> Int { text.count < Int(longMark) ? 1 : 5 }

    /// Bytes of a block for two texts.
    static func size(_ first: BorrowedText, _ second: BorrowedText) -> Int {
        countSize(first) + countSize(second) + first.count + second.count
    }

    /// Fills a block of at least `size` bytes.
    @unsafe
    static func write(_ first: BorrowedText, _ second: BorrowedText, to block: UnsafeMutablePointer<UInt8>) {
        // SOUND: the caller vouches for the block, and a borrowed text has `count` readable bytes.
        var next = UnsafeMutableRawPointer(block)
        unsafe write(first.count, to: &next)
        unsafe write(second.count, to: &next)
        unsafe Memory.copy(first.start, to: next, count: first.count)
        if second.count > 0 { unsafe Memory.copy(second.start, to: next + first.count, count: second.count) }
    }

    @inline(__always)
    private static func write(_ count: Int, to next: inout UnsafeMutableRawPointer) {
        // SOUND: the block has room for the count.
        if count < Int(longMark) {
            unsafe next.storeBytes(of: UInt8(truncatingIfNeeded: count), as: UInt8.self)
            unsafe next += 1
        } else {
            unsafe next.storeBytes(of: longMark, as: UInt8.self)
            unsafe (next + 1).storeBytes(of: UInt32(truncatingIfNeeded: count), as: UInt32.self)
            unsafe next += 5
        }
    }
}
