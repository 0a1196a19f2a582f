import PayloadJSON
import PushModel

/// APNs payloads as a whole: members beside `aps`, or in its place.
struct PayloadRules: RuleCheck {
    static let rules = [misspelledAps, apsMissing, headerInPayload, googleKey, nullValue]
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
        if let aps {
            APSRules(run: run, isInFCM: around.source == .fcm).check(aps, around)
        } else if around.source != .fcm || !around.hasTextElsewhere {
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
                "\(member.name) \(Self.headerWords(member)); in the payload it is data for the app", at: member)
        } else if key.isOne(of: Self.googleKeys) {
            report(
                Self.googleKey,
                "\(member.name) is a name of Google's requests, and data for the app here\(Self.appleNames[member.name].map { "; \($0)" } ?? "")",
                at: member)
        } else if neighbors.aps == nil, Self.isMeantAsAps(member) {
            reportMisspelledAps(member, in: payload)
        } else if around.isForAps, neighbors.isReported(member, isSilent: around.pushType == .background) {
            return
        } else if member.value.kind == .null {
            reportNull(member)
        }
    }

    static let headerInPayload = Rule(
        "payload.header-in-payload", .error, "a header of the request inside the payload",
        "apns-priority, apns-collapse-id, apns-push-type and similar names are HTTP headers. In the JSON they are data for the app, and APNs uses its defaults.",
        source: .sending, failing: #"{"aps":{"alert":"Late count"},"apns-collapse-id":"count"}"#,
        passing: Example.request(
            #""apns-push-type":"alert","apns-collapse-id":"count""#, #"{"aps":{"alert":"Late count"}}"#))

    /// Describes a member that is named like a header.
    static func headerWords(_ member: LintMember) -> String {
        member.value.isObject ? "looks like a block of headers of the request" : "is a header of the request"
    }

    /// Keys of Google's requests that have no meaning in an APNs payload.
    private static let googleKeys: [StaticString] = [
        "content_available", "mutable_content", "click_action", "collapse_key", "time_to_live", "registration_ids",
        "android_channel_id",
    ]

    /// Their counterparts in a request to APNs.
    private static let appleNames = NameHints([
        (["content_available"], "content-available in aps is meant"),
        (["mutable_content"], "mutable-content in aps is meant"), (["click_action"], "category in aps is meant"),
        (["collapse_key"], "the header apns-collapse-id is meant"),
        (["time_to_live"], "the header apns-expiration is meant, in seconds since 1970"),
    ])

    static let googleKey = Rule(
        "payload.google-key", .warning, "a name of Google's requests in an APNs payload",
        "content_available, mutable_content and click_action are read by FCM, which writes content-available, mutable-content and category for them. APNs hands them to the app.",
        source: .legacy, failing: #"{"aps":{"alert":"Late count"},"click_action":"OPEN"}"#,
        passing: #"{"aps":{"alert":"Late count","category":"OPEN"}}"#)

    static let nullValue = Rule(
        "payload.null-value", .warning, "a null in the payload",
        "Apple does not list null among the values of custom keys, and some libraries lose the entry. For a key of aps it means nothing: leave it out.",
        source: .generating, failing: #"{"aps":{"alert":"Late count","badge":null}}"#,
        passing: #"{"aps":{"alert":"Late count"}}"#)

    func reportNull(_ member: LintMember) {
        report(
            Self.nullValue, "\(member.name) is null; some libraries lose the whole entry. Leave it out",
            at: member.value)
    }

    static let misspelledAps = Rule(
        "payload.misspelled-aps", .error, "aps under another name",
        "The name is aps, in lower case. Under any other name its contents are data for the app, and the device shows nothing.",
        source: .generating, failing: #"{"payload":{"APS":{"alert":"Polls close at 18:00"}}}"#,
        passing: #"{"payload":{"aps":{"alert":"Polls close at 18:00"}}}"#, isFixable: true)

    func reportMisspelledAps(_ member: LintMember, in payload: LintNode) {
        report(
            Self.misspelledAps, "\"\(member.name)\" is not \"aps\", so the device finds nothing to show", at: member,
            edits: member.renamed(to: "aps", in: payload))
    }

    /// True if a name is `apns`, or `aps` in another spelling.
    static func isMeantAsAps(_ key: JSONString) -> Bool {
        key == "apns" || (key.count >= 3 && NearMiss.folded(key.string) == NearMiss.folded("aps"))
    }

    /// Members of FCM's block `apns` and of requests, which have the payload or `aps` inside.
    private static let outerKeys: [StaticString] = ["aps", "payload", "headers", "fcm_options", "live_activity_token"]

    /// True if an object of such a name can be `aps`.
    static func isMeantAsAps(_ member: LintMember) -> Bool {
        guard member.value.isObject, isMeantAsAps(member.key) else { return false }
        return outerKeys.allSatisfy { member.value[$0] == nil }
    }

    static let apsMissing = Rule(
        "payload.aps-missing", .warning, "a payload without aps",
        "An alert or background push is what aps says. VoIP, MDM and file provider pushes do without; name their apns-push-type.",
        source: .generating, failing: #"{"payload":{"article":7}}"#,
        passing: #"{"payload":{"aps":{"alert":"Late count"},"article":7}}"#)

    private func checkMissingAps(_ payload: LintNode, _ around: APNsSurroundings) {
        guard around.isForNotification || around.pushType == .liveactivity, !around.isForPass, payload["mdm"] == nil,
            payload["container-identifier"] == nil
        else { return }
        var isMisspelled = false
        payload.forEachMember { if Self.isMeantAsAps($0) { isMisspelled = true } }
        if isMisspelled { return }
        report(Self.apsMissing, "without aps the device has nothing to show, and no app is woken", at: payload)
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
                Self.keyInRequest, "the simulator alone reads this name; APNs hands it to the app as data", at: member)
        }
    }

    static let bundleType = Rule(
        "simulator.bundle-type", .error, "a Simulator Target Bundle that is not a string",
        "It is the bundle identifier of the app that a dropped .apns file is for.", source: .simulator,
        failing: #"{"Simulator Target Bundle":7,"aps":{"alert":"Hi"}}"#,
        passing: #"{"Simulator Target Bundle":"org.example.news","aps":{"alert":"Hi"}}"#)
    static let keyInRequest = Rule(
        "simulator.key-in-request", .warning, "Simulator Target Bundle in a payload for APNs",
        "Only the simulator reads it. APNs counts its bytes and hands it to the app as data. The app's identifier goes into apns-topic.",
        source: .simulator,
        failing: Example.request(
            #""apns-push-type":"alert""#, #"{"Simulator Target Bundle":"org.example.news","aps":{"alert":"Hi"}}"#),
        passing: Example.alertRequest)
}
