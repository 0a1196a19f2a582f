import PushRPC

/// The revisions of the Model Context Protocol that the server speaks.
///
/// Source: modelcontextprotocol.io/specification, Key Changes and Versioning of each. In revisions before 2026-07-28 a session begins with
/// `initialize`; from then on each request says in `_meta` which revision it is of, and no request depends on an earlier one.
enum ProtocolRevision: String, CaseIterable {
    /// The newest first.
    case stateless = "2026-07-28"
    case november2025 = "2025-11-25"
    case june2025 = "2025-06-18"

    static let namesKey = "io.modelcontextprotocol/protocolVersion"
    static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"
    static let serverKey = "io.modelcontextprotocol/serverInfo"
    static let subscriptionKey = "io.modelcontextprotocol/subscriptionId"

    /// True if results say that they are complete, who made them, and how long they hold.
    var isStateless: Bool { self == .stateless }

    /// The revision of a session whose client asks for one: that one, or the newest that begins with `initialize`.
    static func ofSession(_ asked: String?) -> ProtocolRevision {
        let revision = asked.flatMap(ProtocolRevision.init)
        return revision.map { $0.isStateless ? .november2025 : $0 } ?? .november2025
    }

    static var names: RPCValue { .array(allCases.map { .string($0.rawValue) }) }
}

extension RPCMessage.Failure {
    /// Source: 2026-07-28, Protocol Version Negotiation.
    static func unsupportedRevision(_ asked: RPCValue) -> RPCMessage.Failure {
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
