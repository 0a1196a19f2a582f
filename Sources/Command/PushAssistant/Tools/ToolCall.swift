import PushRPC

/// A call of a tool: its checked arguments, and what it works with.
struct ToolCall {
    let arguments: RPCValue
    let folders: AllowedFolders
    let surroundings: any AssistantSurroundings

    init(_ arguments: RPCValue, folders: AllowedFolders, _ surroundings: any AssistantSurroundings) {
        self.arguments = arguments
        self.folders = folders
        self.surroundings = surroundings
    }

    func text(_ name: String) -> String? { arguments[name]?.string }

    /// Options of the command that are called as the arguments are, with hyphens: `--name=value`, so that no value is taken for an option.
    func options(_ names: [String]) -> [String] {
        names.compactMap { name -> String? in
            let option = "--" + name.map { $0 == "_" ? "-" : String($0) }.joined()
            return switch arguments[name] {
            case .string(let text): "\(option)=\(text)"
            case .integer(let number): "\(option)=\(number)"
            case .bool(true): option
            default: nil
            }
        }
    }

    /// The input, as the last arguments of a command and its standard input: records, or a file of an allowed folder.
    func source(_ name: String) throws(ToolFailure) -> (arguments: [String], input: [UInt8]) {
        switch (arguments[name], text("path")) {
        case (let value?, nil): return (["-"], Self.records(value))
        case (nil, let path?): return (["--", try folders.resolve(path)], [])
        default: throw ToolFailure("give either \(name) or path")
        }
    }

    /// One record a line; a text is as it is.
    static func records(_ value: RPCValue) -> [UInt8] {
        switch value {
        case .string(let text): Array(text.utf8)
        case .array(let elements): Array(elements.map(records).joined(separator: [UInt8(ascii: "\n")]))
        default: value.text
        }
    }

    // MARK: - Commands

    /// Runs a subcommand.
    ///
    /// - Parameter statuses: those that are not a failure; 1 is usually a finding.
    func run(
        _ arguments: [String], input: [UInt8] = [], statuses: Set<Int32> = [0, 1]
    ) throws(ToolFailure) -> CommandOutput {
        let output = try surroundings.run(arguments, input: input)
        guard statuses.contains(output.status) else {
            let words = output.errors.split(separator: "\n", maxSplits: 20).prefix(20).joined(separator: "\n")
            throw ToolFailure(words.isEmpty ? "pushpipe \(arguments[0]) ended with status \(output.status)" : words)
        }
        return output
    }

    /// The values in lines of JSON.
    static func lines(_ bytes: [UInt8]) -> RPCValue {
        .array(
            bytes.split(separator: UInt8(ascii: "\n")).map { line in
                RPCValue(parsing: Array(line)) ?? .string(String(decoding: line, as: UTF8.self))
            })
    }
}

/// The result of a tool.
struct ToolResult {
    let structured: RPCValue
    /// Blocks for clients that do not read structured content.
    let content: [RPCValue]

    /// - Parameter content: nil for the structured content as text.
    init(_ members: KeyValuePairs<String, RPCValue?>, content: [RPCValue]? = nil) {
        self.init(.members(members), content: content)
    }

    init(_ structured: RPCValue, content: [RPCValue]? = nil) {
        self.structured = structured
        self.content = content ?? [Self.text(String(decoding: structured.text, as: UTF8.self))]
    }

    static func text(_ text: String) -> RPCValue { .members(["type": "text", "text": .string(text)]) }

    static func image(_ bytes: [UInt8], type: String) -> RPCValue {
        .members(["type": "image", "data": .string(base64(bytes)), "mimeType": .string(type)])
    }

    /// Source: RFC 4648, section 4.
    static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for position in 0..<3 {
                bits = bits << 8 | (position < group.count ? UInt32(group[start + position]) : 0)
            }
            for position in 0..<4 {
                let digit = digits[Int(bits >> UInt32(18 - 6 * position) & 63)]
                text.append(position <= group.count ? digit : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
