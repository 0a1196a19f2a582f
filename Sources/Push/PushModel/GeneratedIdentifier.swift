public import PushJSON

/// The identifier of a notification whose sender chose none: `push-7`, or `push-7.2` for the target with index 2.
///
/// A real device generates a UUID. This identifier is derived from the record, so that two runs produce the same one.
@usableFromInline package struct GeneratedIdentifier {
    private let seq: UInt64
    /// The index of the target; nil if the record has one target.
    package let target: Int?

    package init(seq: UInt64, target: Int?) {
        self.seq = seq
        self.target = target
    }

    @inlinable static var prefix: StaticString { "push-" }

    /// True if a chosen identifier begins like a generated one.
    @inlinable
    package static func mayEqual(_ chosen: BorrowedText) -> Bool { chosen.hasPrefix(prefix) }

    /// The generated identifier with this text, of the record with this number; nil for a text that a sender chose.
    ///
    /// A chosen identifier that looks generated is equivalent to a device.
    package init?(_ text: String, seq: UInt64) {
        let parts = text.split(separator: ".", maxSplits: 1)
        self.init(seq: seq, target: parts.count == 2 ? Int32(parts[1]).map { Int($0) } : nil)
        // In the exact form of a generated one: no sign, no leading zeros, and small enough for its field in memory.
        guard withText({ $0.string == text }) else { return nil }
    }

    /// "push-", 20 digits, "." and 20 digits are 46 bytes.
    private static let capacity = 48

    /// Calls `body` with the text, which is valid only for the duration of the call.
    ///
    /// Not generic, because a generic function is not specialized for a caller in another module: it would cost each
    /// shown notification more than all of its text.
    package func withBorrowedText(_ body: (BorrowedText) throws -> Void) rethrows {
        // SOUND: the buffer lives until `body` returns.
        try unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.capacity) {
            try unsafe body(text(in: $0))
        }
    }

    /// Calls `body` with the text, which is valid only for the duration of the call.
    package func withText<Result>(_ body: (BorrowedText) throws -> Result) rethrows -> Result {
        // SOUND: the buffer lives until `body` returns.
        try unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.capacity) {
            try unsafe body(text(in: $0))
        }
    }

    private func text(in buffer: UnsafeMutableBufferPointer<UInt8>) -> BorrowedText {
        // SOUND: the buffer has room for the longest text; its capacity is not 0, so there is a base address.
        guard let base = buffer.baseAddress else { return .empty }
        var end = unsafe base + Self.capacity
        if let target {
            unsafe end = Self.write(UInt64(truncatingIfNeeded: target), before: end)
            unsafe end -= 1
            unsafe end.pointee = UInt8(ascii: ".")
        }
        unsafe end = Self.write(seq, before: end)
        for index in (0..<Self.prefix.utf8CodeUnitCount).reversed() {
            unsafe end -= 1
            unsafe end.pointee = Self.prefix.utf8Start[index]
        }
        return unsafe BorrowedText(start: end, count: base + Self.capacity - end)
    }

    private static func write(_ number: UInt64, before end: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
    {
        // SOUND: the caller has room for 20 digits before `end`, the most that 64 bits have.
        var p = unsafe end
        var rest = number
        repeat {
            unsafe p -= 1
            unsafe p.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        return unsafe p
    }
}

/// The form of the digests that replace secrets: `redacted-` and 32 hexadecimal digits.
package enum SecretDigest {
    /// No token and no provider's identifier starts with it.
    package static let prefix = "redacted-"
    /// Half of an HMAC with SHA-256, 128 bits: the shortest truncation that RFC 2104 recommends.
    private static let codeBytes = 16
    private static let digits = Array("0123456789abcdef".utf8)

    /// The digest for an authentication code.
    package static func text(of code: some Sequence<UInt8>) -> [UInt8] {
        var text = Array(prefix.utf8)
        for byte in code.prefix(codeBytes) {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return text
    }

    package static func isDigest(_ text: some Collection<UInt8>) -> Bool {
        text.count == prefix.utf8.count + 2 * codeBytes && text.starts(with: prefix.utf8)
            && text.dropFirst(prefix.utf8.count).allSatisfy(digits.contains)
    }
}
