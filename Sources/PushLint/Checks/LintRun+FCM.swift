import PayloadJSON
import PushDecoding
import PushModel

/// A field of FCM's messages, and its kind of JSON value.
struct FCMField: Sendable {
    enum Kind: Sendable { case string, object, stringMap, strings, boolean, number, list, any }

    let name: StaticString
    let kind: Kind

    init(_ name: StaticString, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// The other spelling of proto3's JSON mapping: `collapseKey` for `collapse_key`.
    var camelName: String {
        var camel = ""
        var isUpper = false
        for character in name.description {
            if character == "_" {
                isUpper = true
            } else {
                camel += isUpper ? character.uppercased() : String(character)
                isUpper = false
            }
        }
        return camel
    }
}

/// The fields of an object, found by either spelling.
struct FCMFields: Sendable {
    let fields: [FCMField]
    let names: NameList
    private let table: NameTable

    init(_ fields: [FCMField]) {
        self.fields = fields
        names = NameList(fields.map(\.name))
        table = NameTable(
            fields.enumerated().flatMap { [($1.name.description, $0), ($1.camelName, $0)] }
                .map { (name: $0.0, position: $0.1) })
    }

    /// The field with this name.
    subscript(key: JSONString) -> FCMField? { table.position(of: key).map { fields[$0] } }
}

/// The objects of an FCM v1 request. Source: FCM v1, `projects.messages`.
enum FCMObject {
    static let request = FCMFields([FCMField("message", .object), FCMField("validate_only", .boolean)])
    static let message = FCMFields([
        FCMField("name", .string), FCMField("token", .string), FCMField("topic", .string),
        FCMField("condition", .string),
        FCMField("fid", .string), FCMField("data", .stringMap), FCMField("notification", .object),
        FCMField("android", .object), FCMField("webpush", .object), FCMField("apns", .object),
        FCMField("fcm_options", .object),
    ])
    static let notification = FCMFields([
        FCMField("title", .string), FCMField("body", .string), FCMField("image", .string),
    ])
    static let options = FCMFields([FCMField("analytics_label", .string)])
    static let android = FCMFields([
        FCMField("collapse_key", .string), FCMField("priority", .any), FCMField("ttl", .any),
        FCMField("restricted_package_name", .string), FCMField("data", .stringMap), FCMField("notification", .object),
        FCMField("fcm_options", .object), FCMField("direct_boot_ok", .boolean),
        FCMField("bandwidth_constrained_ok", .boolean), FCMField("restricted_satellite_ok", .boolean),
    ])
    static let androidNotification = FCMFields([
        FCMField("title", .string), FCMField("body", .string), FCMField("icon", .string), FCMField("color", .any),
        FCMField("sound", .string), FCMField("tag", .string), FCMField("click_action", .string),
        FCMField("body_loc_key", .string), FCMField("body_loc_args", .strings), FCMField("title_loc_key", .string),
        FCMField("title_loc_args", .strings), FCMField("channel_id", .string), FCMField("ticker", .string),
        FCMField("sticky", .boolean), FCMField("event_time", .string), FCMField("local_only", .boolean),
        FCMField("notification_priority", .any), FCMField("default_sound", .boolean),
        FCMField("default_vibrate_timings", .boolean), FCMField("default_light_settings", .boolean),
        FCMField("vibrate_timings", .list), FCMField("visibility", .any), FCMField("notification_count", .number),
        FCMField("light_settings", .object), FCMField("image", .string), FCMField("proxy", .any),
        FCMField("bypass_proxy_notification", .boolean),
    ])
    static let apns = FCMFields([
        FCMField("headers", .stringMap), FCMField("payload", .object), FCMField("fcm_options", .object),
        FCMField("live_activity_token", .string),
    ])
    static let apnsOptions = FCMFields([FCMField("analytics_label", .string), FCMField("image", .string)])
    static let webpush = FCMFields([
        FCMField("headers", .stringMap), FCMField("data", .stringMap), FCMField("notification", .object),
        FCMField("fcm_options", .object),
    ])
    static let webpushOptions = FCMFields([FCMField("link", .string), FCMField("analytics_label", .string)])

