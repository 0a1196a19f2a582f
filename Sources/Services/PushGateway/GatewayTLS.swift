package import NIOCore
package import PushServices

/// TLS on the connections of a gateway: `GatewayIdentity` of PushGatewayTLS. A gateway without it builds no BoringSSL.
package protocol GatewayTLS: Sendable {
    /// The handler that ends TLS on a connection.
    func handler(ofBinaryInterface: Bool) -> any ChannelHandler

    /// The certificate that the client of a connection has shown; nil for none. Called on the connection's event loop.
    func certificate(on channel: any Channel) -> ClientCertificate?
}

/// The hosts of push services.
package enum GatewayHosts {
    /// The names under which clients know the services that the gateway stands in for, so that hosts files and proxies can lead to it.
    package static let all = [
        "localhost", "api.push.apple.com", "api.sandbox.push.apple.com", "api.development.push.apple.com",
        "api-broadcast.push.apple.com", "api-broadcast.sandbox.push.apple.com", "fcm.googleapis.com",
        "oauth2.googleapis.com", "iid.googleapis.com", "gcm-http.googleapis.com", "android.googleapis.com",
        "api-manage-broadcast.push.apple.com", "api-manage-broadcast.sandbox.push.apple.com",
    ]
}
