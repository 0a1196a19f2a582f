import PushDecoding
import PushJSON
import PushModel
import PushSystem

/// The headers of a request to APNs: their names, and that their values are texts.
struct APNsHeaderRules: RuleCheck {
    static let rules = [
        headerType, headerEmpty, headerValue, misspelledHeader, unknownHeader, payloadKeyInHeaders, idUppercase,
    ]
    let run: LintRun

    /// Checks headers, and returns what they say about the payload.
    func check(_ headers: LintNode, source: APNsSurroundings.Source) -> APNsSurroundings {
        var around = APNsSurroundings(source: source)
        guard headers.isObject else {
            report(Self.headerType, "headers must be an object, not \(headers.kindName)", at: headers)
            return around
        }
        around.headers = headers
        /// The known headers, as bits, and the names of others.
        var known = 0
        var others: Set<String> = []
        headers.forEachMember { member in
            let header = APNsHeader.named(member.key)
            let bit = header.map { 1 << $0.rawValue } ?? 0
            let isNew = header == nil ? others.insert(member.name.lowercased()).inserted : known & bit == 0
            if !isNew { APNsRefusalRules(run: run).reportRepeated(member) }
            known |= bit
            let isAuthorization = header == nil && member.key.isInAnyCase("authorization")
            checkKind(member, source, isRead: header != nil || isAuthorization)
            if let header { checkText(member, header) }
            switch header {
            case .pushType:
                around.pushTypeNode = member.value
                if let string = member.value.string { around.pushType = PushType(wireName: string.raw) }
            case .topic: around.topicNode = member.value
            case .priority: around.priorityNode = member.value
            case .expiration: APNsExpirationRules(run: run).check(member.value)
            case .channelID: around.isBroadcast = true
            case .requestID: APNsBroadcastRules(run: run).checkRequestID(member.value)
            case .id, .collapseID, .path: break
            case nil where isAuthorization: ProviderTokenRules(run: run).check(member.value)
            case nil: checkUnknown(member, member.name.lowercased(), in: headers)
            }
        }
        if around.isBroadcast, around.pushType == nil, around.pushTypeNode?.swiftString?.lowercased() == "liveactivity"
        {
            around.pushType = .liveactivity
        }
        return around
    }

