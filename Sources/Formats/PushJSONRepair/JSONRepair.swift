package import PushJSON

/// The probable meaning of a text that the strict scanner refuses: a list of problems, each with its place and the edits that
/// fix it, and the text with all edits applied. Mistakes whose meaning would be a guess are named, and end the repair.
///
/// The scanner reports the first byte that cannot belong to JSON. People want to know what they did: a surplus comma, single
/// quotes, a payload pasted into a string without escapes. `RepairPass` reads the text as its author meant it, and continues
/// after each problem that it can fix.
///
/// Nothing is changed silently: every difference between the text and its repaired form belongs to a problem. The only
/// exception is a byte-order mark at the beginning, which is removed, because the author did not write it.
package struct JSONRepair {
    /// The most problems that are listed. A text with more was not meant as JSON, and is not repaired.
    package static let maximumProblems = 64

    /// The kind of problem, with the id of the rule that it breaks.
    package enum Kind: String, CaseIterable, Sendable {
        /// A comma after the last member or element.
        case trailingComma = "json.trailing-comma"
        /// A string or member name in single quotes.
        case singleQuotes = "json.single-quotes"
        /// A member name without quotes.
        case bareKey = "json.bare-key"
        /// No comma between two members or elements, or something else in its place.
        case missingComma = "json.missing-comma"
        /// `//`, `#` or `/* */`.
        case comment = "json.comment"
        /// A string or member name in typographic quotes.
        case smartQuotes = "json.smart-quotes"
        /// Another language's word for true, false, null or a number that JSON does not have.
        case literal = "json.literal"
        /// A raw control character, in a string or between values.
        case controlCharacter = "json.control-character"
        /// A backslash that does not begin a JSON escape. Only `\'` is fixed.
        case badEscape = "json.bad-escape"
        /// A number that JSON writes differently. Not fixed.
        case numberForm = "json.number-form"
        /// No colon after a member name, or something else in its place. Not fixed.
        case missingColon = "json.missing-colon"
        /// A string, object or array that is not closed, or not by its own bracket. Not fixed.
        case unclosed = "json.unclosed"
        /// A bracket that closes nothing, or other text after the value. Not fixed.
        case extraClose = "json.extra-content"
        /// Double quotes inside a string that are not escaped. Those of JSON pasted into a string are fixed.
        case unescapedQuotes = "json.unescaped-quotes"
        /// Anything else.
        case other = "json.syntax"
    }

    /// One mistake in a text.
    package struct Problem: Sendable, Equatable {
        package var kind: Kind
        /// The bytes of the original that the finding points at; empty only at the end of the text.
        package var range: Range<Int>
        /// One line in plain words: the text as it is, and its probable meaning.
        package var message: String
        /// The edits that fix it, sorted; none if it is not clear what was meant.
        package var edits: [TextEdit]
        /// True if the edits cannot change what was meant, so that they may be applied without review.
        ///
        /// None are safe in a text in which the end of a string was guessed, or that was not understood to its end. A text that
        /// merely has too many problems can be fixed in several passes.
        package var isSafe: Bool
    }

    /// The problems in the order of their places; at one place, in the order in which their edits apply.
    ///
    /// `TextEdit.sorted` joins the edits of all or some of them. They never overlap.
    package let problems: [Problem]

    /// The strict text: the original with all edits applied, without a byte-order mark. Nil if there is none: because no guess was
    /// possible, there are more problems than `maximumProblems`, the text is not UTF-8, or it is nested more deeply than the scanner
    /// allows.
    package var text: [UInt8]? { edited?.text }

    private let edited: EditedText?
    private let originalCount: Int

    /// Finds out what is wrong with `text`, which is read only during the call. O(n log n) in bytes.
    package init(_ text: UnsafeRawBufferPointer) {
        // SOUND: the caller vouches for the text, which is at least as long as its mark.
        originalCount = text.count
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let markLength = unsafe text.starts(with: mark) ? mark.count : 0
        let markEdits = markLength == 0 ? [] : [TextEdit.deletion(0..<markLength)]

        var pass = unsafe RepairPass(text, from: markLength, isRelaxed: false)
        if unsafe text.count > JSONScanner.maximumLength || String(validating: text, as: UTF8.self) == nil {
            pass.hasGivenUp = true
        } else if unsafe !JSONScanner.accepts(UnsafeRawBufferPointer(rebasing: text[markLength...])) {
            pass.run()
        }

        var problems = pass.problems.enumerated()
            .sorted { ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset) }
            .map(\.element)
        let edits = TextEdit.sorted(markEdits + problems.flatMap(\.edits))
        let edited = unsafe pass.hasGivenUp ? nil : EditedText(text, edits)
        // The pass is a guess. The scanner decides whether the result is JSON.
        self.edited = edited.flatMap { edited in
            unsafe edited.text.withUnsafeBytes { unsafe JSONScanner.accepts($0) } ? edited : nil
        }
        let isCutShort = pass.hasGivenUp && problems.count == Self.maximumProblems
        if pass.hasGuessed || self.edited == nil && !isCutShort {
            for index in problems.indices { problems[index].isSafe = false }
        }
        self.problems = problems
    }

    /// The offset in the original of a byte of the repaired text, to place what a check of that text finds. Bytes that a repair
    /// inserted have the offset at which their edit begins. Without a repaired text, offsets are the original's.
    /// O(edits).
    ///
    /// - Returns: 0 to the original's length; never decreases as `offset` grows.
    package func originalOffset(_ offset: Int) -> Int {
        edited?.originalOffset(offset) ?? min(max(offset, 0), originalCount)
    }
}

