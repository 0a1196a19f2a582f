#if os(Linux)
    import Foundation
    import FoundationNetworking
    import Synchronization
    import Testing

    @testable import ServiceExtensionTesting
    @_spi(Overlay) @testable import UserNotifications

    /// Web sockets of extensions, as the overlay calls them, against a server on this machine.
    @Suite struct WebSocketTests {
        @Test(arguments: [false, true])
        func `messages go both ways, with TLS and without`(_ tls: Bool) async throws {
            let long = Data(repeating: 7, count: 70_000)
            let server = try WebSocketServer(tls: tls) { client in
                // Each comes back in two parts, with a ping in between.
                while let (kind, body) = client.frame(), kind == 1 || kind == 2 {
                    client.send(kind, body.prefix(3), isLast: false)
                    client.send(9, Array("alive".utf8))
                    let pong = client.frame()
                    #expect(pong?.0 == 10 && pong?.1.elementsEqual("alive".utf8) == true)
                    client.send(0, body.dropFirst(3))
                }
            }
            let session = URLSession(configuration: .ephemeral)
            defer { session.cancelAllAndInvalidate() }
            let task = session.webSocket(with: server.url, protocols: ["chat", "echo"])
            task.resume()
            try await task.sendMessage(.string("Grüße"))
            guard case .string("Grüße") = try await task.receiveMessage() else {
                Issue.record("another text")
                return
            }
            try await task.sendMessage(.data(long))
            guard case .data(long) = try await task.receiveMessage() else {
                Issue.record("other bytes")
                return
            }
            #expect(server.head.lowercased().contains("\r\nsec-websocket-protocol: chat, echo\r\n"))
            #expect((task.response as? HTTPURLResponse)?.statusCode == 101)
            #expect(task.state == .running)
        }

        @Test func `a server that closes is told apart from one that is gone`() async throws {
            let closing = try WebSocketServer { client in
                client.send(8, [0x03, 0xE9] + Array("later".utf8))
                #expect(client.frame().map { Array($0.1) } == [0x03, 0xE9])
            }
            let delegate = Delegate()
            let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
            let task = session.webSocket(with: URLRequest(url: closing.url))
            task.resume()
            await #expect(throws: POSIXError(.ENOTCONN)) { try await task.receiveMessage() }
            #expect(await delegate.ended() == ["open", "closed 1001 later", "complete"])
            #expect(task.closeCode == .goingAway && task.closeReason == Data("later".utf8))
            await #expect(throws: POSIXError(.ENOTCONN)) { try await task.sendMessage(.string("x")) }

            let gone = try WebSocketServer { _ in }
            let other = session.webSocket(with: URLRequest(url: gone.url))
            other.resume()
            await #expect(throws: URLError(.networkConnectionLost)) { try await other.receiveMessage() }
        }

        @Test func `a server that refuses, and one that is not there, are errors`() async throws {
            let refusing = try WebSocketServer(status: 403) { _ in }
            let task = URLSession.shared.webSocket(with: URLRequest(url: refusing.url))
            task.resume()
            await #expect(throws: URLError(.badServerResponse)) { try await task.receiveMessage() }
            #expect((task.response as? HTTPURLResponse)?.statusCode == 403)
            let listener = try StubListener()
            listener.stop()
            listener.close()
            let url = try #require(URL(string: "ws://127.0.0.1:\(listener.port)/"))
            let other = URLSession.shared.webSocket(with: URLRequest(url: url))
            other.resume()
            await #expect(throws: URLError(.cannotConnectToHost)) { try await other.receiveMessage() }
        }

        @Test func `a client that ends says so`() async throws {
            let bodies = Mutex<[[UInt8]]>([])
            let server = try WebSocketServer { client in
                client.send(1, Array("ready".utf8))
                while let (kind, body) = client.frame() {
                    bodies.withLock { $0.append(Array(body)) }
                    if kind == 8 { return client.send(8, body) }
                }
            }
            for isPlain in [true, false] {
                let task = URLSession.shared.webSocket(with: URLRequest(url: server.url))
                task.resume()
                _ = try await task.receiveMessage()
                if isPlain { task.cancel() } else { task.cancel(with: .goingAway, reason: Data("r".utf8)) }
                await #expect(throws: (any Error).self) { try await task.receiveMessage() }
                server.waitForEnd()
            }
            #expect(bodies.withLock { $0 } == [[], [0x03, 0xE9, 0x72]])
        }

        @Test func `a message that is too long is refused`() async throws {
            let server = try WebSocketServer { client in
                client.send(1, Array("eleven byte".utf8))
                #expect(client.frame().map { Array($0.1) } == [0x03, 0xF1])
            }
            let task = URLSession.shared.webSocket(with: URLRequest(url: server.url))
            task.maximumMessageSize = 10
            task.resume()
            await #expect(throws: POSIXError(.EMSGSIZE)) { try await task.receiveMessage() }
        }

        @Test func `a web socket that is open is in progress`() async throws {
            let server = try WebSocketServer { client in
                client.send(1, Array("ready".utf8))
                while client.frame() != nil {}
            }
            let task = URLSession.shared.webSocket(with: URLRequest(url: server.url))
            task.resume()
            _ = try await task.receiveMessage()
            #expect(OpenSessions.runningTasks().contains { $0 === task })
            // It is not waited for, because it would not end.
            #expect(!OpenSessions.runningTasks(withIdleSockets: false).contains { $0 === task })
            task.cancel()
            #expect(!OpenSessions.runningTasks().contains { $0 === task })
        }
    }

    private final class Delegate: NSObject, URLSessionWebSocketDelegate, Sendable {
        private let calls: AsyncStream<String>
        private let add: AsyncStream<String>.Continuation

        override init() { (calls, add) = AsyncStream.makeStream() }

        /// The calls until the task is complete.
        func ended() async -> [String] {
            var all: [String] = []
            for await call in calls {
                all.append(call)
                if call.hasPrefix("complete") { break }
            }
            return all
        }

        func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
        ) { add.yield("open") }
        func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
            didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
        ) { add.yield("closed \(closeCode.rawValue) \(String(decoding: reason ?? Data(), as: UTF8.self))") }
        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            add.yield("complete\(error.map { " \($0)" } ?? "")")
        }
    }
#endif
