package import NIOCore
import NIOSSL
import PushFiles
import PushGateway
package import PushServices
package import PushSystem

/// How a gateway proves to its clients who it is: a certificate and its key.
package struct GatewayIdentity: GatewayTLS {
    private let context: NIOSSLContext
    /// For the binary interface, whose clients are of their time: TLS 1.0, as Apple's server took until 2021.
    private let binaryContext: NIOSSLContext

    /// The hosts of the binary interface of APNs. No proxy leads there.
    private static let binaryHosts = ["gateway", "feedback"].flatMap {
        ["\($0).push.apple.com", "\($0).sandbox.push.apple.com"]
    }
    private static let loopback: [[UInt8]] = [[127, 0, 0, 1], Array(repeating: 0, count: 15) + [1]]

    /// With a certificate that an authority of this machine issues for this run.
    ///
    /// - Parameter host: where the gateway listens.
    init(_ authority: DevelopmentAuthority, host: String) throws(PlainError) {
        do {
            let isName = host.contains { $0.isLetter } && !host.contains(":")
            let known = GatewayHosts.all + Self.binaryHosts
            let names = isName && !known.contains(host) ? known + [host] : known
            let address = host.split(separator: ".").compactMap { UInt8($0) }
            let isOther = address.count == 4 && !Self.loopback.contains(address) && address != [0, 0, 0, 0]
            let issued = try authority.issue(names: names, addresses: Self.loopback + (isOther ? [address] : []))
            let chain = Array((issued.certificate + authority.text).utf8)
            let key = Array(issued.key.utf8)
            context = try Self.context(chain, key)
            binaryContext = try Self.context(chain, key, isForBinaryInterface: true)
        } catch {
            throw PlainError("cannot make a certificate: \(error)")
        }
    }

    /// With a certificate of the user's.
    ///
    /// - Parameters:
    ///   - certificatePath: a file with the certificate and those between it and its authority, in PEM.
    ///   - keyPath: a file with its key, in PEM, without a password.
    package init(certificatePath: String, keyPath: String) throws(PlainError) {
        let certificate = try FileBytes.readConfiguration(certificatePath)
        let key = try FileBytes.readConfiguration(keyPath)
        do {
            context = try Self.context(certificate, key)
            binaryContext = try Self.context(certificate, key, isForBinaryInterface: true)
        } catch {
            throw PlainError(
                "\(certificatePath) and \(keyPath) are not a certificate chain and its unencrypted key in PEM: \(error)"
            )
        }
    }

    /// The handler that ends TLS on a connection.
    ///
    /// Every certificate is taken: who issued it and whether it is valid is not looked at, because test certificates are signed by anyone.
    package func handler(ofBinaryInterface: Bool) -> any ChannelHandler {
        NIOSSLServerHandler(context: ofBinaryInterface ? binaryContext : context) { _, promise in
            promise.succeed(.certificateVerified)
        }
    }

    package func certificate(on channel: any Channel) -> ClientCertificate? {
        let handler = try? channel.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)
        return (handler?.peerCertificate).flatMap { ClientCertificate(derEncoded: $0) }
    }

    private static func context(
        _ certificates: [UInt8], _ key: [UInt8], isForBinaryInterface: Bool = false
    ) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(certificates).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: key, format: .pem)))
        configuration.minimumTLSVersion = isForBinaryInterface ? .tlsv1 : .tlsv12
        // Clients may show a certificate, and need not.
        configuration.certificateVerification = .optionalVerification
        // They are checked against nothing. The system's authorities would be read otherwise, and a small container has none.
        configuration.trustRoots = .certificates([])
        // For clients that ask. What comes is recognized by its first bytes, because some do not.
        if !isForBinaryInterface { configuration.applicationProtocols = ["h2", "http/1.1"] }
        return try NIOSSLContext(configuration: configuration)
    }
}