    static let headerType = Rule(
        "apns.header-type", .error, "headers that are not strings",
        "headers is an object whose values are strings; a number is read as its text. Anything else is not sent.",
        source: .format, failing: Example.request(#""apns-push-type":["alert"]"#, Example.alert),
        passing: Example.alertRequest)
    static let headerEmpty = Rule(
        "apns.header-empty", .warning, "a header without a value",
        "An empty value often comes from a variable that was not set. pushpipe treats the header as absent, so notifications without their collapse id are not replaced. What APNs does with an empty value is not documented.",
        source: .sending, failing: Example.alertRequest(#""apns-collapse-id":"""#), passing: Example.alertRequest)

    private func checkKind(_ member: LintMember, _ source: APNsSurroundings.Source, isRead: Bool) {
        switch member.value.kind {
        case .string:
            guard isRead, member.value.string?.count == 0 else { return }
            report(Self.headerEmpty, "\(member.name) is empty, and treated as absent", at: member.value)
        case .number: break
        case _ where source == .fcm: break  // Reported by FCM's own rule.
        default:
            report(Self.headerType, "a header must be a string, not \(member.value.kindName)", at: member.value)
        }
    }

    static let headerValue = Rule(
        "apns.header-value", .warning, "a header with white space at either end, or a topic that no app can have",
        "HTTP allows no white space at either end of a value. Libraries refuse it or remove it. What APNs does with it is not documented, and two collapse ids that differ by a space do not replace each other. A bundle identifier has only letters, digits, hyphens and periods.",
        source: .sending, failing: Example.alertRequest(#""apns-collapse-id":"count ""#),
        passing: Example.alertRequest(#""apns-collapse-id":"count""#))

    private func checkText(_ member: LintMember, _ header: APNsHeader) {
        member.value.string?.withDecoded { text in
            guard text.isPadded || header == .topic && !text.isTopic else { return }
            let fault = text.isPadded ? "has white space at an end" : "has characters that no bundle identifier has"
            report(Self.headerValue, "\(member.name) \(fault)", at: member.value)
        }
    }

    /// The decoder reports it.
    static let idUppercase = Rule(
        "apns.id-uppercase", .warning, "an apns-id in upper case",
        "Apple defines the UUID in lower case. Whether APNs accepts upper case is not documented.", source: .sending,
        failing: Example.alertRequest(#""apns-id":"EABEAE54-14A8-11E5-B60B-1697F925EC7B""#),
        passing: Example.alertRequest(#""apns-id":"eabeae54-14a8-11e5-b60b-1697f925ec7b""#))

    /// Headers of HTTP itself, and of authentication.
    private static let otherHeaders: Set<String> = [
        ":method", ":path", ":scheme", ":authority", "authorization", "content-type", "content-length", "host",
        "user-agent", "accept", "accept-encoding", "content-encoding", "connection", "te",
    ]

    static let payloadKeyInHeaders = Rule(
        "apns.payload-key-in-headers", .error, "a payload key among the headers",
        "mutable-content and similar names are aps keys. As headers, APNs ignores them and still answers 200.",
        source: .communicating, failing: Example.alertRequest(#""mutable-content":"1""#),
        passing: Example.request(#""apns-push-type":"alert""#, #"{"aps":{"alert":"Late count","mutable-content":1}}"#))
    static let misspelledHeader = Rule(
        "apns.misspelled-header", .error, "a misspelled APNs header",
        "APNs ignores headers that it does not know, and uses its defaults: priority 10, no collapse id, storage for up to 30 days.",
        source: .sending, failing: Example.alertRequest(#""apns_collapse_id":"count""#),
        passing: Example.alertRequest(#""apns-collapse-id":"count""#), isFixable: true)
    static let unknownHeader = Rule(
        "apns.unknown-header", .warning, "an unknown APNs header", "APNs ignores the header.", source: .communicating,
        failing: Example.alertRequest(#""x-request":"7""#), passing: Example.alertRequest)

    /// Keys of Live Activities that a header of one's own may be called as well.
    private static let commonWords: Set<String> = ["timestamp", "event", "attributes"]
    /// Names of other interfaces, and the header with their effect.
    private static let hints = NameHints([
        (["collapse_key"], "did you mean apns-collapse-id?"),
        (["ttl", "time_to_live", "expiry"], "did you mean apns-expiration (in seconds since 1970)?"),
        (["authorisation", "authentication"], "did you mean authorization?"),
    ])

    private func checkUnknown(_ member: LintMember, _ name: String, in headers: LintNode) {
        if Self.otherHeaders.contains(name) { return }
        if let key = APSRules.keys.spelled(like: name), !Self.commonWords.contains(key.description) {
            report(
                Self.payloadKeyInHeaders,
                "\"\(member.name)\" belongs in the payload's aps; APNs ignores headers that it does not know",
                at: member)
        } else if let meant = APNsHeader.names.suggestion(for: name) ?? APNsHeader.suggestion(withoutPrefix: name) {
            let values = APNsHeader.valuesMissing(in: member.value, of: meant.name)
            report(
                Self.misspelledHeader,
                "\"\(member.name)\" is not an APNs header; did you mean \(meant.name)\(values.map { ", which takes \($0)" } ?? "")?",
                at: member, edits: values == nil ? meant.renaming(member, in: headers) : [])
        } else if let hint = Self.hints[name] {
            report(Self.unknownHeader, "APNs ignores the unknown header \"\(member.name)\"; \(hint)", at: member)
        } else {
            report(Self.unknownHeader, "APNs ignores the unknown header \"\(member.name)\"", at: member)
        }
    }
}

extension BorrowedText {
    /// True if white space begins or ends it.
    var isPadded: Bool {
        // SOUND: the text is alive while the caller has it.
        unsafe buffer.first.map(JSONScanner.isWhitespace) ?? false || buffer.last.map(JSONScanner.isWhitespace) ?? false
    }

    /// True if it has the characters of a topic alone. Identifiers of passes and of old apps have underscores, too.
    fileprivate var isTopic: Bool {
        // SOUND: the text is alive while the caller has it.
        unsafe buffer.allSatisfy { $0.isLetter || $0.isDigit || "-._".utf8.contains($0) }
    }
}

/// Names of headers that only the linter needs.
extension APNsHeader {
    private static let all = allCases.filter { $0 != .path }
    /// Their names, in the order of the cases.
    static let names = NameList(all.map(\.name))

    /// The header with this name, whatever its case; nil for the path, too.
    static func named(_ key: JSONString) -> APNsHeader? { APNsHeader(key).flatMap { $0 == .path ? nil : $0 } }

    /// Headers that people set themselves, so that a similar name is hardly anything else.
    private static let common = all.filter { $0.row.isHandedOn && $0 != .id }

    /// The header that a name without prefix means, such as `priority` or `collapse_id`.
    static func suggestion(withoutPrefix name: String) -> SuggestedName? {
        let folded = NearMiss.folded("apns-" + name)
        return (common + [.channelID]).first { $0.folded == folded }.map {
            SuggestedName(name: $0.name.description, differsInStyleOnly: true)
        }
    }

    private var folded: [UInt8] { Self.names.folded[Int(rawValue)] }

    /// True if the key of a payload is the name of a header, such as `apns-priority` or `apnsPriority`.
    static func isMeant(by key: JSONString) -> Bool {
        if key.isPlain, !key.beginsFolded(with: "apns") { return false }
        let name = key.string
        guard let first = name.utf8.first, first | 0x20 == UInt8(ascii: "a") else { return false }
        if name.lowercased().hasPrefix("apns-") { return true }
        let folded = NearMiss.folded(name)
        return common.contains { $0.folded == folded }
    }

    /// The values that the header with a name takes, in words, if a value is not one of them. A request without the header is accepted, and
    /// one with such a value is not.
    static func valuesMissing(in value: LintNode, of name: String) -> String? {
        guard let header = all.first(where: { $0.name.description == name }), header.row.values.utf8CodeUnitCount > 0
        else { return nil }
        let written = value.swiftString ?? value.source
        // A number with a plus sign is one of seconds, too.
        if header == .expiration, Int64(written) != nil { return nil }
        let isRefused = BorrowedText.with(written) { APNsAcceptance.refusal(of: $0, in: header) != nil }
        return isRefused ? header.row.values.description : nil
    }
}

/// `apns-topic`, whose suffix depends on the push type.
struct APNsTopicRules: RuleCheck {
    static let rules = [topicSuffix, topicSuffixUnexpected]
    let run: LintRun

    func check(_ around: APNsSurroundings) {
        guard let type = around.pushType, type != .mdm, let node = around.topicNode, let string = node.string,
            string.count > 0
        else { return }
        let suffix = type.row.topicSuffix.description
        if suffix.isEmpty, string.isPlain, !Self.hasSuffix(string.raw) { return }
        let topic = string.string
        let other = topic.hasSuffix(suffix) && !suffix.isEmpty ? nil : Self.suffixed(topic)
        // APNs refuses that pair, which is said of the push type. FCM passes it on.
        if other != nil, around.source == .request, around.hasPushType, !around.isBroadcast { return }
        if suffix.isEmpty {
            guard let row = other else { return }
            report(
                Self.topicSuffixUnexpected,
                "\(row.topicSuffix) belongs to apns-push-type \(row.wireName); with \(type.row.wireName), the topic is the bundle identifier",
                at: node)
        } else if topic.hasSuffix(suffix + suffix) {
            report(
                Self.topicSuffixUnexpected,
                "\(suffix) appears twice, which is right only for an app whose bundle identifier ends with it",
                at: node)
        } else if !topic.hasSuffix(suffix) {
            // A topic with another suffix, or with this one in capitals, is left to its author.
            let isBare = other == nil && !topic.lowercased().hasSuffix(suffix)
            report(
                Self.topicSuffix, "the topic of apns-push-type \(type.row.wireName) ends with \(suffix)", at: node,
                edits: isBare ? [TextEdit(node.range.upperBound - 1..<node.range.upperBound - 1, suffix)] : [])
        }
    }

    static let topicSuffix = Rule(
        "apns.topic-suffix", .error, "a topic that does not match the push type",
        "Most special push types add a suffix to the bundle identifier, such as .voip or .push-type.liveactivity. alert and background use the identifier alone. What APNs answers to a topic without its suffix is not documented.",
        source: .sending, failing: Example.request(#""apns-push-type":"voip","apns-expiration":"0""#, #"{"call":7}"#),
        passing: Example.request(
            #""apns-push-type":"voip","apns-expiration":"0""#, #"{"call":7}"#, topic: "org.example.news.voip"),
        isFixable: true)
    static let topicSuffixUnexpected = Rule(
        "apns.topic-suffix-unexpected", .warning, "a topic with the suffix of another push type",
        "alert and background use the bundle identifier alone, and the other types add one suffix, once. A suffix such as .voip belongs to another type: APNs is seen to answer 400 InvalidPushType, for a request of its own (apns.invalid-push-type) as for what FCM passes on.",
        source: .sending,
        failing:
            #"{"message":{"token":"dGVzdA","apns":{"headers":{"apns-topic":"org.example.news.voip","apns-push-type":"alert"},"payload":{"aps":{"alert":"Polls close at 18:00"}}}}}"#,
        passing: Example.alertRequest)

    private static func hasSuffix(_ topic: BorrowedText) -> Bool {
        PushType.table.contains { $0.topicSuffix.utf8CodeUnitCount > 0 && topic.hasSuffix($0.topicSuffix) }
    }

    /// The push type whose suffix a topic ends with.
    private static func suffixed(_ topic: String) -> PushType.Row? {
        PushType.table.first { !$0.topicSuffix.description.isEmpty && topic.hasSuffix($0.topicSuffix.description) }
    }
}

/// `apns-expiration`, a time in seconds since 1970.
struct APNsExpirationRules: RuleCheck {
    static let rules = [expirationMilliseconds, expirationRelative, expirationPast]
    let run: LintRun

    func check(_ node: LintNode) {
        guard let seconds = Int64(node.swiftString ?? node.source) else { return }
        if seconds > 100_000_000_000 {
            report(
                Self.expirationMilliseconds,
                "\(seconds) seconds are the year \(Self.year(ofSeconds: seconds)); this looks like milliseconds",
                at: node, edits: [TextEdit(node.range, node.isString ? "\"\(seconds / 1000)\"" : "\(seconds / 1000)")])
        } else if seconds > 0, seconds < 1_000_000_000 {
            report(
                Self.expirationRelative,
                "\(seconds) seconds since 1970 are in \(Self.year(ofSeconds: seconds)); the header takes a time, not a duration",
                at: node)
        } else if seconds < 0 || seconds > 0 && seconds < Self.firstDay {
            report(
                Self.expirationPast,
                seconds < 0
                    ? "a negative time is before 1970; 0 means one attempt, without storage"
                    : "\(seconds) seconds since 1970 are in \(Self.year(ofSeconds: seconds)), before APNs existed",
                at: node)
        }
    }

    /// 17 June 2009, when iPhone OS 3.0 brought APNs.
    private static let firstDay: Int64 = 1_245_196_800

    static let expirationPast = Rule(
        "apns.expiration-past", .warning, "an expiration before APNs existed",
        "apns-expiration is a time in seconds since 1970, or 0 for one attempt without storage. What APNs does with a negative time, or a time long past, is not documented.",
        source: .sending, failing: Example.alertRequest(#""apns-expiration":"-1""#),
        passing: Example.alertRequest(#""apns-expiration":"0""#))

    static let expirationMilliseconds = Rule(
        "apns.expiration-milliseconds", .warning, "an expiration in milliseconds",
        "apns-expiration is a time in seconds since 1970. In milliseconds, it is thousands of years ahead, and APNs stores the push for as long as it stores any, 30 days.",
        source: .sending, failing: Example.alertRequest(#""apns-expiration":"1730761200000""#),
        passing: Example.alertRequest(#""apns-expiration":"1730761200""#), isFixable: true)
    static let expirationRelative = Rule(
        "apns.expiration-relative", .warning, "an expiration that looks like a duration",
        "apns-expiration is a time in seconds since 1970, not a time to live. What APNs does with a time long past is not documented.",
        source: .sending, failing: Example.alertRequest(#""apns-expiration":"3600""#),
        passing: Example.alertRequest(#""apns-expiration":"0""#))

    /// A rough calendar: years of 365.2425 days since 1970.
    private static func year(ofSeconds seconds: Int64) -> Int64 { 1970 + seconds / 31_556_952 }
}

/// `apns-push-type` and the priority of background pushes, compared with the payload.
struct APNsPushTypeRules: RuleCheck {
    static let rules = [
        pushTypeMissing, pushTypeMismatch, widgetContent, widgetAlert, alertNotShown, backgroundPriority,
    ]
    let run: LintRun

    func check(_ payload: LintNode, _ headers: LintNode, _ around: APNsSurroundings) {
        checkSpecialContent(payload, around)
        if !around.hasPushType, around.source == .request {
            report(
                Self.pushTypeMissing,
                "no apns-push-type: watchOS 6 and later require it, and APNs may delay or drop the push", at: headers)
        }
        let content = APSContent(payload["aps"])
        let isSilent = content.isContentAvailable && !content.isVisible && !around.hasTextElsewhere
        switch around.pushType {
        case .background:
            checkBackground(content, headers, around)
            checkBackgroundPriority(headers, around)
        case .alert where isSilent:
            reportMismatch(
                "a silent push needs apns-push-type background, not alert, and apns-priority 5",
                at: around.pushTypeNode ?? headers)
        case nil where !around.hasPushType && isSilent: checkBackgroundPriority(headers, around)
        default: break
        }
    }

    static let pushTypeMissing = Rule(
        "apns.push-type-missing", .warning, "no apns-push-type",
        "watchOS 6 and later require apns-push-type, and Apple recommends it everywhere. If it is missing or does not match, APNs may delay, drop or refuse the push.",
        source: .sending,
        failing:
            #"{"device":"\#(Example.token)","headers":{"apns-topic":"org.example.news"},"payload":\#(Example.alert)}"#,
        passing: Example.alertRequest)
    static let pushTypeMismatch = Rule(
        "apns.push-type-mismatch", .error, "an apns-push-type that does not match the payload",
        "The type must match the contents: alert for what is seen or heard, background for content-available alone. Apple says that APNs may return an error, delay or drop the push. Which error is not documented.",
        source: .sending,
        failing: Example.request(#""apns-push-type":"background","apns-priority":"5""#, Example.alert),
        passing: Example.alertRequest)

    private func reportMismatch(_ message: String, at node: LintNode) {
        report(Self.pushTypeMismatch, message, at: node)
    }

    static let widgetContent = Rule(
        "apns.widget-content", .warning, "a push to widgets or controls without content-changed",
        "The payload is {\"aps\":{\"content-changed\":true}}. Without content-changed, nothing says that there is something to reload.",
        source: .widgets,
        failing: Example.request(
            #""apns-push-type":"widgets""#, #"{"aps":{}}"#, topic: "org.example.news.push-type.widgets"),
        passing: Example.request(
            #""apns-push-type":"widgets""#, #"{"aps":{"content-changed":true}}"#,
            topic: "org.example.news.push-type.widgets"))

    static let widgetAlert = Rule(
        "apns.widget-alert", .warning, "an alert, badge or sound in a push to widgets or controls",
        "A push to widgets or controls only reloads them: its payload is {\"aps\":{\"content-changed\":true}}. Send an alert as a separate push.",
        source: .widgets,
        failing: Example.request(
            #""apns-push-type":"widgets""#, #"{"aps":{"content-changed":true,"alert":"Late count"}}"#,
            topic: "org.example.news.push-type.widgets"),
        passing: Example.request(
            #""apns-push-type":"widgets""#, #"{"aps":{"content-changed":true}}"#,
            topic: "org.example.news.push-type.widgets"))

    /// Reports content that a push to widgets or controls does not show. Without a push type `content-changed` says that it is one.
    func checkReload(_ aps: LintNode, _ around: APNsSurroundings) {
        let isReload =
            around.pushType == .widgets || around.pushType == .controls
            || around.pushType == nil && !around.hasPushType && aps["content-changed"] != nil
        guard isReload, let visible = APSContent(aps).firstVisible else { return }
        report(
            Self.widgetAlert, "a push to widgets or controls reloads them; its \"\(visible)\" has no effect", at: aps)
    }

    static let alertNotShown = Rule(
        "apns.alert-not-shown", .warning, "aps in a push that shows nothing",
        "A push with mdm makes the device contact its server. A push to the topic of a Wallet pass makes it download the pass. The payload is {\"mdm\": \"…\"} or {}. An alert in it is not shown.",
        source: .sending, failing: #"{"mdm":"7B2C","aps":{"alert":"Enrolled"}}"#, passing: Example.alertRequest)

    /// Reports `aps` that nothing reads.
    func checkUnread(_ payload: LintNode, _ around: APNsSurroundings) {
        guard let aps = payload["aps"] else { return }
        if payload["mdm"]?.isString ?? false, [nil, .mdm].contains(around.pushType) {
            report(Self.alertNotShown, "a push with mdm shows nothing, and its aps is ignored", at: aps)
        } else if around.isForPass, let visible = APSContent(aps).firstVisible {
            report(Self.alertNotShown, "Wallet downloads the pass and shows nothing of \"\(visible)\"", at: aps)
        }
    }

    private func checkSpecialContent(_ payload: LintNode, _ around: APNsSurroundings) {
        guard let type = around.pushType, let node = around.pushTypeNode else { return }
        if payload["mdm"] != nil, type != .mdm {
            reportMismatch("a payload with mdm needs apns-push-type mdm", at: node)
        } else if payload["mdm"] == nil, type == .mdm {
            reportMismatch("an MDM push is {\"mdm\": \"…\"}", at: node)
        } else if payload["aps"]?["content-changed"] != nil, type != .widgets, type != .controls {
            reportMismatch(
                "a payload with content-changed needs apns-push-type widgets or controls, and the suffix of that type in the topic",
                at: node)
        } else if type == .widgets || type == .controls, payload["aps"]?["content-changed"] == nil {
            report(
                Self.widgetContent, "a push to \(type.row.wireName) needs content-changed: true in aps",
                at: payload["aps"] ?? payload)
        }
    }

    private func checkBackground(_ content: APSContent, _ headers: LintNode, _ around: APNsSurroundings) {
        let place = around.pushTypeNode ?? headers
        // A badge or a sound beside content-available is told by APSCombinationRules, as a warning: apps in production send them.
        if let visible = content.firstVisible, visible == "alert" || !content.isContentAvailable {
            reportMismatch(
                "apns-push-type is background, but the payload has \"\(visible)\": send it as an alert", at: place)
        } else if around.hasTextElsewhere {
            reportMismatch(
                "apns-push-type is background, but FCM adds the notification's text: send it as an alert", at: place)
        } else if !content.isContentAvailable, !run.hasReported(APSRules.misspelledKey.id) {
            reportMismatch("a background push needs \"content-available\": 1 in aps", at: place)
        }
    }

    static let backgroundPriority = Rule(
        "apns.background-priority", .warning, "a background push with a priority other than 5",
        "Apple says to always use priority 5, and that 10 is an error. Without the header, the priority is 10. Which error APNs answers is not documented, and some senders in production do not use 5 (UNCONFIRMED).",
        source: .sending, failing: Example.request(#""apns-push-type":"background","apns-priority":"10""#, silent),
        passing: Example.request(#""apns-push-type":"background","apns-priority":"5""#, silent), isFixable: true)
    private static let silent = #"{"aps":{"content-available":1}}"#

    private func checkBackgroundPriority(_ headers: LintNode, _ around: APNsSurroundings) {
        if let node = around.priorityNode {
            guard around.priority != "5" else { return }
            report(
                Self.backgroundPriority, "a background push needs apns-priority 5, not \(around.priority ?? "")",
                at: node, edits: around.priority == "10" ? [TextEdit(node.range, node.isString ? "\"5\"" : "5")] : [])
        } else if around.source == .request {
            // It is not documented what FCM sends without one.
            report(
                Self.backgroundPriority, "a background push needs apns-priority 5; without the header it is 10",
                at: headers, edits: [headers.adding("apns-priority", "\"5\"")])
        }
    }
}
