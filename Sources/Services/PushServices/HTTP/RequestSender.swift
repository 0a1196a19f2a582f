/// Where a request comes from. All requests of a connection share one.
package final class RequestSender: Sendable {
    /// The connection's number, from 1; 0 for a request without one.
    package let connection: UInt64
    /// The client's address, without its port; nil if there is none.
    package let address: String?
    /// The rights that the client proved with its certificate; nil without one.
    package let certificate: ClientCertificate?

    /// Nobody.
    static let none = RequestSender()

    package init(connection: UInt64 = 0, address: String? = nil, certificate: ClientCertificate? = nil) {
        self.connection = connection
        self.address = address
        self.certificate = certificate
    }
}

extension RequestSender: Equatable {
    package static func == (one: RequestSender, other: RequestSender) -> Bool {
        one === other
            || one.connection == other.connection && one.address == other.address
                && one.certificate == other.certificate
    }
}

/// The rights at APNs that a client's certificate grants.
///
/// Source: Apple, "Establishing a certificate-based connection to APNs".
package struct ClientCertificate: Sendable, Equatable {
    /// The bundle identifier, from the subject's user id; nil if it has none.
    package var bundle: String?
    /// The topics it may push to, from the extension 1.2.840.113635.100.6.3.6. Without the extension, its bundle identifier alone.
    package var topics: [String]

    package init(bundle: String?, topics: [String]) {
        self.bundle = bundle
        self.topics = topics
    }
}
