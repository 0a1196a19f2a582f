import Foundation
import NIOSSL
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import PushGateway
@testable import PushGatewayTLS
@testable import PushServices

struct GatewayTLSTests {
    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `an authority is made once, and only its owner can read it`() throws {
        let folder = try TestFolder()
        let data = folder.path + "/share/pushpipe"
        let first = try DevelopmentAuthority.open(in: data)
        #expect(try DevelopmentAuthority.open(in: data).text == first.text)
        #expect(first.path == data + "/ca.pem")
        #expect(try String(contentsOfFile: first.path, encoding: .utf8) == first.text)
        #expect(try mode(data) == 0o700)
        for name in ["ca.pem", "ca-key.pem"] { #expect(try mode("\(data)/\(name)") == 0o600) }
    }

    @Test(arguments: ["ca.pem", "ca-key.pem"])
    func `an authority that lost a file is made anew`(name: String) throws {
        let folder = try TestFolder()
        let first = try DevelopmentAuthority.open(in: folder.path)
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
        let second = try DevelopmentAuthority.open(in: folder.path)
        #expect(second.text != first.text)
        #expect(try DevelopmentAuthority.open(in: folder.path).text == second.text)
    }

    @Test func `a certificate is for the hosts of the services and this machine`() throws {
        let folder = try TestFolder()
        let authority = try DevelopmentAuthority.open(in: folder.path)
        let issued = try authority.issue(names: GatewayHosts.all, addresses: [[127, 0, 0, 1]])
        let leaf = try Certificate(pemEncoded: issued.certificate)
        let names = try #require(try leaf.extensions.subjectAlternativeNames)
        #expect(names.count == GatewayHosts.all.count + 1)
        for host in ["localhost", "api.push.apple.com", "api.sandbox.push.apple.com", "fcm.googleapis.com"] {
            #expect(names.contains(.dnsName(host)))
        }
        let root = try Certificate(pemEncoded: authority.text)
        #expect(root.publicKey.isValidSignature(leaf.signature, for: leaf))
        #expect(leaf.notValidAfter.timeIntervalSince(leaf.notValidBefore) <= 398 * 24 * 60 * 60)
    }

    /// The bytes of a client of TLS, with and without ALPN.
    private func client(_ port: Int, alpn: [String], trusting authority: DevelopmentAuthority) throws -> HTTP2Client {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.text.utf8)))
        configuration.applicationProtocols = alpn
        let context = try NIOSSLContext(configuration: configuration)
        return try HTTP2Client(port: port, context: context)
    }

    @Test(arguments: [["h2"], ["h2", "http/1.1"], []])
    func `a client of HTTP/2 over TLS is served, with ALPN and without`(alpn: [String]) throws {
        let folder = try TestFolder()
        let authority = try DevelopmentAuthority.open(in: folder.path)
        let gateway = try RunningGateway(identity: try GatewayIdentity(authority, host: "127.0.0.1"))
        defer { gateway.stop() }
        let client = try client(gateway.port, alpn: alpn, trusting: authority)
        client.send(GatewayHTTP2Tests.body, on: 1)
        #expect(try client.answer(on: 1).status == 200)
        // The same port takes others.
        let plain = try HTTP2Client(port: gateway.port)
        plain.send(GatewayHTTP2Tests.body, on: 1)
        #expect(try plain.answer(on: 1).status == 200)
    }

    @Test func `a client that does not trust the authority disturbs nobody`() throws {
        let folder = try TestFolder()
        let other = try TestFolder()
        let gateway = try RunningGateway(
            identity: try GatewayIdentity(try DevelopmentAuthority.open(in: folder.path), host: "localhost"))
        defer { gateway.stop() }
        let stranger = try client(
            gateway.port, alpn: ["h2"], trusting: try DevelopmentAuthority.open(in: other.path))
        stranger.send(GatewayHTTP2Tests.body, on: 1)
        #expect(throws: (any Error).self) { try stranger.answer(on: 1) }
        let plain = try HTTP2Client(port: gateway.port)
        plain.send(GatewayHTTP2Tests.body, on: 1)
        #expect(try plain.answer(on: 1).status == 200)
    }

    @Test func `without a certificate, a handshake is no HTTP`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.send("\u{16}\u{3}\u{1}\r\n\r\n")
        #expect(try client.textUntilClose().hasPrefix("HTTP/1.1 400 "))
    }

    @Test func `files that are no certificate and key are refused with their names`() throws {
        let folder = try TestFolder()
        let issued = try DevelopmentAuthority.open(in: folder.path).issue(names: ["localhost"], addresses: [])
        let (good, key) = (folder.path + "/good.pem", folder.path + "/good-key.pem")
        try issued.certificate.write(toFile: good, atomically: false, encoding: .utf8)
        try issued.key.write(toFile: key, atomically: false, encoding: .utf8)
        _ = try GatewayIdentity(certificatePath: good, keyPath: key)
        for (certificate, key) in [(key, good), (good, folder.path + "/none.pem"), (folder.path, key)] {
            let error = #expect(throws: (any Error).self) {
                try GatewayIdentity(certificatePath: certificate, keyPath: key)
            }
            #expect("\(String(describing: error))".contains(folder.path))
        }
    }
}
