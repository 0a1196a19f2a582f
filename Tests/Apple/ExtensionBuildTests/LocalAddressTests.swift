import ExtensionPrograms
import Testing

/// RFC 6890 lists the networks.
struct LocalAddressTests {
    @Test(arguments: [
        "http://localhost/a.png", "http://LOCALHOST.:80/", "https://pictures.localhost/", "http://printer.local/a",
        "http://127.0.0.1:9200/_shutdown", "http://127.1/", "http://2130706433/", "http://0x7f000001/",
        "http://0177.0.0.1/",
        "http://0.0.0.0:1/", "http://10.1.2.3/", "http://172.16.0.1/", "http://172.31.255.255/", "http://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data/", "http://100.64.0.1/", "http://224.0.0.1/", "http://[::1]:80/",
        "http://[::ffff:127.0.0.1]/", "http://[fe80::1]/", "http://[FD00::1]/", "http://user@127.0.0.1/",
        "http://example.org@127.0.0.1/", "http:///a.png",
    ])
    func isHere(address: String) { #expect(LocalAddress.isLocal(address)) }

    @Test(arguments: [
        "https://example.org/127.0.0.1", "https://127.0.0.1@example.org/", "http://8.8.8.8/", "http://172.15.0.1/",
        "http://172.32.0.1/", "http://100.128.0.1/", "http://192.169.0.1/", "https://localhost.example.org/",
        "https://10.example.org/", "https://[2001:db8::1]/", "https://example.org:127/?a=@127.0.0.1",
        "https://example.org#@127.0.0.1",
    ])
    func isElsewhere(address: String) { #expect(!LocalAddress.isLocal(address)) }
}
