import Testing

@testable import PushServices

struct ListenAddressTests {
    @Test(
        arguments: [
            ("127.0.0.1:2197", ListenAddress(host: "127.0.0.1", port: 2197)),
            ("8080", .init(host: "127.0.0.1", port: 8080)),
            ("[::1]:0", .init(host: "::1", port: 0)), ("localhost:65535", .init(host: "localhost", port: 65535)),
        ])
    func `an address has a port`(text: String, address: ListenAddress) {
        #expect(ListenAddress(text) == address)
    }

    @Test(arguments: [
        "", "localhost", "localhost:", ":80", "::1", "localhost:65536", "localhost:-1", "localhost:+1", "a:b:1",
    ])
    func `without one it is refused`(text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test func `the address of IPv6 is written in brackets`() {
        #expect(ListenAddress(host: "::1", port: 2197).description == "[::1]:2197")
        #expect(ListenAddress.standard.description == "127.0.0.1:2197")
    }
}
