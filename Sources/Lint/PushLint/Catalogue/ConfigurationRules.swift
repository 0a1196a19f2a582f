import PushModel

extension Rule {
    static let unusedSuppression = Rule(
        "config.unused-suppression", .warning, "a rule that is ignored although nothing breaks it",
        why:
            "What was ignored has been fixed, or the rule's name is misspelled. A suppression that stays would hide the next mistake of its kind. Remove it.",
        source: .suppression, failing: #"{"aps":{"alert":"Hi"},"pushpipe-ignore":"aps.misspelled-key"}"#,
        passing: #"{"aps":{"alert":"Hi","mutable_content":1},"pushpipe-ignore":"aps.misspelled-key"}"#)
    static let sentSuppression = Rule(
        "config.sent-suppression", .warning, "pushpipe-ignore in a record that is sent",
        why:
            "pushpipe-ignore is for samples that pushpipe lint reads. Whoever sends the record sends the member, too: it takes bytes of the budget, and FCM refuses it as an unknown field. Ignore the rule in a file next to the sample, or in .pushpipe.yml.",
        source: .suppression,
        failing: #"{"aps":{"alert":"Hi","mutable_content":1},"pushpipe-ignore":"aps.misspelled-key"}"#,
        passing: Example.alert, scope: .run)

    static let configurationRules = [unusedSuppression, sentSuppression]
}
