import PushJSON
import PushModel

/// A JSON text to check: a record, or the contents of a string in one.
///
/// It owns its bytes, so that views into it stay valid as long as it exists; unless it was made to be read again and again, for one record
/// after the other.
@safe  // SOUND: owns its bytes, or borrows them during a call of `RecordLinter.lint`; its nodes keep it alive.
final class LintText {
    /// The place of a text inside a string in the text around it.
    private struct Surroundings {
        let text: LintText
        /// The string's entry on the tape of the text around it.
        let entry: Int
        let string: JSONString
        /// The offset of the string's first byte, after the quote.
        let offset: Int
    }

    private var bytes: UnsafeRawBufferPointer
    /// The bytes, if they are owned.
    private let copied: UnsafeMutableRawBufferPointer?
    /// Counts for the record and all texts in it.
    let meter: StepMeter
    private var scanner = JSONScanner()
    private var tape = JSONTape()
    private let surroundings: Surroundings?
    /// JSON Pointer of the text in the record. Made when a finding needs it, because that walks over the text around it.
    var pointer: String { surroundings.map { $0.text.pointer(to: $0.entry) } ?? "" }
    /// Why the text is not JSON.
    private(set) var fault: JSONFault?

    /// A text for `read`. It is empty.
    init() {
        // SOUND: there are no bytes.
        unsafe bytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        unsafe copied = nil
        meter = StepMeter()
        surroundings = nil
    }

    /// Reads a record in place of the one before it. The caller keeps the record as long as it uses the text, and has no node of the one
    /// before.
    func read(_ record: UnsafeRawBufferPointer) {
        // SOUND: the caller vouches for the record.
        unsafe bytes = unsafe record
        fault = unsafe scanner.scan(record, into: &tape)
    }

    /// A copy of a record.
    init(record: UnsafeRawBufferPointer) {
        // SOUND: the caller vouches for the record, which is copied; the tape is made of the copy.
        unsafe copied = unsafe Self.copy(record)
        unsafe bytes = unsafe UnsafeRawBufferPointer(copied ?? UnsafeMutableRawBufferPointer(start: nil, count: 0))
        meter = StepMeter()
        surroundings = nil
        fault = unsafe scanner.scan(bytes, into: &tape)
    }

    /// The contents of a string.
    fileprivate init(_ string: JSONString, of node: LintNode) {
        // SOUND: the bytes live until they are copied; the tape is made of the copy.
        unsafe copied = unsafe string.decodedBytes.withUnsafeBytes { unsafe Self.copy($0) }
        unsafe bytes = unsafe UnsafeRawBufferPointer(copied ?? UnsafeMutableRawBufferPointer(start: nil, count: 0))
        meter = node.text.meter
        unsafe meter.count(bytes.count)
        surroundings = Surroundings(
            text: node.text, entry: node.view.index, string: string, offset: node.view.offset + 1)
        fault = unsafe scanner.scan(bytes, into: &tape)
    }

    deinit {
        // SOUND: allocated by `copy`, and freed nowhere else.
        unsafe copied?.deallocate()
    }

    private static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawBufferPointer {
        // SOUND: there is room for all the bytes.
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
        unsafe copy.copyMemory(from: bytes)
        return unsafe UnsafeMutableRawBufferPointer(rebasing: copy[..<bytes.count])
    }

    /// The outermost value; nil if the text is not JSON.
    var root: LintNode? {
        // SOUND: the tape is of these bytes, and the node keeps this object alive.
        guard fault == nil, let view = unsafe tape.root(of: bytes) else { return nil }
        return LintNode(text: self, view: view)
    }

    /// The bytes of the text, valid as long as this object exists.
    var allBytes: UnsafeRawBufferPointer {
        // SOUND: whoever reads them keeps this object.
        unsafe bytes
    }

    /// How many strings there are around the text.
    var level: Int { surroundings.map { $0.text.level + 1 } ?? 0 }

    func pointer(to entry: Int) -> String {
        // SOUND: the tape is of these bytes.
        meter.count(entry)
        return unsafe pointer + tape.pointer(to: entry, in: bytes)
    }

