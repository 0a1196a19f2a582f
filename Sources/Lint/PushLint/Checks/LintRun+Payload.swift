import PayloadJSON
import PushModel

extension LintRun {
    /// The keys of `aps`. Source: Apple, "Generating a remote notification".
    static let apsKeys = NameList([
        "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content", "target-content-id",
        "interruption-level", "relevance-score", "filter-criteria", "timestamp", "event", "content-state", "stale-date",
        "dismissal-date", "attributes-type", "attributes", "input-push-channel", "input-push-token", "content-changed",
        "url-args",
    ])

    /// Keys that only `aps` has, so that they are misplaced outside it.
    private static let unmistakableKeys: [StaticString] = [
        "content-available", "mutable-content", "thread-id", "interruption-level", "relevance-score",
        "target-content-id",
        "filter-criteria",
    ]

    /// Keys of Google's requests that have no meaning in an APNs payload.
    private static let googleKeys: [StaticString] = [
        "content_available", "mutable_content", "click_action", "collapse_key", "time_to_live", "registration_ids",
        "android_channel_id",
    ]

    private static let visibleTypes: [PushType?] = [nil, .alert, .background]

    /// An APNs payload: the body of a request.
    func checkPayload(_ payload: LintNode, _ around: APNsSurroundings) {
        if !readers.isEmpty, around.source != .fcm { read(payload, around) }
        let aps = payload["aps"]
        payload.forEachMember { member in
            if !(member.key == "aps") { checkTopLevel(member, in: payload, hasAps: aps != nil, around) }
        }
        if let aps {
            checkAps(aps, around)
        } else if around.source != .fcm {
            reportMissingAps(payload, around)
        }
    }

    private func checkTopLevel(
        _ member: LintMember, in payload: LintNode, hasAps: Bool, _ around: APNsSurroundings
    ) {
        let key = member.key
        if key == "Simulator Target Bundle" {
            if !member.value.isString {
                report(
                    .simulatorBundleType, "the bundle identifier must be a string, not \(member.value.kindName)",
                    at: .value(member.value))
            } else if around.source != .bare {
                report(
                    .simulatorKeyInRequest, "the simulator alone reads this name; APNs hands it to the app as data",
                    at: .key(member))
            }
        } else if Self.isHeaderName(key), around.source != .bare || !(key == "apns-id") {
            report(
                .payloadHeaderInPayload,
                "\(member.name) is a header of the request; in the payload it is data for the app",
                at: .key(member))
        } else if Self.visibleTypes.contains(around.pushType),
            key.isOne(of: Self.unmistakableKeys)
        {
            report(.payloadApsKeyOutside, "\(member.name) has an effect only inside aps", at: .key(member))
        } else if key.isOne(of: Self.googleKeys) {
            report(
                .payloadGoogleKey, "\(member.name) is a name of Google's requests, and data for the app here",
                at: .key(member))
        } else if !hasAps, member.value.isObject, Self.isMeantAsAps(key) {
            report(
                .payloadMisspelledAps, "\"\(member.name)\" is not \"aps\", so the device finds nothing to show",
                at: .key(member),
                edits: Self.rename(member, to: "aps", in: payload))
        } else if member.value.kind == .null {
            reportNull(member)
        }
    }

    private static let headerNames = Set(
        ["apns-topic", "apns-push-type", "apns-priority", "apns-expiration", "apns-collapse-id"].map(NearMiss.folded))

    /// `apns-priority` and similar keys, in any spelling.
    private static func isHeaderName(_ key: JSONString) -> Bool {
        if key.isPlain, !key.beginsFolded(with: "apns") { return false }
        let name = key.string
        guard let first = name.utf8.first, first | 0x20 == UInt8(ascii: "a") else { return false }
        return name.lowercased().hasPrefix("apns-") || headerNames.contains(NearMiss.folded(name))
    }

    private func reportNull(_ member: LintMember) {
        report(
            .payloadNullValue, "\(member.name) is null; some libraries lose the whole entry. Leave it out",
            at: .value(member.value))
    }

    private func reportMissingAps(_ payload: LintNode, _ around: APNsSurroundings) {
        guard Self.visibleTypes.contains(around.pushType) || around.pushType == .liveactivity else { return }
        if around.isForPass { return }
        if payload["mdm"] != nil || payload["container-identifier"] != nil { return }
        var isMisspelled = false
        payload.forEachMember { if Self.isMeantAsAps($0.key) { isMisspelled = true } }
        guard !isMisspelled else { return }
        report(
            .payloadApsMissing, "without aps the device has nothing to show, and no app is woken", at: .value(payload))
    }

    /// Whether a name is `apns`, or `aps` in another spelling.
    static func isMeantAsAps(_ key: JSONString) -> Bool {
        key == "apns" || (key.count >= 3 && NearMiss.folded(key.string) == NearMiss.folded("aps"))
    }

