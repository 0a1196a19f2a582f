#if os(Linux)
    import Foundation
    import FoundationNetworking
    import Testing
    @testable import UserNotifications

    /// The bytes of web sockets, against the examples of RFC 6455.
    struct WebSocketFrameTests {
        private func events(_ bytes: [UInt8], limit: Int = 1 << 20) throws -> [WebSocketFrames.Event] {
            var frames = WebSocketFrames()
            frames.append(Data(bytes))
            var events: [WebSocketFrames.Event] = []
            while let event = try frames.next(limit: limit) { events.append(event) }
            return events
        }

        /// Section 5.7.
        @Test func `frames of a server are read`() throws {
            let hello: [UInt8] = [0x48, 0x65, 0x6C, 0x6C, 0x6F]
            #expect(try events([0x81, 0x05] + hello) == [.text("Hello")])
            #expect(try events([0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F]) == [.text("Hello")])
            #expect(try events([0x89, 0x05] + hello) == [.ping(Data(hello))])
            let zeros = [UInt8](repeating: 0, count: 65536)
            #expect(try events([0x82, 0x7E, 0x01, 0x00] + zeros[..<256]) == [.data(Data(zeros[..<256]))])
            #expect(try events([0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + zeros) == [.data(Data(zeros))])
            #expect(try events([0x88, 0x00]) == [.close(code: 1005, reason: Data())])
            #expect(try events([0x88, 0x03, 0x03, 0xE9, 0x78]) == [.close(code: 1001, reason: Data("x".utf8))])
        }

        @Test func `a message is complete once its last byte has come, and control frames may come before it`() throws {
            var frames = WebSocketFrames()
            var events: [WebSocketFrames.Event] = []
            for byte in [0x01, 0x02, 0x48, 0x65, 0x8A, 0x00, 0x80, 0x01, 0x79, 0x82, 0x00] as [UInt8] {
                frames.append(Data([byte]))
                while let event = try frames.next(limit: 10) { events.append(event) }
            }
            #expect(events == [.pong, .text("Hey"), .data(Data())])
        }

        @Test(
            arguments: [
                ([0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58], .protocolError),  // masked
                ([0xC1, 0x00], .protocolError),  // a reserved bit
                ([0x83, 0x00], .protocolError),  // an unknown kind
                ([0x09, 0x00], .protocolError),  // half a ping
                ([0x89, 0x7E, 0x00, 0x7E], .protocolError),  // a long ping
                ([0x80, 0x00], .protocolError),  // the end of nothing
                ([0x01, 0x00, 0x81, 0x00], .protocolError),  // a message within another
                ([0x88, 0x01, 0x03], .protocolError),  // half a code
                ([0x81, 0x01, 0xFF], .notText),
                ([0x81, 0x06], .tooLong),
                ([0x01, 0x03, 0x61, 0x61, 0x61, 0x80, 0x03], .tooLong),
                ([0x81, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .tooLong),
            ] as [([UInt8], WebSocketFrames.Violation)])
        func `what a server may not send ends the connection`(bytes: [UInt8], violation: WebSocketFrames.Violation) {
            #expect(throws: violation) { try events(bytes, limit: 5) }
        }

        /// Section 5.7, the masked text.
        @Test func `frames of a client are masked`() throws {
            let frame = WebSocketFrames.encode(.text, Data("Hello".utf8), mask: 0x37FA_213D)
            #expect(Array(frame) == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
            let heads = [125, 126, 65535, 65536].map { size in
                Array(WebSocketFrames.encode(.binary, Data(count: size), mask: 0).prefix(10))
            }
            #expect(heads[0].starts(with: [0x82, 0x80 | 125]))
            #expect(heads[1].starts(with: [0x82, 0xFE, 0, 126]))
            #expect(heads[2].starts(with: [0x82, 0xFE, 0xFF, 0xFF]))
            #expect(heads[3] == [0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0])
        }

        /// Section 1.3.
        @Test func `the server proves that it has read the handshake`() throws {
            #expect(WebSocketHandshake.proof(of: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
            let url = try #require(URL(string: "wss://u:p@example.com:8443/a%20b?x=1#end"))
            var request = URLRequest(url: url)
            request.setValue("a", forHTTPHeaderField: "X-Own")
            request.setValue("no", forHTTPHeaderField: "Upgrade")
            let handshake = try #require(WebSocketHandshake(request, key: Data("the sample nonce".utf8)))
            #expect(handshake.server.absoluteString == "https://example.com:8443/")
            let head = """
                GET /a%20b?x=1 HTTP/1.1
                Host: example.com:8443
                Upgrade: websocket
                Connection: Upgrade
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
                Sec-WebSocket-Version: 13
                X-Own: a\n\n
                """
            let bytes = handshake.request(.ephemeral)
            #expect(String(decoding: bytes, as: UTF8.self) == head.replacing("\n", with: "\r\n"))
            func isAccepted(_ status: Int, _ proof: String) throws -> Bool {
                let text = "HTTP/1.1 \(status) X\r\nupgrade: WebSocket\r\nSec-WebSocket-Accept: \(proof)\r\n\r\nrest"
                let (response, rest) = try #require(handshake.answer(Data(text.utf8)))
                #expect(rest == Data("rest".utf8))
                return handshake.isAccepted(by: response)
            }
            #expect(handshake.answer(Data("HTTP/1.1 101 X\r\n".utf8)) == nil)
            #expect(try isAccepted(101, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
            #expect(try !isAccepted(200, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
            #expect(try !isAccepted(101, "x"))
            for wrong in ["ftp://example.com/", "ws:///path"] {
                let url = try #require(URL(string: wrong))
                #expect(WebSocketHandshake(URLRequest(url: url)) == nil)
            }
        }
    }
#endif
