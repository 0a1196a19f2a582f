import PayloadJSON
import PushModel

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
    private static let unmistakableKeys: [StaticString] = [
        "content-available", "mutable-content", "thread-id", "interruption-level", "relevance-score",
        "target-content-id", "filter-criteria", "content-changed", "url-args",
    ]

    private static let activityKeys: [StaticString] = [
        "content-state", "stale-date", "dismissal-date", "attributes-type", "input-push-token", "input-push-channel",
    ]

    static let apsKeyOutside = Rule(
        "payload.aps-key-outside", .error, "a key of aps beside aps",
        "Beside aps it is data for the app: the extension is not run, the app is not woken, the notification is not grouped.",
        source: .generating, failing: #"{"aps":{"alert":"Late count"},"mutable-content":1}"#,
        passing: #"{"aps":{"alert":"Late count","mutable-content":1}}"#)

    static let apsNameOutside = Rule(
        "payload.aps-name-outside", .warning, "a name beside aps that is probably meant for aps",
        "alert, badge, sound and other keys have an effect only inside aps, in Apple's spelling. Beside it they are data for the app.",
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
            Self.apsNameOutside, "\(member.name) has an effect only inside aps; here it is data for the app", at: member
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
