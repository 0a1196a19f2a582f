package import PushJSON

/// A message of JSON-RPC 2.0.
package struct RPCMessage {
    /// Why a request is not answered with a result. The codes are those of JSON-RPC; a protocol adds its own.
    ///
    /// A type of its own, because the answer consists of its members.
    package struct Failure: Error, Equatable {
        package let code: Int64
        package let message: String
        /// More about it, as the protocol says; nil for nothing.
        package let data: JSONValue?
        /// The id to answer to, of a message that is not one; null if it could not be read.
        package private(set) var id = JSONValue.null

        package init(code: Int64, message: String, data: JSONValue? = nil) {
            self.code = code
            self.message = message
            self.data = data
        }

        package static func parseError(_ message: String) -> Failure { Failure(code: -32_700, message: message) }
        package static func invalidRequest(_ message: String, id: JSONValue = .null) -> Failure {
            var failure = Failure(code: -32_600, message: message)
            failure.id = id
            return failure
        }
        package static func methodNotFound(_ method: String) -> Failure {
            Failure(code: -32_601, message: "there is no method \(method.prefix(100))")
        }
        package static func invalidParams(_ message: String) -> Failure { Failure(code: -32_602, message: message) }
    }

    /// Nil for an answer to a request of the server's.
    package let method: String?
    /// A number or a string; nil for a notification.
    package let id: JSONValue?
    package let params: JSONValue

    /// - Throws: if it is not a message, with the id to answer to, if there is one.
    package init(_ content: [UInt8]) throws(Failure) {
        guard let value = JSONValue(reading: content) else {
            throw .parseError("the content is not JSON")
        }
        guard value.isObject, value["jsonrpc"] == "2.0" else {
            throw .invalidRequest("not an object with \"jsonrpc\":\"2.0\"")
        }
        id = value["id"]
        switch id {
        case nil, .integer, .string: break
        // An answer to something that could not be read.
        case .null where value["method"] == nil: break
        default: throw .invalidRequest("an id is an integer or a string")
        }
        let isAnswer = value["method"] == nil && (value["result"] != nil || value["error"] != nil)
        method = value["method"]?.string
        guard method != nil || isAnswer else {
            throw .invalidRequest("a message has a method, a result or an error", id: id ?? .null)
        }
        params = value["params"] ?? .null
    }

    /// The message in an item of the stream.
    package static func read(_ item: MessageFramer.Item) -> Result<RPCMessage, Failure> {
        switch item {
        case .fault(let reason): .failure(.parseError(reason))
        case .content(let content): Result { () throws(Failure) in try RPCMessage(content) }
        }
    }

    // MARK: - Composing

    package static func result(_ value: JSONValue, to id: JSONValue) -> JSONValue {
        .members(["jsonrpc": "2.0", "id": id, "result": value])
    }

    /// - Parameter id: null if it could not be read, in the words of JSON-RPC; nil to leave it out, as the Model Context Protocol does.
    package static func failure(_ failure: Failure, to id: JSONValue?) -> JSONValue {
        .members([
            "jsonrpc": "2.0", "id": id,
            "error": .members([
                "code": .integer(failure.code), "message": .string(failure.message), "data": failure.data,
            ]),
        ])
    }

    package static func notification(_ method: String, _ params: JSONValue) -> JSONValue {
        .members(["jsonrpc": "2.0", "method": .string(method), "params": params])
    }

    package static func request(_ method: String, id: JSONValue, _ params: JSONValue? = nil) -> JSONValue {
        .members(["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params])
    }
}
