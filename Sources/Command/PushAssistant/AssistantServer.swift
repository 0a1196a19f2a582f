import CPushReferencePages
package import PushJSON
package import PushRPC
import PushSystem

/// A server of the Model Context Protocol over the command: a function from messages to messages, which works with its surroundings.
///
/// It has no logic of its own: a tool calls subcommands or the API of a gateway, and its result is their output.
package final class AssistantServer {
    private let surroundings: any AssistantSurroundings
    private let folders: AllowedFolders
    private let version: String
    /// The revision of the session; nil before `initialize`.
    private var session: ProtocolRevision?

    /// How long a client may keep lists and pages, which change only with the command: an hour.
    private static let milliseconds: Int64 = 3_600_000

    static let instructions = """
        Checks push notifications for APNs, FCM, GCM and Expo on this machine. lint_payload and fix_payload before code is written; deliver and \
        screen to see what the phone shows, and why it shows nothing; explain for each rule and reason in a result. To test a program that \
        sends, call list_messages for the gateway's address, point the program at it, and call wait_for_message.
        """

    /// - Parameter version: the version of the command.
    package init(_ surroundings: any AssistantSurroundings, folders: AllowedFolders, version: String) {
        self.surroundings = surroundings
        self.folders = folders
        self.version = version
    }

    /// Sets what is called while a call waits and the client has sent something.
    package func listen(_ hear: @escaping () -> Heard) { surroundings.hear = hear }

    /// The messages in a line: one, or in a session of a revision that has them those of a batch, which are answered together (2025-03-26,
    /// Base Protocol; 2025-06-18 removed them).
    func messages(in item: MessageFramer.Item) -> AssistantConnection.Line {
        guard case .content(let content) = item, content.first(where: { $0 > 0x20 }) == UInt8(ascii: "["),
            case .array(let batch) = JSONValue(reading: content), !batch.isEmpty
        else { return ([RPCMessage.read(item)], false) }
        guard session?.hasBatches ?? false else {
            let revision =
                session.map { "revision \($0.rawValue) has" } ?? "a session begins with initialize, and there are"
            return (
                [.failure(.invalidRequest("\(revision) no batches; send each message on a line of its own"))], false
            )
        }
        return (batch.map { RPCMessage.read(.content($0.text)) }, true)
    }

    /// Handles a message, and returns what to send. A `ping` may come while another message is handled.
    package func handle(_ message: RPCMessage) -> [JSONValue] {
        // A notification that matters is `notifications/cancelled`, which the connection looks at.
        guard let method = message.method, let id = message.id else { return [] }
        do throws(RPCMessage.Failure) {
            let revision = try revision(of: method, message.params)
            if method == "subscriptions/listen", revision.isStateless { return [acknowledgment(of: id)] }
            return [RPCMessage.result(try respond(to: method, message.params, revision), to: id)]
        } catch {
            return [RPCMessage.failure(error, to: id)]
        }
    }

    private func revision(of method: String, _ params: JSONValue) throws(RPCMessage.Failure) -> ProtocolRevision {
        if let asked = params["_meta"]?[ProtocolRevision.namesKey] {
            guard let revision = asked.string.flatMap(ProtocolRevision.init) else { throw .unsupportedRevision(asked) }
            if revision.isStateless, params["_meta"]?[ProtocolRevision.capabilitiesKey]?.isObject != true {
                throw .invalidParams("_meta has no \(ProtocolRevision.capabilitiesKey)")
            }
            return revision
        }
        switch method {
        case "initialize": return .ofSession(params["protocolVersion"]?.string)
        case "ping": return session ?? .november2025
        default:
            guard let session else {
                throw .invalidParams("_meta has no \(ProtocolRevision.namesKey), and initialize was not called")
            }
            return session
        }
    }

    private func respond(
        to method: String, _ params: JSONValue, _ revision: ProtocolRevision
    ) throws(RPCMessage.Failure) -> JSONValue {
        switch method {
        case "initialize" where !revision.isStateless:
            session = revision
            return .members([
                "protocolVersion": .string(revision.rawValue), "capabilities": Self.capabilities,
                "serverInfo": identity, "instructions": .string(Self.instructions),
            ])
        case "ping" where !revision.isStateless: return .object([])
        case "server/discover" where revision.isStateless:
            return complete(
                [
                    "supportedVersions": ProtocolRevision.names, "capabilities": Self.capabilities,
                    "instructions": .string(Self.instructions),
                ], revision, isKept: true)
        case "tools/call": return try call(params, revision)
        case "resources/read": return try read(params, revision)
        default:
            guard let list = Self.lists[method] else { throw .methodNotFound(method) }
            if let cursor = params["cursor"], cursor != .null { throw .invalidParams("unknown cursor") }
            return complete([list.name: .array(list.values)], revision, isKept: true)
        }
    }

    /// The lists by their methods. Each has one page.
    private static let lists: [String: (name: String, values: [JSONValue])] = [
        "tools/list": ("tools", AssistantTool.all.map(\.value)),
        "resources/list": ("resources", ReferencePage.all.map(\.value)),
        "resources/templates/list": ("resourceTemplates", [ReferencePage.ruleTemplate]),
    ]

    // MARK: - Tools and resources

    private func call(_ params: JSONValue, _ revision: ProtocolRevision) throws(RPCMessage.Failure) -> JSONValue {
        guard let name = params["name"]?.string else { throw .invalidParams("tools/call needs the name of a tool") }
        guard let tool = AssistantTool.all.first(where: { $0.name == name }) else {
            throw .invalidParams("Unknown tool: \(name.prefix(100))")
        }
        defer { surroundings.endCall() }
        do throws(PlainError) {
            let arguments = params["arguments"] ?? .object([])
            try tool.check(arguments)
            let result = try tool.work(ToolCall(arguments: arguments, folders: folders, surroundings: surroundings))
            return complete(
                ["content": .array(result.content), "structuredContent": result.structured, "isError": false], revision)
        } catch {
            return complete(
                ["content": [ToolResult.text(error.message)], "isError": true], revision)
        }
    }

    private func read(_ params: JSONValue, _ revision: ProtocolRevision) throws(RPCMessage.Failure) -> JSONValue {
        guard let uri = params["uri"]?.string else { throw .invalidParams("resources/read needs a uri") }
        let text: String
        let page = ReferencePage.all.first { $0.uri == uri }
        if let page {
            text = page.text
        } else {
            guard uri.hasPrefix(ReferencePage.rulePrefix), uri.utf8.count < 200, !uri.utf8.contains(0) else {
                throw .unknownResource(uri, revision)
            }
            defer { surroundings.endCall() }
            // The command knows which rules there are.
            let arguments = ["explain", "--", String(uri.dropFirst(ReferencePage.rulePrefix.count))]
            guard let output = try? surroundings.run(arguments, input: []), output.status == 0 else {
                throw .unknownResource(uri, revision)
            }
            text = output.text
        }
        let content = JSONValue.members([
            "uri": .string(uri), "mimeType": page == nil ? "text/plain" : "text/markdown", "text": .string(text),
        ])
        return complete(["contents": .array([content])], revision, isKept: true)
    }

    // MARK: - Results

    private static let capabilities = JSONValue.members(["tools": .object([]), "resources": .object([])])

    private var identity: JSONValue {
        .members(["name": "pushpipe", "title": "pushpipe", "version": .string(version)])
    }

    /// A result of a revision.
    ///
    /// - Parameter isKept: true if the client may keep it for some time (2026-07-28, Caching).
    private func complete(
        _ members: KeyValuePairs<String, JSONValue?>, _ revision: ProtocolRevision, isKept: Bool = false
    ) -> JSONValue {
        guard revision.isStateless, case .object(let own) = JSONValue.members(members),
            case .object(let more) = JSONValue.members([
                "resultType": "complete", "ttlMs": isKept ? .integer(Self.milliseconds) : nil,
                "cacheScope": isKept ? "public" : nil,
                "_meta": .members([ProtocolRevision.serverKey: identity]),
            ])
        else { return .members(members) }
        return .object(own + more)
    }

    /// The answer to a subscription, whose stream stays open and is empty: nothing that a client can subscribe to ever changes.
    private func acknowledgment(of id: JSONValue) -> JSONValue {
        RPCMessage.notification(
            "notifications/subscriptions/acknowledged",
            .members([
                "_meta": .members([ProtocolRevision.subscriptionKey: id]), "notifications": .object([]),
            ]))
    }
}

