#if os(Linux)
    public import Foundation

    /// A server on this machine for what an extension asks: pictures, contents, receipts.
    ///
    ///     let server = try StubServer(tls: true)
    ///     server.respond(to: "/cranes.png", with: .data(png, type: "image/png"))
    ///     let push = PushPayload(body: "Photo of the day").custom("image-url", server.url("/cranes.png"))
    ///     let result = try await harness.deliver(push)
    ///     #expect(server.requests.map(\.path) == ["/cranes.png"])
    ///
    /// It speaks HTTP/1.1 on a free port of the loopback address, one request per connection. Each server has a port, answers and requests
    /// of its own, so tests can run at the same time. It answers until `stop()` or the end of the process, also when nothing refers to it.
    ///
    /// With TLS its certificate is issued by an authority that the process makes when the first such server starts. From then on `URLSession`
    /// trusts it, besides the system's authorities; a session that has connected with TLS before may have read those alone, and keep them.
    public final class StubServer: Sendable {
        /// Why a server cannot start.
        public struct Unavailable: Error, CustomStringConvertible {
            /// The reason.
            public let description: String
        }

        /// A request that was waited for and did not arrive.
        public struct NotRequested: Error, CustomStringConvertible {
            /// The request that arrived instead.
            public let description: String
        }

        /// `http://127.0.0.1:PORT`, or with `https`.
        public let url: URL
        private let listener: StubListener
        private let service: StubService

        /// Starts a server. It answers 404 until it is told otherwise.
        ///
        /// - Parameter tls: true for HTTPS.
        /// - Throws: `Unavailable` if it cannot listen, there is no TLS on this machine, or the certificates that are trusted cannot be read.
        public init(tls: Bool = false) throws {
            service = StubService(identity: tls ? try StubAuthority.shared().identity() : nil)
            let listener = try StubListener()
            let service = service
            self.listener = listener
            guard let url = URL(string: "\(tls ? "https" : "http")://127.0.0.1:\(listener.port)") else {
                listener.close()
                throw Unavailable(description: "port \(listener.port) makes no address")
            }
            self.url = url
            Thread.detachNewThread {
                while let descriptor = listener.accept() {
                    guard let connection = StubConnection(descriptor: descriptor) else { continue }
                    Thread.detachNewThread { service.serve(connection) }
                }
                listener.close()
            }
        }

        /// The address of a path on this server, which may have a query.
        public func url(_ path: String) -> URL { URL(string: path, relativeTo: url)?.absoluteURL ?? url }

        /// Stops listening and closes all connections. What has arrived stays.
        public func stop() {
            listener.stop()
            service.stop()
        }

        // MARK: - Answers

        /// Answers requests for a path. A later answer for the same path replaces an earlier one.
        ///
        /// - Parameters:
        ///   - path: without a query; a request matches whatever its query is.
        ///   - method: nil for any.
        ///   - response: the answer to each of them.
        public func respond(to path: String, method: String? = nil, with response: Response) {
            respond { $0.path == path && (method ?? $0.method) == $0.method ? response : nil }
        }

        /// Answers requests as a closure says, which is called on any thread. Nil leaves a request to what was set before.
        public func respond(_ responder: @escaping @Sendable (Request) -> Response?) {
            service.add(responder)
        }

        // MARK: - Requests

        /// The requests so far, oldest first.
        public var requests: [Request] { service.log.requests }

        /// Waits for a request. One that has arrived already is returned at once, and none is returned twice.
        ///
        /// - Parameters:
        ///   - limit: how long to wait.
        ///   - isWanted: returns true for the one. Called on any thread; it may not use the server.
        /// - Returns: the oldest that matches.
        /// - Throws: `NotRequested` at the end of the time, or when the server stops; `CancellationError`.
        public func request(
            within limit: Duration = .seconds(30), where isWanted: @escaping @Sendable (Request) -> Bool = { _ in true }
        ) async throws -> Request {
            try await service.log.next(within: limit, where: isWanted)
        }
    }
#endif
