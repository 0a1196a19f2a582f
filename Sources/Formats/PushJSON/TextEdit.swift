/// One replacement of bytes in a text. Edits of one text are sorted and do not overlap.
public struct TextEdit: Sendable, Equatable {
    /// The bytes to replace, possibly none.
    public var range: Range<Int>
    /// The bytes that replace them.
    public var replacement: [UInt8]

    /// Makes an edit.
    package init(range: Range<Int>, replacement: [UInt8]) {
        self.range = range
        self.replacement = replacement
    }

    package init(_ range: Range<Int>, _ replacement: String) {
        self.init(range: range, replacement: Array(replacement.utf8))
    }
}

/// Making, joining and applying edits.
///
/// Edits are sorted by the beginning of their ranges. Of two that begin at the same byte, an insertion comes first. Several
/// insertions at one place are applied in the order of the list.
extension TextEdit {
    package static func insertion(_ text: String, at offset: Int) -> TextEdit { TextEdit(offset..<offset, text) }

    package static func deletion(_ range: Range<Int>) -> TextEdit { TextEdit(range: range, replacement: []) }

    package static func replacement(_ range: Range<Int>, with text: String) -> TextEdit { TextEdit(range, text) }

    /// Sorts the edits of several problems into the order in which they are applied. O(n log n).
    package static func sorted(_ edits: [TextEdit]) -> [TextEdit] {
        // The position in the list breaks ties, because `sort` is not guaranteed to be stable.
        edits.enumerated()
            .sorted { left, right in
                let a = left.element.range
                let b = right.element.range
                return (a.lowerBound, a.upperBound, left.offset) < (b.lowerBound, b.upperBound, right.offset)
            }
            .map(\.element)
    }

    /// Applies sorted edits. An edit that reaches outside the text, or overlaps the one before it, is skipped. O(bytes).
    package static func apply(_ edits: [TextEdit], to text: UnsafeRawBufferPointer) -> [UInt8] {
        // SOUND: edits that overlap or reach beyond the text are left out, so `copied` only grows, up to the end of the
        // text.
        var result: [UInt8] = []
        result.reserveCapacity(text.count + edits.count)
        var copied = 0
        for edit in edits where edit.range.lowerBound >= copied && edit.range.upperBound <= text.count {
            unsafe result += text[copied..<edit.range.lowerBound]
            result += edit.replacement
            copied = edit.range.upperBound
        }
        unsafe result += text[copied...]
        return result
    }
}
