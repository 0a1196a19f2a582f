import PayloadJSON
import PushJSONSchema
import PushModel

extension LintRun {
    /// Hands an APNs payload to the readers, which report what their schemas do not permit.
    func read(_ payload: LintNode, _ around: APNsSurroundings) {
        for reader in readers {
            let applies = reader.scope.applies(
                topic: { (around.topicNode ?? payload["Simulator Target Bundle"])?.swiftString },
                pushType: { around.pushType })
            if applies, let part = payload.find(reader.scope.pointer[...]) { read(part, reader) }
        }
    }

    /// Hands the data of a message for Google's services to the readers. Its values are strings: below a pointer, a string that contains an
    /// object or an array is read as that.
    ///
    /// - Parameter message: where a finding points if there is no data.
    func read(data: LintNode?, of message: LintNode) {
        for reader in readers where reader.scope.applies(topic: { nil }, pushType: { nil }) {
            let pointer = reader.scope.pointer
            guard let data else {
                if pointer.isEmpty, let nothing = Self.nothing?.root {
                    for failure in reader.read(nothing) { report(reader, failure, at: .value(message)) }
                }
                continue
            }
            guard let part = data.find(pointer[...]) else { continue }
            if !pointer.isEmpty, part.isString, let inner = part.inner?.root, inner.isObject || inner.kind == .array {
                read(inner, reader)
            } else {
                read(part, reader)
            }
        }
    }

    /// An empty object, in place of data that is not there.
    private static let nothing = try? SchemaDocument(Array("{}".utf8), name: "", uri: "")

    private func read(_ part: LintNode, _ reader: any PayloadReader) {
        for failure in reader.read(part.view) {
            let value = LintNode(text: part.text, view: failure.value)
            if failure.isName {
                report(reader, failure, at: .key(LintMember(key: failure.name, value: value)))
            } else {
                report(reader, failure, at: .value(value))
            }
        }
    }

    private func report(_ reader: any PayloadReader, _ failure: SchemaFailure, at place: Place) {
        guard let schema = reader.schema else { return }
        report(
            failure.isUnfinished ? .schemaUnfinished : .schemaMismatch,
            "\(failure.message(schema)) (\(failure.keyword(schema)))", at: place)
    }
}
