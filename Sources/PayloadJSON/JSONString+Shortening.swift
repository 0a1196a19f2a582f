/// How the bytes of a text are counted.
package enum TextMeasure: Sendable {
    /// As they are written between the quotes, escapes and all.
    case written
    /// As UTF-8 once escapes are resolved.
    case decoded
}

/// A text that may be cut at the end, with `…` behind what is left. Valid only as long as the text is.
package struct ShortenableText {
    /// What is left of a text.
    package struct Beginning: Equatable {
        /// Bytes as written, from the first one on.
        package var writtenCount: Int
        /// Bytes as measured, those of the ellipsis behind it included.
        package var length: Int
    }

    private let string: JSONString
    private let measure: TextMeasure
    private let decoded: String
    /// `…` as JSON text: as an escape in a text that writes such characters as escapes and none as itself.
    package let ellipsis: StaticString
    /// Bytes of the whole text as measured.
    package let length: Int
    /// Bytes of the ellipsis as measured.
    private let ellipsisLength: Int

    /// O(bytes), with a copy of the text.
    package init(_ string: JSONString, measure: TextMeasure) {
        self.string = string
        self.measure = measure
        decoded = string.string
        let isEscaped =
            string.hasEscapes && string.raw.buffer.allSatisfy { $0 < 0x80 } && decoded.utf8.contains { $0 >= 0x80 }
        ellipsis = isEscaped ? #"\u2026"# : "…"
        length = measure == .written ? string.count : decoded.utf8.count
        ellipsisLength = measure == .written ? ellipsis.utf8CodeUnitCount : 3
    }

    /// Bytes, as measured, below which the text does not come: those of the ellipsis alone, or its own when it has no more.
    package var minimumLength: Int { min(length, ellipsisLength) }

    /// As much of the beginning as there is room for in `bytes`, ellipsis included, and at least the ellipsis. O(bytes).
    ///
    /// It ends between two characters as a reader sees them (grapheme clusters), so that neither an emoji nor an escape is taken
    /// apart, and not in white space.
    package func beginning(in bytes: Int) -> Beginning {
        let room = max(bytes, ellipsisLength) - ellipsisLength
        let decodedRoom = measure == .written ? string.decodedOffset(ofRaw: room) : room
        var end = decoded.startIndex
        while end < decoded.endIndex {
            let next = decoded.index(after: end)
            if decoded.utf8.distance(from: decoded.startIndex, to: next) > decodedRoom { break }
            end = next
        }
        var beginning = decoded[..<end]
        while beginning.last?.unicodeScalars.allSatisfy(\.properties.isWhitespace) ?? false { beginning.removeLast() }
        let kept = beginning.utf8.count
        let writtenCount = string.rawOffset(ofDecoded: kept)
        return Beginning(
            writtenCount: writtenCount, length: (measure == .written ? writtenCount : kept) + ellipsisLength)
    }
}
