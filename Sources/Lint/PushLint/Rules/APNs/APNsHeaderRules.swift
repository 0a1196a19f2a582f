import PayloadJSON
import PushModel

/// The headers of a request to APNs: their names, and that their values are texts.
struct APNsHeaderRules: RuleCheck {
    static let rules = [headerType, headerEmpty, misspelledHeader, unknownHeader, payloadKeyInHeaders, idUppercase]
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
            switch header {
            case .pushType:
                around.hasPushType = member.value.kind != .null
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
        "apns.header-type", .error, "headers that are not text",
        "The headers are an object whose values are strings; a number counts as its text. Anything else is not sent.",
        source: .format, failing: Example.request(#""apns-push-type":["alert"]"#, Example.alert),
        passing: Example.alertRequest)
    static let headerEmpty = Rule(
        "apns.header-empty", .warning, "a header without a value",
        "It is often a variable that was not set. pushpipe reads it as if the header were not there, so notifications without their collapse id are not replaced. What APNs makes of it is not documented.",
        source: .sending, failing: Example.alertRequest(#""apns-collapse-id":"""#), passing: Example.alertRequest)

    private func checkKind(_ member: LintMember, _ source: APNsSurroundings.Source, isRead: Bool) {
        switch member.value.kind {
        case .string:
            guard isRead, member.value.string?.count == 0 else { return }
            report(Self.headerEmpty, "\(member.name) is empty, and read as if it were not there", at: member.value)
        case .number: break
        case _ where source == .fcm: break  // Reported by FCM's own rule.
        default:
            report(Self.headerType, "the value of a header is text, not \(member.value.kindName)", at: member.value)
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
        "apns.payload-key-in-headers", .error, "a key of the payload among the headers",
        "mutable-content and similar names are keys of aps. APNs ignores them as headers, and still answers 200.",
        source: .communicating, failing: Example.alertRequest(#""mutable-content":"1""#),
        passing: Example.request(#""apns-push-type":"alert""#, #"{"aps":{"alert":"Late count","mutable-content":1}}"#))
    static let misspelledHeader = Rule(
        "apns.misspelled-header", .error, "a header of APNs in another spelling",
        "APNs ignores headers that it does not know, and uses its default: priority 10, no collapse id, storage for up to 30 days.",
        source: .sending, failing: Example.alertRequest(#""apns_collapse_id":"count""#),
        passing: Example.alertRequest(#""apns-collapse-id":"count""#), isFixable: true)
    static let unknownHeader = Rule(
        "apns.unknown-header", .warning, "a header that APNs does not know", "APNs ignores it.", source: .communicating,
        failing: Example.alertRequest(#""x-request":"7""#), passing: Example.alertRequest)

    /// Keys of Live Activities that a header of one's own may be called as well.
    private static let commonWords: Set<String> = ["timestamp", "event", "attributes"]
    /// Names of other interfaces, and the header with their effect.
    private static let hints = NameHints([
        (["collapse_key"], "apns-collapse-id is meant"),
        (["ttl", "time_to_live", "expiry"], "apns-expiration is meant, in seconds since 1970"),
        (["authorisation", "authentication"], "authorization is meant"),
    ])

    private func checkUnknown(_ member: LintMember, _ name: String, in headers: LintNode) {
        if Self.otherHeaders.contains(name) { return }
        if let key = APSRules.keys.spelled(like: name), !Self.commonWords.contains(key.description) {
            report(
                Self.payloadKeyInHeaders,
                "\"\(member.name)\" belongs in the payload's aps; APNs ignores headers that it does not know",
                at: member)
        } else if let meant = APNsHeader.names.lookAlike(name) ?? APNsHeader.lookAlike(withoutPrefix: name) {
            let values = APNsHeader.valuesMissing(in: member.value, of: meant.name)
            report(
                Self.misspelledHeader,
                "\"\(member.name)\" is not a header of APNs, \(meant.name) is\(values.map { ", and takes \($0)" } ?? "")",
                at: member, edits: values == nil ? meant.renaming(member, in: headers) : [])
        } else if let hint = Self.hints[name] {
            report(Self.unknownHeader, "APNs has no header \"\(member.name)\", and ignores it; \(hint)", at: member)
        } else {
            report(Self.unknownHeader, "APNs has no header \"\(member.name)\", and ignores it", at: member)
        }
    }
}