/// The revisions of the Model Context Protocol that the server speaks.
///
/// Source: modelcontextprotocol.io/specification, Key Changes and Versioning of each. In revisions before 2026-07-28 a session begins with
/// `initialize`; from then on each request says in `_meta` which revision it is of, and no request depends on an earlier one.
enum ProtocolRevision: String, CaseIterable {
    /// The newest first.
    case stateless = "2026-07-28"
    case november2025 = "2025-11-25"
    case june2025 = "2025-06-18"
    /// Clients of these two revisions ignore what the revisions lack, such as structured content.
    case march2025 = "2025-03-26"
    case november2024 = "2024-11-05"

    static let namesKey = "io.modelcontextprotocol/protocolVersion"
    static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"
    static let serverKey = "io.modelcontextprotocol/serverInfo"
    static let subscriptionKey = "io.modelcontextprotocol/subscriptionId"

    /// True if results say that they are complete, who made them, and how long they hold.
    var isStateless: Bool { self == .stateless }

    /// True if a client may send several messages in a list.
    var hasBatches: Bool { self == .march2025 }

    /// The revision of a session whose client asks for one: that one, or the newest that begins with `initialize`.
    static func ofSession(_ asked: String?) -> ProtocolRevision {
        let revision = asked.flatMap(ProtocolRevision.init)
        return revision.map { $0.isStateless ? .november2025 : $0 } ?? .november2025
    }

