package import PushSystem

/// Sockets, TLS and signatures: what a gateway needs from the network. `PushGatewayTLS` has them; a command built without that module has none,
/// and builds without SwiftNIO and BoringSSL.
package protocol GatewayNetwork: Sendable {
    /// Starts to accept connections. They wait until `run` is called.
    ///
    /// - Parameter tls: nil to take only connections without TLS.
    /// - Throws: `PlainError` if nothing can listen there, or there is no certificate.
    func listen(on ports: GatewayPorts, tls: TLSOptions?, limits: GatewayLimits) throws(PlainError)
        -> any ListeningGateway

    /// The certificate of the development authority, in PEM. Makes one if there is none.
    func authorityText() throws(PlainError) -> String

    /// Reads the keys that check signatures.
    var signatures: SignatureKeys { get }
}

/// A gateway that accepts connections.
package protocol ListeningGateway: Sendable {
    /// The addresses, with the ports that the system chose.
    var ports: GatewayPorts { get }

    /// The file that clients have to trust; nil for a certificate of the user's, and without TLS.
    var authorityPath: String? { get }

    /// A descriptor that `run` waits for: whoever writes a byte to it has `isStopped` asked again.
    var wakeUp: FileDescriptor { get }

    /// Answers requests until `isStopped` returns true and those in flight are answered.
    ///
    /// - Parameters:
    ///   - session: used on this thread.
    ///   - isStopped: asked between two groups of requests, and when a byte was written to `wakeUp`.
    ///   - flush: called after each group, before its answers leave.
    /// - Throws: errors of the session and of `flush`. Requests that wait then are told that the server failed.
    func run(_ session: GatewaySession, isStopped: () -> Bool, flush: () throws -> Void) throws

    /// Starts to post messages to an address.
    func webhook(to address: WebhookAddress) -> MessageHook

    /// Closes all connections. Call it once, after `run`.
    func shutDown()
}

extension ListeningGateway {
    package var address: ListenAddress { ports.main }
}

/// Checks whether a signature is that of a message. Both as bytes; the signature as JSON Web Tokens have it (RFC 7518).
package typealias SignatureCheck = @Sendable (_ signature: [UInt8], _ message: [UInt8]) -> Bool

/// Makes checks of signatures from keys in PEM, private or public; nil if the text has no such key.
package struct SignatureKeys: Sendable {
    /// ES256: a key of the curve P-256.
    package var es256: @Sendable (_ pem: String) -> SignatureCheck?
    /// RS256: an RSA key.
    package var rs256: @Sendable (_ pem: String) -> SignatureCheck?

    package init(
        es256: @escaping @Sendable (String) -> SignatureCheck?, rs256: @escaping @Sendable (String) -> SignatureCheck?
    ) {
        self.es256 = es256
        self.rs256 = rs256
    }

    /// Reads no key.
    package static let none = SignatureKeys(es256: { _ in nil }, rs256: { _ in nil })
}
