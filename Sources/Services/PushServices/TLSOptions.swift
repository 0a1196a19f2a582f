/// Where the certificate of a gateway comes from.
package struct TLSOptions: Sendable {
    /// Files in PEM. Nil for a certificate of the development authority.
    package let files: (certificate: String, key: String)?

    package init(files: (certificate: String, key: String)? = nil) { self.files = files }
}
