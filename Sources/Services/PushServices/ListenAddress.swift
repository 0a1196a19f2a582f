/// An address on which a gateway listens.
package struct ListenAddress: Sendable, Equatable, LosslessStringConvertible {
    /// A name, or an address without brackets.
    package var host: String
    /// 0 for any free one.
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Loopback only, because whoever reaches the gateway can use it. The port is APNs' alternative one.
    package static let standard = ListenAddress(host: "127.0.0.1", port: 2197)

    /// Reads `host:port`, or a port of the loopback address: `127.0.0.1:2197`, `[::1]:0`, `8080`. Nil for another text.
    package init?(_ text: String) {
        let colon = text.lastIndex(of: ":")
        var host = Substring(Self.standard.host)
        if let colon {
            host = text[..<colon]
            if host.hasPrefix("["), host.hasSuffix("]") {
                host = host.dropFirst().dropLast()
            } else if host.contains(":") {
                host = ""
            }
        }
        let digits = colon.map { text[text.index(after: $0)...] } ?? text[...]
        guard !host.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }), let port = UInt16(digits) else {
            return nil
        }
        self.init(host: String(host), port: Int(port))
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// An address that messages are posted to, without TLS.
package struct WebhookAddress: Sendable, Equatable, CustomStringConvertible {
    package let host: ListenAddress
    /// Path and query.
    package let target: String

    /// Reads an address such as `http://127.0.0.1:8080/pushes`. Nil for another text.
    package init?(_ text: String) {
        let scheme = "http://"
        guard text.lowercased().hasPrefix(scheme), text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }), !text.contains("#")
        else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let hasPort = authority.last != "]" && authority.contains(":")
        guard !authority.contains("@"), let host = ListenAddress(hasPort ? String(authority) : "\(authority):80"),
            host.port > 0
        else { return nil }
        self.host = host
        let target = rest.dropFirst(authority.count)
        self.target = target.hasPrefix("/") ? String(target) : "/" + target
    }

    package var description: String { "http://\(host)\(target)" }

    /// True if it is on this machine, has a name without a dot, as containers have them, or is the host of an allowed origin. So no message leaves
    /// for a host of the internet that nobody has named twice.
    package func isAllowed(by origins: AllowedOrigins) -> Bool {
        let name = host.host.lowercased()
        // A number is an address: 3221225985 is 192.0.2.1.
        let isNumber = name.hasPrefix("0x") || name.allSatisfy(\.isNumber)
        let isName = !isNumber && !name.contains { $0 == "." || $0 == ":" }
        return host.isLoopback || isName || origins.hasHost(name)
    }
}
