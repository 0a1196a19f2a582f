#if os(Linux)
    import CAuthorities
    import CStubTransport
    import Foundation
    import Synchronization

    /// The certificate authority of the process's stub servers. `URLSession` trusts it from the moment it exists.
    @safe  // SOUND: the pointer is made once, valid until the process ends, and C never changes what it points to.
    final class StubAuthority: Sendable {
        /// - Throws: `StubServer.Unavailable`.
        static func shared() throws -> StubAuthority { try made.get() }

        private static let made = Result { try StubAuthority() }

        // SOUND: C reads it and never changes it.
        nonisolated(unsafe) private let authority: OpaquePointer
        /// The certificate as PEM.
        let certificate: [UInt8]

        private init() throws {
            var text = [CChar](repeating: 0, count: 8192)
            var reason: UnsafePointer<CChar>?
            // SOUND: C writes at most `count` bytes, and the reason is a static text.
            guard let authority = unsafe stub_authority_create(&text, text.count, &reason) else {
                let reason = unsafe reason.map { unsafe String(cString: $0) } ?? "no certificate"
                throw StubServer.Unavailable(description: "no TLS: \(reason)")
            }
            unsafe self.authority = authority
            certificate = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            // SOUND: the path is copied at once.
            let file = unsafe authorities_file().map { unsafe String(cString: $0) }
            let trusted = try Self.bundle(certificate, trustedBefore: file)
            let kept = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: trusted.count)
            _ = unsafe kept.initialize(fromContentsOf: trusted)
            // SOUND: the bytes are never changed and never freed.
            guard unsafe authorities_trust(kept.baseAddress, kept.count) else {
                throw StubServer.Unavailable(
                    description: "no TLS: this program cannot have URLSession trust the certificates of a stub server")
            }
        }

        /// A certificate, and those that were trusted before, as they are: comments between them may be in any encoding.
        ///
        /// - Parameter file: has the latter; nil if there is none.
        /// - Throws: `StubServer.Unavailable` if the file cannot be read.
        static func bundle(_ certificate: [UInt8], trustedBefore file: String?) throws -> [UInt8] {
            guard let file else { return certificate }
            do {
                return certificate + (try Data(contentsOf: URL(fileURLWithPath: file)))
            } catch {
                throw StubServer.Unavailable(
                    description: "no TLS: cannot read \(file), the certificates that URLSession trusts: \(error)")
            }
        }

        /// Issues a certificate for names of hosts, and for the loopback addresses.
        ///
        /// - Throws: `StubServer.Unavailable`.
        func identity(for hosts: [String] = []) throws -> StubIdentity {
            let names = hosts.map { "DNS:\($0)" } + ["DNS:localhost", "IP:127.0.0.1", "IP:::1"]
            // SOUND: the authority lives as long as the process.
            guard let identity = unsafe stub_identity_issue(authority, names.joined(separator: ",")) else {
                throw StubServer.Unavailable(description: "no certificate for \(hosts.joined(separator: ", "))")
            }
            return unsafe StubIdentity(pointer: identity)
        }
    }

    /// A server's certificate with its key. It lives as long as the process.
    @safe  // SOUND: C never changes it once it is made.
    struct StubIdentity: @unchecked Sendable {
        let pointer: OpaquePointer
    }
#endif