    // MARK: - aps

    func checkAps(_ aps: LintNode, _ around: APNsSurroundings) {
        guard aps.isObject else {
            return report(.apsWrongType, "aps must be an object, not \(aps.kindName)", at: .value(aps))
        }
        let isLiveActivity =
            around.pushType == .liveactivity
            || (!around.hasPushType && around.pushType == nil && aps["event"] != nil
                && (aps["content-state"] != nil || aps["timestamp"] != nil))
        aps.forEachMember { member in
            if member.value.kind == .null, member.key.isOne(of: Self.apsKeys.names) {
                reportNull(member)
            } else {
                checkApsKey(member, in: aps, isLiveActivity: isLiveActivity)
            }
        }
        if isLiveActivity {
            checkLiveActivity(aps, around)
        } else {
            checkLiveActivityKeys(aps, around)
            checkCombinations(aps, around)
        }
    }

    func checkApsKey(_ member: LintMember, in aps: LintNode, isLiveActivity: Bool) {
        let value = member.value
        /// Evaluated only for a finding.
        var name: String { member.name }
        switch member.key {
        case "alert": checkAlert(value, isLiveActivity: isLiveActivity)
        case "badge": checkBadge(value)
        case "sound": checkSound(value)
        case "content-available", "mutable-content": checkFlag(member, value)
        case "interruption-level": checkInterruptionLevel(value)
        case "relevance-score":
            if value.kind != .number {
                reportKind(.apsWrongType, value, name, expected: "a number")
            } else if !isLiveActivity, let score = value.view.double, !(0...1).contains(score) {
                report(.apsRelevanceScore, "the score of a notification is from 0 to 1", at: .value(value))
            }
        case "thread-id", "category", "target-content-id", "filter-criteria", "event", "attributes-type",
            "input-push-channel":
            if !value.isString { reportKind(.apsWrongType, value, name, expected: "a string") }
        case "timestamp", "stale-date", "dismissal-date":
            if value.kind != .number { reportKind(.apsWrongType, value, name, expected: "a number") }
        case "content-state", "attributes":
            if !value.isObject { reportKind(.apsWrongType, value, name, expected: "an object") }
        case "input-push-token":
            if !value.view.isOne { reportKind(.apsWrongType, value, name, expected: "the number 1") }
        case "content-changed":
            if value.kind != .true { reportKind(.apsWrongType, value, name, expected: "true") }
        case "url-args":
            if value.kind != .array { reportKind(.apsWrongType, value, name, expected: "an array of strings") }
        default: checkUnknownApsKey(member, in: aps)
        }
    }

    private func checkUnknownApsKey(_ member: LintMember, in aps: LintNode) {
        let name = member.name
        if Self.isHeaderName(member.key) {
            report(
                .payloadHeaderInPayload, "\(name) is a header of the request; in the payload it has no effect",
                at: .key(member))
        } else if let meant = Self.lookAlike(name, among: Self.apsKeys) {
            report(
                .apsMisspelledKey,
                "aps has no key \"\(name)\"; \(meant.name) is meant\(aps.hasMember(meant.name) ? ", which is there too" : "")",
                at: .key(member),
                edits: meant.differsInStyleOnly ? Self.rename(member, to: meant.name, in: aps) : [])
        } else if let meant = Self.lookAlike(name, among: Self.alertKeys), meant.differsInStyleOnly {
            report(
                .apsAlertKeyInAps, "\(name) belongs in alert: {\"alert\": {\"\(meant.name)\": …}}", at: .key(member))
        } else {
            report(
                .apsCustomKeyInside,
                "\"\(name)\" is not a key of aps, and Apple ignores it; data for the app goes beside aps",
                at: .key(member))
        }
    }

    private func checkBadge(_ value: LintNode) {
        switch value.kind {
        case .number:
            guard let number = value.view.double else { return }
            if number != number.rounded() || number < 0 {
                report(.apsBadgeValue, "a badge is a whole number from 0 on", at: .value(value))
            }
        case .string: reportKind(.apsBadgeType, value, "badge", expected: "a number")
        default: reportKind(.apsWrongType, value, "badge", expected: "a number")
        }
    }

    private func checkFlag(_ member: LintMember, _ value: LintNode) {
        guard !value.view.isOne else { return }
        let name = member.name
        let isMeant = APSContent.isMeantAsOne(value)
        report(
            .apsFlagValue,
            isMeant
                ? "Apple documents the number 1 for \(name); whether \(value.source) works is not documented"
                : "only the number 1 switches \(name) on; to leave it off, leave it out",
            at: .value(value), edits: isMeant ? [TextEdit(value.range, "1")] : [])
    }

    private static let interruptionLevels = NameList(["passive", "active", "time-sensitive", "critical"])

