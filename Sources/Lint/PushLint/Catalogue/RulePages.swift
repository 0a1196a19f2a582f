import PushFiles
import PushSystem
import PushText

/// The documentation of the rules: a page per rule, and an index by group.
///
/// `Documentation/reference` has the pages of all rules, and reports link to them there.
package enum RulePages {
    /// The folder of the pages, beside the index.
    private static let folder = "rules"
    /// The name of the index.
    static let index = "rules.md"
    /// The address of the pages on the web: those of the main branch, whatever the release.
    static let address = "\(ToolVersion.repository)/blob/main/Documentation/reference/\(folder)/"

    /// All files: their paths relative to the folder of the index, and their texts.
    static func files(_ rules: [Rule]) -> [(path: String, text: String)] {
        let pages = rules.indices.map { position in
            let rule = rules[position]
            return ("\(folder)/\(rule.id).md", page(rule, amid: rules.filter { $0.group == rule.group }))
        }
        return [(index, text(rules))] + pages
    }

    /// A directory or file that cannot be written.
    package struct WriteError: Error, CustomStringConvertible {
        /// `pages/rules.md: Permission denied`
        package let description: String
    }

    /// Writes all files into a directory, which is created if its parent exists. Replaces each file in one step.
    package static func write(_ rules: [Rule], to directory: String) throws(WriteError) {
        func check(_ path: String, _ body: (String) throws(SystemError) -> Void) throws(WriteError) {
            do throws(SystemError) { try body(path) } catch {
                throw WriteError(description: "\(TextStyle.clean(path)): \(error)")
            }
        }
        for path in [directory, FilePaths.joined(directory, folder)] { try check(path, FileSystem.makeDirectory) }
        for file in files(rules) {
            try check(FilePaths.joined(directory, file.path)) { path throws(SystemError) in
                try FileBytes.write(Array(file.text.utf8), to: path)
            }
        }
    }

    // MARK: - Index

    private static func text(_ rules: [Rule]) -> String {
        var groups: [String] = []
        for rule in rules where groups.last != rule.group { groups.append(rule.group) }
        var text = "# Rules\n\n\(RuleMarkdown.introduction(rules.count))\n\n"
        text +=
            "`pushpipe explain --rules --format markdown --output DIR` writes this page and the pages of the rules; `make rules`\n"
        text += "writes them here.\n\n"
        text += RuleMarkdown.wrapped("Groups: " + groups.map { "[`\($0)`](#\($0))" }.joined(separator: " · ")) + "\n"
        for group in groups {
            text += "\n## \(group)\n\n"
            if let title = Rule.groupTitles[group] { text += RuleMarkdown.wrapped(title) + "\n\n" }
            text += RuleMarkdown.tableHead
            for rule in rules where rule.group == group {
                text += RuleMarkdown.row(rule, link: "\(folder)/\(rule.id).md")
            }
        }
        return text
    }

    // MARK: - Pages

    /// - Parameter group: the rules of its group, sorted.
    private static func page(_ rule: Rule, amid group: [Rule]) -> String {
        let position = group.firstIndex { $0.id == rule.id } ?? 0
        var links = ["[all rules of `\(rule.group)`](../\(index)#\(rule.group))"]
        if position > 0 { links.append("previous: \(link(to: group[position - 1]))") }
        if position + 1 < group.count { links.append("next: \(link(to: group[position + 1]))") }
        return "# \(rule.id)\n\n" + RuleMarkdown.description(of: rule) + RuleMarkdown.examples(of: rule, heading: "##")
            + "\n" + (rule.isForRunAlone ? "" : switchingOff(rule))
            + (rule.since.map { "Since version \($0)." } ?? "Not in a release yet.") + "\n\n"
            + RuleMarkdown.wrapped(links.joined(separator: " · ")) + "\n"
    }

    private static func switchingOff(_ rule: Rule) -> String {
        """
        ## Switch it off

        With `pushpipe lint --ignore \(rule.id)`, or in `\(LintConfiguration.fileName)`:

        ```yaml
        lint:
          ignore: [\(rule.id)]
        ```


        """
    }

    private static func link(to rule: Rule) -> String { "[`\(rule.id)`](\(rule.id).md)" }
}

