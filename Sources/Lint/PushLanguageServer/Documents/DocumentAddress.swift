import PushFiles
import PushSystem

/// Where a document is.
enum DocumentAddress {
    /// The absolute path in a `file:` URI; nil for any other URI.
    static func path(_ uri: String) -> String? {
        guard uri.lowercased().hasPrefix("file://") else { return nil }
        let rest = uri.utf8.dropFirst(7)
        // After the host, which is empty or this one.
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let path = rest[slash...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let bytes = PercentEncoding.decoded(path, keepsBroken: true) ?? []
        return bytes.contains(0) ? nil : FilePaths.absolute(String(decoding: bytes, as: UTF8.self))
    }
}