    private func checkInterruptionLevel(_ value: LintNode) {
        guard let string = value.string else {
            return reportKind(.apsWrongType, value, "interruption-level", expected: "a string")
        }
        guard !string.isOne(of: Self.interruptionLevels.names) else { return }
        let level = string.string
        let meant = Self.lookAlike(level, among: Self.interruptionLevels)
        report(
            .apsInterruptionLevel,
            "\"\(level)\" is not passive, active, time-sensitive or critical\(meant.map { "; \($0.name) is meant" } ?? "")",
            at: .value(value),
            edits: meant.map { $0.differsInStyleOnly ? [TextEdit(value.range, "\"\($0.name)\"")] : [] } ?? [])
    }

    // MARK: - Sound

    private static let soundKeys = NameList(["critical", "name", "volume"])

    private func checkSound(_ sound: LintNode) {
        if sound.isString { return checkSoundFile(sound) }
        guard sound.isObject else {
            return reportKind(.apsWrongType, sound, "sound", expected: "a string or an object")
        }
        sound.forEachMember { member in
            switch member.key {
            case "critical": break
            case "name":
                if member.value.isString {
                    checkSoundFile(member.value)
                } else {
                    reportKind(.apsWrongType, member.value, "name", expected: "a string")
                }
            case "volume":
                if member.value.kind != .number {
                    reportKind(.apsWrongType, member.value, "volume", expected: "a number")
                } else if let volume = member.value.view.double, !(0...1).contains(volume) {
                    report(.apsSoundVolume, "the volume is from 0 to 1", at: .value(member.value))
                }
            default:
                let meant = Self.lookAlike(member.name, among: Self.soundKeys)
                report(
                    .apsSoundKey, "a sound has no key \"\(member.name)\"\(meant.map { "; \($0.name) is meant" } ?? "")",
                    at: .key(member))
            }
        }
        if sound["name"] == nil { report(.apsSoundName, "a sound object needs a name", at: .value(sound)) }
        if sound["critical"]?.view.isOne != true {
            report(
                .apsSoundNotCritical,
                "only a critical alert takes an object, with \"critical\": 1; otherwise sound is a string",
                at: .value(sound))
        }
    }

    private static let otherFormats = [".mp3", ".m4a", ".aac", ".ogg", ".flac", ".wma", ".opus"]

    private func checkSoundFile(_ node: LintNode) {
        // SOUND: each byte is one of the string's.
        guard let string = node.string, unsafe string.raw.buffer.contains(UInt8(ascii: ".")) || string.hasEscapes else {
            return
        }
        let name = string.string
        guard let format = Self.otherFormats.first(where: { name.lowercased().hasSuffix($0) }) else { return }
        report(
            .apsSoundFormat, "\(format) files are not played; sounds are aiff, wav or caf files",
            at: .value(node))
    }

    // MARK: - What goes with what

    private func checkCombinations(_ aps: LintNode, _ around: APNsSurroundings) {
        guard Self.visibleTypes.contains(around.pushType) else { return }
        let content = APSContent(aps)
        var available: LintMember?
        var mutable: LintMember?
        var category: LintMember?
        aps.forEachMember { member in
            switch member.key {
            case "content-available": available = member.value.kind == .null ? nil : member
            case "mutable-content": mutable = member
            case "category": category = member
            default: break
            }
        }
        let hasAlert = content.hasAlert || around.hasTextElsewhere
        if let available, content.isContentAvailable, around.pushType != .background {
            if hasAlert {
                report(
                    .apsContentAvailableWithAlert,
                    "with an alert this is not a silent push: the user sees it, and the app is woken as well",
                    at: .key(available))
            } else if let visible = content.firstVisible, visible != "alert" {
                report(
                    .apsSilentWithSoundOrBadge, "with \"\(visible)\" this is not a silent push any more",
                    at: .key(available))
            }
        }
        if let mutable, content.isMutable, !hasAlert {
            report(
                .apsMutableWithoutAlert, "without a title, subtitle or body to show, the extension is not run",
                at: .key(mutable))
        }
        if let category, !hasAlert {
            report(.apsCategoryWithoutAlert, "without an alert there are no actions to show", at: .key(category))
        }
        // VoIP and complication pushes have nothing but an empty aps.
        let isFree = around.source == .bare && aps.view.members.isEmpty
        if !content.isVisible, available == nil, !isFree, !around.hasTextElsewhere, aps["content-changed"] == nil,
            aps["url-args"] == nil,
            around.pushType != .background, !hasReported(Rule.apsMisspelledKey.id)
        {
            report(
                .apsNothingVisible, "no alert, badge, sound or content-available: nothing happens on the device",
                at: .value(aps))
        }
    }
}

extension JSONView.Members {
    var isEmpty: Bool {
        var members = self
        return members.next() == nil
    }
}
