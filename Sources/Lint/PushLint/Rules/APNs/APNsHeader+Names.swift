import PayloadJSON
import PushModel

/// Properties of the headers of APNs that only the linter needs.
extension APNsHeader {
    private static let all = allCases.filter { $0 != .path }
    /// Their names, in the order of the cases.
    static let names = NameList(all.map(\.name))

    private var folded: [UInt8] { Self.names.folded[Int(rawValue)] }

    /// The header with this name, whatever its case.
    static func named(_ key: JSONString) -> APNsHeader? {
        let position = names.names.firstIndex { key == $0 } ?? names.names.firstIndex { key.isInAnyCase($0) }
        return position.map { all[$0] }
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

    /// The values that a header takes, in words, if a value is not one of them. A request without the header is accepted, and one with such a value is not.
    static func valuesMissing(in value: LintNode, of header: String) -> String? {
        let text = value.swiftString ?? value.source
        switch header {
        case "apns-priority": return ["10", "5", "1"].contains(text) ? nil : "10, 5 or 1"
        case "apns-expiration": return Int64(text) == nil ? "seconds since 1970" : nil
        case "apns-push-type":
            return value.string.flatMap { PushType(wireName: $0.raw) } == nil ? "a push type such as alert" : nil
        default: return nil
        }
    }
}
