import PayloadJSON

/// Reads a text from left to right as its author meant it, for `JSONRepair` and `RelaxedReading`.
///
/// The pass walks from token to token with its own stack of open brackets, reports what is not strict, and continues as if it were.
/// Where it would have to guess what was meant, it reports the place and gives up.
///
/// It is linear: a failed look-ahead is either followed by a problem, of which there are at most
/// `JSONRepair.maximumProblems`, or counted in `failedSearches`, which has the same limit. A relaxed reading makes any number of
/// changes, but its first problem ends it, and what it looked ahead for before a change, the change consumes.
@safe  // SOUND: reads compare their offset with `byteCount`; whoever unsafely creates one keeps the text alive.
struct RepairPass {
    /// An open object or array.
    struct Level {
        var isObject: Bool
        /// Offset of its opening bracket.
        var start: Int
        /// Members or elements so far.
        var items = 0

        var opener: String { isObject ? "{" : "[" }
        var closer: String { isObject ? "}" : "]" }
        var closerByte: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }
        var item: String { isObject ? "member" : "element" }
    }

    /// The text, which is UTF-8. It is only read through the subscript.
    let text: UnsafeRawBufferPointer
    let byteCount: Int
    /// Offset of the next byte to be read.
    var index: Int
    /// Offset of the end of the last token that is not a separator, where a missing comma is inserted.
    var tokenEnd: Int
    var levels: [Level] = []
    /// Offset of the comma or semicolon after the last item of the innermost level; nil if there is none so far.
    var separator: Int?
    var problems: [JSONRepair.Problem] = []
    /// True to make the changes of a relaxed reading instead of reporting them, and to give up at the first problem.
    let isRelaxed: Bool
    /// The changes of a relaxed reading, and their edits in order.
    private(set) var changes: [JSONRepair.Kind: Int] = [:]
    private(set) var edits: [TextEdit] = []
    var hasGivenUp = false
    /// True if the end of a string was guessed, or the pass gave up, so that everything else may be a misreading.
    var hasGuessed = false
    /// Number of look-aheads that found no end of a string.
    var failedSearches = 0

    init(_ text: UnsafeRawBufferPointer, from start: Int, isRelaxed: Bool) {
        // SOUND: stores the address; the creator keeps the text alive.
        unsafe self.text = unsafe text
        byteCount = text.count
        index = start
        tokenEnd = start
        self.isRelaxed = isRelaxed
    }

    /// Reads the whole text, or until it gives up.
    mutating func run() {
        skipSpace()
        // Nothing but white space: the scanner's message is enough.
        guard index < byteCount else {
            hasGivenUp = true
            return
        }
        passValue()
        while !hasGivenUp, !levels.isEmpty { passItem() }
        if !hasGivenUp { passRest() }
    }

    // MARK: - Reporting

    mutating func relax(_ kind: JSONRepair.Kind, _ edits: [TextEdit]) {
        changes[kind, default: 0] += 1
        self.edits += edits
    }

    /// Adds a problem; gives up if there are too many.
    mutating func report(
        _ kind: JSONRepair.Kind, _ range: Range<Int>, _ message: String, isSafe: Bool, _ edits: [TextEdit]
    ) {
        guard !isRelaxed, problems.count < JSONRepair.maximumProblems else {
            hasGivenUp = true
            return
        }
        problems.append(
            JSONRepair.Problem(kind: kind, range: range, message: message, edits: edits, isSafe: isSafe))
    }

    /// Reports that the text cannot be understood any further, and ends the pass. No edit of the text is safe then.
    ///
    /// - Parameter range: nil for the character at `index`.
    mutating func giveUp(_ kind: JSONRepair.Kind, _ message: String, at range: Range<Int>? = nil) {
        hasGuessed = true
        report(kind, range ?? characterRange(at: index), message, isSafe: false, [])
        hasGivenUp = true
    }

    /// The line of the byte at `offset`, from 1. O(offset), for messages only.
    func line(of offset: Int) -> Int {
        // SOUND: the creator keeps the text alive.
        unsafe TextPosition(of: offset, in: text).line
    }

    /// The text in `range`, in quotes, shortened for a message, without invisible characters.
    func excerpt(_ range: Range<Int>) -> String {
        // SOUND: the range is clamped to the text.
        let limit = 40
        let bytes = unsafe text[range.clamped(to: 0..<byteCount)].prefix(4 * limit)
        let scalars = unsafe String(decoding: bytes, as: UTF8.self).unicodeScalars
        var shown = "'"
        for scalar in scalars.prefix(limit) where !Self.isHidden(scalar) { shown.unicodeScalars.append(scalar) }
        let isCut = unsafe bytes.count < range.count || scalars.count > limit
        return shown + (isCut ? "…'" : "'")
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    // MARK: - Bytes

    /// The byte at `offset`; 0 outside the text, because that has no meaning outside a string.
    subscript(offset: Int) -> UInt8 {
        // SOUND: the offset is checked first.
        unsafe offset >= 0 && offset < byteCount ? text[offset] : 0
    }

    /// The character at `offset`, empty at the end of the text.
    func characterRange(at offset: Int) -> Range<Int> {
        offset < byteCount ? offset..<offset + characterLength(at: offset) : byteCount..<byteCount
    }

    /// Bytes of the scalar at `offset`, at least 1.
    func characterLength(at offset: Int) -> Int {
        // SOUND: there is a byte at `offset`, because the subscript is not 0.
        guard self[offset] >= 0x80 else { return 1 }
        return unsafe UTF8Sequence.length(UnsafeRawBufferPointer(rebasing: text[offset...])) ?? 1
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || isLineEnd(byte) }

    static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") }

    static func isCloser(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") }

    /// The first offset from `offset` that is not white space.
    func afterSpace(_ offset: Int) -> Int {
        var offset = offset
        while Self.isSpace(self[offset]) { offset += 1 }
        return offset
    }

    /// The same within the line.
    func afterBlanks(_ offset: Int) -> Int {
        var offset = offset
        while self[offset] == 0x20 || self[offset] == 0x09 { offset += 1 }
        return offset
    }

    /// Moves past a token of `length` bytes.
    mutating func passToken(_ length: Int) {
        index += length
        tokenEnd = index
    }
}