    /// Names of the legacy request, and where their values belong now.
    static let legacy: [(name: StaticString, place: StaticString)] = [
        ("to", "message.token"), ("registration_ids", "message.token, one request a token"),
        ("collapse_key", "message.android.collapse_key"), ("priority", "message.android.priority"),
        ("time_to_live", "message.android.ttl, as in \"3600s\""), ("ttl", "message.android.ttl"),
        ("restricted_package_name", "message.android.restricted_package_name"),
        ("dry_run", "validate_only, beside message"),
        ("validate_only", "validate_only, beside message"),
        ("content_available", "message.apns.payload.aps, as content-available: 1"),
        ("mutable_content", "message.apns.payload.aps, as mutable-content: 1"),
        ("delay_while_idle", "nothing: it is gone"), ("aps", "message.apns.payload.aps"),
        ("headers", "message.apns.headers or message.webpush.headers"), ("payload", "message.apns.payload"),
    ]
}

extension LintRun {
    private static let refused = "; FCM answers 400 INVALID_ARGUMENT"

    /// `{"message":{…},"validate_only":…}`.
    func checkFCM(_ root: LintNode) {
        checkFields(root, FCMObject.request, "the request")
        guard let message = root["message"], message.isObject else { return }
        checkFields(message, FCMObject.message, "message", legacy: true)
        if let topic = message["topic"], let name = topic.swiftString, name.hasPrefix("/topics/") {
            report(
                .fcmTopicPrefix, "a topic is named without /topics/\(Self.refused)", at: .value(topic),
                edits: [TextEdit(topic.range.lowerBound + 1..<topic.range.lowerBound + 1 + "/topics/".utf8.count, "")])
        }
        if let options = message.either("fcm_options", "fcmOptions") {
            checkFields(options, FCMObject.options, "fcm_options")
        }
        if let name = message.member("name"), name.value.kind != .null {
            report(.fcmOutputOnly, "name is set by FCM in its answer, and not read in a request", at: .key(name))
        }
        checkData(message["data"])
        let notification = message["notification"]
        if let notification { checkFields(notification, FCMObject.notification, "notification", elsewhere: true) }
        if let android = message["android"] { checkAndroid(android) }
        if let webpush = message["webpush"] { checkWebpush(webpush) }
        if let apns = message["apns"] {
            checkAPNsBlock(
                apns,
                hasText: notification?["title"] != nil || notification?["body"] != nil)
        }
    }

    private func checkAndroid(_ android: LintNode) {
        guard android.isObject else { return }
        checkFields(android, FCMObject.android, "android")
        checkData(android["data"])
        if let ttl = android["ttl"], ttl.kind != .null { checkTimeToLive(ttl) }
        guard let notification = android["notification"], notification.isObject else { return }
        checkFields(notification, FCMObject.androidNotification, "android.notification")
        if let color = notification["color"] { checkColor(color, .fcmColor, Self.refused) }
        checkTimes(notification)
        for (arguments, camel, key, camelKey) in [
            ("body_loc_args", "bodyLocArgs", "body_loc_key", "bodyLocKey"),
            ("title_loc_args", "titleLocArgs", "title_loc_key", "titleLocKey"),
        ] as [(StaticString, StaticString, StaticString, StaticString)] {
            guard let member = notification.member(arguments) ?? notification.member(camel),
                notification.either(key, camelKey) == nil
            else {
                continue
            }
            report(.fcmArgumentsWithoutKey, "\(arguments) has no effect without \(key)", at: .key(member))
        }
    }

