import Testing

@testable import PushServices

/// Where messages may be posted to.
struct WebhookAddressTests {
    @Test(arguments: [
        ("http://127.0.0.1:8080/pushes?a=b", "127.0.0.1:8080", "/pushes?a=b"), ("http://app", "app:80", "/"),
        ("HTTP://[::1]:9", "[::1]:9", "/"), ("http://[::1]/a", "[::1]:80", "/a"), ("http://a?b", "a:80", "/?b"),
    ])
    func `an address has a host, a port and a target`(text: String, host: String, target: String) throws {
        let address = try #require(WebhookAddress(text))
        #expect(address.host.description == host)
        #expect(address.target == target)
    }

    @Test(arguments: [
        "", "127.0.0.1:8080", "https://127.0.0.1/", "http://", "http:///a", "http://a:b/", "http://a:0/", "http://u@a/",
        "http://a/#b", "http://a/b c", "http://a/\r\nx: y", "http://caf\u{e9}/", "http://a:65536/",
    ])
    func `another text is none`(text: String) { #expect(WebhookAddress(text) == nil) }

    @Test(arguments: [
        ("http://127.0.0.1/", true), ("http://localhost:1/", true), ("http://[::1]/", true), ("http://app:1/", true),
        ("http://example.org/", false), ("http://192.0.2.1/", false), ("http://3221225985:9/", false),
        ("http://0xc0000201/", false), ("http://030000001001/", false), ("http://3app/", true),
        ("http://[2001:db8::1]/", false),
        ("http://ci.example.net:8080/", true), ("http://CI.example.net/", true), ("http://x.ci.example.net/", false),
    ])
    func `beyond this machine, a host is named twice`(text: String, isAllowed: Bool) throws {
        var origins = AllowedOrigins()
        _ = origins.insert("http://ci.example.net")
        #expect(try #require(WebhookAddress(text)).isAllowed(by: origins) == isAllowed)
    }
}
