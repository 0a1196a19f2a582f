package import PayloadJSON

/// Lines and columns of some offsets in a text, found in one pass.
package struct PositionTable: Sendable {
    private var positions: [Int: TextPosition] = [:]

    /// O(text + offsets log offsets). A byte-order mark takes no column, as in an editor.
    package init(of offsets: [Int], in text: [UInt8]) {
        // SOUND: the bytes live until the closure returns.
        let place = unsafe text.withUnsafeBytes { unsafe TextPlace(beginningOf: $0) }
        self.init(of: offsets, in: text, at: 0, from: place)
    }

    /// The same for a part of a text.
    ///
    /// - Parameters:
    ///   - start: offset in the text of the part's first byte.
    ///   - place: of a byte of the part, at or before all offsets.
    package init(of offsets: [Int], in part: [UInt8], at start: Int, from place: TextPlace) {
        // SOUND: the bytes live until the closure returns.
        guard !offsets.isEmpty else { return }
        var place = place
        unsafe part.withUnsafeBytes { part in
            for offset in offsets.sorted() {
                unsafe place.advance(to: offset - start, in: part)
                positions[offset] = place.position
            }
        }
    }

    /// The position of one of the offsets that the table was made for.
    package subscript(offset: Int) -> TextPosition { positions[offset] ?? TextPosition(line: 1, column: 1) }
}
