#if os(Linux)
    public import Foundation
    import FoundationNetworking
    public import ServiceExtension
    import Synchronization

    /// A server on this machine for what an extension asks: pictures, contents, receipts.
    ///
    ///     let server = try StubServer()
    ///     server.respond(to: "/cranes.png", with: .data(png, type: "image/png"))
    ///     let push = PushPayload(body: "Photo of the day").custom("image-url", server.url("/cranes.png"))
    ///     let result = try await harness.deliver(push)
    ///     #expect(server.requests.map(\.path) == ["/cranes.png"])
    ///
    /// It speaks HTTP/1.1 without TLS on a free port of the loopback address, one request per connection, whose body has a `Content-Length`.
    /// Each server has a port, answers and requests of its own, so tests can run at the same time. It answers until `stop()` or the end of
    /// the process, also when nothing refers to it.
    public final class StubServer: Sendable {
        private struct State {
            /// Oldest first; the newest that answers counts.
            var responders: [@Sendable (Request) -> Response?] = []
            /// Descriptors of the sockets.
            var open: Set<CInt> = []
            /// Answers that wait for a clock.
            var delayed: [DispatchSemaphore] = []
            var isStopped = false
        }

        /// `http://127.0.0.1:PORT`.
        public let url: URL
        private let log = RequestLog()
        private let state = Mutex(State())

        /// Starts a server. It answers 404 until it is told otherwise.
        ///
        /// - Throws: `UnmetExpectation` if it cannot listen.
        public init() throws {
            let (listener, port) = try Sockets.listen()
            guard let url = URL(string: "http://127.0.0.1:\(port)") else {
                throw UnmetExpectation(description: "port \(port) makes no address")
            }
            self.url = url
            Thread.detachNewThread { [self] in acceptClients(of: listener) }
        }

        /// The address of a path on this server, which may have a query.
        public func url(_ path: String) -> URL { URL(string: path, relativeTo: url)?.absoluteURL ?? url }

        /// Stops listening and closes all connections. What has arrived stays.
        public func stop() {
            var responders: [@Sendable (Request) -> Response?] = []
            let delayed = state.withLock { state in
                state.isStopped = true
                for descriptor in state.open { shutdown(descriptor, CInt(SHUT_RDWR)) }
                // One that uses the server would keep it. They are released after the lock.
                swap(&responders, &state.responders)
                return state.delayed
            }
            for due in delayed { due.signal() }
            log.finish()
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
            state.withLock { $0.responders.append(responder) }
        }

        // MARK: - Requests

        /// The requests so far, oldest first.
        public var requests: [Request] { log.requests }

        /// Waits for a request. One that has arrived already is returned at once, and none is returned twice.
        ///
        /// - Parameters:
        ///   - limit: how long to wait.
        ///   - isWanted: returns true for the one. Called on any thread; it may not use the server.
        /// - Returns: the oldest that matches.
        /// - Throws: `UnmetExpectation` at the end of the time, or when the server stops; `CancellationError`.
        public func request(
            within limit: Duration = .seconds(30), where isWanted: @escaping @Sendable (Request) -> Bool = { _ in true }
        ) async throws -> Request {
            try await log.next(within: limit, where: isWanted)
        }

        // MARK: - Connections

        /// True if the server is not stopped; then `stop` ends what waits for the socket.
        private func begin(_ descriptor: CInt) -> Bool {
            state.withLock { state in
                if !state.isStopped { state.open.insert(descriptor) }
                return !state.isStopped
            }
        }

        /// Closes a socket. Under the lock, because its number may be another file's then, which `stop` must leave alone.
        private func end(_ descriptor: CInt) {
            state.withLock { state in
                state.open.remove(descriptor)
                shutdown(descriptor, CInt(SHUT_RDWR))
                close(descriptor)
            }
        }

        /// Accepts clients, each served by a thread of its own. No error ends it: a client may be gone before it is accepted, and a process
        /// that has too many files open closes some of them.
        private func acceptClients(of listener: CInt) {
            defer { end(listener) }
            guard begin(listener) else { return }
            while !state.withLock({ $0.isStopped }) {
                if let client = Sockets.accept(listener) {
                    Thread.detachNewThread { [self] in serve(client) }
                } else if errno != EINTR, errno != ECONNABORTED {
                    // The others do not pass at once, and the client waits in the queue of the system.
                    Thread.sleep(forTimeInterval: 0.01)
                }
            }
        }

        private func serve(_ client: CInt) {
            defer { end(client) }
            guard begin(client), let request = request(from: client) else { return }
            let response = response(to: request)
            let due = response.delay.map(wait(for:))
            log.add(request)
            due?.wait()
            switch response.delivery {
            case .answer: Sockets.write(response.bytes, to: client)
            case .never: while !Sockets.read(client).isEmpty {}
            case .disconnect: break
            }
        }

        /// A semaphore that is signaled after a time on a clock, and when the server stops.
        private func wait(for delay: (time: Duration, clock: any ExtensionClock)) -> DispatchSemaphore {
            let due = DispatchSemaphore(value: 0)
            let isStopped = state.withLock { state in
                state.delayed.append(due)
                return state.isStopped
            }
            if isStopped {
                due.signal()
            } else {
                _ = delay.clock.schedule(at: delay.clock.now + delay.time) { due.signal() }
            }
            return due
        }

        private func response(to request: Request) -> Response {
            // Not under the lock, because the test's closures may set other answers.
            for responder in state.withLock({ $0.responders }).reversed() {
                if let response = responder(request) { return response }
            }
            return .status(404)
        }

        /// Reads a request. Nil if the client leaves, and for what is not a request, which is answered with 400.
        private func request(from client: CInt) -> Request? {
            var bytes = Data()
            var end: Range<Data.Index>?
            while end == nil {
                let more = Sockets.read(client)
                guard !more.isEmpty, bytes.count <= Request.maximumHead else { return nil }
                bytes += more
                end = bytes.range(of: Data("\r\n\r\n".utf8))
            }
            guard let end, var request = Request(head: String(decoding: bytes[..<end.lowerBound], as: UTF8.self)) else {
                Sockets.write(Response.text("not a request with a Content-Length").status(400).bytes, to: client)
                return nil
            }
            var body = bytes[end.upperBound...]
            if request.header("Expect")?.lowercased() == "100-continue" {
                Sockets.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: client)
            }
            while body.count < request.length {
                let more = Sockets.read(client)
                if more.isEmpty { return nil }
                body += more
            }
            request.body = Data(body.prefix(request.length))
            return request
        }
    }

    /// Calls of the system. Reading and writing end when another thread shuts the socket down.
    private enum Sockets {
        /// A socket that listens on a free port of the loopback address.
        ///
        /// - Throws: `UnmetExpectation`.
        static func listen() throws -> (descriptor: CInt, port: UInt16) {
            let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            // SOUND: a sockaddr_in is a sockaddr of that size, which the system reads and writes during the call.
            let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    unsafe bind(descriptor, address, size) == 0 && Foundation.listen(descriptor, 64) == 0
                        && getsockname(descriptor, address, &size) == 0
                }
            }
            guard isListening else {
                // SOUND: the text is copied at once.
                let reason = unsafe String(cString: strerror(errno))
                close(descriptor)
                throw UnmetExpectation(description: "cannot listen on 127.0.0.1: \(reason)")
            }
            return (descriptor, UInt16(bigEndian: address.sin_port))
        }

        /// Waits for a client; nil for an error, which is in `errno`.
        static func accept(_ listener: CInt) -> CInt? {
            let client = Foundation.accept(listener, nil, nil)
            if client >= 0 { _ = fcntl(client, F_SETFD, FD_CLOEXEC) }
            return client < 0 ? nil : client
        }

        /// The bytes that have arrived, at most 16 KiB; empty at the end.
        static func read(_ client: CInt) -> [UInt8] {
            // SOUND: the system writes at most the buffer's bytes and says how many.
            unsafe [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, count in
                repeat {
                    count = unsafe recv(client, buffer.baseAddress, buffer.count, 0)
                } while count < 0 && errno == EINTR
                count = max(count, 0)
            }
        }

        /// Writes all bytes, unless the client is gone.
        static func write(_ bytes: Data, to client: CInt) {
            // SOUND: the system reads the bytes that are left.
            unsafe bytes.withUnsafeBytes { bytes in
                var rest = unsafe bytes[...]
                while unsafe !rest.isEmpty {
                    let part = unsafe UnsafeRawBufferPointer(rebasing: rest)
                    let count = unsafe send(client, part.baseAddress, part.count, CInt(MSG_NOSIGNAL))
                    if count < 0, errno == EINTR { continue }
                    if count <= 0 { return }
                    unsafe rest = rest.dropFirst(count)
                }
            }
        }
    }

    extension StubServer {
        /// A request that arrived.
        public struct Request: Sendable, CustomStringConvertible {
            /// Bytes of a request line and headers, and of a body.
            static let maximumHead = 64 * 1024  // 64 KiB
            static let maximumBody = 16 * 1024 * 1024  // 16 MiB

            /// The method in capitals, such as `GET`.
            public let method: String
            /// The path without the query, and decoded, such as `/pictures/1`.
            public let path: String
            /// The query's items by name, decoded; of two with one name the last.
            public let query: [String: String]
            /// The header fields in the order in which they came, with names as they were sent.
            public let headers: [(name: String, value: String)]
            /// The body; empty without one.
            public internal(set) var body = Data()
            /// Bytes of the body.
            let length: Int

            /// Reads the head of a request of HTTP/1.1 (RFC 9112); nil if it is not one, or does not say how long its body is.
            ///
            /// - Parameter head: from the request line up to the empty line.
            init?(head: String) {
                var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
                let words = (lines.popFirst() ?? "").split(separator: " ", omittingEmptySubsequences: false)
                guard words.count == 3, words[1].hasPrefix("/"), words[2].hasPrefix("HTTP/1.") else { return nil }
                method = String(words[0])
                // The scheme and the host keep a path with two slashes from being a host.
                let parts = URLComponents(string: "http://host" + words[1])
                path = parts?.path ?? String(words[1])
                let items = (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
                query = Dictionary(items, uniquingKeysWith: { $1 })
                var headers: [(name: String, value: String)] = []
                for line in lines {
                    guard let colon = line.firstIndex(of: ":") else { return nil }
                    let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                    headers.append((String(line[..<colon]), value))
                }
                self.headers = headers
                func value(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }
                guard value("transfer-encoding") == nil, let length = Int(value("content-length") ?? "0"),
                    (0...Self.maximumBody).contains(length)
                else { return nil }
                self.length = length
            }

            /// The first header with this name, which is case-insensitive; nil without one.
            public func header(_ name: String) -> String? {
                headers.first { $0.name.lowercased() == name.lowercased() }?.value
            }

            /// The body as text.
            public var text: String { String(decoding: body, as: UTF8.self) }

            /// The body as the type that an app or its server decodes it to.
            ///
            /// - Throws: `DecodingError`.
            public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
                try JSONDecoder().decode(type, from: body)
            }

            /// Method and path, such as `GET /pictures/1`.
            public var description: String { "\(method) \(path)" }
        }

        /// The answer of a server.
        public struct Response: Sendable {
            enum Delivery: Sendable {
                case answer, never, disconnect
            }

            /// The HTTP status.
            public var status: Int
            /// Header fields; `Content-Length` and `Connection` are added.
            public var headers: [String: String] = [:]
            /// The body.
            public var body = Data()
            /// The size in `Content-Length`; nil for the body's size.
            var promisedSize: Int?
            var delivery = Delivery.answer
            var delay: (time: Duration, clock: any ExtensionClock)?

            /// A status without a body.
            public static func status(_ status: Int) -> Response { Response(status: status) }

            /// Bytes of a media type, such as `image/png`.
            public static func data(_ body: Data, type: String) -> Response {
                Response(status: 200, headers: ["Content-Type": type], body: body)
            }

            /// A text.
            public static func text(_ text: String) -> Response {
                data(Data(text.utf8), type: "text/plain; charset=utf-8")
            }

            /// A JSON text as it is.
            public static func json(_ text: String) -> Response { data(Data(text.utf8), type: "application/json") }

            /// A value as JSON.
            ///
            /// - Throws: the errors of its `encode(to:)`.
            public static func json(encoding value: some Encodable) throws -> Response {
                data(try JSONEncoder().encode(value), type: "application/json")
            }

            /// A file.
            ///
            /// - Throws: an error of Foundation if it cannot be read.
            public static func file(_ file: URL, type: String) throws -> Response {
                data(try Data(contentsOf: file), type: type)
            }

            /// A redirection to another address.
            public static func redirect(to url: URL, status: Int = 302) -> Response {
                Response(status: status, headers: ["Location": url.absoluteString])
            }

            /// No answer: the connection stays open until the server stops, so that the extension's time passes.
            public static var never: Response { Response(status: 0, delivery: .never) }

            /// No answer: the connection is closed.
            public static var disconnect: Response { Response(status: 0, delivery: .disconnect) }

            /// The answer with another header field.
            public func header(_ name: String, _ value: String) -> Response {
                var copy = self
                copy.headers[name] = value
                return copy
            }

            /// The answer with another status.
            public func status(_ status: Int) -> Response {
                var copy = self
                copy.status = status
                return copy
            }

            /// The answer, cut off after some bytes of the body, although all were promised.
            public func cutOff(after bytes: Int) -> Response {
                var copy = self
                copy.promisedSize = body.count
                copy.body = body.prefix(max(bytes, 0))
                return copy
            }

            /// The answer, but only when so much time has passed on the clock: with a `ManualExtensionClock`, when the test moves it. The time
            /// begins before the request is among `requests`, so a test that waits for the request can move the clock then.
            public func after(_ time: Duration, on clock: any ExtensionClock) -> Response {
                var copy = self
                copy.delay = (time, clock)
                return copy
            }

            /// The bytes of the answer.
            var bytes: Data {
                var text = "HTTP/1.1 \(status) \(HTTPURLResponse.localizedString(forStatusCode: status))\r\n"
                // A line break would begin another header.
                for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
                    text += (name + ": " + value).filter { !$0.isNewline } + "\r\n"
                }
                text += "Content-Length: \(promisedSize ?? body.count)\r\nConnection: close\r\n\r\n"
                return Data(text.utf8) + body
            }
        }
    }

    /// The requests of a stub server, and who waits for one.
    final class RequestLog: Sendable {
        private struct Waiter {
            let isWanted: @Sendable (StubServer.Request) -> Bool
            let continuation: CheckedContinuation<StubServer.Request, any Error>
        }

        private struct State {
            var requests: [StubServer.Request] = []
            /// Positions of those that were returned.
            var returned: Set<Int> = []
            var waiters: [Int: Waiter] = [:]
            var nextWaiter = 0
            var isOver = false
        }

        private let state = Mutex(State())

        var requests: [StubServer.Request] { state.withLock { $0.requests } }

        func add(_ request: StubServer.Request) {
            let waiter = state.withLock { state -> Waiter? in
                state.requests.append(request)
                let first = state.waiters.sorted { $0.key < $1.key }.first { $0.value.isWanted(request) }
                guard let (number, waiter) = first else { return nil }
                state.returned.insert(state.requests.count - 1)
                state.waiters[number] = nil
                return waiter
            }
            waiter?.continuation.resume(returning: request)
        }

        func next(
            within limit: Duration, where isWanted: @escaping @Sendable (StubServer.Request) -> Bool
        ) async throws -> StubServer.Request {
            let number = state.withLock { state in
                state.nextWaiter += 1
                return state.nextWaiter
            }
            let timer = Mutex<Task<Void, any Error>?>(nil)
            defer { timer.withLock { $0?.cancel() } }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    wait(number, Waiter(isWanted: isWanted, continuation: continuation))
                    // Begins after the wait, so that it ends it however short the time is.
                    let task = Task {
                        try await Task.sleep(for: limit)
                        fail(number) { Self.notRequested("within \(limit)", $0) }
                    }
                    timer.withLock { $0 = task }
                    // The handler may have run before there was a waiter.
                    if Task.isCancelled { fail(number) { _ in CancellationError() } }
                }
            } onCancel: {
                fail(number) { _ in CancellationError() }
            }
        }

        /// Answers a waiter at once, or has it wait.
        private func wait(_ number: Int, _ waiter: Waiter) {
            let result = state.withLock { state -> Result<StubServer.Request, any Error>? in
                let position = state.requests.indices.first {
                    !state.returned.contains($0) && waiter.isWanted(state.requests[$0])
                }
                if let position {
                    state.returned.insert(position)
                    return .success(state.requests[position])
                }
                if state.isOver { return .failure(Self.notRequested("before the server stopped", state)) }
                state.waiters[number] = waiter
                return nil
            }
            if let result { waiter.continuation.resume(with: result) }
        }

        private func fail(_ number: Int, _ error: @Sendable (State) -> any Error) {
            let (waiter, reason) = state.withLock { ($0.waiters.removeValue(forKey: number), error($0)) }
            waiter?.continuation.resume(throwing: reason)
        }

        private static func notRequested(_ when: String, _ state: State) -> any Error {
            let others = state.requests.suffix(5).map { "\n  \($0)" }
            let count = state.requests.count
            let rest = count == 0 ? "; none arrived" : "; \(count) arrived, the last of them:" + others.joined()
            return UnmetExpectation(description: "no request that matches arrived \(when)\(rest)")
        }

        /// No more requests come.
        func finish() {
            let (waiters, error) = state.withLock { state in
                state.isOver = true
                defer { state.waiters = [:] }
                return (Array(state.waiters.values), Self.notRequested("before the server stopped", state))
            }
            for waiter in waiters { waiter.continuation.resume(throwing: error) }
        }
    }
#endif