    /// The offset in the record of a byte of this text.
    func recordOffset(_ offset: Int) -> Int {
        guard let surroundings else { return offset }
        meter.count(offset)
        let outer = surroundings.offset + surroundings.string.rawOffset(ofDecoded: offset)
        return surroundings.text.recordOffset(outer)
    }

    func recordRange(_ range: Range<Int>) -> Range<Int> {
        let start = recordOffset(range.lowerBound)
        guard surroundings != nil, !range.isEmpty else { return start..<max(start, recordOffset(range.upperBound)) }
        return start..<max(start + 1, recordOffset(range.upperBound))
    }

    /// The white space right before a byte.
    func space(before offset: Int) -> String {
        // SOUND: `offset` is that of a byte of this text.
        let bytes = unsafe allBytes
        var start = offset
        while start > 0, unsafe bytes[start - 1] <= 0x20 { start -= 1 }
        return unsafe String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// Turns an edit of this text into one of the record: inside a string, the replacement is escaped.
    func recordEdit(_ edit: TextEdit) -> TextEdit {
        guard let surroundings else { return edit }
        meter.count(edit.range.upperBound)
        let start = surroundings.offset + surroundings.string.rawOffset(ofDecoded: edit.range.lowerBound)
        let end = surroundings.offset + surroundings.string.rawOffset(ofDecoded: edit.range.upperBound)
        var replacement: [UInt8] = []
        for byte in edit.replacement {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { replacement.append(UInt8(ascii: "\\")) }
            replacement.append(byte)
        }
        return surroundings.text.recordEdit(TextEdit(range: start..<max(start, end), replacement: replacement))
    }
}

/// Counts work, so that a test can say how it grows with a record. Costs one addition per walk over an object.
final class StepMeter {
    private(set) var steps = 0

    func count(_ steps: Int) { self.steps &+= steps }
}

extension JSONView {
    /// Number of entries on the tape, which bounds the work of a walk over members or elements.
    fileprivate var entryCount: Int { kind == .object || kind == .array ? Int(entry.next) - index : 1 }
}

/// A value in a text.
struct LintNode {
    /// SNS request, its message, a platform's text, and one more.
    static let maximumLevel = 6

    let text: LintText
    let view: JSONView

    var kind: JSONTape.Kind { view.kind }
    var isObject: Bool { view.kind == .object }
    var isString: Bool { view.kind == .string }
    /// True for an object that is not empty.
    var hasMembers: Bool {
        var members = view.members
        return isObject && members.next() != nil
    }
    var string: JSONString? { view.string }
    /// A copy of the string; nil if it is not a string.
    var swiftString: String? { view.string?.string }
    /// The value as written.
    var source: String { view.text.string }
    var pointer: String { text.pointer(to: view.index) }

    /// The value's bytes in the text.
    var range: Range<Int> { view.offset..<view.offset + view.text.count }

    subscript(_ name: StaticString) -> LintNode? {
        text.meter.count(view.entryCount)
        return view[name].map { LintNode(text: text, view: $0) }
    }

    /// True if there is a member with this name.
    func hasMember(_ name: String) -> Bool {
        text.meter.count(view.entryCount)
        return view[named: name] != nil
    }

    /// The last member with this name; nil if there is none.
    func member(_ name: StaticString) -> LintMember? {
        var found: LintMember?
        forEachMember { if $0.key == name { found = $0 } }
        return found
    }

    /// Calls `body` with every member.
    func forEachMember(_ body: (LintMember) -> Void) {
        text.meter.count(view.entryCount)
        var members = view.members
        while let (key, value) = members.next() {
            body(LintMember(key: key, value: LintNode(text: text, view: value)))
        }
    }

    func forEachElement(_ body: (LintNode) -> Void) {
        text.meter.count(view.entryCount)
        var elements = view.elements
        while let element = elements.next() { body(LintNode(text: text, view: element)) }
    }

    /// The contents of the string, to be read as JSON; nil if it is not a string, or nested too deeply.
    var inner: LintText? {
        guard let string = view.string, text.level < Self.maximumLevel else { return nil }
        return LintText(string, of: self)
    }

    /// The kind of value, for messages.
    var kindName: String { view.kindName }

