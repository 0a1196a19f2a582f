/// A message of JSON-RPC 2.0.
struct RPCMessage {
    /// Why a request is not answered with a result. The codes are those of JSON-RPC and of the Language Server Protocol 3.17.
    struct Failure: Error, Equatable {
        let code: Int64
        let message: String

        static func parseError(_ message: String) -> Failure { Failure(code: -32_700, message: message) }
        static func invalidRequest(_ message: String) -> Failure { Failure(code: -32_600, message: message) }
        static func methodNotFound(_ method: String) -> Failure {
            Failure(code: -32_601, message: "there is no method \(method.prefix(100))")
        }
        static func invalidParams(_ message: String) -> Failure { Failure(code: -32_602, message: message) }
        static let serverNotInitialized = Failure(code: -32_002, message: "initialize comes first")
        static let requestCancelled = Failure(code: -32_800, message: "cancelled")
    }

    /// Nil for an answer to a request of the server's.
    let method: String?
    /// A number or a string; nil for a notification.
    let id: RPCValue?
    let params: RPCValue

    /// - Throws: if it is not a message, with the id to answer to, if there is one.
    init(_ content: [UInt8]) throws(Refusal) {
        guard let value = RPCValue(parsing: content) else {
            throw Refusal(id: .null, failure: .parseError("the content is not JSON"))
        }
        guard value.isObject, value["jsonrpc"] == "2.0" else {
            throw Refusal(id: .null, failure: .invalidRequest("not an object with \"jsonrpc\":\"2.0\""))
        }
        id = value["id"]
        switch id {
        case nil, .integer, .string: break
        // An answer to something that could not be read.
        case .null where value["method"] == nil: break
        default: throw Refusal(id: .null, failure: .invalidRequest("an id is an integer or a string"))
        }
        let isAnswer = value["method"] == nil && (value["result"] != nil || value["error"] != nil)
        method = value["method"]?.string
        guard method != nil || isAnswer else {
            throw Refusal(id: id ?? .null, failure: .invalidRequest("a message has a method, a result or an error"))
        }
        params = value["params"] ?? .null
    }

    /// A message that cannot be handled.
    struct Refusal: Error {
        let id: RPCValue
        let failure: Failure
    }

    // MARK: - Composing

    static func result(_ value: RPCValue, to id: RPCValue) -> RPCValue {
        .members(["jsonrpc": "2.0", "id": id, "result": value])
    }

    static func failure(_ failure: Failure, to id: RPCValue) -> RPCValue {
        .members([
            "jsonrpc": "2.0", "id": id,
            "error": .members(["code": .integer(failure.code), "message": .string(failure.message)]),
        ])
    }

    static func notification(_ method: String, _ params: RPCValue) -> RPCValue {
        .members(["jsonrpc": "2.0", "method": .string(method), "params": params])
    }

    static func request(_ method: String, id: RPCValue, _ params: RPCValue? = nil) -> RPCValue {
        .members(["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params])
    }
}
