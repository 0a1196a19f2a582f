import PushJSON
import PushModel

/// Messages to Expo's push service. What Expo answers to fields of its own that are wrong is not documented, so they are warnings.
struct ExpoRules: RuleCheck {
    static let rules = [unknownField, wrongType, manyTokens, deviceNotRegistered, tooManyNotifications]
    let run: LintRun

    /// - Parameter request: a message, or an array of them.
    func check(_ request: LintNode) {
        var messages = 0
        var tokens = 0
        func count(_ message: LintNode) {
            messages += 1
            let to = message["to"]
            if let to, to.kind == .array { to.forEachElement { _ in tokens += 1 } } else { tokens += 1 }
            checkMessage(message)
        }
        if request.kind == .array { request.forEachElement(count) } else { count(request) }
        guard messages <= Self.most, tokens > Self.most else { return }
        report(
            Self.manyTokens,
            "the request has \(tokens) tokens; whether Expo takes more than \(Self.most) is not documented", at: request
        )
    }

    private static let most = 100

    private func checkMessage(_ message: LintNode) {
        guard message.isObject else { return }
        if !run.readers.isEmpty { SchemaRules(run: run).check(data: message["data"], of: message, isForAndroid: false) }
        message.forEachMember { member in
            if run.isFull || member.key.isOne(of: Self.recordNames) { return }
            if member.key.isOne(of: Self.fields.names) {
                if member.value.kind != .null { checkValue(member.value, of: member.name) }
            } else {
                reportUnknown(member, in: message)
            }
        }
    }

    // MARK: - Names

    /// Members of the record, which are not sent.
    private static let recordNames: [StaticString] = ["provider", "answer"]

    /// The documented fields, and those of newer copies of the document and of Expo's SDKs (UNCONFIRMED).
    static let fields = NameList([
        "to", "title", "subtitle", "body", "data", "ttl", "expiration", "priority", "sound", "badge", "channelId",
        "categoryId", "mutableContent", "interruptionLevel", "richContent", "icon", "collapseId", "tag",
        "_contentAvailable", "_displayInForeground",
    ])

    private static let hints = NameHints([
        (
            ["token", "tokens", "registration_ids", "device", "device_token", "push_token", "expo_push_token"],
            "did you mean to?"
        ),
        (["message", "alert", "text", "content"], "did you mean body?"),
        (["time_to_live"], "did you mean ttl (a number of seconds)?"),
        (["channel", "android_channel_id"], "did you mean channelId?"),
        (["category", "click_action"], "did you mean categoryId?"),
        (["collapse_key", "apns-collapse-id"], "use collapseId on Apple devices, and tag on Android"),
        (
            ["image", "image_url", "picture", "attachments", "media_url"],
            "newer versions of Expo's documentation have {\"richContent\": {\"image\": …}}"
        ),
        (["notification", "aps", "apns", "android", "webpush"], "Expo builds it from title, body and other fields"),
    ])

    private func reportUnknown(_ member: LintMember, in message: LintNode) {
        let start = "unknown Expo field \"\(member.name)\""
        if let hint = Self.hints[member.name] {
            report(Self.unknownField, "\(start); \(hint)", at: member)
        } else if let meant = Self.fields.suggestion(for: member.name) {
            report(
                Self.unknownField, start + meant.hint(in: message), at: member,
                edits: meant.renaming(member, in: message))
        } else {
            report(Self.unknownField, "\(start); put app data in data", at: member)
        }
    }

