/// Tells from the first bytes of a connection what its client speaks.
enum ProtocolDetector {
    enum Result: Equatable {
        /// Every protocol is still possible.
        case needsMore
        case tls, http2, http1
    }

    /// The first bytes of a client of HTTP/2 (RFC 9113, section 3.4).
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    /// The type of the record that TLS begins with: a handshake (RFC 8446, section 5.1). No method of HTTP begins so.
    private static let handshake: UInt8 = 0x16

    /// - Parameter acceptsTLS: false once TLS has begun.
    static func detect(_ bytes: some Collection<UInt8>, acceptsTLS: Bool) -> Result {
        guard let first = bytes.first else { return .needsMore }
        if first == handshake, acceptsTLS { return .tls }
        guard bytes.prefix(preface.count).elementsEqual(preface.prefix(bytes.count)) else { return .http1 }
        return bytes.count >= preface.count ? .http2 : .needsMore
    }
}
