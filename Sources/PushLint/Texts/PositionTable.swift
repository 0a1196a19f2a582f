package import PayloadJSON

/// Lines and columns of some offsets in a text, found in one pass.
package struct PositionTable: Sendable {
    private var positions: [Int: TextPosition] = [:]

    /// O(text + offsets log offsets). A byte-order mark takes no column, as in an editor.
    package init(of offsets: [Int], in text: [UInt8]) {
        // SOUND: `index` is compared with the number of bytes before it is read, and the bytes live until the closure
        // returns.
        let sorted = offsets.sorted()
        guard let last = sorted.last else { return }
        unsafe text.withUnsafeBytes { text in
            var pending = sorted[...]
            var position = TextPosition(line: 1, column: 1)
            var index = unsafe text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            while true {
                while let offset = pending.first, offset <= index || index >= text.count {
                    positions[offset] = position
                    pending.removeFirst()
                }
                guard index < text.count, index < last else { return }
                let byte = unsafe text[index]
                if byte == 0x0A {
                    position.line += 1
                    position.column = 1
                    index += 1
                } else {
                    position.column += 1
                    unsafe index +=
                        byte < 0x80 ? 1 : UTF8Sequence.length(UnsafeRawBufferPointer(rebasing: text[index...])) ?? 1
                }
            }
        }
    }

    /// The position of one of the offsets that the table was made for.
    package subscript(offset: Int) -> TextPosition { positions[offset] ?? TextPosition(line: 1, column: 1) }
}
