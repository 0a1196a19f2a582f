import PushDecoding
import PushFraming
import PushJSON
import PushJSONRepair
import PushModel

/// Tells files of payloads that were found in a directory from other files of the same format.
package struct PayloadRecognition {
    /// Number of bytes at the beginning of a file that decide: 256 KiB.
    package static let examinedBytes = 256 << 10
    /// Number of bytes at the beginning of a file that may not have a NUL: 8 KiB, as for git.
    private static let textBytes = 8 << 10
    /// Files of this kind are looked into. Others are payloads by their names.
    package static let suffix = ".json"

    /// Objects and lists that only a push has, although nothing says whose.
    private static let parts: [StaticString] = ["notification", "registration_ids", "fcm", "gcm", "payload"]

    private let cutter: RecordCutter
    /// True if the caller says which format records have, so that every object is of it.
    private let isForced: Bool

    package init(_ options: LintOptions) {
        cutter = options.cutter
        isForced = options.decoding.format != nil || options.decoding.readsDevices
    }

    /// True if the bytes are those of a binary file. UTF-16 is text, and so is JSON with a NUL in it: both are worth a finding.
    package static func isBinary(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return false }
        let blanks = Array("\u{FEFF} \t\r\n".utf8)
        if let first = bytes.first(where: { !blanks.contains($0) }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        {
            return false
        }
        return bytes.prefix(textBytes).contains(0)
    }

    /// True if a record may be meant as a payload: in doubt, yes. A file without a record is left to the caller.
    ///
    /// - Parameter bytes: the beginning of the file.
    package func mayHavePayloads(_ bytes: ArraySlice<UInt8>) -> Bool {
        if isForced { return true }
        // SOUND: the ranges are of these bytes, which live until the closure returns.
        return unsafe bytes.prefix(Self.examinedBytes).withUnsafeBytes { bytes in
            let pieces = unsafe cutter.pieces(of: bytes)
            return pieces.isEmpty
                || pieces.contains { piece in
                    guard let range = piece.record else { return false }
                    return unsafe mayBePayload(UnsafeRawBufferPointer(rebasing: bytes[range]))
                }
        }
    }

    private func mayBePayload(_ record: UnsafeRawBufferPointer) -> Bool {
        // SOUND: the caller vouches for the record, and the repaired text lives until the closure returns.
        let text = unsafe LintText(record: record)
        if let root = text.root { return Self.isRecognized(root) }
        if unsafe ForeignText(record) != nil { return true }
        // A comment or a surplus comma makes no payload of a file of settings.
        if let repaired = unsafe JSONRepair(record).text {
            let text = unsafe repaired.withUnsafeBytes { unsafe LintText(record: $0) }
            if let root = text.root, Self.isRecognized(root) { return true }
        }
        return unsafe Self.names(record, "aps")
    }

    /// True if the decoder or a check knows one of the outermost names.
    private static func isRecognized(_ root: LintNode) -> Bool {
        if root.view.kind == .array {
            var isOfPayloads = false
            root.forEachElement { element in
                if element.isObject, isRecognized(element) { isOfPayloads = true }
            }
            return isOfPayloads
        }
        guard root.isObject else { return false }
        let keys = TopLevelKeys(of: root.view)
        if keys.format != nil || keys.event != nil { return true }
        if let provider = root["provider"]?.swiftString, RecordFormat(rawValue: provider) != nil { return true }
        var hasKnownName = false
        root.forEachMember { member in
            let isPart = member.key.isOne(of: parts) && (member.value.isObject || member.value.kind == .array)
            let isAps = PayloadRules.isMeantAsAps(member.key) || PayloadRules.isMeantAsAps(member)
            if isPart || isAps || member.key == "alert" { hasKnownName = true }
        }
        return hasKnownName
    }

    /// True if a name stands in a broken text, in quotes of any kind.
    private static func names(_ record: UnsafeRawBufferPointer, _ name: String) -> Bool {
        // SOUND: the caller vouches for the record.
        let quotes = ["\"", "'", "\u{201C}", "\u{201D}", "\u{2018}"].map { Array(($0 + name).utf8) }
        return quotes.contains { wanted in unsafe record.firstRange(of: wanted) != nil }
    }
}
