/// Where a gateway listens.
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
