import PushServices

/// A body that claims to be compressed is read within its limit or not at all, and one that stores a text holds that text.
enum GzipCheck {
    /// The first byte selects the limit.
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            let body = Array(input.text)
            if let text = GzipBody.text(of: body, limit: 16 << Int(input.options.0 & 15)) {
                if text.count > 16 << Int(input.options.0 & 15) { return "\(text.count) bytes are over the limit" }
                if GzipBody.text(of: body, limit: text.count) != text { return "at its limit it is another text" }
                if !text.isEmpty, GzipBody.text(of: body, limit: text.count - 1) != nil {
                    return "one byte over the limit is read"
                }
            }
            return GzipBody.text(of: stored(body), limit: body.count) == body ? nil : "a stored text is another one"
        }
    }

    /// Source: RFC 1952, section 2.3, and RFC 1951, section 3.2.4.
    private static func stored(_ text: [UInt8]) -> [UInt8] {
        var body: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        var rest = text[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            body += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
        } while !rest.isEmpty
        for number in [GzipBody.checksum(of: text), UInt32(text.count)] {
            body += (0..<4).map { UInt8(number >> UInt32(8 * $0) & 0xFF) }
        }
        return body
    }
}