    static let unknownField = Rule(
        "expo.unknown-field", .warning, "an unknown Expo field",
        "Expo passes on only the fields that it knows. App data belongs in data. Some fields of APNs and FCM have another name in Expo.",
        source: .expo, failing: Example.expo(#""title":"Goal","channel_id":"news""#),
        passing: Example.expo(#""title":"Goal","channelId":"news""#), isFixable: true)

    // MARK: - Values

    /// The kinds of value that fields take.
    private static let kinds: [(names: Set<String>, kinds: [JSONTape.Kind], expected: String)] = [
        (["title", "subtitle", "body", "channelId", "categoryId", "interruptionLevel"], [.string], "a string"),
        (["icon", "collapseId", "tag", "priority"], [.string], "a string"),
        (["data", "richContent"], [.object], "an object"),
        (["ttl", "expiration", "badge"], [.number], "a number"),
        (["mutableContent", "_contentAvailable", "_displayInForeground"], [.true, .false], "true or false"),
        (["sound"], [.string, .object], "\"default\", a name or an object"),
    ]

    private func checkValue(_ value: LintNode, of name: String) {
        if let row = Self.kinds.first(where: { $0.names.contains(name) }), !row.kinds.contains(value.kind) {
            reportKind(Self.wrongType, value, name, expected: row.expected)
        } else if let words = Self.words[name], let word = value.swiftString, !words.contains(word) {
            let list = words.dropLast().joined(separator: ", ") + " or \(words[words.count - 1])"
            report(Self.wrongType, "\(name) must be \(list), not \"\(word)\"", at: value)
        } else if let members = Self.members[name], value.isObject {
            value.forEachMember { member in
                guard let kinds = members.kinds[member.name] else {
                    return report(Self.unknownField, "\(name) has \(members.list), not \"\(member.name)\"", at: member)
                }
                if member.value.kind != .null, !kinds.contains(member.value.kind) {
                    report(
                        Self.wrongType, "\(name).\(member.name) cannot be \(member.value.kindName)", at: member.value)
                }
            }
        }
    }

    /// The words that fields take.
    private static let words = [
        "priority": ["default", "normal", "high"],
        "interruptionLevel": ["active", "critical", "passive", "time-sensitive"],
    ]

    /// The members of fields that are objects. Source: the types of Expo's SDK for Node.js.
    private static let members: [String: (list: String, kinds: [String: [JSONTape.Kind]])] = [
        "sound": (
            "critical, name and volume", ["critical": [.true, .false], "name": [.string], "volume": [.number]]
        ),
        "richContent": ("image", ["image": [.string]]),
    ]

    static let wrongType = Rule(
        "expo.wrong-type", .warning, "an Expo field whose value has the wrong type",
        "Expo cannot pass the value on as intended. data is an object, even if it holds only one value. ttl, expiration and badge are numbers. priority is default, normal or high. interruptionLevel is active, critical, passive or time-sensitive.",
        source: .expo, failing: Example.expo(#""title":"Goal","data":"match 7""#),
        passing: Example.expo(#""title":"Goal","data":{"match":7}"#))

    static let manyTokens = Rule(
        "expo.many-tokens", .warning, "a request to Expo with more than 100 tokens",
        "A request has at most 100 messages. Expo does not document whether each token of a message counts. Its SDKs for Node.js and Ruby send at most 100 tokens at a time.",
        source: .expo, failing: tokens(101), passing: tokens(100))

    private static func tokens(_ count: Int) -> String {
        let tokens = (1...count).map { "\"ExponentPushToken[\($0)]\"" }
        return #"{"to":["# + tokens.joined(separator: ",") + #"],"title":"Goal"}"#
    }

    // MARK: - Refusals, which the decoder reports

    static let deviceNotRegistered = Rule.refusal(
        .expoDeviceNotRegistered,
        "to takes Expo tokens, such as ExponentPushToken[…], but no APNs device token or FCM registration token.",
        source: .expo, failing: #"{"provider":"expo","to":"\#(Example.token)","title":"Goal"}"#,
        passing: Example.expo(#""title":"Goal""#))

    static let tooManyNotifications = Rule.refusal(
        .expoTooManyNotifications, "A request has at most 100 messages.",
        source: .expo, failing: list(of: 101), passing: list(of: 100))

    private static func list(of count: Int) -> String {
        let messages = (1...count).map { #"{"to":"ExponentPushToken[\#($0)]","title":"Goal"}"# }
        return "[" + messages.joined(separator: ",") + "]"
    }
}
