import PushFiles
import PushPipeline
package import PushSystem

/// Who may use the API.
package struct APIAccess: Sendable {
    /// The digest of the key; nil if none is set.
    private let digest: [UInt8]?
    private let address: ListenAddress
    /// True if only this machine can reach the API.
    private let isLoopback: Bool
    private let allowed: AllowedOrigins

    /// - Parameters:
    ///   - key: the key that clients must name; nil for none.
    ///   - proxy: where its proxy listens, which leads to the API too; nil for nowhere.
    ///   - allowed: origins whose hosts lead to the API.
    init(
        key: String? = nil, address: ListenAddress = .standard, proxy: ListenAddress? = nil,
        allowed: AllowedOrigins = AllowedOrigins()
    ) {
        digest = key.map(Self.digest)
        self.address = address
        self.allowed = allowed
        isLoopback = address.isLoopback && proxy?.isLoopback != false
    }

    /// The key of the API's clients, which the variable `PUSHPIPE_ACCESS_KEY` has unless one is given; nil for none.
    static func clientKey(_ given: String?) throws(PlainError) -> String? {
        guard let text = given ?? Environment.nonEmptyVariable("PUSHPIPE_ACCESS_KEY") else { return nil }
        return try key(text)
    }

    /// The key in a text, which may name a file that has it: `@FILE`.
    ///
    /// - Throws: `PlainError` for a file that cannot be read, and for an empty key.
    package static func key(_ text: String) throws(PlainError) -> String {
        guard text.hasPrefix("@") else {
            if text.isEmpty { throw PlainError("the access key is empty") }
            return text
        }
        let path = String(text.dropFirst())
        let bytes = try FileBytes.readConfiguration(path, limit: 64 << 10)
        let line = bytes.split(separator: UInt8(ascii: "\n")).first ?? []
        let key = String(decoding: line, as: UTF8.self).filter { !$0.isWhitespace }
        if key.isEmpty { throw PlainError("\(path): the first line has no access key") }
        return key
    }

    /// True if nobody has the key that would be needed.
    var isClosed: Bool { digest == nil && !isLoopback }

    /// Throws unless a request may be answered.
    ///
    /// - Parameter isOpen: true if no key is needed.
    func check(_ request: GatewayRequest, isOpen: Bool) throws(APIError) {
        // Those of health change and tell nothing, and probes may know the gateway by any name.
        guard !isOpen else { return }
        try checkHost(request)
        guard !isClosed else {
            throw APIError(
                403,
                "the API is closed, because the gateway or its proxy listens beyond loopback and has no access key; "
                    + "start it with one, for example in PUSHPIPE_ACCESS_KEY")
        }
        guard let digest else { return }
        // Digests are compared, so that the time does not depend on how much of a key is right.
        guard let given = request.header("x-access-key") ?? request.bearerToken, Self.digest(given) == digest else {
            throw APIError(
                401, "the API needs the access key: Authorization: Bearer KEY, or X-Access-Key: KEY",
                headers: [HeaderField("www-authenticate", "Bearer")])
        }
    }

    private static func digest(_ key: String) -> [UInt8] {
        var hash = SHA256()
        hash.update(key.utf8)
        return hash.finish()
    }

    /// Refuses a name that leads here. It is not a reason to trust whoever uses it: a page may be of a site that has pointed its name at this
    /// machine (DNS rebinding). With a key, that site does not know it.
    private func checkHost(_ request: GatewayRequest) throws(APIError) {
        guard digest == nil, let host = request.header("host") else { return }
        let name = HostName.name(of: host)
        guard HostName.isOwn(name, at: address) || allowed.hasHost(name) else {
            throw APIError(403, "the API rejects the host name \(host); use an IP address or localhost")
        }
    }
}

extension ListenAddress {
    /// True if only this machine can connect.
    var isLoopback: Bool {
        let name = host.lowercased()
        return name == "localhost" || name == "::1" || (name.hasPrefix("127.") && Self.isAddress(name))
    }

    static func isAddress(_ text: String) -> Bool {
        if text.contains(":") { return text.allSatisfy { $0.isHexDigit || ":.".contains($0) } }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { part in part.allSatisfy(\.isNumber) && UInt8(part) != nil }
    }
}

/// Why the API refuses a request: `{"error":{"status":404,"message":"…"}}`.
///
/// A type of its own, because the answer consists of its members.
struct APIError: Error, Equatable {
    var status: Int
    /// A sentence for people, that says what to do.
    var message: String
    var headers: [HeaderField]

    init(_ status: Int, _ message: String, headers: [HeaderField] = []) {
        self.status = status
        self.message = message
        self.headers = headers
    }

    static func badRequest(_ message: String) -> APIError { APIError(400, message) }

    /// The error for a parameter that a path does not have.
    static func unknownParameter(_ name: String, of expected: [String]) -> APIError {
        guard !expected.isEmpty else { return .badRequest("unknown parameter \(name); this path takes none") }
        let most = expected.dropLast().joined(separator: ", ")
        let list = (most.isEmpty ? [] : [most]) + expected.suffix(1)
        return .badRequest("unknown parameter \(name); expected \(list.joined(separator: " or "))")
    }

    /// The error for a moment in which the gateway cannot take more.
    static func tryLater(_ reason: String) -> APIError {
        APIError(503, "\(reason); try again later", headers: [HeaderField("retry-after", "1")])
    }

    static let tooLarge = APIError(413, "the body is over 64 KiB")
    static let tooMuchUnread = tryLater("clients have not read their answers, which take too much memory")

    var answer: GatewayAnswer {
        .api(json: #"{"error":{"status":\#(status),"message":\#(message)}}"#, status: status, headers: headers)
    }
}

extension GatewayAnswer {
    /// An answer of the API. Nothing of it may be stored, and browsers may not take it for anything but its type, nor give it to pages of
    /// other sites.
    static func api(
        _ body: [UInt8], status: Int = 200, headers: [HeaderField] = [], type: String = "application/json"
    ) -> GatewayAnswer {
        GatewayAnswer(
            status: status,
            headers: [
                HeaderField("content-type", type), HeaderField("cache-control", "no-store"),
                HeaderField("x-content-type-options", "nosniff"),
                HeaderField("cross-origin-resource-policy", "same-origin"),
            ] + headers, body: body)
    }

    static func api(json: JSONText, status: Int = 200, headers: [HeaderField] = []) -> GatewayAnswer {
        .api(json.bytes + "\n".utf8, status: status, headers: headers)
    }
}

extension RequestPlan {
    /// Answers with JSON at once.
    static func api(_ json: JSONText) -> RequestPlan { .answer(.api(json: json)) }
}
