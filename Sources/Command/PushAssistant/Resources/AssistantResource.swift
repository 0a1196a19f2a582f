import CReferencePages
import PushRPC

/// A page that an assistant can read: one of the documentation, or what the command says of a rule.
struct AssistantResource: Sendable {
    let uri: String
    let name: String
    let description: String
    let mimeType: String
    let text: @Sendable (any AssistantSurroundings) throws(ToolFailure) -> String

    /// As `resources/list` has it.
    var value: RPCValue {
        .members([
            "uri": .string(uri), "name": .string(name), "description": .string(description),
            "mimeType": .string(mimeType),
        ])
    }

    private static let rulePrefix = "pushpipe://rules/"

    static let ruleTemplate = RPCValue.members([
        "uriTemplate": "pushpipe://rules/{rule}", "name": "rule",
        "description": "One rule of the linter: reason, source, examples.", "mimeType": "text/plain",
    ])

    static func isRule(_ uri: String) -> Bool { uri.hasPrefix(rulePrefix) }

    /// The resource with this URI; nil if there is none. Whether there is a rule, the command says.
    static func named(_ uri: String) -> AssistantResource? {
        if let resource = all.first(where: { $0.uri == uri }) { return resource }
        guard isRule(uri), uri.utf8.count < 200, !uri.utf8.contains(0) else { return nil }
        let rule = String(uri.dropFirst(rulePrefix.count))
        return AssistantResource(uri: uri, name: "rule", description: "", mimeType: "text/plain") {
            (surroundings) throws(ToolFailure) -> String in
            let output = try surroundings.run(["explain", "--", rule], input: [])
            guard output.status == 0 else { throw ToolFailure(output.errors) }
            return String(decoding: output.output, as: UTF8.self)
        }
    }

    /// Pages of the documentation.
    static let all: [AssistantResource] = (0..<reference_page_count()).compactMap { index in
        guard let page = unsafe reference_page_at(index) else { return nil }
        // SOUND: the texts are constants of the program, and the count is that of the bytes.
        let uri = unsafe String(cString: page.pointee.uri)
        let name = unsafe String(cString: page.pointee.name)
        let description = unsafe String(cString: page.pointee.description)
        let bytes = unsafe Array(UnsafeBufferPointer(start: page.pointee.bytes, count: page.pointee.count))
        return AssistantResource(uri: uri, name: name, description: description, mimeType: "text/markdown") { _ in
            String(decoding: bytes, as: UTF8.self)
        }
    }
}
