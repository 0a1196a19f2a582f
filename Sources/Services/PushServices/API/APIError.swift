import PayloadJSON

/// Why the API refuses a request: `{"error":{"status":404,"message":"…"}}`.
struct APIError: Error, Equatable {
    var status: Int
    /// A sentence for people, that says what to do.
    var message: String
    var headers: [HeaderField] = []

    static func badRequest(_ message: String) -> APIError { APIError(status: 400, message: message) }

    /// For a parameter that a path does not have.
    static func unknownParameter(_ name: String, of expected: [String]) -> APIError {
        guard !expected.isEmpty else { return .badRequest("unknown parameter \(name); this path takes none") }
        let most = expected.dropLast().joined(separator: ", ")
        let list = (most.isEmpty ? [] : [most]) + expected.suffix(1)
        return .badRequest("unknown parameter \(name); expected \(list.joined(separator: " or "))")
    }

    static let notFound = APIError(
        status: 404, message: "nothing has this path; GET /api/v1/openapi.json lists what there is")

    static let tooMuchUnread = APIError(
        status: 503, message: "clients have not read their answers, which take too much memory; try again later",
        headers: [HeaderField("retry-after", "1")])

    var answer: GatewayAnswer {
        var out = ByteBuffer()
        out.append("{\"error\":{\"status\":")
        out.append(Int64(status))
        out.appendMember("message", message)
        out.append("}}\n")
        return .api(out, status: status, headers: headers)
    }
}

extension GatewayAnswer {
    /// An answer of the API. Nothing of it may be stored, and browsers may not take it for anything but JSON.
    static func api(
        _ body: borrowing ByteBuffer, status: Int = 200, headers: [HeaderField] = [],
        type: String = "application/json"
    ) -> GatewayAnswer {
        GatewayAnswer(
            status: status,
            headers: [
                HeaderField("content-type", type), HeaderField("cache-control", "no-store"),
                HeaderField("x-content-type-options", "nosniff"),
            ] + headers, body: body.copy)
    }
}
