/// Refuses what a page of another site has a browser on this machine send.
///
/// A browser names the page's origin with every POST, and with what scripts ask of other sites (Fetch, section 3.2, "`Origin` header").
/// No library that sends pushes does. A site can also point a name of its own at this machine, so that its page and the gateway have the
/// same origin (DNS rebinding). Then `host` has that name.
package struct OriginPolicy: Sendable {
    private let address: ListenAddress
    private let allowed: AllowedOrigins
    /// The header that was found right most recently: all requests of a sender have the same.
    private var lastHost: String?

    /// - Parameter address: where the gateway listens.
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
        for header in request.headers {
            if host == nil, header.name == "host" { host = header.value }
            if origin == nil, header.name == "origin" { origin = header.value }
        }
        if let origin, !isOwn(origin, host), !allowed.contains(origin) {
            return APIError(
                status: 403,
                message: "the gateway takes no requests from pages of \(origin); start it with that origin allowed"
            ).answer
        }
        guard let host, host != lastHost, checksHost() else { return nil }
        guard isKnown(HostName.name(of: host)) else {
            return APIError(
                status: 403,
                message: "the gateway does not answer for the host \(host); use an address or localhost, "
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

    /// True for a name that a site of the web cannot have pointed here: the gateway's own, those of the services that it stands in for, and
    /// names without a dot, as containers have them.
    private func isKnown(_ name: String) -> Bool {
        HostName.isOwn(name, at: address) || !name.isEmpty && !name.contains(".") || GatewayHosts.all.contains(name)
            || allowed.hasHost(name)
    }
}
