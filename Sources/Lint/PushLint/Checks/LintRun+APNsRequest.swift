import PayloadJSON
import PushDecoding
import PushModel
import PushSystem

extension LintRun {
    /// `{"device":…,"headers":{…},"payload":…}`.
    func checkEnvelope(_ root: LintNode, _ payload: LintNode) {
        var around = APNsSurroundings(.request)
        if let headers = root["headers"], headers.kind != .null {
            if headers.isObject {
                around = readHeaders(headers, source: .request)
            } else {
                report(.apnsHeaderType, "headers must be an object, not \(headers.kindName)", at: .value(headers))
            }
        }
        root.forEachMember { member in
            guard member.key.begins(with: "apns-") else { return }
            report(.apnsHeaderOutside, "\(member.name) belongs in headers; here it is not read", at: .key(member))
        }
        if let device = root["device"], device.isString { checkToken(device) }
        guard let body = payload.isString ? open(payload) : payload, body.isObject else { return }
        checkPayload(body, around)
        if around.headers != nil { checkRequest(body, around) }
    }

    // MARK: - Headers

    private static let headerNames = NameList([
        "apns-topic", "apns-push-type", "apns-priority", "apns-id", "apns-expiration", "apns-collapse-id",
        "apns-request-id", "apns-channel-id",
    ])
    private static let headerTable = NameTable(headerNames.names)
    /// Headers of HTTP itself, and of authentication.
    private static let otherHeaders: Set<String> = [
        ":method", ":path", ":scheme", ":authority", "authorization", "content-type", "content-length", "host",
        "user-agent", "accept", "accept-encoding", "content-encoding", "connection", "te",
    ]
    /// APNs headers that people write without their prefix.
    private static let bareHeaderNames = NameList([
        "topic", "push-type", "priority", "expiration", "collapse-id", "channel-id",
    ])

    func readHeaders(_ headers: LintNode, source: APNsSurroundings.Source) -> APNsSurroundings {
        var around = APNsSurroundings(source)
        around.headers = headers
        var seen: Set<String> = []
        /// The positions in `headerNames` of those that are there, as bits.
        var known = 0
        headers.forEachMember { member in
            let header = Self.position(ofHeader: member.key)
            if let header {
                if known & 1 << header != 0 { reportRepeated(member, member.name.lowercased()) }
                known |= 1 << header
            } else if !seen.insert(member.name.lowercased()).inserted {
                reportRepeated(member, member.name.lowercased())
            }
            switch member.value.kind {
            case .string, .number: break
            case _ where source == .fcm: break  // Reported by FCM's own rule.
            default:
                report(
                    .apnsHeaderType, "the value of a header is text, not \(member.value.kindName)",
                    at: .value(member.value))
            }
            let isAuthorization = header == nil && member.key.isInAnyCase("authorization")
            if header != nil || isAuthorization, member.value.string?.count == 0 {
                report(
                    .apnsHeaderEmpty, "\(member.name) is empty, and read as if it were not there",
                    at: .value(member.value))
            }
            switch header {
            case 1:
                around.hasPushType = member.value.kind != .null
                around.pushTypeNode = member.value
                if let string = member.value.string { around.pushType = PushType(wireName: string.raw) }
            case 0: around.topicNode = member.value
            case 2: around.priorityNode = member.value
            case 4: checkExpiration(member.value)
            case 7: around.isBroadcast = true
            case .some: break
            case nil where isAuthorization: checkProviderToken(member.value)
            case nil: checkUnknownHeader(member, member.name.lowercased(), in: headers)
            }
        }
        if around.isBroadcast, around.pushType == nil,
            around.pushTypeNode?.swiftString?.lowercased() == "liveactivity"
        {
            around.pushType = .liveactivity
        }
        return around
    }

    /// The position in `headerNames`, whatever the case.
    private static func position(ofHeader key: JSONString) -> Int? {
        if let position = headerTable.position(of: key) { return position }
        if !key.isPlain {
            let name = key.string.lowercased()
            return headerNames.names.firstIndex { $0.description == name }
        }
        return headerNames.names.firstIndex { key.isPlainly($0) }
    }

    private func reportRepeated(_ member: LintMember, _ name: String) {
        report(
            .apnsDuplicateHeaders,
            "\(name) appears twice, because HTTP ignores case; APNs answers 400 DuplicateHeaders",
            at: .key(member))
    }

