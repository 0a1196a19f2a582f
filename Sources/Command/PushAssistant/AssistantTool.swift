import FoundationEssentials
import PayloadJSON
import PushRPC
import PushSystem

/// A tool that an assistant can call: a row of the table in `AssistantTool+Table.swift`.
struct AssistantTool: Sendable {
    let name: String
    let title: String
    let description: String
    let parameters: [ToolMember]
    /// The members of its structured content.
    let results: [ToolMember]
    /// False if a gateway is changed.
    var isReadOnly = true
    /// Calls subcommands or the gateway's API.
    let work: @Sendable (ToolCall) throws(PlainError) -> ToolResult

    /// The tool's entry in the answer to `tools/list`.
    var value: JSONValue {
        .members([
            "name": .string(name), "title": .string(title), "description": .string(description),
            "inputSchema": Self.schema(of: parameters, isClosed: true),
            "outputSchema": Self.schema(of: results, isClosed: false),
            "annotations": .members([
                "title": .string(title), "readOnlyHint": .bool(isReadOnly),
                // Fault rules take the place of those that were there.
                "destructiveHint": .bool(!isReadOnly), "idempotentHint": true,
                // Nothing leaves the machine.
                "openWorldHint": false,
            ]),
        ])
    }

    private static func schema(of members: [ToolMember], isClosed: Bool) -> JSONValue {
        let required = members.filter(\.isRequired).map { JSONValue.string($0.name) }
        return .members([
            "type": "object", "properties": .object(members.map { .init(name: $0.name, value: $0.schema) }),
            "required": required.isEmpty ? nil : .array(required), "additionalProperties": isClosed ? false : nil,
        ])
    }

    /// - Throws: if an argument is missing, unknown, or of another type than the schema says.
    func check(_ arguments: JSONValue) throws(PlainError) {
        guard case .object(let members) = arguments else { throw PlainError("the arguments are not an object") }
        for member in members {
            guard let parameter = parameters.first(where: { $0.name == member.name }) else {
                let names = parameters.map(\.name).joined(separator: ", ")
                throw PlainError("\(name) has no argument \(member.name.prefix(100)); it has \(names)")
            }
            if let expected = parameter.complaint(about: member.value) {
                throw PlainError("\(parameter.name) is not \(expected)")
            }
        }
        for parameter in parameters where parameter.isRequired && arguments[parameter.name] == nil {
            throw PlainError("\(name) needs the argument \(parameter.name)")
        }
    }
}

/// An argument of a tool, or a member of its result.
struct ToolMember: Sendable {
    enum Kind: Sendable {
        case text
        /// JSON as a text, whose bytes are kept, or as a value; an array is one record an element.
        case records
        case integer(ClosedRange<Int64>)
        case flag
        case choice([String])
        /// Only results have these.
        case list, object
    }

    let name: String
    let kind: Kind
    let description: String
    let isRequired: Bool

    init(_ name: String, _ kind: Kind, _ description: String, isRequired: Bool = false) {
        self.name = name
        self.kind = kind
        self.description = description
        self.isRequired = isRequired
    }

    /// The same, but it cannot be left out.
    var required: ToolMember { ToolMember(name, kind, description, isRequired: true) }

    var schema: JSONValue {
        let words = JSONValue.string(description)
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
        case .list: .members(["type": "array", "description": words])
        case .object: .members(["type": "object", "description": words])
        }
    }

    /// The kind of value that was expected; nil if this is one.
    func complaint(about value: JSONValue) -> String? {
        switch (kind, value) {
        case (.text, .string(let text)): text.utf8.contains(0) ? "a text without NUL" : nil
        case (.text, _): "a string"
        case (.records, .string), (.records, .object), (.records, .array): nil
        case (.records, _): "a string, an object or an array"
        case (.integer(let range), .integer(let number)) where range.contains(number): nil
        case (.integer(let range), _): "an integer from \(range.lowerBound) to \(range.upperBound)"
        case (.flag, .bool), (.list, _), (.object, _): nil
        case (.flag, _): "true or false"
        case (.choice(let names), .string(let name)) where names.contains(name): nil
        case (.choice(let names), _): "one of \(names.joined(separator: ", "))"
        }
    }
}

/// A call of a tool: its checked arguments, and what it works with.
struct ToolCall {
    let arguments: JSONValue
    let folders: AllowedFolders
    let surroundings: any AssistantSurroundings

