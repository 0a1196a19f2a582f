#if os(Linux)
    import Foundation
    import Testing
    @testable import ServiceExtensionTesting
    @testable import UserNotifications

    /// A server of web sockets that does what a test says with each client, one after another.
    final class WebSocketServer: Sendable {
        let url: URL
        private let listener: StubListener
        private let heads = Locked("")
        private let ends = DispatchSemaphore(value: 0)

        /// The requests that have come.
        var head: String { heads.snapshot }

        init(tls: Bool = false, status: Int = 101, serve: @escaping @Sendable (WebSocketClient) -> Void) throws {
            listener = try StubListener()
            let identity = tls ? try StubAuthority.shared().identity() : nil
            url = try #require(URL(string: "\(tls ? "wss" : "ws")://127.0.0.1:\(listener.port)/live?x=1"))
            // Without the server itself, so that it is stopped when its test is done.
            Thread { [listener, heads, ends] in
                while let descriptor = listener.accept() {
                    guard let connection = StubConnection(descriptor: descriptor) else { continue }
                    defer { ends.signal() }
                    defer { connection.close() }
                    if let identity, !connection.startTLS(identity) { continue }
                    let client = WebSocketClient(connection)
                    let head = client.head()
                    heads.withLock { $0 += head }
                    if client.answer(head, status: status) { serve(client) }
                }
                listener.close()
            }.start()
        }

        deinit { listener.stop() }

        /// Waits until a client was served.
        func waitForEnd() { ends.wait() }
    }

    /// A client of the server, with frames written and read byte by byte.
    final class WebSocketClient {
        private let connection: StubConnection
        private var bytes: [UInt8] = []

        init(_ connection: StubConnection) { self.connection = connection }

        private func take(_ count: Int) -> [UInt8]? {
            while bytes.count < count {
                let more = connection.read()
                if more.isEmpty { return nil }
                bytes += more
            }
            defer { bytes.removeFirst(count) }
            return Array(bytes[..<count])
        }

        func head() -> String {
            var head: [UInt8] = []
            while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), let byte = take(1) { head += byte }
            return String(decoding: head, as: UTF8.self)
        }

        /// Returns whether the web socket is open.
        func answer(_ head: String, status: Int) -> Bool {
            guard let key = head.firstMatch(of: /Sec-WebSocket-Key: (.*)\r\n/)?.1 else { return false }
            let proof = WebSocketHandshake.proof(of: String(key))
            let fields = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(proof)"
            connection.write("HTTP/1.1 \(status) X\r\n\(fields)\r\n\r\n".utf8)
            return status == 101
        }

        func send(_ kind: UInt8, _ body: some Collection<UInt8>, isLast: Bool = true) {
            var frame: [UInt8] = [isLast ? 0x80 | kind : kind]
            switch body.count {
            case ..<126: frame.append(UInt8(body.count))
            case ..<65536: frame += [126, UInt8(body.count >> 8), UInt8(body.count & 0xFF)]
            default: frame += [127, 0, 0, 0, 0] + [24, 16, 8, 0].map { UInt8(body.count >> $0 & 0xFF) }
            }
            connection.write(frame + body)
        }

        /// The kind and the body of the next frame, which has to be masked; nil at the end.
        func frame() -> (UInt8, [UInt8])? {
            guard let head = take(2), head[1] & 0x80 != 0 else { return nil }
            var size = Int(head[1] & 0x7F)
            if size > 125 {
                guard let long = take(size == 126 ? 2 : 8) else { return nil }
                size = long.reduce(0) { $0 << 8 | Int($1) }
            }
            guard let key = take(4), let body = take(size) else { return nil }
            return (head[0] & 0x0F, body.enumerated().map { $1 ^ key[$0 & 3] })
        }
    }
#endif