    /// Headers that FCM passes on to APNs, and that APNs would refuse.
    func checkHandedOnHeaders(_ headers: LintNode, _ around: APNsSurroundings) {
        headers.forEachMember { member in
            guard let text = member.value.swiftString, !text.isEmpty else { return }
            guard let header = Self.position(ofHeader: member.key) else { return }
            func refuse(_ rule: Rule, _ what: String, _ rejection: Rejection) {
                report(rule, "\(what); \(rejection.answer)", at: .value(member.value))
            }
            switch Self.headerNames.names[header].description {
            case "apns-collapse-id" where text.utf8.count > APNsAcceptance.maximumCollapseIDBytes:
                refuse(
                    .apnsBadCollapseID, "the collapse id has \(text.utf8.count) bytes, 64 are allowed", .badCollapseId)
            case "apns-priority" where !["10", "5", "1"].contains(text):
                refuse(.apnsBadPriority, "apns-priority is \"\(text)\"; 10, 5 and 1 are allowed", .badPriority)
            case "apns-push-type" where around.pushType == nil:
                refuse(
                    .apnsInvalidPushType, "apns-push-type is \"\(text)\", which is not one of Apple's values",
                    .invalidPushType)
            case "apns-expiration" where Int64(text) == nil || text.hasPrefix("+"):
                refuse(
                    .apnsBadExpirationDate, "apns-expiration is \"\(text)\", not a number of epoch seconds",
                    .badExpirationDate)
            case "apns-id" where !APNsAcceptance.isUUID(text):
                refuse(.apnsBadMessageID, "apns-id is not a UUID of the form 8-4-4-4-12", .badMessageId)
            default: break
            }
        }
    }

    private func checkUnknownHeader(_ member: LintMember, _ name: String, in headers: LintNode) {
        if Self.otherHeaders.contains(name) { return }
        if Self.apsKeys.spelled(like: name) != nil {
            report(
                .apnsPayloadKeyInHeaders,
                "\"\(member.name)\" belongs in the payload's aps; APNs ignores headers that it does not know",
                at: .key(member))
        } else if let meant = Self.lookAlike(name, among: Self.headerNames) {
            report(
                .apnsMisspelledHeader, "\"\(member.name)\" is not a header of APNs, \(meant.name) is", at: .key(member),
                edits: meant.differsInStyleOnly ? Self.rename(member, to: meant.name, in: headers) : [])
        } else if let meant = Self.lookAlike(name, among: Self.bareHeaderNames), meant.differsInStyleOnly {
            report(
                .apnsMisspelledHeader, "\"\(member.name)\" is not a header of APNs, apns-\(meant.name) is",
                at: .key(member),
                edits: Self.rename(member, to: "apns-" + meant.name, in: headers))
        } else {
            report(
                .apnsUnknownHeader, "APNs has no header \"\(member.name)\", and ignores it", at: .key(member))
        }
    }

    private func checkExpiration(_ node: LintNode) {
        guard let seconds = Int64(node.swiftString ?? node.source) else { return }
        if seconds > 100_000_000_000 {
            let edit = node.isString ? "\"\(seconds / 1000)\"" : "\(seconds / 1000)"
            report(
                .apnsExpirationMilliseconds,
                "\(seconds) seconds are the year \(Self.year(ofSeconds: seconds)); these look like milliseconds",
                at: .value(node),
                edits: [TextEdit(node.range, edit)])
        } else if seconds > 0, seconds < 1_000_000_000 {
            report(
                .apnsExpirationRelative,
                "\(seconds) seconds since the epoch are in \(Self.year(ofSeconds: seconds)); the header takes a time, not a duration",
                at: .value(node))
        }
    }

    /// A rough calendar: years of 365.2425 days since 1970.
    static func year(ofSeconds seconds: Int64) -> Int64 { 1970 + seconds / 31_556_952 }

    // MARK: - Device token

