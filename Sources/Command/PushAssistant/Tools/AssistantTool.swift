import PushRPC

/// A tool that an assistant can call.
struct AssistantTool: Sendable {
    let name: String
    let title: String
    let description: String
    let parameters: [ToolParameter]
    /// The members of its structured content: name, type in JSON Schema, description.
    let results: [(name: String, type: String, description: String)]
    /// False if a gateway is changed.
    var isReadOnly = true
    /// The structured content has these members; one that is not always there is optional.
    var optionalResults: Set<String> = []
    let work: @Sendable (ToolCall) throws(ToolFailure) -> ToolResult

    /// In the order in which they are listed.
    static let all: [AssistantTool] = payloadTools + phoneTools + gatewayTools

    /// As `tools/list` has it.
    var value: RPCValue {
        .members([
            "name": .string(name), "title": .string(title), "description": .string(description),
            "inputSchema": .members([
                "type": "object",
                "properties": .object(parameters.map { .init(name: $0.name, value: $0.schema) }),
                "required": required(parameters.filter(\.isRequired).map(\.name)),
                "additionalProperties": false,
            ]),
            "outputSchema": .members([
                "type": "object",
                "properties": .object(
                    results.map { result in
                        .init(
                            name: result.name,
                            value: .members([
                                "type": .string(result.type), "description": .string(result.description),
                            ]))
                    }),
                "required": required(results.map(\.name).filter { !optionalResults.contains($0) }),
            ]),
            "annotations": .members([
                "title": .string(title), "readOnlyHint": .bool(isReadOnly),
                // Fault rules take the place of those that were there.
                "destructiveHint": .bool(!isReadOnly), "idempotentHint": true,
                // Nothing leaves the machine.
                "openWorldHint": false,
            ]),
        ])
    }

    private func required(_ names: [String]) -> RPCValue? {
        names.isEmpty ? nil : .array(names.map { .string($0) })
    }

    /// - Throws: if an argument is missing, unknown, or of another type than the schema says.
    func check(_ arguments: RPCValue) throws(ToolFailure) {
        guard case .object(let members) = arguments else { throw ToolFailure("the arguments are not an object") }
        for member in members {
            guard let parameter = parameters.first(where: { $0.name == member.name }) else {
                let names = parameters.map(\.name).joined(separator: ", ")
                throw ToolFailure("\(name) has no argument \(member.name.prefix(100)); it has \(names)")
            }
            if let expected = parameter.complaint(about: member.value) {
                throw ToolFailure("\(parameter.name) is not \(expected)")
            }
        }
        for parameter in parameters where parameter.isRequired && arguments[parameter.name] == nil {
            throw ToolFailure("\(name) needs the argument \(parameter.name)")
        }
    }
}

/// An argument of a tool.
struct ToolParameter: Sendable {
    enum Kind: Sendable {
        case text
        /// JSON as a text, whose bytes are kept, or as a value; an array is one record an element.
        case records
        case integer(ClosedRange<Int64>)
        case flag
        case choice([String])
    }

    let name: String
    let kind: Kind
    let description: String
    var isRequired = false

    /// The same, but it cannot be left out.
    var required: ToolParameter {
        ToolParameter(name: name, kind: kind, description: description, isRequired: true)
    }

    var schema: RPCValue {
        let words = RPCValue.string(description)
        return switch kind {
        case .text: .members(["type": "string", "description": words])
        case .records: .members(["type": ["string", "object", "array"], "description": words])
        case .integer(let range):
            .members([
                "type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound),
                "description": words,
            ])
        case .flag: .members(["type": "boolean", "description": words])
        case .choice(let names):
            .members(["type": "string", "enum": .array(names.map { .string($0) }), "description": words])
        }
    }

    /// The kind of value that was expected; nil if this is one.
    func complaint(about value: RPCValue) -> String? {
        switch (kind, value) {
        case (.text, .string(let text)): text.utf8.contains(0) ? "a text without NUL" : nil
        case (.text, _): "a string"
        case (.records, .string), (.records, .object), (.records, .array): nil
        case (.records, _): "a string, an object or an array"
        case (.integer(let range), .integer(let number)) where range.contains(number): nil
        case (.integer(let range), _): "an integer from \(range.lowerBound) to \(range.upperBound)"
        case (.flag, .bool): nil
        case (.flag, _): "true or false"
        case (.choice(let names), .string(let name)) where names.contains(name): nil
        case (.choice(let names), _): "one of \(names.joined(separator: ", "))"
        }
    }
}
