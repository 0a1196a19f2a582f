/// How records are separated in a stream of bytes.
public enum Framing: String, Sendable, CaseIterable {
    /// `array` when an input begins with an array of objects, `json` when its first line begins a value and does not end it, otherwise
    /// `ndjson`.
    case auto
    /// One record per line.
    case ndjson
    /// JSON values one after another, over any number of lines.
    case json
    /// The elements of JSON arrays, one array after another.
    case array
    /// RFC 7464: each record begins with the byte 0x1E.
    case seq
    /// Records end with a NUL byte.
    case nul
}

/// A framer's result for the beginning of the bytes passed to it.
package enum Frame: Equatable {
    /// A record in this range. The caller continues after `consumed` bytes.
    case record(Range<Int>, consumed: Int)
    /// The beginning of a record over the limit, at `start`. The caller drops `consumed` bytes; the framer drops the
    /// rest.
    case tooLong(start: Int, consumed: Int)
    /// Nothing to report. The caller drops `consumed` bytes and calls again.
    case skip(consumed: Int)
    /// No whole record yet. The caller appends bytes to those it has passed, and calls again.
    case needsMore
    /// All records have been returned, and the input is at its end.
    case end
}