    private func checkToken(_ node: LintNode) {
        guard let string = node.string, string.count > 0 else { return }
        if !string.hasEscapes, string.count >= 64, DeviceToken.isHexadecimalBytes(string.raw) { return }
        let token = string.string
        let isHexadecimal = token.utf8.allSatisfy { $0.hexadecimalDigit != nil }
        let answer = "; APNs answers 400 BadDeviceToken"
        if isHexadecimal {
            if token.utf8.count.isMultiple(of: 2) {
                if token.utf8.count < 64 {
                    report(
                        .apnsTokenLength, "the token has \(token.utf8.count) digits, and most have 64", at: .value(node)
                    )
                }
            } else {
                report(
                    .apnsTokenForm,
                    "the token has \(token.utf8.count) hexadecimal digits; it must have an even number\(answer)",
                    at: .value(node))
            }
            return
        }
        let bare = String(decoding: token.utf8.filter { !" <>".utf8.contains($0) }, as: UTF8.self)
        if bare != token, !bare.isEmpty, bare.utf8.allSatisfy({ $0.hexadecimalDigit != nil }) {
            report(
                .apnsTokenForm, "the token is printed as data, with <, > or spaces\(answer)", at: .value(node),
                edits: [TextEdit(node.range, "\"\(bare)\"")])
        } else if token.contains(":APA91") || token.utf8.count > 120 && token.contains(":") {
            report(
                .apnsTokenForm, "this looks like a registration token of FCM, not a device token\(answer)",
                at: .value(node))
        } else if token.utf8.count == 44, token.hasSuffix("=") {
            report(
                .apnsTokenForm, "this looks like Base64; APNs wants the bytes in hexadecimal\(answer)", at: .value(node)
            )
        }
    }

    // MARK: - Headers and payload together

    func checkRequest(_ payload: LintNode, _ around: APNsSurroundings) {
        guard let headers = around.headers else { return }
        if around.isBroadcast { return checkBroadcast(headers, around) }
        // Updates of Wallet passes come with an empty payload.
        if around.isForPass { return }
        let content = APSContent(payload["aps"])
        checkTopic(around)
        checkSpecialContent(payload, around)
        if !around.hasPushType, around.source == .request {
            report(
                .apnsPushTypeMissing,
                "no apns-push-type: watchOS 6 and later require it, and APNs may delay or drop the push",
                at: .value(headers))
        }
        let isSilent = content.isContentAvailable && !content.isVisible && !around.hasTextElsewhere
        switch around.pushType {
        case .background: checkBackground(content, around)
        case .alert where isSilent:
            report(
                .apnsPushTypeMismatch, "a silent push needs apns-push-type background, not alert",
                at: around.pushTypeNode.map(Place.value) ?? .value(headers))
        case nil where !around.hasPushType && isSilent: checkBackgroundPriority(around)
        default: break
        }
    }

    /// A push through a channel. Source: Apple, "Sending broadcast push notification requests to APNs".
    private func checkBroadcast(_ headers: LintNode, _ around: APNsSurroundings) {
        if around.pushType != .liveactivity {
            report(
                .apnsBroadcast, "a broadcast has apns-push-type liveactivity; APNs answers 400 InvalidPushType",
                at: around.pushTypeNode.map(Place.value) ?? .value(headers))
        }
        for name in ["apns-expiration", "apns-priority"] as [StaticString] where headers.headerText(name) == nil {
            report(.apnsBroadcast, "a broadcast needs \(name)", at: .value(headers))
        }
    }

    /// Payloads that state their own push type.
    private func checkSpecialContent(_ payload: LintNode, _ around: APNsSurroundings) {
        guard let type = around.pushType, let node = around.pushTypeNode else { return }
        if payload["mdm"] != nil, type != .mdm {
            report(.apnsPushTypeMismatch, "a payload with mdm needs apns-push-type mdm", at: .value(node))
        } else if payload["mdm"] == nil, type == .mdm {
            report(.apnsPushTypeMismatch, "an MDM push is {\"mdm\": \"…\"}", at: .value(node))
        } else if payload["aps"]?["content-changed"] != nil, type != .widgets, type != .controls {
            report(
                .apnsPushTypeMismatch, "a payload with content-changed needs apns-push-type widgets or controls",
                at: .value(node))
        } else if type == .widgets || type == .controls, payload["aps"]?["content-changed"] == nil {
            report(
                .apnsWidgetContent, "a push to \(type.row.wireName) has content-changed: true in aps",
                at: .value(payload["aps"] ?? payload))
        }
    }