    private func checkTimes(_ notification: LintNode) {
        if let time = notification.either("event_time", "eventTime"), let text = time.swiftString,
            !Self.isTimestamp(text)
        {
            report(
                .fcmEventTime, "a time is written as in 2024-11-05T18:00:00Z\(Self.refused)", at: .value(time))
        }
        var durations: [LintNode] = []
        notification.either("vibrate_timings", "vibrateTimings")?.forEachElement { durations.append($0) }
        if let light = notification.either("light_settings", "lightSettings") {
            durations += [
                light.either("light_on_duration", "lightOnDuration"),
                light.either("light_off_duration", "lightOffDuration"),
            ].compactMap(\.self)
        }
        for duration in durations where duration.kind != .null && !Self.isDuration(duration.swiftString ?? "") {
            report(
                .fcmDuration, "a duration is a string of seconds that ends with s, as in \"0.5s\"\(Self.refused)",
                at: .value(duration))
        }
    }

    private static func isDuration(_ text: String) -> Bool {
        text.hasSuffix("s") && isPlainNumber(String(text.dropLast()))
    }

    /// RFC 3339 with a date, a time and an offset. The date itself is not checked.
    private static func isTimestamp(_ text: String) -> Bool {
        text.wholeMatch(
            of: /[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})/)
            != nil
    }

    /// `#rrggbb`.
    func checkColor(_ node: LintNode, _ rule: Rule, _ answer: String) {
        guard node.kind != .null else { return }
        guard !FCMMessage.isColor(node.view) else { return }
        let text = node.swiftString ?? ""
        let isBare = text.utf8.count == 6 && text.utf8.allSatisfy { hexadecimalDigit($0) != nil }
        report(
            rule, "a colour is written #rrggbb\(answer)", at: .value(node),
            edits: isBare ? [TextEdit(node.range.lowerBound + 1..<node.range.lowerBound + 1, "#")] : [])
    }

    private func checkTimeToLive(_ ttl: LintNode) {
        guard !FCMMessage.isDuration(ttl.view) else { return }
        let text = ttl.swiftString ?? ttl.source
        if ttl.isString, text.hasSuffix("s"), Self.isPlainNumber(String(text.dropLast())) {
            return report(
                .fcmTimeToLive, "ttl is from 0s to 2419200s, four weeks, with at most nine decimals\(Self.refused)",
                at: .value(ttl))
        }
        let isNumber = Self.isPlainNumber(text) && !text.hasPrefix("-")
        report(
            .fcmTimeToLive, "ttl is a string of seconds that ends with s, as in \"3600s\"\(Self.refused)",
            at: .value(ttl),
            edits: isNumber ? [TextEdit(ttl.range, "\"\(text)s\"")] : [])
    }

    private func checkWebpush(_ webpush: LintNode) {
        guard webpush.isObject else { return }
        checkFields(webpush, FCMObject.webpush, "webpush")
        checkData(webpush["data"], checksNames: false)
        if let headers = webpush["headers"] { checkHeaderStrings(headers, "webpush") }
        guard let options = webpush.either("fcm_options", "fcmOptions") else { return }
        checkFields(options, FCMObject.webpushOptions, "fcm_options")
        if let link = options["link"], let address = link.swiftString, !address.lowercased().hasPrefix("https://") {
            report(.fcmLink, "FCM takes links that begin with https:// alone", at: .value(link))
        }
    }

    private func checkHeaderStrings(_ headers: LintNode, _ place: String) {
        headers.forEachMember { member in
            guard !member.value.isString else { return }
            report(
                .fcmHeaderNotString, "every value of \(place).headers is a string\(Self.refused)",
                at: .value(member.value),
                edits: member.value.kind == .number ? Self.quoted(member.value) : [])
        }
    }

    private func checkAPNsBlock(_ apns: LintNode, hasText: Bool) {
        guard apns.isObject else { return }
        checkFields(apns, FCMObject.apns, "apns")
        if let options = apns.either("fcm_options", "fcmOptions") {
            checkFields(options, FCMObject.apnsOptions, "fcm_options")
        }
        var around = APNsSurroundings(.fcm)
        if let headers = apns["headers"], headers.isObject {
            checkHeaderStrings(headers, "apns")
            around = readHeaders(headers, source: .fcm)
            checkHandedOnHeaders(headers, around)
        }
        around.hasTextElsewhere = hasText
        guard let payload = apns["payload"], payload.isObject else { return }
        checkPayload(payload, around)
        if around.headers != nil { checkRequest(payload, around) }
    }

