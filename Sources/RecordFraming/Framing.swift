/// How records are told apart in a stream of bytes.
public enum Framing: String, Sendable, CaseIterable {
    /// `ndjson`, or `json` when the first line of an input is the beginning of a value and not a whole one.
    case auto
    /// One record a line.
    case ndjson
    /// JSON values one after another, over any number of lines.
    case json
    /// RFC 7464: each record begins with the byte 0x1E.
    case seq
    /// Records end with a NUL byte.
    case nul
}

/// What a framer found at the beginning of the bytes that it was shown.
package enum Frame: Equatable {
    /// A record at this range. The caller goes on behind `consumed` bytes.
    case record(Range<Int>, consumed: Int)
    /// The beginning of a record over the limit, at `start`. The caller drops `consumed` bytes, and the framer the rest.
    case tooLong(start: Int, consumed: Int)
    /// Nothing to report; the caller drops `consumed` bytes and asks again.
    case skip(consumed: Int)
    /// No whole record yet: the caller adds bytes behind those it has shown, and asks again.
    case needsMore
    /// The input is at its end and has been handed out.
    case end
}
