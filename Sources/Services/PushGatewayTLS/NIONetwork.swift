import PushGateway
package import PushServices
package import PushSystem

/// The network over SwiftNIO, with TLS by BoringSSL.
package struct NIONetwork: GatewayNetwork {
    package init() {}

    package func listen(on ports: GatewayPorts, tls: TLSOptions?, limits: GatewayLimits) throws(PlainError)
        -> any ListeningGateway
    {
        guard let tls else { return try Gateway(ports, limits: limits) }
        if let files = tls.files {
            let identity = try GatewayIdentity(certificatePath: files.certificate, keyPath: files.key)
            return try Gateway(ports, identity: identity, limits: limits)
        }
        let authority = try DevelopmentAuthority.open(in: DevelopmentAuthority.standardFolder())
        let identity = try GatewayIdentity(authority, host: ports.main.host)
        return try Gateway(ports, identity: identity, authorityPath: authority.path, limits: limits)
    }

    package func authorityText() throws(PlainError) -> String {
        try DevelopmentAuthority.open(in: DevelopmentAuthority.standardFolder()).text
    }

    package var signatures: SignatureKeys { .crypto }
}
