import Crypto
import FoundationEssentials
import PushFiles
import PushSystem
import SwiftASN1
import X509

/// A certification authority of this machine's user, for gateways. Whoever trusts it trusts whoever can read its key, so the key never
/// leaves its file, and nothing is done to have it trusted.
struct DevelopmentAuthority {
    /// The certificate in PEM.
    let text: String
    /// The file of the certificate.
    let path: String
    private let certificate: Certificate
    private let key: P256.Signing.PrivateKey

    private static let day: Double = 24 * 60 * 60
    private static let lifetime = 3650 * day
    /// Apple's clients accept at most 398 days.
    private static let leafLifetime = 397 * day

    /// `$XDG_DATA_HOME/pushpipe`, else `~/.local/share/pushpipe`.
    ///
    /// - Throws: `PlainError` if there is no home folder.
    static func standardFolder() throws(PlainError) -> String {
        // The specification has a relative path ignored.
        if let data = Environment.nonEmptyVariable("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/pushpipe" }
        if let home = Environment.nonEmptyVariable("HOME") { return home + "/.local/share/pushpipe" }
        throw PlainError("there is no home folder for the development certificate; name one with XDG_DATA_HOME")
    }

    /// Reads the authority of a folder, or makes one. Waits for another process that does so.
    ///
    /// - Throws: `PlainError`.
    static func open(in folder: String) throws(PlainError) -> DevelopmentAuthority {
        do {
            try makeFolder(folder)
            let lock = try FileDescriptor.open(folder, .readOnly, options: .directory)
            defer { lock.close() }
            try lock.lock()
            let path = FilePaths.joined(folder, "ca.pem")
            let keyPath = FilePaths.joined(folder, "ca-key.pem")
            // One that cannot be read is not replaced: clients trust it.
            for path in [path, keyPath] where FileBytes.isPresent(path) {
                _ = try FileBytes.read(path, limit: FileBytes.maximumConfigurationBytes)
            }
            if let known = read(path, keyPath) { return known }
            let made = try make(path)
            try FileBytes.replaceOrMake(keyPath, with: Array(made.key.pemRepresentation.utf8))
            try FileSystem.setPermissions(keyPath, 0o600)
            try FileBytes.replaceOrMake(path, with: Array(made.text.utf8))
            return made
        } catch {
            throw PlainError(
                "\(folder): \(error); the development certificate is kept there, XDG_DATA_HOME names another folder")
        }
    }

    private static func makeFolder(_ folder: String) throws(SystemError) {
        var path = ""
        let names = folder.split(separator: "/")
        for (index, name) in names.enumerated() {
            path += "/" + name
            if !FileSystem.isDirectory(path) {
                try FileSystem.makeDirectory(path)
                if index == names.count - 1 { try FileSystem.setPermissions(path, 0o700) }
            }
        }
    }

    /// Nil if there is none that can still be used.
    private static func read(_ path: String, _ keyPath: String) -> DevelopmentAuthority? {
        let limit = FileBytes.maximumConfigurationBytes
        guard let text = try? String(decoding: FileBytes.read(path, limit: limit), as: UTF8.self),
            let keyText = try? String(decoding: FileBytes.read(keyPath, limit: limit), as: UTF8.self),
            let certificate = try? Certificate(pemEncoded: text),
            let key = try? P256.Signing.PrivateKey(pemRepresentation: keyText),
            certificate.publicKey == Certificate.PublicKey(key.publicKey),
            certificate.notValidAfter > Date(timeIntervalSinceNow: leafLifetime)
        else { return nil }
        return DevelopmentAuthority(text: text, path: path, certificate: certificate, key: key)
    }

    private static func make(_ path: String) throws -> DevelopmentAuthority {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName {
            OrganizationName("pushpipe")
            CommonName("pushpipe development CA")
        }
        let publicKey = Certificate.PublicKey(key.publicKey)
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
            notValidBefore: Date(timeIntervalSinceNow: -day), notValidAfter: Date(timeIntervalSinceNow: lifetime),
            issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: publicKey)
            },
            issuerPrivateKey: Certificate.PrivateKey(key))
        let text = try certificate.serializeAsPEM().pemString + "\n"
        return DevelopmentAuthority(text: text, path: path, certificate: certificate, key: key)
    }

    /// Makes a certificate with a key of its own, both in PEM.
    ///
    /// - Parameters:
    ///   - names: of hosts.
    ///   - addresses: as bytes, in network order.
    func issue(names: [String], addresses: [[UInt8]]) throws -> (certificate: String, key: String) {
        let leafKey = P256.Signing.PrivateKey()
        let publicKey = Certificate.PublicKey(leafKey.publicKey)
        let authorityID = SubjectKeyIdentifier(hash: certificate.publicKey).keyIdentifier
        let alternatives =
            names.map { GeneralName.dnsName($0) }
            + addresses.map { GeneralName.ipAddress(ASN1OctetString(contentBytes: $0[...])) }
        let leaf = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
            notValidBefore: Date(timeIntervalSinceNow: -Self.day),
            notValidAfter: Date(timeIntervalSinceNow: Self.leafLifetime),
            issuer: certificate.subject,
            subject: try DistinguishedName {
                OrganizationName("pushpipe")
                CommonName("pushpipe serve")
            },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(alternatives)
                SubjectKeyIdentifier(hash: publicKey)
                AuthorityKeyIdentifier(keyIdentifier: authorityID)
            },
            issuerPrivateKey: Certificate.PrivateKey(key))
        return (try leaf.serializeAsPEM().pemString + "\n", leafKey.pemRepresentation)
    }
}
