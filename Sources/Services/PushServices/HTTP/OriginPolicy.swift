import PushConsole

/// Refuses what a page of another site has a browser on this machine send.
///
/// A browser names the page's origin with every POST, and with what scripts ask of other sites (Fetch, section 3.2, "`Origin` header").
/// With the rest, such as images and links, it says whether the page is of another site (W3C, Fetch Metadata, "`Sec-Fetch-Site`").
/// No library that sends pushes does either. A site can also point a name of its own at this machine, so that its page and the gateway have the
/// same origin (DNS rebinding). Then `host` has that name.
package struct OriginPolicy: Sendable {
    /// The address on which the gateway listens.
    private let address: ListenAddress
    private let allowed: AllowedOrigins
    /// The header that was found right most recently: all requests of a sender have the same.
    private var lastHost: String?

    package init(address: ListenAddress = .standard, allowed: AllowedOrigins = AllowedOrigins()) {
        self.address = address
        self.allowed = allowed
    }

    /// The answer to a request that is refused; nil for one that may be answered.
    ///
    /// - Parameter checksHost: false if the request's service says itself which hosts it is answered for.
    mutating func refusal(of request: GatewayRequest, checksHost: @autoclosure () -> Bool) -> GatewayAnswer? {
        var host: String?
        var origin: String?
        var site: String?
        for header in request.headers {
            switch header.name {
            case "host": host = host ?? header.value
            case "origin": origin = origin ?? header.value
            case "sec-fetch-site": site = site ?? header.value
            default: break
            }
        }
        if let origin, !isOwn(origin, host), !allowed.contains(origin) {
            return APIError(
                403, "requests from web pages at \(origin) are blocked; start the gateway with that origin allowed"
            ).answer
        }
        if origin == nil, let site, isForeign(site), !isPage(request.path) {
            return APIError(
                403, "requests from other web pages are blocked, but for those of allowed origins, with their origin"
            ).answer
        }
        guard let host, host != lastHost, checksHost() else { return nil }
        guard isKnown(HostName.name(of: host)) else {
            return APIError(
                403,
                "the gateway rejects the host name \(host); use an IP address or localhost, "
                    + "or start it with the origin http://\(host) allowed"
            ).answer
        }
        lastHost = host
        return nil
    }

    /// True for the origin of the gateway's own page, whatever its scheme.
    private func isOwn(_ origin: String, _ host: String?) -> Bool {
        guard let host, let end = origin.firstRange(of: "://")?.upperBound else { return false }
        return origin[end...].lowercased() == host.lowercased()
    }

    /// True for the site of a page that has another origin, which may be on another port of this machine.
    private func isForeign(_ site: String) -> Bool { !allowed.hasAll && (site == "cross-site" || site == "same-site") }

    /// True for the console's page, to which any page may have a link, and its files.
    private func isPage(_ path: String) -> Bool {
        path.prefix { $0 != "?" } == "/" || path.hasPrefix(ConsoleFile.folder)
    }

    /// True for a name that a site of the web cannot have pointed here: the gateway's own, those of the services that it stands in for, and
    /// names without a dot, as containers have them.
    private func isKnown(_ name: String) -> Bool {
        HostName.isOwn(name, at: address) || !name.isEmpty && !name.contains(".") || GatewayHosts.all.contains(name)
            || allowed.hasHost(name)
    }
}

/// The origins whose pages may send to the gateway besides its own.
package struct AllowedOrigins: Sendable, Equatable {
    /// The origins as browsers write them: in lower case, without a port that is the scheme's.
    private var origins: Set<String> = []
    private var hosts: Set<String> = []
    /// True if every origin is allowed.
    private(set) var hasAll = false

    /// No other origins.
    package init() {}

    /// Adds an origin such as `https://app.example.org:8080`, or all of them with `*`.
    ///
    /// - Returns: false for a text that is neither.
    package mutating func insert(_ text: String) -> Bool {
        if text == "*" {
            hasAll = true
            return true
        }
        // An address as browsers show it may end in a slash; an origin does not.
        var origin = text.lowercased()
        if origin.hasSuffix("/") { origin.removeLast() }
        for (scheme, port) in [("http://", ":80"), ("https://", ":443")] where origin.hasPrefix(scheme) {
            if origin.hasSuffix(port) { origin.removeLast(port.utf8.count) }
            let host = HostName.name(of: String(origin.dropFirst(scheme.utf8.count)))
            guard !host.isEmpty, !origin.dropFirst(scheme.utf8.count).contains(where: { " /?#@".contains($0) })
            else { return false }
            origins.insert(origin)
            hosts.insert(host)
            return true
        }
        return false
    }

    func contains(_ origin: String) -> Bool { hasAll || origins.contains(origin.lowercased()) }

    /// True for the host of one of them: whoever has that name can have a page there, too.
    func hasHost(_ name: String) -> Bool { hasAll || hosts.contains(name) }
}

/// The hosts of push services.
package enum GatewayHosts {
    /// The names under which clients know the services that the gateway stands in for, so that hosts files and proxies can lead to it.
    package static let all = [
        "localhost", "api.push.apple.com", "api.sandbox.push.apple.com", "api.development.push.apple.com",
        "api-broadcast.push.apple.com", "api-broadcast.sandbox.push.apple.com", "fcm.googleapis.com",
        "oauth2.googleapis.com", "www.googleapis.com", "iid.googleapis.com", "gcm-http.googleapis.com",
        "android.googleapis.com",
        "exp.host", "api-manage-broadcast.push.apple.com", "api-manage-broadcast.sandbox.push.apple.com",
    ]
}

/// The name in the header `host`.
enum HostName {
    /// The name without the port and brackets, in lower case. Empty if something else follows, which another parser may take for the name.
    static func name(of host: String) -> String {
        let host = host.lowercased()
        let isBracketed = host.hasPrefix("[")
        let name = isBracketed ? host.dropFirst().prefix { $0 != "]" } : host.prefix { $0 != ":" }
        let rest = host[name.endIndex...].dropFirst(isBracketed ? 1 : 0)
        guard !isBracketed || name.endIndex < host.endIndex,
            rest.isEmpty || rest.first == ":" && rest.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
        else { return "" }
        return String(name)
    }

    /// True for a name that nobody else can point at this machine: a name of this machine, an address, and where the gateway listens.
    static func isOwn(_ name: String, at address: ListenAddress) -> Bool {
        name == "localhost" || name.hasSuffix(".localhost") || name == address.host.lowercased()
            || ListenAddress.isAddress(name)
    }
}
