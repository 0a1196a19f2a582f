/// The form of a text in which its bytes are counted.
package enum TextMeasure: Sendable {
    /// The text as written between the quotes, with its escapes.
    case written
    /// The text in UTF-8, with its escapes resolved.
    case decoded
}

/// A text that can be shortened at its end, with `…` after what is left. Valid only as long as the text is.
package struct ShortenableText {
    /// The part of a text that is kept.
    package struct Beginning: Equatable {
        /// Length in bytes as written.
        package var writtenCount: Int
        /// Length in bytes as measured, including the ellipsis.
        @usableFromInline package var length: Int
    }

    private let string: JSONString
    private let measure: TextMeasure
    private let decoded: String
    /// `…` as JSON text: escaped in a text that escapes all characters outside ASCII.
    package let ellipsis: StaticString
    /// Length of the whole text in bytes as measured.
    @usableFromInline package let length: Int
    /// Length of the ellipsis in bytes as measured.
    private let ellipsisLength: Int

    /// Copies the text. O(bytes).
    package init(_ string: JSONString, measure: TextMeasure) {
        // SOUND: the string's bytes are alive during the call.
        self.string = string
        self.measure = measure
        decoded = string.string
        let isEscaped =
            unsafe string.hasEscapes && string.raw.buffer.allSatisfy { $0 < 0x80 }
            && decoded.utf8.contains { $0 >= 0x80 }
        ellipsis = isEscaped ? #"\u2026"# : "…"
        length = measure == .written ? string.count : decoded.utf8.count
        ellipsisLength = measure == .written ? ellipsis.utf8CodeUnitCount : 3
    }

    /// The shortest possible length in bytes as measured: the ellipsis alone, or the whole text when that is shorter.
    package var minimumLength: Int { min(length, ellipsisLength) }

    /// As much of the beginning as fits in `bytes` with the ellipsis, and at least the ellipsis. O(bytes).
    ///
    /// It ends between two grapheme clusters, so that no emoji and no escape is split, and not in white space.
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
