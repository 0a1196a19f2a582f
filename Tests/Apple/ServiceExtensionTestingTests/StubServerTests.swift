#if os(Linux)
    import Foundation
    import Glibc
    import SampleExtension
    import Testing

    @testable import ServiceExtensionTesting

    @Suite struct StubServerTests {
        /// The first bytes of a PNG file, which is all that the check of types reads.
        private static let png = Data([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82])

        @Test func `an extension downloads from it`() async throws {
            let server = try StubServer()
            server.respond(to: "/cranes.png", with: .data(Self.png, type: "image/png"))
            let harness = ServiceExtensionHarness { AttachmentService() }
            let result = try await harness.deliver(
                PushPayload(body: "Photo").custom("attachment-url", server.url("/cranes.png?size=2&q=a%20b")))
            #expect(result.content?.attachments.first?.type == "public.png")
            let request = try #require(server.requests.first)
            #expect(request.description == "GET /cranes.png" && request.query == ["size": "2", "q": "a b"])
        }

        @Test func `stopping a server while it decides on a delayed answer ends the wait`() async throws {
            let server = try StubServer()
            server.respond { _ in
                server.stop()
                return .text("late").after(.seconds(1), on: ManualExtensionClock())
            }
            await #expect(throws: (any Error).self) { try await load(URLRequest(url: server.url)) }
        }

        /// Its threads end when they notice, so the time limit is what fails.
        @Test(.timeLimit(.minutes(5))) func `a stopped server is released, also if its answers use it`() async throws {
            weak var stopped: StubServer?
            do {
                let server = try StubServer()
                server.respond { _ in .text("\(server.requests.count)") }
                server.stop()
                stopped = server
            }
            while stopped != nil {
                try Task.checkCancellation()
                await Task.yield()
            }
        }

        @Test func `a head has a path, a query, headers and the length of the body`() throws {
            let head = "POST //x/a%20b?q=1&q=2 HTTP/1.1\r\nHost:  h:80 \r\ncontent-length: 5\r\nEmpty:"
            let request = try #require(StubServer.Request(head: head))
            #expect(request.description == "POST //x/a b" && request.query == ["q": "2"])
            #expect(request.header("host") == "h:80" && request.header("empty") == "" && request.length == 5)
            #expect(StubServer.Request(head: "GET / HTTP/1.0")?.length == 0)
            let limit = StubServer.Request.maximumBody
            #expect(StubServer.Request(head: "PUT / HTTP/1.1\r\nContent-Length: \(limit)")?.length == limit)
        }

        @Test(arguments: [
            "", "GET /", "GET / HTTP/2", "GET http://h/ HTTP/1.1", "GET / HTTP/1.1\r\nno colon", "GET  / HTTP/1.1",
            "PUT / HTTP/1.1\r\nContent-Length: -1", "PUT / HTTP/1.1\r\nContent-Length: 16777217",
            "PUT / HTTP/1.1\r\nContent-Length: 99999999999999999999", "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked",
        ])
        func `what is not a request with a length is refused`(_ head: String) throws {
            #expect(StubServer.Request(head: head) == nil)
            let client = TestClient()
            client.connect(to: try StubServer().url)
            client.send(head + "\r\n\r\n")
            #expect(client.readToEnd().hasPrefix("HTTP/1.1 400 "))
        }

        @Test func `a head ends at its limit`() throws {
            let client = TestClient()
            client.connect(to: try StubServer().url)
            let line = "A: " + String(repeating: "a", count: 1021)
            client.send(
                "GET / HTTP/1.1\r\n" + String(repeating: line, count: 2 * StubServer.Request.maximumHead / 1024))
            #expect(client.readToEnd().isEmpty)
        }

        /// In a process of its own, because its descriptors are limited.
        @Test func `a server that has run out of descriptors answers when there are some again`() async {
            await #expect(processExitsWith: .success) {
                var limit = rlimit(rlim_cur: 100, rlim_max: 100)
                // SOUND: the system reads it during the call.
                unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                let server = try StubServer()
                server.respond(to: "/wait", with: .never)
                let clients = (0..<3).map { _ in TestClient() }
                clients[0].connect(to: server.url)
                clients[0].send("GET /wait HTTP/1.1\r\n\r\n")
                // Not `request(within:)`: its timer needs a descriptor, without which Dispatch traps.
                while server.requests.isEmpty { sched_yield() }
                var files: [CInt] = []
                while case let file = open("/dev/null", O_RDONLY), file >= 0 { files.append(file) }
                // The system may have reserved a descriptor for the next client, and has none for the last one.
                for client in clients[1...] {
                    client.connect(to: server.url)
                    client.send("GET /next HTTP/1.1\r\n\r\n")
                }
                for file in files { close(file) }
                for client in clients[1...] { #expect(client.readToEnd().hasPrefix("HTTP/1.1 404 ")) }
            }
        }

        private func load(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
            let (data, response) = try await URLSession.shared.data(for: request)
            return (data, try #require(response as? HTTPURLResponse))
        }

        @Test func `a request is kept with its headers and its body`() async throws {
            let server = try StubServer()
            server.respond(to: "/receipts", method: "POST", with: .json(#"{"ok":true}"#).status(201))
            var request = URLRequest(url: server.url("/receipts"))
            request.httpMethod = "POST"
            // Longer than what curl sends without asking first.
            let body = #"{"id":"\#(String(repeating: "x", count: 2_000_000))"}"#
            request.httpBody = Data(body.utf8)
            request.setValue("Bearer t", forHTTPHeaderField: "Authorization")
            let (data, response) = try await load(request)
            #expect(response.statusCode == 201 && String(decoding: data, as: UTF8.self) == #"{"ok":true}"#)
            let receipt = try await server.request { $0.path == "/receipts" }
            #expect(receipt.header("authorization") == "Bearer t")
            #expect(receipt.text == body)
            #expect(try receipt.decoded(as: [String: String].self).keys.contains("id"))
            #expect(try await load(URLRequest(url: server.url("/receipts"))).1.statusCode == 404)
        }

        @Test func `the newest answer counts, and a closure may leave a request to older ones`() async throws {
            let server = try StubServer()
            server.respond(to: "/a", with: .text("old"))
            server.respond(to: "/a", with: .text("new"))
            server.respond { $0.query["id"] == "7" ? .text("seven") : nil }
            let texts = try await [server.url("/a"), server.url("/a?id=7")].asyncMap { url in
                String(decoding: try await load(URLRequest(url: url)).0, as: UTF8.self)
            }
            #expect(texts == ["new", "seven"])
        }

        @Test func `a redirection leads to another path`() async throws {
            let server = try StubServer()
            server.respond(to: "/old", with: .redirect(to: server.url("/new")))
            server.respond(to: "/new", with: .text("here").header("X-Note", "a\r\nInjected: b"))
            let (data, response) = try await load(URLRequest(url: server.url("/old")))
            #expect(String(decoding: data, as: UTF8.self) == "here")
            #expect(response.value(forHTTPHeaderField: "Injected") == nil)
            #expect(server.requests.map(\.path) == ["/old", "/new"])
        }

        @Test func `a download that is cut off, or never begins, is an error`() async throws {
            let server = try StubServer()
            server.respond(to: "/short", with: .data(Self.png, type: "image/png").cutOff(after: 8))
            server.respond(to: "/gone", with: .disconnect)
            for path in ["/short", "/gone"] {
                await #expect(throws: (any Error).self) { try await load(URLRequest(url: server.url(path))) }
            }
        }

        @Test func `a server that never answers costs the picture, and not the notification`() async throws {
            let server = try StubServer()
            server.respond(to: "/slow.png", with: .never)
            let clock = ManualExtensionClock()
            let harness = ServiceExtensionHarness(clock: clock) { AttachmentService() }
            async let pending = harness.deliver(
                PushPayload(body: "Photo").custom("attachment-url", server.url("/slow.png")))
            _ = try await server.request()
            clock.move(by: .seconds(30))
            let result = try await pending
            #expect(result.didExpire && result.content?.attachments.isEmpty == true)
        }

        @Test func `an answer after a time on the clock comes when the test moves it`() async throws {
            let server = try StubServer()
            let clock = ManualExtensionClock()
            server.respond(to: "/a.png", with: .data(Self.png, type: "image/png").after(.seconds(20), on: clock))
            let harness = ServiceExtensionHarness(clock: clock) { AttachmentService() }
            async let pending = harness.deliver(
                PushPayload(body: "Photo").custom("attachment-url", server.url("/a.png")))
            _ = try await server.request()
            clock.move(by: .seconds(20))
            let result = try await pending
            #expect(!result.didExpire && result.duration == .seconds(20))
            #expect(result.content?.attachments.count == 1)
        }

        @Test func `waiting for a request that does not come ends with what came`() async throws {
            let server = try StubServer()
            _ = try await load(URLRequest(url: server.url("/other")))
            let error = await #expect(throws: UnmetExpectation.self) {
                try await server.request(within: .zero) { $0.path == "/wanted" }
            }
            #expect(error?.description.contains("GET /other") == true)
            server.stop()
            await #expect(throws: UnmetExpectation.self) { try await server.request { $0.path == "/wanted" } }
        }

        @Test func `a server answers until it is stopped, also if nothing refers to it`() async throws {
            let url = try StubServer().url
            #expect(try await load(URLRequest(url: url)).1.statusCode == 404)
            let server = try StubServer()
            server.stop()
            await #expect(throws: (any Error).self) { try await load(URLRequest(url: server.url)) }
        }
    }

    extension Sequence {
        fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
            var results: [Result] = []
            for element in self { results.append(try await body(element)) }
            return results
        }
    }

    /// A client that speaks in bytes.
    private struct TestClient {
        private let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)

        /// Connects to the port of an address on this machine.
        func connect(to url: URL) {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(url.port ?? 0).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            // SOUND: the address is read during the call.
            let result = unsafe withUnsafeBytes(of: &address) { bytes in
                unsafe Glibc.connect(
                    descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
            }
            #expect(result == 0)
        }

        func send(_ text: String) {
            #expect(Glibc.send(descriptor, text, text.utf8.count, CInt(MSG_NOSIGNAL)) > 0)
        }

        func readToEnd() -> String {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            // SOUND: the system writes one byte.
            while unsafe read(descriptor, &byte, 1) == 1 { bytes.append(byte) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
#endif
