import PushRuns
import ServiceTestSupport
import Testing

@testable import PushServices

/// What a web page can have a browser on this machine send: Fetch, sections 2.2.2 (simple headers and methods) and 3.2 (`Origin`).
struct OriginPolicyTests {
    private static let local = "localhost:2197"

    /// Services of every kind, as `serve` has them.
    private func trial(_ allowed: String...) throws -> SessionTrial { try trial(allowed) }

    private func trial(_ allowed: [String]) throws -> SessionTrial {
        var options = GatewayOptions()
        for origin in allowed {
            let isOrigin = options.allowedOrigins.insert(origin)
            try #require(isOrigin)
        }
        let services = try GatewayJob(RunJob([], output: .none), options).services(.none)
        let trial = SessionTrial(services: services + [ConsoleService()], traffic: GatewayTraffic())
        trial.session.origins = OriginPolicy(allowed: options.allowedOrigins)
        return trial
    }

    /// A request for each route that a page can reach without asking first, and the one that lists channels.
    private static let routes = [
        ("POST", "/3/device/ab12", #"{"aps":{"alert":"Hi"}}"#), ("POST", "/4/broadcasts/apps/a.b", "{}"),
        ("GET", "/1/apps/a.b/all-channels", ""), ("POST", "/v1/projects/demo/messages:send", #"{"message":{}}"#),
        ("POST", "/fcm/send", "registration_id=ab12&data.a=b"), ("POST", "/gcm/send", "registration_id=ab12"),
        ("POST", "/fcm/notification", "{}"), ("POST", "/iid/v1:batchAdd", "{}"), ("POST", "/token", "grant_type=a"),
        ("POST", "/v1/message/ios", "{}"), ("POST", "/api/v2/push/", "{}"), ("POST", "/tokens/ab12", ""),
        ("GET", "/nothing", ""), ("GET", "/", ""), ("GET", "/healthz", ""), ("POST", "/api/v1/records", "{}"),
    ]

    @Test(arguments: ["http://evil.example.org", "https://localhost:3000", "null", "", "http://localhost"])
    func `a page of another origin is refused on every route`(origin: String) throws {
        let trial = try trial()
        for (method, path, body) in Self.routes {
            let answer = try trial.send(body, path, method: method, [("host", Self.local), ("origin", origin)])
            #expect(answer.status == 403, "\(path)")
            #expect(try answer.error.contains("web pages at \(origin)"))
        }
        #expect(trial.lines.isEmpty)
    }

    /// W3C, Fetch Metadata, section 2.3: images, scripts, frames and links have no `Origin`. Fetch, section 3.8
    /// (`Cross-Origin-Resource-Policy`).
    @Test func `what a page of another site loads is refused, and kept from it`() throws {
        func status(_ path: String, _ site: String, allowing: String..., from own: String? = nil) throws -> Int {
            let trial = try trial(allowing)
            let headers = [("host", Self.local), ("sec-fetch-site", site)] + (own.map { [("origin", $0)] } ?? [])
            return try trial.send("", path, method: "GET", headers).status
        }
        for site in ["cross-site", "same-site"] {
            for path in ["/api/v1/messages", "/metrics", "/healthz", "/1/apps/a.b/all-channels"] {
                #expect(try status(path, site) == 403, "\(path)")
                #expect(try status(path, site, allowing: "https://app.example.org") == 403, "\(path)")
                #expect(try status(path, site, allowing: "*") != 403, "\(path)")
            }
            // A link to the console, and its files, which have nothing of the store.
            for path in ["/", "/?device=ab12", "/console/app.js"] { #expect(try status(path, site) == 200, "\(path)") }
            let own = "https://app.example.org"
            #expect(try status("/api/v1/messages", site, allowing: own, from: own) == 200)
        }
        for site in ["same-origin", "none"] { #expect(try status("/api/v1/messages", site) == 200) }
    }

    @Test func `answers without an origin are for the gateway's own pages alone`() throws {
        let trial = try trial(["https://app.example.org"])
        func policy(_ path: String, method: String = "GET", _ headers: [(String, String)] = []) throws -> String? {
            try trial.send("{}", path, method: method, [("host", Self.local)] + headers)
                .header("cross-origin-resource-policy")
        }
        for path in ["/", "/console/app.js", "/healthz", "/metrics", "/api/v1/messages", "/api/v1/nothing"] {
            #expect(try policy(path) == "same-origin", "\(path)")
        }
        let allowed = [("origin", "https://app.example.org")]
        #expect(try policy("/api/v1/records", method: "POST", allowed) == nil)
        #expect(try policy("/api/v1/records", method: "POST") == "same-origin")
    }

    @Test func `the gateway's own page and senders without an origin are answered as before`() throws {
        for (method, path, body) in Self.routes {
            let plain = try trial().send(body, path, method: method, [("host", Self.local)])
            let own = [("host", Self.local), ("origin", "http://LOCALHOST:2197")]
            #expect(try trial().send(body, path, method: method, own).status == plain.status, "\(path)")
            #expect(plain.status != 403 || !plain.text.contains("pages"), "\(path)")
        }
        #expect(try trial().answer(push()).status == 200)
    }

    @Test(arguments: [
        ("localhost:2197", 200), ("127.0.0.1", 200), ("[::1]:2197", 200), ("192.168.1.2:2197", 200),
        ("a.localhost", 200),
        // As containers have them, and as hosts files and the proxy lead here.
        ("pushpipe:2197", 200), ("api.push.apple.com", 200), ("API.PUSH.APPLE.COM:443", 200),
        ("fcm.googleapis.com", 200),
        ("evil.example.org:2197", 403), ("localhost.evil.org", 403), ("127.0.0.1.evil.org", 403), ("evil.", 403),
        ("", 403), ("[::1]evil.org", 403), ("[::1]:2197.evil.org", 403), ("127.0.0.1:evil", 403), ("[::1", 403),
        ("api.push.apple.com.evil.org", 403),
    ])
    func `a name that somebody else has pointed here is refused`(host: String, status: Int) throws {
        let trial = try trial()
        let headers = [("host", host), ("apns-topic", "a.b")]
        // Whatever was found right before.
        for good in [nil, Self.local] {
            if let good { _ = try trial.send("", "/1/apps/a.b/all-channels", method: "GET", [("host", good)]) }
            #expect(try trial.answer(push(headers: headers)).status == status)
            #expect(try trial.send("", "/1/apps/a.b/all-channels", method: "GET", headers).status == status)
        }
        // The same name, and so the same origin.
        let rebound = headers + [("origin", "http://" + host)]
        #expect(try trial.answer(push(headers: rebound)).status == status)
        #expect(try trial.send("", "/", method: "GET", headers).status == 200)
    }

    @Test func `an allowed origin may send, and its host is known`() throws {
        let trial = try trial("https://App.example.org:8443/", "http://plain.example.org:80")
        func status(_ origin: String, host: String = Self.local) throws -> Int {
            try trial.answer(push(headers: [("apns-topic", "a.b"), ("host", host), ("origin", origin)])).status
        }
        #expect(try status("https://app.example.org:8443") == 200)
        #expect(try status("http://plain.example.org") == 200)
        #expect(try status("https://app.example.org") == 403)
        #expect(try status("http://app.example.org:8443") == 403)
        #expect(try status("https://app.example.org:8443", host: "app.example.org:2197") == 200)
        #expect(try status("https://app.example.org:8443", host: "other.example.org:2197") == 403)
    }

    @Test func `a star allows pages of every origin`() throws {
        let headers = [("apns-topic", "a.b"), ("host", "evil.example.org"), ("origin", "null")]
        #expect(try trial("*").answer(push(headers: headers)).status == 200)
    }

    @Test(arguments: [
        "", "app.example.org", "null", "http://", "https://:443", "ftp://app.example.org", "http://a.example.org/path",
        "http://user@a.example.org", "http://a.example.org?x", "**",
    ])
    func `other texts are not origins`(text: String) {
        var allowed = AllowedOrigins()
        let isOrigin = allowed.insert(text)
        #expect(!isOrigin)
    }
}
