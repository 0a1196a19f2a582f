#if os(Linux)
    import Foundation
    import SampleExtension
    import Testing

    @testable import ServiceExtensionTesting

    @Suite struct StubServerTests {
        /// The first bytes of a PNG file, which is all that the check of types reads.
        private static let png = Data([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82])

        @Test(arguments: [false, true])
        func `an extension downloads from it, with TLS and without`(_ tls: Bool) async throws {
            let server = try StubServer(tls: tls)
            server.respond(to: "/cranes.png", with: .data(Self.png, type: "image/png"))
            let harness = ServiceExtensionHarness { AttachmentService() }
            let result = try await harness.deliver(
                PushPayload(body: "Photo").custom("attachment-url", server.url("/cranes.png?size=2&q=a%20b")))
            #expect(result.content?.attachments.first?.type == "public.png")
            let request = try #require(server.requests.first)
            #expect(server.url.scheme == (tls ? "https" : "http"))
            #expect(request.description == "GET /cranes.png" && request.query == ["size": "2", "q": "a b"])
            #expect(request.host == "127.0.0.1")
        }

        @Test func `a certificate of the server is refused by whoever does not trust its authority`() throws {
            let server = try StubServer(tls: true)
            // Another process, which reads the system's certificates.
            let curl = Process()
            curl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            curl.arguments = ["curl", "--silent", "--output", "/dev/null", server.url.absoluteString]
            try curl.run()
            curl.waitUntilExit()
            // CURLE_PEER_FAILED_VERIFICATION
            #expect(curl.terminationStatus == 60)
            #expect(server.requests.isEmpty)
        }

        @Test func `what was trusted before is trusted still`() throws {
            let path = "/etc/ssl/certs/ca-certificates.crt"
            let authority = try StubAuthority.shared()
            let file = try #require(fopen(path, "r"))
            defer { fclose(file) }
            var read: [UInt8] = []
            while case let byte = fgetc(file), byte != EOF { read.append(UInt8(truncatingIfNeeded: byte)) }
            let before = ProcessInfo.processInfo.environment["SSL_CERT_FILE"] ?? path
            #expect(read == authority.certificate + (try Data(contentsOf: URL(fileURLWithPath: before))))
        }

        @Test func `certificates with comments that are not UTF-8 are trusted as they are`() throws {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            // "Autorité" in Latin-1, and a zero.
            let earlier = Data("# Autorit".utf8) + [0xE9, 0x0A, 0, 0x0A] + Data("-----BEGIN CERTIFICATE-----\n".utf8)
            try earlier.write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            #expect(try StubAuthority.bundle([0x2D], trustedBefore: file.path) == [0x2D] + earlier)
            #expect(try StubAuthority.bundle([0x2D], trustedBefore: nil) == [0x2D])
            let error = #expect(throws: StubServer.Unavailable.self) {
                try StubAuthority.bundle([0x2D], trustedBefore: file.path + "/none")
            }
            #expect(error?.description.contains(file.path) == true)
        }

        /// Both sides are in this process; the test's side gets the answer's end.
        @Test func `stopping a server while it decides on a delayed answer ends the wait`() async throws {
            var pair: [CInt] = [0, 0]
            // SOUND: the system writes two descriptors.
            try #require(unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair) == 0)
            let connection = try #require(StubConnection(descriptor: pair[1]))
            let service = StubService(identity: nil)
            service.add { _ in
                service.stop()
                return .text("late").after(.seconds(1), on: ManualExtensionClock())
            }
            let request = "GET / HTTP/1.1\r\n\r\n"
            #expect(write(pair[0], request, request.utf8.count) == request.utf8.count)
            close(pair[0])
            let isServed = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                service.serve(connection)
                isServed.signal()
            }
            #expect(await Task.detached { isServed.wait(timeout: .now() + 60) }.value == .success)
        }

        @Test func `a path may begin with two slashes`() {
            let origin = StubServer.Request(
                .init(method: "GET", target: "//x/a%20b?q=1", headers: [("Host", "h:80")]), host: nil)
            #expect(origin.path == "//x/a b" && origin.host == "h" && origin.query == ["q": "1"])
            let absolute = StubServer.Request(
                .init(method: "GET", target: "http://h//x", headers: [("Host", "other")]), host: nil)
            #expect(absolute.path == "//x" && absolute.host == "h")
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
            let error = await #expect(throws: StubServer.NotRequested.self) {
                try await server.request(within: .zero) { $0.path == "/wanted" }
            }
            #expect(error?.description.contains("GET /other") == true)
            server.stop()
            await #expect(throws: StubServer.NotRequested.self) { try await server.request { $0.path == "/wanted" } }
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
#endif
