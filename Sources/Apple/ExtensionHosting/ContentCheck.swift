import PayloadJSON
import PushModel

/// Finds members of changed content that have no effect, because of their name or their value.
/// `Documentation/reference/extension-protocol.md` has the table.
enum ContentCheck {
    private static let maximumFindings = 4
    private static let texts: [StaticString] = [
        "title", "subtitle", "body", "threadIdentifier", "categoryIdentifier", "launchImageName", "summaryArgument",
    ]
    private static let levels: [StaticString] = ["passive", "active", "time-sensitive", "critical"]

    static func findings(in content: JSONView) -> [Finding] {
        guard content.isObject else { return [finding("", "content is not an object")] }
        var findings: [Finding] = []
        var members = content.members
        while let (key, value) = members.next(), findings.count < maximumFindings {
            guard let problem = problem(key, value) else { continue }
            findings.append(finding("/\(key.string)", problem))
        }
        return findings
    }

    /// Takes the sender out of changed content, for an app without the communication entitlement.
    static func withoutSender(_ changes: [UInt8], _ findings: inout [Finding]) -> [UInt8] {
        // SOUND: the tape was just made of these bytes, and the output is copied while it lives.
        unsafe changes.withUnsafeBytes { bytes in
            var scanner = JSONScanner()
            var tape = JSONTape()
            guard unsafe scanner.scan(bytes, into: &tape) == nil, let root = unsafe tape.root(of: bytes),
                let sender = root["sender"]?.string
            else { return changes }
            findings.append(
                Finding(
                    rule: "extension.communication", severity: .warning, pointer: "",
                    message: "the sender \(sender.string) is not shown: the extension's entitlements lack "
                        + "com.apple.developer.usernotifications.communication"))
            var out = ByteBuffer()
            for (key, value) in root.members where !(key == "sender" || key == "senderImage") {
                out.append(out.count == 0 ? "{" : ",")
                out.appendJSONString(key.string)
                out.append(":")
                out.append(value.text)
            }
            out.append(out.count == 0 ? "{}" : "}")
            return unsafe Array(out.bytes)
        }
    }

    private static func finding(_ place: String, _ problem: String) -> Finding {
        Finding(
            rule: "extension.content", severity: .warning, pointer: "",
            message: "what the extension handed over counts in part: content\(place): \(problem)")
    }

    private static func problem(_ key: JSONString, _ value: JSONView) -> String? {
        if texts.contains(where: { key == $0 }) { return value.isString ? nil : "not a string" }
        if key == "badge" {
            let isNumber = value.int64.map { $0 >= 0 } ?? false
            return isNumber || value.kind == .null ? nil : "neither a whole number from 0 nor null"
        }
        if key == "sound" {
            return value.isString || value.isObject || value.kind == .null ? nil : "neither a name, an object nor null"
        }
        if key == "attachments" { return value.kind == .array ? nil : "not an array" }
        if key == "userInfo" { return value.isObject ? nil : "not an object" }
        if key == "interruptionLevel" {
            let isKnown = value.string.map { level in levels.contains { level == $0 } } ?? false
            return isKnown ? nil : "neither passive, active, time-sensitive nor critical"
        }
        if key == "relevanceScore" {
            return value.double.map { (0...1).contains($0) } ?? false ? nil : "not a number from 0 to 1"
        }
        if key == "summaryArgumentCount" { return value.int64 == nil ? "not a whole number" : nil }
        if key == "targetContentIdentifier" || key == "filterCriteria" || key == "sender" {
            return value.isString || value.kind == .null ? nil : "neither a string nor null"
        }
        if key == "senderImage" {
            if value.kind == .null { return nil }
            guard let text = value.string, text.string.hasPrefix("data:image/") else {
                return "neither a data URL of a picture nor null"
            }
            return nil
        }
        return "no such member"
    }
}