    /// The value that a JSON Pointer leads to from here. It may continue into JSON inside strings.
    func find(_ tokens: ArraySlice<String>) -> LintNode? {
        guard let token = tokens.first else { return self }
        if isString { return inner?.root?.find(tokens) }
        guard view.kind == .array else { return findMember([token])?.value.find(tokens.dropFirst()) }
        var found: LintNode?
        var position = 0
        forEachElement { element in
            if String(position) == token { found = element }
            position += 1
        }
        return found?.find(tokens.dropFirst())
    }

    /// The member that a JSON Pointer leads to from here; the last one if there are several.
    func findMember(_ tokens: ArraySlice<String>) -> LintMember? {
        guard let last = tokens.last else { return nil }
        if tokens.count > 1 { return find(tokens.dropLast())?.findMember([last]) }
        if isString { return inner?.root?.findMember(tokens) }
        var found: LintMember?
        forEachMember { if $0.name == last { found = $0 } }
        return found
    }

    /// The innermost value around a byte of the text.
    func innermost(at offset: Int) -> LintNode {
        var found: LintNode?
        forEachMember { member in
            if member.keyRange.lowerBound <= offset, offset < member.value.range.upperBound { found = member.value }
        }
        forEachElement { if $0.range.contains(offset) { found = $0 } }
        return found?.innermost(at: offset) ?? self
    }
}

/// A member of an object.
struct LintMember {
    let key: JSONString
    let value: LintNode

    var name: String { key.string }

    /// The name's bytes in the text, with its quotes.
    var keyRange: Range<Int> {
        // SOUND: keys and values are parts of one text, and a key comes right before its value on the tape.
        let start = value.view.keyOffset
        return start..<start + key.count + 2
    }
}

extension LintNode {
    // MARK: - Quotes

    /// The edit that quotes a number. Not for other values: no string is obviously meant.
    var quotedNumber: [TextEdit] { kind == .number ? quoted : [] }

    /// The edit that quotes a number, true or false.
    var quotedScalar: [TextEdit] { kind == .number || kind == .true || kind == .false ? quoted : [] }

    private var quoted: [TextEdit] { [TextEdit(range, "\"\(source)\"")] }

    /// The edit that makes a string of the JSON text of a value.
    var quotedText: TextEdit { TextEdit(range, source.jsonQuoted) }

    /// The edit that removes the quotes around a number that every reader preserves: fifteen digits fit a double.
    var bareNumber: [TextEdit] {
        guard let text = swiftString, text.isPlainNumber, text.utf8.count(where: { $0 &- 48 < 10 }) <= 15 else {
            return []
        }
        return [TextEdit(range, text)]
    }

    // MARK: - Members

    /// The edit that adds a member to an object, set like the one before it.
    ///
    /// - Parameter value: its value as JSON.
    func adding(_ name: String, _ value: String) -> TextEdit {
        var last: LintMember?
        forEachMember { last = $0 }
        guard let last else {
            let end = range.upperBound - 1
            return TextEdit(end..<end, "\"\(name)\":\(value)")
        }
        // What is around the last member is space, as far as it goes.
        let before = text.space(before: last.keyRange.lowerBound)
        let between = text.space(before: last.value.range.lowerBound)
        let end = last.value.range.upperBound
        return TextEdit(end..<end, ",\(before)\"\(name)\":\(between)\(value)")
    }
}

extension LintMember {
    /// The edit that renames a member of `object`; none if another member has that name, or will get it.
    func renamed(to name: String, in object: LintNode) -> [TextEdit] {
        let folded = NearMiss.folded(name)
        var first: Int?
        var isTaken = false
        let wanted = Array(name.utf8)
        object.forEachMember { other in
            if other.key.equals(wanted) { isTaken = true }
            if first == nil, NearMiss.folded(other.name) == folded { first = other.keyRange.lowerBound }
        }
        let isSpelling = NearMiss.folded(self.name) == folded
        guard !isTaken, first == (isSpelling ? keyRange.lowerBound : nil) else { return [] }
        return [TextEdit(keyRange, "\"\(name)\"")]
    }
}

extension String {
    /// True if the text is a JSON number without exponent.
    var isPlainNumber: Bool {
        var digits = self[...]
        if digits.first == "-" { digits = digits.dropFirst() }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { $0 &- 48 < 10 } })
        else { return false }
        return parts[0].utf8.count == 1 || parts[0].utf8.first != UInt8(ascii: "0")
    }
}
