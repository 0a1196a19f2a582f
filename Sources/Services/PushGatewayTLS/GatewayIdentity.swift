package import NIOCore
import NIOSSL
import PushFiles
import PushGateway
package import PushServices
package import PushSystem
import SwiftASN1
import X509

/// How a gateway proves to its clients who it is: a certificate and its key.
package struct GatewayIdentity: GatewayTLS {
    private let context: NIOSSLContext
    /// The context for the binary interface, whose clients are of their time: TLS 1.0, as Apple's server took until 2021.
    private let binaryContext: NIOSSLContext

    /// The hosts of the binary interface of APNs. No proxy leads there.
    private static let binaryHosts = ["gateway", "feedback"].flatMap {
        ["\($0).push.apple.com", "\($0).sandbox.push.apple.com"]
    }
    private static let loopback: [[UInt8]] = [[127, 0, 0, 1], Array(repeating: 0, count: 15) + [1]]

    /// An identity with a certificate that an authority of this machine issues for this run.
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
            try self.init(Array((issued.certificate + authority.text).utf8), key: Array(issued.key.utf8))
        } catch {
            throw PlainError("cannot make a certificate: \(error)")
        }
    }

    /// An identity with a certificate of the user's.
    ///
    /// - Parameters:
    ///   - certificatePath: a file with the certificate and those between it and its authority, in PEM.
    ///   - keyPath: a file with its key, in PEM, without a password.
    package init(certificatePath: String, keyPath: String) throws(PlainError) {
        let certificate = try FileBytes.readConfiguration(certificatePath)
        let key = try FileBytes.readConfiguration(keyPath)
        do { try self.init(certificate, key: key) } catch {
            throw PlainError(
                "\(certificatePath) and \(keyPath) are not a certificate chain and its unencrypted key in PEM: \(error)"
            )
        }
    }

    private init(_ certificates: [UInt8], key: [UInt8]) throws {
        context = try Self.context(certificates, key)
        binaryContext = try Self.context(certificates, key, isForBinaryInterface: true)
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

extension ClientCertificate {
    /// The topics of a certificate, each with the names of its services.
    ///
    /// Source: Apple, "Establishing a certificate-based connection to APNs". Apple gives no definition of the contents; certificates in use
    /// have a sequence that alternates a topic in UTF-8 with a sequence of names such as `app`, `voip` and `complication`.
    private static let topicsExtension: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 3, 6]
    /// The attribute `UID` of a name: RFC 4519, section 2.39.
    private static let userID: ASN1ObjectIdentifier = [0, 9, 2342, 19_200_300, 100, 1, 1]

    /// Nil if the bytes are not a certificate.
    init?(derEncoded certificate: NIOSSLCertificate) {
        guard let bytes = try? certificate.toDERBytes(), let certificate = try? Certificate(derEncoded: bytes) else {
            return nil
        }
        let bundle = certificate.subject.lazy.flatMap { Array($0) }.first { $0.type == Self.userID }
            .map { String(describing: $0.value) }
        let listed = certificate.extensions.first { $0.oid == Self.topicsExtension }
        let topics = listed.map { Self.topics(Array($0.value)) } ?? []
        self.init(bundle: bundle, topics: topics.isEmpty ? [bundle].compactMap(\.self) : topics)
    }

    /// The texts right in a sequence.
    private static func topics(_ value: [UInt8]) -> [String] {
        guard let root = try? DER.parse(value), case .constructed(let nodes) = root.content else { return [] }
        return nodes.compactMap { node in
            node.identifier == .utf8String ? (try? ASN1UTF8String(derEncoded: node)).map { String($0) } : nil
        }
    }
}
