#if os(Linux)
    import Foundation
    import Glibc
    import Testing

    @testable import ServiceExtensionTesting

    @Suite struct StubListenerTests {
        @Test func `an error of accept is followed by the next attempt, until the listener is stopped`() throws {
            let listener = try StubListener()
            defer { listener.close() }
            var results = [-EMFILE, -EINTR, -ENFILE, -ECONNABORTED, -EPROTO, -ENOBUFS, 7]
            #expect(listener.accept { _ in results.removeFirst() } == 7)
            #expect(results.isEmpty)
            var attempts = 0
            let none = listener.accept { _ in
                attempts += 1
                if attempts == 3 { listener.stop() }
                return -EMFILE
            }
            #expect(none == nil && attempts == 3)
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

        /// In a process of its own, in which nobody else opens files.
        @Test func `stopping a listener that is closed leaves the next file with its number alone`() async {
            await #expect(processExitsWith: .success) {
                let listener = try StubListener()
                listener.close()
                var pair: [CInt] = [0, 0]
                // SOUND: the system writes two descriptors.
                try #require(unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair) == 0)
                try #require(pair.contains(listener.descriptor))
                listener.stop()
                #expect(write(pair[0], "x", 1) == 1 && write(pair[1], "y", 1) == 1)
            }
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

        func send(_ text: String) { #expect(write(descriptor, text, text.utf8.count) == text.utf8.count) }

        func readToEnd() -> String {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            // SOUND: the system writes one byte.
            while unsafe read(descriptor, &byte, 1) == 1 { bytes.append(byte) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
#endif
