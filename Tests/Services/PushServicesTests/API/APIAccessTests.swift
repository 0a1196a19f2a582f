import Foundation
import PushRuns
import PushSystem
import ServiceTestSupport
import Testing

@testable import PushServices

struct APIAccessTests {
    private static let beyond = ListenAddress(host: "0.0.0.0", port: 2197)

    private func status(_ access: APIAccess, _ headers: [(String, String)], path: String = "/metrics") throws -> Int {
        try SessionTrial.withAPI(access: access).get(path, headers).status
    }

    @Test(arguments: [
        ([("x-access-key", "open sesame")], 200), ([("authorization", "Bearer open sesame")], 200),
        ([("authorization", "bearer open sesame")], 200), ([("authorization", "open sesame")], 401),
        ([("x-access-key", "open sesam")], 401), ([("x-access-key", "")], 401), ([], 401),
    ])
    func `a key that is set is demanded, also on loopback`(headers: [(String, String)], status: Int) throws {
        for address in [ListenAddress.standard, Self.beyond] {
            #expect(try self.status(APIAccess(key: "open sesame", address: address), headers) == status)
        }
    }

    @Test func `beyond loopback nothing is shown without a key, and pushes are answered`() throws {
        let trial = SessionTrial.withAPI(access: APIAccess(address: Self.beyond))
        let answer = try trial.get("/api/v1/messages")
        #expect(answer.status == 403)
        #expect(try answer.error.contains("start it with one"))
        #expect(try trial.get("/api/v1/nothing").status == 403)
        #expect(try trial.get("/metrics").status == 403)
        #expect(try trial.answer(push()).status == 200)
        for path in ["/healthz", "/api/v1/health", "/api/v1/ready"] { #expect(try trial.get(path).status == 200) }
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.9.9.9", true), ("localhost", true), ("::1", true), ("0.0.0.0", false), ("::", false),
        ("192.168.1.2", false), ("127.example.org", false), ("example.org", false), ("127.0.0.1.example.org", false),
    ])
    func `loopback is known by its addresses`(host: String, isLoopback: Bool) {
        #expect(ListenAddress(host: host, port: 1).isLoopback == isLoopback)
        #expect(APIAccess(address: ListenAddress(host: host, port: 1)).isClosed == !isLoopback)
    }

    @Test func `a proxy beyond loopback closes the API, as it leads there`() {
        let local = ListenAddress(host: "127.0.0.1", port: 1)
        #expect(!APIAccess(address: local, proxy: local).isClosed)
        #expect(APIAccess(address: local, proxy: Self.beyond).isClosed)
        #expect(!APIAccess(key: "k", address: local, proxy: Self.beyond).isClosed)
    }

    @Test(arguments: [
        ("localhost:2197", 200), ("LOCALHOST", 200), ("127.0.0.1:2197", 200), ("[::1]:2197", 200),
        ("push.localhost:80", 200), ("192.168.1.2:2197", 200), ("evil.example.org:2197", 403),
        ("localhost.evil.org", 403),
        ("127.0.0.1.evil.org", 403), ("api.push.apple.com", 403), ("", 403),
    ])
    func `a name that somebody else has pointed here is refused`(host: String, status: Int) throws {
        #expect(try self.status(APIAccess(), [("host", host)]) == status)
        #expect(try self.status(APIAccess(), [("host", host)], path: "/healthz") == 200)
        // Whoever has the key may use any name.
        #expect(try self.status(APIAccess(key: "k"), [("host", host), ("x-access-key", "k")]) == 200)
    }

    @Test(arguments: [
        ("http://localhost:2197", 200), ("HTTPS://localhost:2197", 200), ("http://localhost:3000", 403),
        ("http://evil.example.org", 403), ("null", 403), ("", 403),
    ])
    func `pages of other sites ask and change nothing`(origin: String, status: Int) throws {
        let trial = SessionTrial.withAPI()
        let headers = [("host", "localhost:2197"), ("origin", origin)]
        #expect(try trial.send("", "/api/v1/reset", headers).status == status)
        for path in ["/metrics", "/healthz"] { #expect(try trial.get(path, headers).status == status) }
        // Neither does one that knows the key.
        let keyed = SessionTrial.withAPI(access: APIAccess(key: "k"))
        #expect(try keyed.get("/metrics", headers + [("x-access-key", "k")]).status == status)
    }

    @Test func `the host of an allowed origin leads to the API`() throws {
        var allowed = AllowedOrigins()
        let isOrigin = allowed.insert("http://phone.example.org:2197")
        #expect(isOrigin)
        let access = APIAccess(allowed: allowed)
        #expect(try status(access, [("host", "phone.example.org:2197")]) == 200)
        #expect(try status(access, [("host", "other.example.org:2197")]) == 403)
    }

    @Test func `a key may be in a file`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "from-file\nmore\n".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try APIAccess.key("@\(path)") == "from-file")
        #expect(try APIAccess.key("plain") == "plain")
        try "\n".write(toFile: path, atomically: true, encoding: .utf8)
        for wrong in ["@\(path)", "@\(path).none", ""] {
            #expect(throws: PlainError.self) { try APIAccess.key(wrong) }
        }
    }
}
