import FileAccess

/// Where a document is.
enum DocumentAddress {
    /// The absolute path in a `file:` URI; nil for any other URI.
    static func path(_ uri: String) -> String? {
        guard uri.lowercased().hasPrefix("file://") else { return nil }
        let rest = uri.utf8.dropFirst(7)
        // After the host, which is empty or this one.
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        var bytes: [UInt8] = []
        var index = slash
        while index < rest.endIndex, rest[index] != UInt8(ascii: "?"), rest[index] != UInt8(ascii: "#") {
            let digits = rest[rest.index(after: index)...].prefix(2)
            if rest[index] == UInt8(ascii: "%"), digits.count == 2,
                let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                index = digits.endIndex
            } else {
                bytes.append(rest[index])
                index = rest.index(after: index)
            }
        }
        return bytes.contains(0) ? nil : FilePaths.absolute(String(decoding: bytes, as: UTF8.self))
    }
}