    static var names: JSONValue { .array(allCases.map { .string($0.rawValue) }) }
}

extension RPCMessage.Failure {
    /// Source: 2026-07-28, Protocol Version Negotiation.
    static func unsupportedRevision(_ asked: JSONValue) -> RPCMessage.Failure {
        RPCMessage.Failure(
            code: -32_022, message: "Unsupported protocol version",
            data: .members(["supported": ProtocolRevision.names, "requested": asked]))
    }

    /// Source: 2025-06-18 and 2025-11-25, Resources, Error Handling: -32002. From 2026-07-28 it is an invalid parameter.
    static func unknownResource(_ uri: String, _ revision: ProtocolRevision) -> RPCMessage.Failure {
        RPCMessage.Failure(
            code: revision.isStateless ? -32_602 : -32_002, message: "Resource not found",
            data: .members(["uri": .string(String(uri.prefix(500)))]))
    }
}

/// A page of the documentation, which an assistant can read.
struct ReferencePage: Sendable {
    let uri: String
    let name: String
    let description: String
    let text: String

    /// The resource's entry in the answer to `resources/list`.
    var value: JSONValue {
        .members([
            "uri": .string(uri), "name": .string(name), "description": .string(description),
            "mimeType": "text/markdown",
        ])
    }

    /// The rules of the linter are resources, too: what the command says of each.
    static let rulePrefix = "pushpipe://rules/"
    static let ruleTemplate = JSONValue.members([
        "uriTemplate": "pushpipe://rules/{rule}", "name": "rule",
        "description": "One rule of the linter: reason, source, examples.", "mimeType": "text/plain",
    ])

    static let all: [ReferencePage] = (0..<reference_page_count()).compactMap { index in
        guard let page = unsafe reference_page_at(index) else { return nil }
        // SOUND: the texts are constants of the program, and the count is that of the bytes.
        let bytes = unsafe UnsafeBufferPointer(start: page.pointee.bytes, count: page.pointee.count)
        return unsafe ReferencePage(
            uri: String(cString: page.pointee.uri), name: String(cString: page.pointee.name),
            description: String(cString: page.pointee.description), text: String(decoding: bytes, as: UTF8.self))
    }
}
