import NIOSSL
import PushServices
import SwiftASN1
import X509

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
