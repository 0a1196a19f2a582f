import PayloadJSON

/// A text with edits applied that knows where its bytes came from.
struct EditedText {
    let text: [UInt8]
    private let edits: [TextEdit]
    /// For each edit, the offset in `text` at which its replacement begins.
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
    /// O(log n) in the edits.
    func originalOffset(_ offset: Int) -> Int {
        // The last edit that begins at or before `offset` is the one before `low`.
        var low = 0
        var high = offsets.count
        while low < high {
            let middle = (low + high) / 2
            if offsets[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return min(max(offset, 0), originalCount) }
        let edit = edits[low - 1]
        let distance = offset - offsets[low - 1]
        if distance < edit.replacement.count { return edit.range.lowerBound }
        return min(edit.range.upperBound + distance - edit.replacement.count, originalCount)
    }
}
