package import PushRuns

/// Where the certificate of a gateway comes from.
package struct TLSOptions: Sendable, Equatable {
    /// Nil for a certificate of the development authority.
    package let files: (certificate: String, key: String)?

    package static func == (one: TLSOptions, other: TLSOptions) -> Bool {
        one.files?.certificate == other.files?.certificate && one.files?.key == other.files?.key
    }

    /// - Parameters:
    ///   - certificatePath: a file in PEM; nil for the development authority's.
    ///   - keyPath: a file in PEM, if there is a certificate.
    package init(certificatePath: String? = nil, keyPath: String? = nil) throws(OptionValue.Invalid) {
        switch (certificatePath, keyPath) {
        case (let certificate?, let key?) where !certificate.isEmpty && !key.isEmpty: files = (certificate, key)
        case (nil, nil): files = nil
        default:
            throw OptionValue.Invalid(description: "--tls-cert and --tls-key each need the other, and a file name.")
        }
    }
}
