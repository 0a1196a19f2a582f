package import NIOCore
package import PushServices

/// TLS on the connections of a gateway: `GatewayIdentity` of PushGatewayTLS. A gateway without it builds no BoringSSL.
package protocol GatewayTLS: Sendable {
    /// The handler that ends TLS on a connection.
    func handler(ofBinaryInterface: Bool) -> any ChannelHandler

    /// The certificate that the client of a connection has shown; nil for none. Called on the connection's event loop.
    func certificate(on channel: any Channel) -> ClientCertificate?
}
