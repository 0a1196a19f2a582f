import PushRPC

/// Tools for the messages that a sender has sent to `pushpipe serve`.
extension AssistantTool {
    private static let filters: [ToolParameter] = [
        ToolParameter(name: "device", kind: .text, description: "Only messages for this token."),
        ToolParameter(name: "app", kind: .text, description: "Only messages for this app."),
        ToolParameter(name: "outcome", kind: .text, description: "Only this outcome, such as delivered or rejected."),
        ToolParameter(name: "reason", kind: .text, description: "Only this reason, such as BadDeviceToken."),
        ToolParameter(name: "provider", kind: .text, description: "Only apns, fcm or gcm."),
        ToolParameter(name: "text", kind: .text, description: "Only messages in which this text occurs."),
        ToolParameter(
            name: "after", kind: .integer(0...Int64(Int32.max)), description: "Only ids greater than this."),
    ]
    private static let filterNames = filters.map(\.name)
    private static let address = (
        name: "gateway", type: "string", description: "Where senders reach the gateway, over HTTP/2 and HTTP/1.1."
    )
    private static let messages = (
        name: "messages", type: "array", description: "Newest last: id, service, status, title, report."
    )
    /// Within what clients wait for an answer.
    private static let longestWait: Int64 = 60

    static let gatewayTools: [AssistantTool] = [
        AssistantTool(
            name: "wait_for_message", title: "Wait for a message",
            description: """
                Waits until a sender's message reaches the gateway and matches, including those already there, and returns it with its answer \
                and what the phone did. Use after with the last id that you have seen.
                """,
            parameters: filters + [
                ToolParameter(
                    name: "count", kind: .integer(1...1000), description: "How many to wait for; by default 1."),
                ToolParameter(
                    name: "seconds", kind: .integer(1...longestWait), description: "How long to wait; by default 10."),
            ],
            results: [
                address, messages, (name: "complete", type: "boolean", description: "True if as many messages match."),
            ],
            work: wait),
        AssistantTool(
            name: "list_messages", title: "List the gateway's messages",
            description: """
                Lists what senders have sent to the gateway, or with id everything about one message: request, answer, records and trace. \
                Also says where the gateway is; it is started if there is none.
                """,
            parameters: filters + [
                ToolParameter(
                    name: "before", kind: .integer(0...Int64(Int32.max)), description: "Only ids smaller than this."),
                ToolParameter(name: "limit", kind: .integer(1...1000), description: "At most so many; by default 100."),
                ToolParameter(
                    name: "id", kind: .integer(1...Int64(Int32.max)), description: "Everything about this message."),
            ],
            results: [
                address, messages,
                (name: "message", type: "object", description: "The message with that id."),
            ],
            optionalResults: ["messages", "message"], work: list),
        AssistantTool(
            name: "inject_fault", title: "Make the gateway fail",
            description: """
                Replaces the gateway's fault rules, so that a sender's handling of errors can be tested; an empty array removes them. For \
                example [{"device":"dead*","reason":"Unregistered"},{"every":50,"goaway":"Shutdown"}]. The resource \
                pushpipe://reference/gateway-faults has all keys.
                """,
            parameters: [
                ToolParameter(
                    name: "rules", kind: .records, description: "A list of rules, or its text in JSON or YAML.",
                    isRequired: true)
            ],
            results: [
                address, (name: "faults", type: "array", description: "How often each rule was used."),
                (name: "text", type: "string", description: "The rules."),
            ],
            isReadOnly: false, optionalResults: ["text"], work: injectFault),
    ]

    private static func wait(_ call: ToolCall) throws(ToolFailure) -> ToolResult {
        let seconds = call.arguments["seconds"]?.integer ?? 10
        let query = call.query(filterNames + ["count"], ["wait": "\(seconds)s"])
        return try result(call.gateway("GET", "/api/v1/messages" + query, seconds: Int(seconds)))
    }

    private static func list(_ call: ToolCall) throws(ToolFailure) -> ToolResult {
        guard let id = call.arguments["id"]?.integer else {
            return try result(call.gateway("GET", "/api/v1/messages" + call.query(filterNames + ["before", "limit"])))
        }
        let answer = try call.gateway("GET", "/api/v1/messages/\(id)")
        return ToolResult([
            "gateway": .string(answer.address), "message": RPCValue(parsing: answer.body) ?? .object([]),
        ])
    }

    private static func injectFault(_ call: ToolCall) throws(ToolFailure) -> ToolResult {
        let body: [UInt8] =
            switch call.arguments["rules"] {
            case .string(let text): Array(text.utf8)
            case let value: (value ?? .array([])).text
            }
        return try result(call.gateway("PUT", "/api/v1/faults", body: body))
    }

    /// The members of an answer, after the gateway's address.
    private static func result(_ answer: GatewayAnswer) throws(ToolFailure) -> ToolResult {
        guard case .object(let members) = RPCValue(parsing: answer.body) else {
            throw ToolFailure("\(answer.address) did not answer with an object")
        }
        return ToolResult(.object([.init(name: "gateway", value: .string(answer.address))] + members))
    }
}

extension ToolCall {
    /// Asks the gateway's API.
    ///
    /// - Throws: also for an answer that is an error, with its message.
    func gateway(
        _ method: String, _ path: String, body: [UInt8] = [], seconds: Int = 0
    ) throws(ToolFailure) -> GatewayAnswer {
        let answer = try surroundings.request(method, path, body: body, seconds: seconds)
        guard answer.status == 200 else {
            let message = RPCValue(parsing: answer.body)?[["error", "message"]]?.string
            throw ToolFailure("\(answer.address) answered \(answer.status)\(message.map { ": \($0)" } ?? "")")
        }
        return answer
    }

    /// The query with the arguments of these names, and more.
    func query(_ names: [String], _ more: KeyValuePairs<String, String> = [:]) -> String {
        let own = names.compactMap { name -> (String, String)? in
            switch arguments[name] {
            case .string(let text): (name, text)
            case .integer(let number): (name, "\(number)")
            default: nil
            }
        }
        return GatewayQuery.text(own + more.map { ($0.key, $0.value) })
    }
}

/// The query of a request to the gateway.
enum GatewayQuery {
    /// Begins with `?`, unless there is nothing.
    static func text(_ members: [(String, String)]) -> String {
        guard !members.isEmpty else { return "" }
        return "?" + members.map { "\($0.0)=\(encoded($0.1))" }.joined(separator: "&")
    }

    static func text(_ members: KeyValuePairs<String, String?>) -> String {
        text(members.compactMap { name, value in value.map { (name, $0) } })
    }

    /// Source: RFC 3986, section 2.3.
    static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