    private func checkBackground(_ content: APSContent, _ around: APNsSurroundings) {
        guard let headers = around.headers else { return }
        let place = around.pushTypeNode.map(Place.value) ?? .value(headers)
        if let visible = content.firstVisible {
            report(
                .apnsPushTypeMismatch,
                "apns-push-type is background, and the payload has \"\(visible)\": that is an alert",
                at: place)
        } else if around.hasTextElsewhere {
            report(
                .apnsPushTypeMismatch,
                "apns-push-type is background, and FCM adds the notification's text: that is an alert",
                at: place)
        } else if !content.isContentAvailable, !hasReported(Rule.apsMisspelledKey.id) {
            report(.apnsPushTypeMismatch, "a background push needs \"content-available\": 1 in aps", at: place)
        }
        checkBackgroundPriority(around)
    }

    private func checkBackgroundPriority(_ around: APNsSurroundings) {
        guard let headers = around.headers else { return }
        if let node = around.priorityNode {
            guard around.priority != "5" else { return }
            report(
                .apnsBackgroundPriority, "a background push needs apns-priority 5, not \(around.priority ?? "")",
                at: .value(node),
                edits: around.priority == "10" ? [TextEdit(node.range, node.isString ? "\"5\"" : "5")] : [])
        } else if around.source == .request {
            // It is not documented what FCM sends without one.
            report(
                .apnsBackgroundPriority, "a background push needs apns-priority 5, and without the header it is 10",
                at: .value(headers), edits: [Self.addition(of: "apns-priority", "5", to: headers)])
        }
    }

    /// The edit that adds a member to an object, set like the one before it.
    private static func addition(of name: String, _ value: String, to object: LintNode) -> TextEdit {
        var last: LintMember?
        object.forEachMember { last = $0 }
        guard let last else {
            let end = object.range.upperBound - 1
            return TextEdit(end..<end, "\"\(name)\":\"\(value)\"")
        }
        // What is around the last member is space, as far as it goes.
        let before = object.text.space(before: last.keyRange.lowerBound)
        let between = object.text.space(before: last.value.range.lowerBound)
        let end = last.value.range.upperBound
        return TextEdit(end..<end, ",\(before)\"\(name)\":\(between)\"\(value)\"")
    }

    private func checkTopic(_ around: APNsSurroundings) {
        guard let type = around.pushType, type != .mdm, let node = around.topicNode, let string = node.string,
            string.count > 0
        else { return }
        let suffix = type.row.topicSuffix.description
        if suffix.isEmpty, !string.hasEscapes, string.isPlain, !Self.endsWithSuffix(string.raw) { return }
        let topic = string.string
        if suffix.isEmpty {
            guard let row = Self.suffixed(topic) else { return }
            report(
                .apnsTopicSuffixUnexpected,
                "\(row.topicSuffix) belongs to apns-push-type \(row.wireName); with \(type.row.wireName) the topic is the bundle identifier",
                at: .value(node))
        } else if !topic.hasSuffix(suffix) {
            // A topic with another suffix, or with this one in capitals, is left to its author.
            let isBare = Self.suffixed(topic) == nil && !topic.lowercased().hasSuffix(suffix)
            report(
                .apnsTopicSuffix, "the topic of apns-push-type \(type.row.wireName) ends with \(suffix)",
                at: .value(node),
                edits: isBare ? [TextEdit(node.range.upperBound - 1..<node.range.upperBound - 1, suffix)] : [])
        }
    }

    private static func endsWithSuffix(_ topic: BorrowedText) -> Bool {
        PushType.table.contains { $0.topicSuffix.utf8CodeUnitCount > 0 && topic.hasSuffix($0.topicSuffix) }
    }

    /// The push type whose suffix a topic ends with.
    private static func suffixed(_ topic: String) -> PushType.Row? {
        PushType.table.first { !$0.topicSuffix.description.isEmpty && topic.hasSuffix($0.topicSuffix.description) }
    }
}

extension LintNode {
    /// The value of a header, whose name is compared without case; nil if it is absent or empty.
    func headerText(_ name: StaticString) -> String? {
        var found: LintNode?
        forEachMember { if $0.key.isInAnyCase(name) { found = $0.value } }
        return found.map { $0.swiftString ?? $0.source }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
