import PushFiles
import PushPipeline
package import PushRuns
import PushSystem

/// Who may use the API.
package struct APIAccess: Sendable {
    /// Of the key; nil if none is set.
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

    /// The key that an option or a variable names, which may be in a file: `@FILE`.
    ///
    /// - Throws: `RunError` for a file that cannot be read, and for an empty key.
    package static func key(_ text: String) throws(RunError) -> String {
        guard text.hasPrefix("@") else {
            if text.isEmpty { throw RunError("the access key is empty") }
            return text
        }
        let path = String(text.dropFirst())
        let bytes = try FileBytes.readConfiguration(path, limit: 64 << 10)
        let line = bytes.split(separator: UInt8(ascii: "\n")).first ?? []
        let key = String(decoding: line, as: UTF8.self).filter { !$0.isWhitespace }
        if key.isEmpty { throw RunError("\(path): the first line has no access key") }
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
                status: 403,
                message:
                    "the API is closed, because the gateway or its proxy listens beyond loopback and has no access key; "
                    + "start it with one, for example in PUSHPIPE_ACCESS_KEY")
        }
        guard let digest else { return }
        // Digests are compared, so that the time does not depend on how much of a key is right.
        guard let given = Self.key(of: request), Self.digest(given) == digest else {
            throw APIError(
                status: 401, message: "the API needs the access key: Authorization: Bearer KEY, or X-Access-Key: KEY",
                headers: [HeaderField("www-authenticate", "Bearer")])
        }
    }

    private static func digest(_ key: String) -> [UInt8] {
        var hash = SHA256()
        hash.update(key.utf8)
        return hash.finish()
    }

    private static func key(of request: GatewayRequest) -> String? {
        if let key = request.header("x-access-key") { return key }
        let words = request.header("authorization")?.split(separator: " ", maxSplits: 1) ?? []
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return String(words[1])
    }

    /// Refuses a name that leads here. It is not a reason to trust whoever uses it: a page may be of a site that has pointed its name at this
    /// machine (DNS rebinding). With a key, that site does not know it.
    private func checkHost(_ request: GatewayRequest) throws(APIError) {
        guard digest == nil, let host = request.header("host") else { return }
        let name = HostName.name(of: host)
        guard HostName.isOwn(name, at: address) || allowed.hasHost(name) else {
            throw APIError(
                status: 403, message: "the API is not answered for the host \(host); use an address or localhost")
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
