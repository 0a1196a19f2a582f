import PayloadJSON
import PushModel

/// A header of APNs.
enum APNsHeader: Int {
    case topic, pushType, priority, id, expiration, collapseID, requestID, channelID

    /// Their names, in the order of the cases.
    static let names = NameList([
        "apns-topic", "apns-push-type", "apns-priority", "apns-id", "apns-expiration", "apns-collapse-id",
        "apns-request-id", "apns-channel-id",
    ])

    private static let table = NameTable(names.names)

    var name: StaticString { Self.names.names[rawValue] }
    private var folded: [UInt8] { Self.names.folded[rawValue] }

    /// The header with this name, whatever its case.
    init?(_ key: JSONString) {
        guard let position = Self.table.position(of: key) ?? Self.names.names.firstIndex(where: { key.isInAnyCase($0) })
        else { return nil }
        self.init(rawValue: position)
    }

    /// Headers that people set themselves, so that a similar name is hardly anything else.
    private static let common: [APNsHeader] = [.topic, .pushType, .priority, .expiration, .collapseID]

    /// The header that a name without prefix means, such as `priority` or `collapse_id`.
    static func lookAlike(withoutPrefix name: String) -> LookAlike? {
        let folded = NearMiss.folded("apns-" + name)
        return (common + [.channelID]).first { $0.folded == folded }.map {
            LookAlike(name: $0.name.description, differsInStyleOnly: true)
        }
    }

    /// True if the key of a payload is the name of a header, such as `apns-priority` or `apnsPriority`.
    static func isMeant(by key: JSONString) -> Bool {
        if key.isPlain, !key.beginsFolded(with: "apns") { return false }
        let name = key.string
        guard let first = name.utf8.first, first | 0x20 == UInt8(ascii: "a") else { return false }
        if name.lowercased().hasPrefix("apns-") { return true }
        let folded = NearMiss.folded(name)
        return common.contains { $0.folded == folded }
    }
}
