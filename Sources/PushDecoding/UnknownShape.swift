import PayloadJSON
import PushModel

/// An object that is none of the known formats.
enum UnknownShape {
    /// The failure, with advice for what is often sent by mistake.
    static func failure(_ root: JSONView) -> DecodeFailure {
        DecodeFailure(
            rule: "record.unknown-shape", message: "an object, but none of the known formats; \(advice(root))",
            offset: root.offset)
    }

    private static func advice(_ root: JSONView) -> String {
        var (hasTarget, hasContent, hasTokens) = (false, false, false)
        var members = root.members
        while let (key, value) = members.next() {
            if key == "tokens" {
                hasTokens = value.kind == .array
            } else if key == "token" || key == "topic" || key == "condition" {
                hasTarget = true
            } else if key == "notification" || key == "data" || key == "android" || key == "webpush" || key == "apns" {
                hasContent = true
            }
            if value.isObject, key.count <= longestKey, TopLevelKeys(of: value).hasAps {
                return "--at /\(JSONPointer.escape(key.string)) reads the payload there"
            }
        }
        guard hasContent else { return "--provider forces one" }
        if hasTokens {
            return "an Admin SDK's multicast message is sent as one {\"message\":{\"token\":…}} for each token"
        }
        return hasTarget ? "the request of an FCM message is {\"message\":…} around it" : "--provider forces one"
    }

    /// In bytes. A message does not repeat a text of any length.
    private static let longestKey = 64
}
