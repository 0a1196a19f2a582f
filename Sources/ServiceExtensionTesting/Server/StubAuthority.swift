#if os(Linux)
    import CStubTransport
    import Foundation
    import Synchronization

    /// The certificate authority of the process's stub servers. `URLSession` trusts it from the moment it exists.
    @safe  // SOUND: the pointer is made once, valid until the process ends, and C never changes what it points to.
    final class StubAuthority: Sendable {
        /// The variable from which Foundation for Linux takes the certificates that `URLSession` trusts.
        private static let variable = "URLSessionCertificateAuthorityInfoFile"
        /// Where systems keep theirs.
        private static let systemFiles = [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
        ]

        /// - Throws: `StubServer.Unavailable`.
        static func shared() throws -> StubAuthority { try made.get() }

        private static let made = Result { try StubAuthority() }

        // SOUND: C reads it and never changes it.
        nonisolated(unsafe) private let authority: OpaquePointer
        /// The certificate as PEM.
        let certificate: String
        /// The file with the certificates that are trusted: the authority's and those that were trusted before.
        let file: URL

        private init() throws {
            var text = [CChar](repeating: 0, count: 8192)
            var reason: UnsafePointer<CChar>?
            // SOUND: C writes at most `count` bytes, and the reason is a static text.
            guard let authority = unsafe stub_authority_create(&text, text.count, &reason) else {
                let reason = unsafe reason.map { unsafe String(cString: $0) } ?? "no certificate"
                throw StubServer.Unavailable(description: "no TLS: \(reason)")
            }
            unsafe self.authority = authority
            certificate = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let earlier = ProcessInfo.processInfo.environment[Self.variable].map { [$0] } ?? Self.systemFiles
            let trusted = earlier.lazy.compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }.first ?? ""
            file = FileManager.default.temporaryDirectory
                .appendingPathComponent("pushpipe-stub-\(ProcessInfo.processInfo.processIdentifier).pem")
            try Data((certificate + trusted).utf8).write(to: file)
            // SOUND: both texts live until it returns, which copies them.
            unsafe setenv(Self.variable, file.path, 1)
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