/// JSON as people write it by hand: single quotes, bare member names, a comma after the last member or element.
///
/// `RepairPass` finds them, as many as there are, up to the first mistake of another kind. Nothing is guessed: a string in single
/// quotes that may end in more than one place counts as another mistake.
package struct RelaxedReading {
    /// How many mistakes of each kind were read as they were meant.
    package let changes: [JSONRepair.Kind: Int]
    /// The fault that is left after these changes, at its place in the original; nil if there is none.
    package let fault: JSONFault?
    private let edited: EditedText

    /// The strict text; nil if another mistake is left.
    package var text: [UInt8]? { fault == nil ? edited.text : nil }

    /// The changes in words: `1 string in single quotes, 2 trailing commas`.
    package var summary: String {
        let rows: [(kind: JSONRepair.Kind, one: String, many: String)] = [
            (.singleQuotes, "string in single quotes", "strings in single quotes"),
            (.bareKey, "bare member name", "bare member names"),
            (.trailingComma, "trailing comma", "trailing commas"),
        ]
        return rows.compactMap { row in changes[row.kind].map { "\($0) \($0 == 1 ? row.one : row.many)" } }
            .joined(separator: ", ")
    }

    /// Reads `text`, which is read only during the call. O(bytes).
    package init(_ text: UnsafeRawBufferPointer) {
        // SOUND: the caller vouches for the text, and the edited one lives until the closure returns.
        var pass = unsafe RepairPass(text, from: 0, isRelaxed: true)
        pass.run()
        let edited = unsafe EditedText(text, pass.edits)
        fault = unsafe edited.text.withUnsafeBytes { bytes in
            var scanner = JSONScanner()
            var tape = JSONTape()
            return unsafe scanner.scan(bytes, into: &tape)
        }.map { JSONFault($0.kind, at: edited.originalOffset($0.offset)) }
        changes = pass.changes
        self.edited = edited
    }

    /// The offset in the original of a byte of the strict text. O(changes).
    package func originalOffset(_ offset: Int) -> Int { edited.originalOffset(offset) }
}

/// A text with edits applied that knows where its bytes came from.
struct EditedText {
    let text: [UInt8]
    private let edits: [TextEdit]
    /// The offset in `text` at which the replacement of each edit begins.
    private let offsets: [Int]
    private let originalCount: Int

    /// - Parameter edits: sorted, without overlaps, and within `original`.
    init(_ original: UnsafeRawBufferPointer, _ edits: [TextEdit]) {
        // SOUND: the original is read only during the call.
        text = unsafe TextEdit.apply(edits, to: original)
        self.edits = edits
        originalCount = original.count
        var growth = 0
        offsets = edits.map { edit in
            defer { growth += edit.replacement.count - edit.range.count }
            return edit.range.lowerBound + growth
        }
    }

    /// The offset in the original of the byte at `offset`. Inserted bytes have the offset at which their edit begins.
    /// O(edits).
    func originalOffset(_ offset: Int) -> Int {
        guard let index = offsets.lastIndex(where: { $0 <= offset }) else { return min(max(offset, 0), originalCount) }
        let edit = edits[index]
        let distance = offset - offsets[index]
        if distance < edit.replacement.count { return edit.range.lowerBound }
        return min(edit.range.upperBound + distance - edit.replacement.count, originalCount)
    }
}
