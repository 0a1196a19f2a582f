package import PayloadJSON

/// A line of CSV (RFC 4180).
///
/// A missing text is an empty field; an empty text is `""`.
package enum CSVLine {
    package static func append(_ fields: [String?], to out: inout ByteBuffer) {
        for (position, field) in fields.enumerated() {
            if position > 0 { out.append(",") }
            if let field { append(field, to: &out) }
        }
        out.append("\r\n")
    }

    private static func append(_ field: String, to out: inout ByteBuffer) {
        let quote = UInt8(ascii: "\"")
        let needsQuotes = field.utf8.contains { [quote, UInt8(ascii: ","), 0x0D, 0x0A].contains($0) }
        guard needsQuotes || field.isEmpty else { return out.appendText(field) }
        out.append(quote)
        for byte in field.utf8 {
            if byte == quote { out.append(quote) }
            out.append(byte)
        }
        out.append(quote)
    }
}
