/// The origins whose pages may send to the gateway besides its own.
package struct AllowedOrigins: Sendable, Equatable {
    /// As browsers write them: in lower case, without a port that is the scheme's.
    private var origins: Set<String> = []
    private var hosts: Set<String> = []
    private var hasAll = false

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
