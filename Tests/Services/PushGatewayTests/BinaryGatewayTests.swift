import Crypto
import Foundation
import NIOCore
import NIOSSL
import PushFaults
import ServiceTestSupport
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import PushGateway
@testable import PushGatewayTLS
@testable import PushServices

/// The binary interface and its feedback service over sockets.
struct BinaryGatewayTests {
    private func count(_ outcome: String, _ gateway: RunningGateway) -> Int {
        gateway.collector.lines.count { $0.contains(#""outcome":"\#(outcome)""#) }
    }

    @Test func `an error comes with the identifier, and ends the connection`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.binaryPort)
        client.send(
            bytes: BinaryFrames.enhanced(1) + BinaryFrames.items(2) + BinaryFrames.items(3, "no JSON")
                + BinaryFrames.items(4))
        #expect(try client.bytesUntilClose() == BinaryFrames.error(1, 3))
        #expect(count("delivered", gateway) == 2)
    }

    @Test func `an error reaches a client that goes on sending`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.binaryPort)
        client.send(bytes: BinaryFrames.items(1, to: [1, 2, 3]))
        let more = (0..<500).flatMap { BinaryFrames.items($0) }
        for _ in 0..<20 { client.send(bytes: more) }
        #expect(try client.bytesUntilClose() == BinaryFrames.error(5, 1))
        #expect(count("delivered", gateway) == 0)
    }

    @Test func `a frame may come byte by byte`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.binaryPort)
        for byte in BinaryFrames.simple() + BinaryFrames.enhanced(1) + [99] { client.send(bytes: [byte]) }
        #expect(try client.bytesUntilClose() == BinaryFrames.error(128, 0))
        #expect(count("delivered", gateway) == 2)
    }

    @Test func `many notifications are delivered in their order, with few of them in the queue`() throws {
        var limits = GatewayLimits()
        limits.binaryNotifications = 3
        // Room for a few.
        limits.waitingBytes = 4096
        let gateway = try RunningGateway(limits)
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.binaryPort)
        let frames = (0..<300).flatMap { BinaryFrames.items($0, #"{"aps":{"alert":"\#($0)"},"n":\#($0)}"#) }
        client.send(bytes: frames)
        try client.endOutput()
        #expect(try client.bytesUntilClose().isEmpty)
        #expect(count("delivered", gateway) == 300)
        let sizes = (0..<300).map { #"{"aps":{"alert":"\#($0)"},"n":\#($0)}"#.utf8.count }
        for (line, bytes) in zip(gateway.collector.lines, sizes) { #expect(line.contains(#""bytes":\#(bytes),"#)) }
    }

    @Test func `a shutdown names the last notification that was accepted`() throws {
        let gateway = try RunningGateway()
        let client = try RawClient(port: gateway.binaryPort)
        let silent = try RawClient(port: gateway.binaryPort)
        // Half of the third frame.
        client.send(bytes: BinaryFrames.items(7) + BinaryFrames.items(8) + BinaryFrames.items(9).prefix(20))
        gateway.collector.waitForLines(2)
        gateway.stop()
        #expect(try client.bytesUntilClose() == BinaryFrames.error(10, 8))
        #expect(try silent.bytesUntilClose().isEmpty)
    }

    @Test func `a sender of command 0 is cut off without an error`() throws {
        let gateway = try RunningGateway()
        let rejected = try RawClient(port: gateway.binaryPort)
        rejected.send(bytes: BinaryFrames.simple("no JSON") + BinaryFrames.simple())
        #expect(try rejected.bytesUntilClose().isEmpty)
        #expect(count("delivered", gateway) == 0)
        let client = try RawClient(port: gateway.binaryPort)
        client.send(bytes: BinaryFrames.simple())
        gateway.collector.waitForLines(2)
        gateway.stop()
        #expect(try client.bytesUntilClose().isEmpty)
    }

    /// The sender sends again what follows the notification that a shutdown names.
    @Test func `a shutdown for want of room waits for what is in flight`() throws {
        var limits = GatewayLimits()
        limits.receivingBytes = 10
        let gateway = try RunningGateway(limits)
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.binaryPort)
        client.send(bytes: BinaryFrames.items(7) + BinaryFrames.items(8) + BinaryFrames.items(9).prefix(40))
        #expect(try client.bytesUntilClose() == BinaryFrames.error(10, 8))
        #expect(count("delivered", gateway) == 2)
    }

    @Test func `the gateway stops although clients wait and others say nothing`() throws {
        let folder = try TestFolder()
        let authority = try DevelopmentAuthority.open(in: folder.path)
        var limits = GatewayLimits()
        limits.secondsToFinish = 0
        let gateway = try RunningGateway(
            limits, identity: try GatewayIdentity(authority, host: "127.0.0.1"),
            faults: try FaultFile.rules(Array("[{delay: 1h}]".utf8)))
        let ports = [gateway.binaryPort, gateway.feedbackPort]
        let silent = try ports.map { try RawClient(port: $0) }
        // The beginning of a handshake.
        let shaking = try ports.map { port in
            let client = try RawClient(port: port)
            client.send(bytes: [22, 3, 1])
            return client
        }
        let waiting = try RawClient(port: gateway.binaryPort)
        waiting.send(bytes: BinaryFrames.items(1) + BinaryFrames.items(2).prefix(20))
        let asking = try RawClient(port: gateway.feedbackPort)
        try asking.endOutput()
        gateway.collector.waitForLines(1)
        gateway.stop()
        for client in silent + shaking + [waiting, asking] { _ = try client.bytesUntilClose() }
    }

    @Test func `a fault may have the connection go away`() throws {
        let gateway = try RunningGateway(faults: try FaultFile.rules(Array("[{every: 2, goaway: true}]".utf8)))
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.binaryPort)
        client.send(bytes: BinaryFrames.items(7) + BinaryFrames.items(8) + BinaryFrames.items(9))
        #expect(try client.bytesUntilClose() == BinaryFrames.error(10, 8))
        #expect(count("delivered", gateway) == 2)
    }

    @Test func `a client that is late with half a frame is cut off`() throws {
        var limits = GatewayLimits()
        limits.secondsToReceive = 0
        let gateway = try RunningGateway(limits)
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.binaryPort)
        client.send(bytes: [1, 0, 0])
        #expect(try client.bytesUntilClose().isEmpty)
    }

    // MARK: - TLS

    /// A certificate of a sender, signed by itself.
    private func clientCertificate(for app: String) throws -> (chain: NIOSSLCertificate, key: NIOSSLPrivateKey) {
        let key = P256.Signing.PrivateKey()
        // The user id.
        let attribute = RelativeDistinguishedName.Attribute(
            type: [0, 9, 2342, 19_200_300, 100, 1, 1], value: .init(utf8String: app))
        let name = try DistinguishedName([attribute])
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: Date(timeIntervalSinceNow: -60), notValidAfter: Date(timeIntervalSinceNow: 3600),
            issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions(), issuerPrivateKey: Certificate.PrivateKey(key))
        return (
            try NIOSSLCertificate(bytes: Array(try certificate.serializeAsPEM().pemString.utf8), format: .pem),
            try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)
        )
    }

    /// Clients of that time speak TLS 1.0.
    @Test(arguments: [TLSVersion.tlsv1, .tlsv12, .tlsv13])
    func `over TLS the certificate says the topic`(version: TLSVersion) throws {
        let folder = try TestFolder()
        let authority = try DevelopmentAuthority.open(in: folder.path)
        let gateway = try RunningGateway(identity: try GatewayIdentity(authority, host: "127.0.0.1"))
        defer { gateway.stop() }
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv1
        configuration.maximumTLSVersion = version
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.text.utf8)))
        let own = try clientCertificate(for: "org.example.news")
        configuration.certificateChain = [.certificate(own.chain)]
        configuration.privateKey = .privateKey(own.key)
        let context = try NIOSSLContext(configuration: configuration)
        let client = try RawClient(port: gateway.binaryPort, context: context)
        client.send(bytes: BinaryFrames.items(1) + BinaryFrames.items(2, to: []))
        #expect(try client.bytesUntilClose() == BinaryFrames.error(2, 2))
        #expect(count("delivered", gateway) == 1)
        #expect(gateway.collector.lines.first?.contains(#""topic":"org.example.news""#) == true)

        let plain = try RawClient(port: gateway.binaryPort)
        plain.send(bytes: BinaryFrames.items(1) + [9])
        #expect(try plain.bytesUntilClose() == BinaryFrames.error(128, 0))

        let reports = try RawClient(port: gateway.feedbackPort, context: context)
        #expect(try reports.bytesUntilClose().isEmpty)
    }

    // MARK: - Feedback

    private func uninstall(_ device: String, _ gateway: RunningGateway) throws {
        let client = try RawClient(port: gateway.port)
        let body = #"{"device":"\#(device)","event":"device","app":"a","unregistered_at":1500000000}"#
        try client.send(
            "POST /api/v1/records HTTP/1.1\r\nhost: localhost\r\ncontent-length: \(body.utf8.count)\r\nconnection: close\r\n\r\n"
                + body)
        _ = try client.textUntilClose()
    }

    @Test func `the feedback service speaks first, and closes`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        try uninstall("ab12", gateway)
        let tuple: [UInt8] = [0x59, 0x68, 0x2F, 0x00, 0, 2, 0xAB, 0x12]
        #expect(try RawClient(port: gateway.feedbackPort).bytesUntilClose() == tuple)
        #expect(try RawClient(port: gateway.feedbackPort).bytesUntilClose().isEmpty)
    }

    @Test(arguments: ["cut: true", "reset: true"])
    func `tokens that a fault keeps back are sent to the next client`(fault: String) throws {
        let gateway = try RunningGateway(
            faults: try FaultFile.rules(Array("[{times: 1, path: /feedback, \(fault)}]".utf8)))
        defer { gateway.stop() }
        try uninstall("ab12", gateway)
        // A reset is an error of the client's socket.
        _ = try? RawClient(port: gateway.feedbackPort).bytesUntilClose()
        #expect(try RawClient(port: gateway.feedbackPort).bytesUntilClose().count == 8)
    }

    @Test func `a client without TLS that has ended its output may be gone`() throws {
        let folder = try TestFolder()
        let authority = try DevelopmentAuthority.open(in: folder.path)
        let gateway = try RunningGateway(identity: try GatewayIdentity(authority, host: "127.0.0.1"))
        defer { gateway.stop() }
        try uninstall("ab12", gateway)
        for _ in 0..<2 {
            let client = try RawClient(port: gateway.feedbackPort)
            try client.endOutput()
            #expect(try client.bytesUntilClose().count == 8)
        }
    }

    @Test func `a client of TLS that was too slow does not use up the tokens`() throws {
        var limits = GatewayLimits()
        limits.secondsToFinish = 3600
        let gateway = try RunningGateway(limits)
        defer { gateway.stop() }
        try uninstall("ab12", gateway)
        let slow = try RawClient(port: gateway.feedbackPort, allowsHalfClosure: true)
        slow.wait(for: [0xAB, 0x12])
        slow.send(bytes: [22, 3, 1])
        // Until the gateway has seen that, the tokens are on their way.
        var bytes: [UInt8] = []
        for _ in 0..<1000 where bytes.isEmpty { bytes = try RawClient(port: gateway.feedbackPort).bytesUntilClose() }
        #expect(bytes.count == 8)
    }

    @Test func `over TLS tokens are reported once`() throws {
        let folder = try TestFolder()
        let authority = try DevelopmentAuthority.open(in: folder.path)
        let gateway = try RunningGateway(identity: try GatewayIdentity(authority, host: "127.0.0.1"))
        defer { gateway.stop() }
        try uninstall("ab12", gateway)
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.text.utf8)))
        let context = try NIOSSLContext(configuration: configuration)
        #expect(try RawClient(port: gateway.feedbackPort, context: context).bytesUntilClose().count == 8)
        #expect(try RawClient(port: gateway.feedbackPort, context: context).bytesUntilClose().isEmpty)
    }

    @Test func `with TLS on the port, a client that is silent is told without it`() throws {
        let folder = try TestFolder()
        let authority = try DevelopmentAuthority.open(in: folder.path)
        var limits = GatewayLimits()
        limits.secondsOfSilence = 0
        let gateway = try RunningGateway(limits, identity: try GatewayIdentity(authority, host: "127.0.0.1"))
        defer { gateway.stop() }
        try uninstall("ab12", gateway)
        #expect(try RawClient(port: gateway.feedbackPort).bytesUntilClose().count == 8)
    }
}
