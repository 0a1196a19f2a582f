import PushDecoding
import PushJSON
public import PushModel

/// The use of a message's bytes, and what is left of its budget.
public struct BudgetReport: Sendable, Equatable {
    /// A member of the payload.
    public struct Entry: Sendable, Equatable {
        /// JSON Pointer in the payload, such as `/aps/alert/body`.
        public var pointer: String
        /// Its last name.
        public var name: String
        /// Number of objects around it, from 0.
        public var depth: Int
        /// Its size with its name and everything inside it, counted as the provider does.
        public var bytes: Int
    }

    /// The deepest level whose members are listed one by one.
    static let maximumDepth = 3
    /// The most members that are listed.
    static let maximumEntries = 256

    /// The service that sets the limit.
    public var provider: Provider
    /// The target in the request; nil if there is only one.
    public var target: Int?
    /// The message's size in bytes, as the provider counts it.
    public var bytes: Int
    /// The provider's limit in bytes.
    public var limit: Int
    /// The members of the three outermost levels, each before those inside it, in the order of the payload; at most 256.
    public var entries: [Entry]
    /// Bytes of brackets, commas and white space around the outermost members.
    public var punctuation: Int
    /// Bytes of white space outside strings, which writing the payload on one line saves.
    public var whitespace: Int
    /// Bytes that UTF-8 in place of needless escapes (`\u00fc`, `\/`) saves.
    public var escapes: Int

    /// Bytes that may still be added; negative when there are too many.
    public var left: Int { limit - bytes }

    /// The member with the most bytes among those in which no other is listed.
    package var largestEntry: Entry? {
        let leaves = entries.indices.filter { index in
            !entries.indices.contains(index + 1) || entries[index + 1].depth <= entries[index].depth
        }
        return leaves.map { entries[$0] }.max { $0.bytes < $1.bytes }
    }
}

/// A message whose bytes were counted, and where it is.
package struct MeasuredMessage: Sendable {
    /// The name of its file in reports.
    package var file: String
    /// The line of its record, from 1.
    package var line: Int
    package var report: BudgetReport

    package init(file: String, line: Int, report: BudgetReport) {
        self.file = file
        self.line = line
        self.report = report
    }
}

extension RecordLinter {
    /// A report for each message of a record; none if the record is malformed.
    func budgets(of record: UnsafeRawBufferPointer) -> [BudgetReport] {
        // SOUND: the caller vouches for the record; a message's payload lives as long as the batch.
        unsafe measure(record) { message in
            let payload = unsafe LintText(record: message.payload.bytes)
            guard let root = payload.root else { return nil }
            var counter = BudgetCounter(counting: message.platform == .ios ? .document : .keysAndValues)
            counter.count(root)
            let whitespace = unsafe payload.allBytes.count { $0 <= 0x20 } - counter.spaces
            return BudgetReport(
                provider: message.provider, target: message.target, bytes: message.byteCount, limit: message.byteLimit,
                entries: counter.entries, punctuation: max(message.byteCount - counter.outermost, 0),
                whitespace: counter.counting == .document ? whitespace : 0, escapes: counter.escapes)
        }
    }
}

/// Adds up the sizes of a payload's members.
private struct BudgetCounter {
    enum Counting {
        /// The whole document counts, byte for byte.
        case document
        /// Names and values of `notification` and `data` count, without quotes and escapes.
        case keysAndValues
    }

    let counting: Counting
    var entries: [BudgetReport.Entry] = []
    var outermost = 0
    /// The bytes of names and strings beyond their shortest form.
    var escapes = 0
    /// Spaces in names and strings.
    var spaces = 0

    mutating func count(_ root: LintNode) {
        switch counting {
        case .document:
            list(root, pointer: "", depth: 0)
            countStrings(root)
        case .keysAndValues:
            for (object, isCounted) in Self.counted(in: root) where object.isObject {
                list(object, root.view.pointer(to: object.view.index), where: isCounted)
            }
        }
    }

    /// The objects whose members count, and which of them do. See `GoogleParts`.
    private static func counted(in root: LintNode) -> [(object: LintNode, isCounted: (LintMember) -> Bool)] {
        func counting(_ objects: LintNode?...) -> [(object: LintNode, isCounted: (LintMember) -> Bool)] {
            objects.compactMap { object in object.map { ($0, { _ in true }) } }
        }
        guard let block = root.either("android_v2", "androidV2"), block.isObject else {
            return counting(
                root["notification"], root["data"], root["android"]?["notification"], root["android"]?["data"])
        }
        let remote = block.either("remote_notification", "remoteNotification")
        let own = remote?["notification"]
        let isSync = remote == nil && block.either("background_sync", "backgroundSync") != nil
        func isOverridden(_ member: LintMember) -> Bool { GoogleParts.isGiven(own?.view[member.key]) }
        let common = (isSync ? nil : root["notification"]).map { [(object: $0, isCounted: { !isOverridden($0) })] }
        return (common ?? []) + counting(block["data"] ?? root["data"], own)
    }

    private mutating func list(_ object: LintNode, _ pointer: String, where isCounted: (LintMember) -> Bool) {
        let start = entries.count
        var bytes = 0
        entries.append(BudgetReport.Entry(pointer: pointer, name: String(pointer.dropFirst()), depth: 0, bytes: 0))
        object.forEachMember { member in
            guard isCounted(member) else { return }
            let size = Self.countedBytes(member)
            bytes += size
            guard entries.count < BudgetReport.maximumEntries else { return }
            entries.append(
                BudgetReport.Entry(
                    pointer: pointer + "/" + JSONPointer.escape(member.name), name: member.name, depth: 1, bytes: size))
        }
        entries[start].bytes = bytes
        outermost += bytes
    }

    private mutating func list(_ object: LintNode, pointer: String, depth: Int) {
        object.forEachMember { member in
            let bytes = member.value.range.upperBound - member.keyRange.lowerBound
            if depth == 0 { outermost += bytes }
            guard entries.count < BudgetReport.maximumEntries else { return }
            let place = pointer + "/" + JSONPointer.escape(member.name)
            entries.append(BudgetReport.Entry(pointer: place, name: member.name, depth: depth, bytes: bytes))
            if member.value.isObject, depth + 1 < BudgetReport.maximumDepth {
                list(member.value, pointer: place, depth: depth + 1)
            }
        }
    }

    private static func countedBytes(_ member: LintMember) -> Int {
        member.key.decodedCount + (member.value.string?.decodedCount ?? member.value.view.text.count)
    }

    private mutating func countStrings(_ node: LintNode) {
        if let string = node.string { count(string) }
        node.forEachMember { member in
            count(member.key)
            countStrings(member.value)
        }
        node.forEachElement { countStrings($0) }
    }

    private mutating func count(_ string: JSONString) {
        // SOUND: the bytes live as long as the string.
        spaces += unsafe string.raw.buffer.count { $0 == 0x20 }
        guard string.hasEscapes else { return }
        var shortest = 0
        for byte in string.decodedBytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: shortest += 2
            case 0..<0x20: shortest += 6
            default: shortest += 1
            }
        }
        escapes += max(string.count - shortest, 0)
    }
}