    // MARK: - Fields

    /// Checks the names and kinds of an object's fields.
    private func checkFields(
        _ object: LintNode, _ fields: FCMFields, _ place: StaticString, legacy: Bool = false, elsewhere: Bool = false
    ) {
        guard object.isObject else { return }
        object.forEachMember { member in
            if let field = fields[member.key] { return checkKind(member.value, field) }
            let name = member.name
            if legacy, let row = FCMObject.legacy.first(where: { member.key == $0.name }) {
                report(.fcmLegacyKey, "\(name) is no field of message; it belongs to \(row.place)", at: .key(member))
            } else if place.description == "apns", name == "aps" {
                report(.fcmLegacyKey, "aps belongs into apns.payload", at: .key(member))
            } else if elsewhere,
                FCMObject.androidNotification[member.key] != nil || name == "badge"
            {
                report(
                    .fcmMisplacedKey,
                    name == "badge"
                        ? "badge belongs to apns.payload.aps"
                        : "\(name) belongs to android.notification; notification has title, body and image",
                    at: .key(member))
            } else {
                reportUnknownField(member, in: object, among: fields.names, place)
            }
        }
    }

    private func reportUnknownField(
        _ member: LintMember, in object: LintNode, among names: NameList, _ place: StaticString
    ) {
        if let meant = Self.lookAlike(member.name, among: names) {
            report(
                .fcmUnknownKey, "\(place) has no field \"\(member.name)\"; \(meant.name) is meant", at: .key(member),
                edits: meant.differsInStyleOnly ? Self.rename(member, to: meant.name, in: object) : [])
        } else {
            report(.fcmUnknownKey, "\(place) has no field \"\(member.name)\"", at: .key(member))
        }
    }

    private func checkKind(_ value: LintNode, _ field: FCMField) {
        guard value.kind != .null else { return }
        func wrong(_ expected: String) {
            reportKind(.fcmWrongType, value, field.name.description, expected: expected, answer: Self.refused)
        }
        switch field.kind {
        case .string where value.kind == .number && field.name.description == "event_time":
            // Quotes would not make it a time.
            report(.fcmEventTime, "a time is a string as in 2024-11-05T18:00:00Z\(Self.refused)", at: .value(value))
        case .string: if !value.isString { wrong("a string") }
        case .object, .stringMap: if !value.isObject { wrong("an object") }
        case .boolean: if value.kind != .true, value.kind != .false { wrong("true or false") }
        // proto3 also reads a number in a string.
        case .number:
            if value.kind != .number, !(value.swiftString.map(Self.isPlainNumber) ?? false) { wrong("a number") }
        case .list: if value.kind != .array { wrong("an array") }
        case .strings: checkArguments(.fcmWrongType, field.name.description, value, answer: Self.refused)
        case .any: break
        }
    }

    /// Checks that values are strings and that names are not reserved.
    private func checkData(_ data: LintNode?, checksNames: Bool = true) {
        guard let data, data.isObject else { return }
        data.forEachMember { member in
            if !member.value.isString {
                report(
                    .fcmDataNotString,
                    "every value of data is a string, and \(member.name) is \(member.value.kindName)\(Self.refused)",
                    at: .value(member.value), edits: Self.quoted(member.value))
            }
            if checksNames, DataKeys.isReserved(member.key) {
                report(
                    .fcmReservedDataKey, "FCM keeps the name \"\(member.name)\" for itself\(Self.refused)",
                    at: .key(member))
            }
        }
    }

    /// The edit that quotes a scalar. Not for null: no string is obviously meant.
    static func quoted(_ value: LintNode) -> [TextEdit] {
        switch value.kind {
        case .number, .true, .false: [TextEdit(value.range, "\"\(value.source)\"")]
        default: []
        }
    }
}

extension LintNode {
    /// The member with either name.
    func either(_ name: StaticString, _ other: StaticString) -> LintNode? { self[name] ?? self[other] }
}
