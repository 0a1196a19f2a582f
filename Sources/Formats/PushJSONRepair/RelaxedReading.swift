package import PayloadJSON

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

    /// The offset in the original of a byte of the strict text. O(log n) in the changes.
    package func originalOffset(_ offset: Int) -> Int { edited.originalOffset(offset) }
}
