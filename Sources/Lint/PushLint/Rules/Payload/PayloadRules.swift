import PushJSON
import PushModel

/// APNs payloads as a whole: members beside `aps`, or in its place.
struct PayloadRules: RuleCheck {
    static let rules = [misspelledAps, apsMissing, headerInPayload, requestField, paddedName, googleKey, nullValue]
    let run: LintRun

    /// An APNs payload: the body of a request.
    func check(_ payload: LintNode, _ around: APNsSurroundings) {
        if !run.readers.isEmpty, around.source != .fcm { SchemaRules(run: run).check(payload, around) }
        let aps = payload["aps"]
        var neighbors = APSNeighborRules(run: run, aps: aps)
        payload.forEachMember { member in
            if !(member.key == "aps") { checkTopLevel(member, in: payload, &neighbors, around) }
        }
        neighbors.finish()
        if around.source != .fcm { APNsPushTypeRules(run: run).checkUnread(payload, around) }
        if let aps {
            APSRules(run: run, isInFCM: around.source == .fcm).check(aps, around)
        } else if around.source != .fcm || !around.hasTextElsewhere && !payload.hasMembers {
            // FCM refuses other payloads, which the decoder reports.
            checkMissingAps(payload, around)
        }
    }

    private func checkTopLevel(
        _ member: LintMember, in payload: LintNode, _ neighbors: inout APSNeighborRules, _ around: APNsSurroundings
    ) {
        let key = member.key
        if key == SimulatorRules.bundleKey {
            SimulatorRules(run: run).check(member, around)
        } else if APNsHeader.isMeant(by: key), around.source != .bare || !(key == "apns-id") {
            report(
                Self.headerInPayload,
                "\(member.name) \(Self.headerWords(member)); in the payload it is app data", at: member)
        } else if key.isOne(of: Self.googleKeys) {
            report(
                Self.googleKey,
                "\(member.name), a key of Google's requests, is app data here\(Self.appleNames[member.name].map { "; \($0)" } ?? "")",
                at: member)
        } else if neighbors.aps == nil, Self.isMeantAsAps(member) {
            reportMisspelledAps(member, in: payload)
        } else if around.source == .bare, isReportedAsField(member) {
            return
        } else if around.isForAps, neighbors.isReported(member, isSilent: around.pushType == .background) {
            return
        } else if key.withDecoded({ $0.isPadded }) {
            reportPadded("the name \"\(member.name)\"", at: member)
        } else if member.value.kind == .null {
            reportNull(member)
        }
    }

    static let requestField = Rule(
        "payload.request-field", .info, "a request key next to aps",
        "A payload is the body of a request. Request headers such as the topic, the priority or the collapse id are not read in it: they are app data. To set them, put the payload into an envelope.",
        source: .format, failing: #"{"aps":{"alert":"Late count"},"topic":"org.example.news"}"#,
        passing: Example.alertRequest)

    /// Fields of requests in libraries and tools, folded, which are headers of APNs.
    private static let requestFields: [StaticString] = [
        "topic", "expiration", "priority", "pushtype", "collapseid", "apnsid",
    ]

    private func isReportedAsField(_ member: LintMember) -> Bool {
        let key = member.key
        if key == "headers", member.value.isObject {
            var hasHeader = false
            member.value.forEachMember { hasHeader = hasHeader || $0.key.begins(with: "apns-") }
            report(
                hasHeader ? Self.headerInPayload : Self.requestField,
                "headers next to aps are app data; in an envelope, they stand next to payload", at: member)
            return true
        }
        guard key.isPlain, Self.requestFields.contains(where: { key.beginsFolded(with: $0) }),
            Self.requestFields.contains(where: { NearMiss.folded(key.string) == Array($0.description.utf8) })
        else { return false }
        report(
            Self.requestField,
            "\(member.name) is app data here; request headers belong in an envelope",
            at: member)
        return true
    }