extension Rule {
    /// The address of the rule's page in the documentation.
    public var page: String { "\(RulePages.address)\(id).md" }

    /// The first part of its id.
    var group: String { Self.group(of: id) }

    /// The first part of an id.
    static func group(of id: RuleID) -> String { String(id.text.prefix { $0 != "." }) }

    /// The release of pushpipe that had the rule first; nil if none has it yet.
    package var since: String? {
        if Self.unreleased.contains(id.text) { return nil }
        return Self.addedIn020.contains(id.text) ? "0.2.0" : "0.1.0"
    }

    /// Rules that no release has.
    private static let unreleased: Set<String> = [
        "android.no-activity", "android.too-many", "android.unknown-channel", "apns.expiration-past", "apns.request-id",
        "apns.topic-disallowed", "apns.widget-alert", "aps.badge-clears", "aps.sound-alone", "extension.communication",
        "extension.stand-in", "expo.device-not-registered", "expo.many-tokens", "expo.push-too-many-notifications",
        "expo.unknown-field",
        "expo.wrong-type",
        "fcm.analytics-label", "fcm.android-v2-kind", "fcm.apns-field-in-payload", "fcm.apns-token",
        "fcm.background-delivery", "fcm.bare-message", "fcm.discouraged-data-key", "fcm.image-not-mutable",
        "fcm.live-activity-token", "fcm.nothing-visible", "fcm.topic-apns-size", "fcm.topic-size",
        "fcm.web-silent-push", "gcm.nothing-visible", "json.byte-order-mark", "live-activity.budget",
        "live-activity.channel-id",
        "live-activity.input-both", "live-activity.size", "live-activity.start-token", "payload.aps-name-outside",
        "record.answer", "sns.platform-key",
    ]

    /// Rules that are new in 0.2.0.
    private static let addedIn020: Set = [
        "apns.bad-channel-id", "apns.bad-path", "apns.header-empty", "apns.missing-channel-id", "apns.widget-content",
        "binary.invalid-payload-size", "binary.invalid-token", "binary.invalid-token-size",
        "binary.missing-device-token", "binary.missing-payload", "binary.processing-error", "config.sent-suppression",
        "config.unused-suppression", "fcm.image-address", "fcm.light-settings", "fcm.negative-duration",
        "fcm.unknown-value", "fcm.web-direction", "fcm.web-header", "fcm.web-notification", "live-activity.input-later",
        "record.not-text", "schema.mismatch", "schema.unfinished", "extension.unfinished-work",
    ]

    /// The subject of a group of rules.
    static let groupTitles = [
        "airnotifier": "Requests to Airnotifier, a gateway for APNs and FCM.",
        "alert": "The member `alert` of `aps`: what the user reads.",
        "android": "What Android devices do with notifications during `pushpipe run`.",
        "apns": "Requests to APNs: headers, path, device token, and what APNs answers.",
        "aps": "The member `aps` of a payload for Apple's devices.",
        "binary": "What the binary interface of APNs answers.",
        "event": "Events of devices and apps in the input of `pushpipe run`.",
        "expo": "Messages to Expo's push service.",
        "extension": "What a service extension does during `pushpipe run`.",
        "fcm": "Messages of FCM's HTTP v1 interface.",
        "fit": "What `pushpipe run --fit` shortens.",
        "gcm": "Messages of the protocol that GCM and FCM had before, which is shut down.",
        "json": "JSON as such: what makes a text malformed, or reads differently from one reader to the next.",
        "live-activity": "Pushes that start, update and end Live Activities.",
        "payload": "Payloads as a whole, whatever their provider.",
        "record": "Records: what `pushpipe` can read at all.",
        "schema": "Contracts of your own, as JSON Schemas.",
        "simulator": "Files that `xcrun simctl push` takes.",
        "sns": "Messages of Amazon SNS.",
        "config": "What a project says to the linter.",
    ]
}
