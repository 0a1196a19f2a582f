import CReferencePages
import PushRPC

/// A page that an assistant can read: what the command prints, or a page of the documentation.
struct AssistantResource: Sendable {
    let uri: String
    let name: String
    let description: String
    let text: @Sendable (any AssistantSurroundings) throws(ToolFailure) -> String

    static let all = printed + pages

    /// As `resources/list` has it.
    var value: RPCValue {
        .members([
            "uri": .string(uri), "name": .string(name), "description": .string(description),
            "mimeType": "text/markdown",
        ])
    }

    private static let rulePrefix = "pushpipe://rules/"

    static let ruleTemplate = RPCValue.members([
        "uriTemplate": "pushpipe://rules/{rule}", "name": "rule",
        "description": "One rule of the linter: reason, source, examples.", "mimeType": "text/markdown",
    ])

    static func isRule(_ uri: String) -> Bool { uri.hasPrefix(rulePrefix) }

    /// The resource with this URI; nil if there is none. Whether there is a rule, the command says.
    static func named(_ uri: String) -> AssistantResource? {
        if let resource = all.first(where: { $0.uri == uri }) { return resource }
        guard isRule(uri), uri.utf8.count < 200, !uri.utf8.contains(0) else { return nil }
        let rule = String(uri.dropFirst(rulePrefix.count))
        return command(uri, "rule", "", ["explain", "--rules", "--format=markdown", "--", rule])
    }

    // MARK: - What the command prints

    private static let printed = [
        command(
            "pushpipe://rules", "rules", "All rules of the linter, with reasons, sources and examples.",
            ["explain", "--rules", "--format=markdown"]),
        command(
            "pushpipe://reference/steps", "steps", "All steps of scenarios, each with an example.",
            ["test", "--list-steps", "--format=markdown"]),
        command(
            "pushpipe://reference/answers", "answers",
            "Every status and reason that the emulated services give, how it is known, and from where.",
            ["explain", "--answers"]),
    ]

    private static func command(
        _ uri: String, _ name: String, _ description: String, _ arguments: [String]
    ) -> AssistantResource {
        AssistantResource(uri: uri, name: name, description: description) {
            (surroundings) throws(ToolFailure) -> String in
            let output = try surroundings.run(arguments, input: [])
            guard output.status == 0 else { throw ToolFailure(output.errors) }
            return String(decoding: output.output, as: UTF8.self)
        }
    }

    // MARK: - Pages of the documentation

    private static let pages: [AssistantResource] = (0..<reference_page_count()).compactMap { index in
        guard let page = unsafe reference_page_at(index) else { return nil }
        // SOUND: the texts are constants of the program, and the count is that of the bytes.
        let name = unsafe String(cString: page.pointee.name)
        let description = unsafe String(cString: page.pointee.description)
        let bytes = unsafe Array(UnsafeBufferPointer(start: page.pointee.bytes, count: page.pointee.count))
        return AssistantResource(uri: "pushpipe://reference/\(name)", name: name, description: description) { _ in
            String(decoding: bytes, as: UTF8.self)
        }
    }
}