    static let paddedName = Rule(
        "payload.padded-name", .warning, "a name that begins or ends with white space",
        "Names are compared byte by byte. With an extra space, a sound file, category, thread or key is a different one.",
        source: .generating, failing: Example.aps(#""alert":"Late count","category":"COUNT ""#),
        passing: Example.aps(#""alert":"Late count","category":"COUNT""#))

    func reportPadded(_ name: String, at place: some FindingPlace) {
        report(Self.paddedName, "\(name) begins or ends with white space", at: place)
    }

    static let headerInPayload = Rule(
        "payload.header-in-payload", .error, "a request header inside the payload",
        "apns-priority, apns-collapse-id, apns-push-type and similar names are HTTP headers. In the JSON they are app data, and APNs uses its defaults.",
        source: .sending, failing: #"{"aps":{"alert":"Late count"},"apns-collapse-id":"count"}"#,
        passing: Example.request(
            #""apns-push-type":"alert","apns-collapse-id":"count""#, #"{"aps":{"alert":"Late count"}}"#))

    /// Describes a member that is named like a header.
    static func headerWords(_ member: LintMember) -> String {
        member.value.isObject ? "looks like a block of request headers" : "is a request header"
    }

    /// Keys of Google's requests that have no meaning in an APNs payload.
    private static let googleKeys: [StaticString] = [
        "content_available", "mutable_content", "click_action", "collapse_key", "time_to_live", "registration_ids",
        "android_channel_id",
    ]

    /// Their counterparts in a request to APNs.
    private static let appleNames = NameHints([
        (["content_available"], "use content-available in aps"),
        (["mutable_content"], "use mutable-content in aps"), (["click_action"], "use category in aps"),
        (["collapse_key"], "use the header apns-collapse-id"),
        (["time_to_live"], "use the header apns-expiration, in seconds since 1970"),
    ])

    static let googleKey = Rule(
        "payload.google-key", .warning, "a key of Google's requests in an APNs payload",
        "FCM reads content_available, mutable_content and click_action, and writes content-available, mutable-content and category instead. APNs passes them to the app unchanged.",
        source: .legacy, failing: #"{"aps":{"alert":"Late count"},"click_action":"OPEN"}"#,
        passing: #"{"aps":{"alert":"Late count","category":"OPEN"}}"#)

    static let nullValue = Rule(
        "payload.null-value", .warning, "null in the payload",
        "Apple does not list null among the values of custom keys, and some libraries lose the entry. As the value of an aps key, null means nothing. Omit the key.",
        source: .generating, failing: #"{"aps":{"alert":"Late count","badge":null}}"#,
        passing: #"{"aps":{"alert":"Late count"}}"#)

    func reportNull(_ member: LintMember) {
        report(
            Self.nullValue, "\(member.name) is null; some libraries lose the entry. Omit it",
            at: member.value)
    }

    static let misspelledAps = Rule(
        "payload.misspelled-aps", .error, "aps under another name",
        "The name must be aps, in lower case. Under any other name its contents are app data, and the device shows nothing.",
        source: .generating, failing: #"{"payload":{"APS":{"alert":"Polls close at 18:00"}}}"#,
        passing: #"{"payload":{"aps":{"alert":"Polls close at 18:00"}}}"#, isFixable: true)

    func reportMisspelledAps(_ member: LintMember, in payload: LintNode) {
        report(
            Self.misspelledAps, "\"\(member.name)\" is not \"aps\", so the device has nothing to show", at: member,
            edits: member.renamed(to: "aps", in: payload))
    }

    /// True if a name is `apns`, or `aps` in another spelling.
    static func isMeantAsAps(_ key: JSONString) -> Bool {
        key == "apns" || (key.count >= 3 && NearMiss.folded(key.string) == NearMiss.folded("aps"))
    }

    /// Members of FCM's block `apns` and of requests, which have the payload or `aps` inside.
    private static let outerKeys: [StaticString] = ["aps", "payload", "headers", "fcm_options", "live_activity_token"]

    /// True if an object of such a name can be `aps`, whose letters may be swapped or doubled if there is an alert inside.
    static func isMeantAsAps(_ member: LintMember) -> Bool {
        guard member.value.isObject else { return false }
        let isMeant =
            isMeantAsAps(member.key) || member.key.isOne(of: mistypedAps) && member.value["alert"] != nil
        return isMeant && outerKeys.allSatisfy { member.value[$0] == nil }
    }

    /// Other slips of a finger make names of their own, such as `apps` and `maps`.
    private static let mistypedAps: [StaticString] = ["asp", "apss", "aaps"]

    static let apsMissing = Rule(
        "payload.aps-missing", .warning, "a payload without aps",
        "An alert or background push needs aps. VoIP, MDM and file provider pushes do not; set their apns-push-type.",
        source: .generating, failing: #"{"payload":{"article":7}}"#,
        passing: #"{"payload":{"aps":{"alert":"Late count"},"article":7}}"#)

    private func checkMissingAps(_ payload: LintNode, _ around: APNsSurroundings) {
        guard around.isForNotification || around.pushType == .liveactivity, !around.isForPass, payload["mdm"] == nil,
            payload["container-identifier"] == nil
        else { return }
        var isMisspelled = false
        payload.forEachMember { if Self.isMeantAsAps($0) { isMisspelled = true } }
        if isMisspelled { return }
        report(Self.apsMissing, "without aps, the device has nothing to show and wakes no app", at: payload)
    }
}

/// The key of files that `xcrun simctl push` takes.
struct SimulatorRules: RuleCheck {
    static let rules = [bundleType, keyInRequest]
    static let bundleKey: StaticString = "Simulator Target Bundle"

    let run: LintRun

    func check(_ member: LintMember, _ around: APNsSurroundings) {
        if !member.value.isString {
            report(
                Self.bundleType, "the bundle identifier must be a string, not \(member.value.kindName)",
                at: member.value)
        } else if around.source != .bare {
            report(
                Self.keyInRequest, "only the simulator reads this key; APNs passes it to the app as data", at: member)
        }
    }

    static let bundleType = Rule(
        "simulator.bundle-type", .error, "a Simulator Target Bundle that is not a string",
        "The string is the bundle identifier of the app that a dropped .apns file is for.", source: .simulator,
        failing: #"{"Simulator Target Bundle":7,"aps":{"alert":"Hi"}}"#,
        passing: #"{"Simulator Target Bundle":"org.example.news","aps":{"alert":"Hi"}}"#)
    static let keyInRequest = Rule(
        "simulator.key-in-request", .warning, "Simulator Target Bundle in a payload for APNs",
        "Only the simulator reads this key. APNs counts its bytes and passes it to the app as data. Put the app's identifier into apns-topic.",
        source: .simulator,
        failing: Example.request(
            #""apns-push-type":"alert""#, #"{"Simulator Target Bundle":"org.example.news","aps":{"alert":"Hi"}}"#),
        passing: Example.alertRequest)
}

/// Keys of `aps` beside it, where they are data for the app.
struct APSNeighborRules: RuleCheck {
    static let rules = [apsKeyOutside, apsNameOutside]
    let run: LintRun
    let aps: LintNode?
    /// True if a key was found that cannot be the app's own.
    private var hasMisplaced = false
    /// True if one of them is of a Live Activity.
    private var isForActivity = false
    /// Words that are keys of `aps` if others are misplaced too, and the app's own otherwise.
    private var doubtful: [LintMember] = []
    /// The words that `aps` has, too. Looked up once: a hostile payload may repeat a name thousands of times.
    private var taken: [StaticString]?

    init(run: LintRun, aps: LintNode?) {
        self.run = run
        self.aps = aps
    }

    /// Keys that only `aps` has, so that they are misplaced outside it.
    static let unmistakableKeys: [StaticString] = [
        "content-available", "mutable-content", "thread-id", "interruption-level", "relevance-score",
        "target-content-id", "filter-criteria", "content-changed", "url-args",
    ]

    private static let activityKeys: [StaticString] = [
        "content-state", "stale-date", "dismissal-date", "attributes-type", "input-push-token", "input-push-channel",
    ]

    static let apsKeyOutside = Rule(
        "payload.aps-key-outside", .error, "an aps key next to aps",
        "Next to aps it is app data: the service extension does not run, the app is not woken, and the notification is not grouped.",
        source: .generating, failing: #"{"aps":{"alert":"Late count"},"mutable-content":1}"#,
        passing: #"{"aps":{"alert":"Late count","mutable-content":1}}"#)

    static let apsNameOutside = Rule(
        "payload.aps-name-outside", .warning, "a key next to aps that probably belongs in aps",
        "alert, badge, sound and other keys have an effect only inside aps, in Apple's spelling. Next to aps, and in FCM data, they are app data.",
        source: .generating, failing: #"{"aps":{"alert":"Late count"},"badge":3}"#,
        passing: #"{"aps":{"alert":"Late count","badge":3}}"#)

    /// Reports a member beside `aps`, and returns true if it has been reported.
    ///
    /// - Parameter isSilent: true in a background push, for which an alert can only be data.
    mutating func isReported(_ member: LintMember, isSilent: Bool) -> Bool {
        let key = member.key
        let isOfActivity = key.isOne(of: Self.activityKeys)
        if isOfActivity || key.isOne(of: Self.unmistakableKeys) {
            hasMisplaced = true
            isForActivity = isForActivity || isOfActivity
            report(Self.apsKeyOutside, "\(member.name) has an effect only inside aps", at: member)
            return true
        }
        if let meant = Self.otherSpelling(key) {
            hasMisplaced = true
            report(Self.apsNameOutside, "\(member.name) has an effect only inside aps, as \(meant)", at: member)
            return true
        }
        if isSilent { return false }
        if Self.isMeantForAps(member), !isTaken(key) {
            hasMisplaced = true
            reportName(member)
            return true
        }
        if key.isOne(of: Self.words), !isTaken(key) { doubtful.append(member) }
        return false
    }

    private mutating func isTaken(_ key: JSONString) -> Bool {
        if let taken { return key.isOne(of: taken) }
        var found: [StaticString] = []
        aps?.forEachMember { member in
            if let word = (["alert", "badge", "sound"] + Self.words).first(where: { member.key == $0 }) {
                found.append(word)
            }
        }
        taken = found
        return key.isOne(of: found)
    }

    /// Reports words that the other members explain.
    func finish() {
        guard !doubtful.isEmpty else { return }
        let isForActivity = isForActivity || aps?["content-state"] != nil || aps?["attributes-type"] != nil
        for member in doubtful {
            let isMisplaced =
                member.key == "category"
                ? member.value.isString && (hasMisplaced || Self.isIdentifier(member.value))
                : isForActivity
            if isMisplaced { reportName(member) }
        }
    }

    private func reportName(_ member: LintMember) {
        report(
            Self.apsNameOutside, "\(member.name) has an effect only inside aps; here it is app data", at: member
        )
    }

    /// Names that apps have for data of their own, too.
    private static let words: [StaticString] = ["category", "event", "timestamp", "attributes"]

    /// True for an `alert`, `badge` or `sound` with a value of its kind.
    private static func isMeantForAps(_ member: LintMember) -> Bool {
        switch member.key {
        case "alert": APSContent.hasText(member.value)
        case "badge": member.value.kind == .number
        case "sound": (member.value.string?.count ?? 0) > 0 || member.value["name"] != nil
        default: false
        }
    }

    /// True for a text as people name categories: `NEW_MESSAGE`.
    private static func isIdentifier(_ value: LintNode) -> Bool {
        guard let text = value.swiftString, text.utf8.count > 2 else { return false }
        return text.utf8.allSatisfy { $0 &- 65 < 26 || $0 == UInt8(ascii: "_") || $0 &- 48 < 10 }
            && text.utf8.contains { $0 &- 65 < 26 }
    }

    /// Keys whose other spellings are hardly an app's own, folded.
    private static let spellings: [(folded: StaticString, key: StaticString)] = [
        ("contentavailable", "content-available"), ("mutablecontent", "mutable-content"),
        ("interruptionlevel", "interruption-level"), ("relevancescore", "relevance-score"),
        ("targetcontentid", "target-content-id"), ("contentstate", "content-state"),
        ("dismissaldate", "dismissal-date"), ("attributestype", "attributes-type"),
        ("inputpushtoken", "input-push-token"), ("inputpushchannel", "input-push-channel"),
        ("contentchanged", "content-changed"),
    ]

    /// The key that a name is another spelling of.
    private static func otherSpelling(_ key: JSONString) -> StaticString? {
        guard key.isPlain, let row = spellings.first(where: { key.beginsFolded(with: $0.folded) }) else { return nil }
        return NearMiss.folded(key.string) == Array(row.folded.description.utf8) ? row.key : nil
    }
}
