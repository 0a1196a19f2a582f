import PayloadJSON
import PushModel

/// The configuration of a project.
struct ConfigurationRules: RuleCheck {
    static let rules: [Rule] = [.unusedSuppression, sentSuppression]
    let run: LintRun

    /// Checks a record that is sent.
    func check(_ root: LintNode) {
        guard root.isObject else { return }
        root.forEachMember { member in
            guard member.key == SampleMember.name else { return }
            report(
                Self.sentSuppression, "pushpipe-ignore is sent with the record, to a service that does not know it",
                at: member)
        }
    }

    static let sentSuppression = Rule(
        "config.sent-suppression", .warning, "pushpipe-ignore in a record that is sent",
        "pushpipe-ignore is for samples that pushpipe lint reads. Whoever sends the record sends the member, too: it takes bytes of the budget, and FCM refuses it as an unknown field. Ignore the rule in a file next to the sample, or in .pushpipe.yml.",
        source: .suppression,
        failing: #"{"aps":{"alert":"Hi","mutable_content":1},"pushpipe-ignore":"aps.misspelled-key"}"#,
        passing: Example.alert, scope: .run)
}

extension Rule {
    /// Reported by `Suppressions` and `SampleMember`, which know what a suppression has hidden.
    static let unusedSuppression = Rule(
        "config.unused-suppression", .warning, "a rule that is ignored although nothing breaks it",
        "What was ignored has been fixed, or the rule's name is misspelled. A suppression that stays would hide the next mistake of its kind. Remove it.",
        source: .suppression, failing: #"{"aps":{"alert":"Hi"},"pushpipe-ignore":"aps.misspelled-key"}"#,
        passing: #"{"aps":{"alert":"Hi","mutable_content":1},"pushpipe-ignore":"aps.misspelled-key"}"#)
}
