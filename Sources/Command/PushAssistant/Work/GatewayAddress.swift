/// Where a gateway is: on this machine.
package struct GatewayAddress: Sendable, Equatable {
    package let port: UInt16
    /// True for `[::1]`.
    package let isIPv6: Bool

    /// The address in a text such as `http://127.0.0.1:2197`; nil for any other host than this machine, and for TLS, which is on the same port.
    package init?(_ text: some StringProtocol) {
        let text = text.lowercased()
        guard text.hasPrefix("http://") else { return nil }
        var rest = text.dropFirst(7)
        if rest.last == "/" { rest = rest.dropLast() }
        guard let colon = rest.lastIndex(of: ":"), let port = UInt16(rest[rest.index(after: colon)...]), port > 0 else {
            return nil
        }
        switch rest[..<colon] {
        case "127.0.0.1", "localhost": isIPv6 = false
        case "[::1]": isIPv6 = true
        default: return nil
        }
        self.port = port
    }

    package var text: String { "http://\(host)" }

    /// For the header `host`.
    var host: String { "\(isIPv6 ? "[::1]" : "127.0.0.1"):\(port)" }

    /// The address in what `pushpipe serve` says when it listens; nil if it has not said it yet.
    init?(greeting: [UInt8]) {
        // The end of a line that is not whole may be missing a digit.
        let end = greeting.lastIndex(of: UInt8(ascii: "\n")) ?? 0
        let text = String(decoding: greeting[..<end], as: UTF8.self)
        for word in text.split(whereSeparator: { " ,\n".contains($0) }) {
            guard let address = GatewayAddress(word) else { continue }
            self = address
            return
        }
        return nil
    }
}
