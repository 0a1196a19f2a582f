import PushJSON
import PushModel

/// Contracts of the user's, as JSON Schemas.
struct SchemaRules: RuleCheck {
    static let rules = [mismatch, unfinished]
    let run: LintRun

    /// Hands an APNs payload to the readers, which report what their schemas do not permit.
    func check(_ payload: LintNode, _ around: APNsSurroundings) {
        for reader in run.readers {
            let applies = reader.scope.applies(
                topic: { (around.topicNode ?? payload[SimulatorRules.bundleKey])?.swiftString },
                pushType: { around.pushType })
            if applies, let part = part(of: payload, reader) { check(part, reader) }
        }
    }

    /// Hands what an app gets of an FCM message to the readers: the data, that for Android in its place, and the payload for Apple's devices. Of
    /// that only the part at a pointer if there is data, which is added to it.
    func check(fcm message: LintNode) {
        let all = [message["data"], message["android"]?["data"]].compactMap(\.self)
        for data in all { check(data: data, of: message) }
        let payload = message["apns"]?["payload"]
        if all.isEmpty { check(data: nil, of: message, isForAndroid: payload == nil ? nil : true) }
        guard let payload, payload.isObject else { return }
        for reader in run.readers where reader.scope.applies(topic: { nil }, pushType: { nil }) {
            guard all.isEmpty || !reader.scope.pointer.isEmpty, let part = part(of: payload, reader) else { continue }
            check(part, reader)
        }
    }

    /// Hands the data of a message for Google's services to the readers. Its values are strings: below a pointer, a string that contains an
    /// object or an array is read as that.
    ///
    /// - Parameters:
    ///   - message: where a finding points if there is no data.
    ///   - isForAndroid: true to ask only the readers that are for Google's services alone; false, those that are for all; nil, both.
    func check(data: LintNode?, of message: LintNode, isForAndroid: Bool? = nil) {
        for reader in run.readers where reader.scope.appliesToData {
            if let isForAndroid, isForAndroid != (reader.scope.provider == .fcm) { continue }
            let pointer = reader.scope.pointer
            guard let data else {
                if pointer.isEmpty {
                    for failure in reader.read(nil) { report(failure, at: message) }
                } else {
                    reader.scope.use.note(nil)
                }
                continue
            }
            guard let part = part(of: data, reader) else { continue }
            if !pointer.isEmpty, part.isString, let inner = part.inner?.root, inner.isObject || inner.kind == .array {
                check(inner, reader)
            } else {
                check(part, reader)
            }
        }
    }

    private func part(of payload: LintNode, _ reader: PayloadReader) -> LintNode? {
        let part = payload.find(reader.scope.pointer[...])
        reader.scope.use.note(part)
        return part
    }

    private func check(_ part: LintNode, _ reader: PayloadReader) {
        for failure in reader.read(part.view) {
            let value = LintNode(text: part.text, view: failure.value)
            let place: any FindingPlace = failure.name.map { LintMember(key: $0, value: value) } ?? value
            report(failure, at: place)
        }
    }

    static let mismatch = Rule(
        "schema.mismatch", .error, "a payload that does not match its schema",
        "The schema is your own, given with --schema or under schemas in .pushpipe.yml. The message says which keyword of which file does not allow the value.",
        source: .jsonSchema, failing: #"{"aps":{"alert":"Shipped"},"order":{"id":7}}"#,
        passing: #"{"aps":{"alert":"Shipped"},"order":{"id":"A-7"}}"#, scope: .schema)
    static let unfinished = Rule(
        "schema.unfinished", .warning, "a payload that was not fully checked against its schema",
        "Checking a value against a schema can take exponential time, for example with allOf nested many times. The check ends after a number of steps, or when subschemas are nested more than 300 deep.",
        source: .jsonSchema, failing: "", passing: Example.alert, scope: .schema)

    private func report(_ failure: ContractFailure, at place: some FindingPlace) {
        report(failure.isUnfinished ? Self.unfinished : Self.mismatch, failure.message, at: place)
    }
}

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
        "pushpipe-ignore is for samples that pushpipe lint reads. If the record is sent, this member is sent too: it uses bytes of the budget, and FCM refuses it as an unknown field. Ignore the rule in a file next to the sample, or in .pushpipe.yml.",
        source: .suppression,
        failing: #"{"aps":{"alert":"Hi","mutable_content":1},"pushpipe-ignore":"aps.misspelled-key"}"#,
        passing: Example.alert, scope: .run)
}

extension Rule {
    /// Reported by `Suppressions` and `SampleMember`, which know what a suppression has hidden.
    static let unusedSuppression = Rule(
        "config.unused-suppression", .warning, "an ignored rule that nothing breaks",
        "The problem has been fixed, or the rule's name is misspelled. Remove the suppression: it would hide the next problem of its kind.",
        source: .suppression, failing: #"{"aps":{"alert":"Hi"},"pushpipe-ignore":"aps.misspelled-key"}"#,
        passing: #"{"aps":{"alert":"Hi","mutable_content":1},"pushpipe-ignore":"aps.misspelled-key"}"#)
}
