/// That a store holds one part of an input, which `pushpipe partition` divided. Its row ids are places in the original input, so that the
/// stores of all parts can be merged.
package struct PartMark: Sendable, Equatable {
    /// From 0.
    package var part: Int
    package var parts: Int
    /// Whether the input of the part was read to its end.
    package var isComplete: Bool

    package init(part: Int, of parts: Int, isComplete: Bool = false) {
        (self.part, self.parts, self.isComplete) = (part, parts, isComplete)
    }

    /// For messages.
    package var name: String { "part \(part) of \(parts)" }
}

/// The last record of an engine's stream whose deliveries a store has.
package struct StreamOffset: Sendable, Equatable {
    /// Such as `pushes/3`.
    package var stream: String
    /// A decimal number, or Redis' `1526919030474-55`.
    package var offset: String

    package init(stream: String, offset: String) { (self.stream, self.offset) = (stream, offset) }

    /// Whether this one comes before another of the same stream: numbers by their value, and Redis' two one after the other.
    package func isBefore(_ other: StreamOffset) -> Bool {
        guard let mine = position, let others = other.position else { return offset != other.offset }
        return mine < others
    }

    private var position: (UInt64, UInt64)? {
        let parts = offset.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { UInt64($0) }
        guard let first = parts.first ?? nil else { return nil }
        guard parts.count > 1 else { return (first, 0) }
        return parts[1].map { (first, $0) }
    }
}