    func text(_ name: String) -> String? { arguments[name]?.string }

    /// Options of the command that are called as the arguments are, with hyphens: `--name=value`, so that no value is taken for an option.
    func options(_ names: String...) -> [String] {
        names.compactMap { name -> String? in
            let option = "--" + name.replacing("_", with: "-")
            return switch arguments[name] {
            case .string(let text): "\(option)=\(text)"
            case .integer(let number): "\(option)=\(number)"
            case .bool(true): option
            default: nil
            }
        }
    }

    /// The input, as the last arguments of a command and its standard input: records, or a file of an allowed folder.
    func source(_ name: String) throws(PlainError) -> (arguments: [String], input: [UInt8]) {
        switch (arguments[name], text("path")) {
        case (.some, nil): return (["-"], records(name))
        case (nil, let path?): return (["--", try folders.resolve(path)], [])
        default: throw PlainError("give either \(name) or path")
        }
    }

    /// The records of an argument, one a line; a text is as it is.
    func records(_ name: String) -> [UInt8] { Self.records(arguments[name] ?? .null) }

    private static func records(_ value: JSONValue) -> [UInt8] {
        switch value {
        case .string(let text): Array(text.utf8)
        case .array(let elements): Array(elements.map(records).joined(separator: [UInt8(ascii: "\n")]))
        default: value.text
        }
    }

    /// Runs a subcommand.
    ///
    /// - Parameter statuses: those that are not a failure; 1 is usually a finding.
    func run(
        _ arguments: [String], input: [UInt8] = [], statuses: Set<Int32> = [0, 1]
    ) throws(PlainError) -> CommandOutput {
        let output = try surroundings.run(arguments, input: input)
        guard statuses.contains(output.status) else {
            let words = output.errors.split(separator: "\n", maxSplits: 20).prefix(20).joined(separator: "\n")
            throw PlainError(words.isEmpty ? "pushpipe \(arguments[0]) ended with status \(output.status)" : words)
        }
        return output
    }

    /// Asks the gateway's API.
    ///
    /// - Throws: also for an answer that is an error, with its message.
    func gateway(
        _ method: String, _ path: String, body: [UInt8] = [], seconds: Int = 0
    ) throws(PlainError) -> GatewayAnswer {
        let answer = try surroundings.request(method, path, body: body, seconds: seconds)
        guard answer.status == 200 else {
            let message = JSONValue(reading: answer.body)?[["error", "message"]]?.string
            throw PlainError("\(answer.address) answered \(answer.status)\(message.map { ": \($0)" } ?? "")")
        }
        return answer
    }

    /// The query with the arguments of these names, and how long the gateway may wait; empty if there is nothing.
    func query(_ names: [String], wait seconds: Int64? = nil) -> String {
        var members = names.compactMap { name -> String? in
            switch arguments[name] {
            case .string(let text): "\(name)=\(PercentEncoding.encoded(text))"
            case .integer(let number): "\(name)=\(number)"
            default: nil
            }
        }
        if let seconds { members.append("wait=\(seconds)s") }
        return members.isEmpty ? "" : "?" + members.joined(separator: "&")
    }
}

/// The result of a tool.
struct ToolResult {
    let structured: JSONValue
    /// Blocks for clients that do not read structured content.
    let content: [JSONValue]

    /// - Parameter content: nil for the structured content as text.
    init(_ structured: JSONValue, content: [JSONValue]? = nil) {
        self.structured = structured
        self.content = content ?? [Self.text(String(decoding: structured.text, as: UTF8.self))]
    }

    init(_ members: KeyValuePairs<String, JSONValue?>, content: [JSONValue]? = nil) {
        self.init(.members(members), content: content)
    }

    static func text(_ text: String) -> JSONValue { .members(["type": "text", "text": .string(text)]) }

    static func image(_ bytes: [UInt8], type: String) -> JSONValue {
        .members(["type": "image", "data": .string(Data(bytes).base64EncodedString()), "mimeType": .string(type)])
    }
}

extension CommandOutput {
    var text: String { String(decoding: output, as: UTF8.self) }

    /// The values in lines of JSON.
    var lines: JSONValue {
        .array(
            output.split(separator: UInt8(ascii: "\n")).map { line in
                JSONValue(reading: Array(line)) ?? .string(String(decoding: line, as: UTF8.self))
            })
    }
}
