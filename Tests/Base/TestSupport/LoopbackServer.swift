package import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An HTTP server for one request on the loopback interface. With no body it never answers.
package final class LoopbackServer: Sendable {
    package let port: UInt16

    struct Failure: Error {}

    private let isReleased = DispatchSemaphore(value: 0)

    /// Lets a server answer that holds its response.
    package func release() { isReleased.signal() }

    /// - Parameter isHolding: whether it answers only after `release`.
    /// - Parameter statesLength: whether the answer has its length; without it ends with the connection.
    /// - Parameter redirect: the address that it redirects to.
    package init(
        body: Data?, isHolding: Bool = false, contentType: String? = nil, statesLength: Bool = true,
        redirect: String? = nil
    ) throws {
        #if canImport(Darwin)
            let listener = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(listener, raw, size) | listen(listener, 1) | getsockname(listener, raw, &size)
            }
        }
        guard code == 0 else { throw Failure() }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [isReleased] in
            let connection = accept(listener, nil, nil)
            close(listener)
            guard connection >= 0 else { return }
            var request = [UInt8](repeating: 0, count: 4096)
            _ = read(connection, &request, request.count)
            guard let body else { return }  // The connection stays open without a response.
            if isHolding { isReleased.wait() }
            let type = contentType.map { "Content-Type: \($0)\r\n" } ?? ""
            let length = statesLength ? "Content-Length: \(body.count)\r\n" : ""
            let status = redirect.map { "302 Found\r\nLocation: \($0)" } ?? "200 OK"
            let head = "HTTP/1.1 \(status)\r\n\(type)\(length)Connection: close\r\n\r\n"
            let answer = Array(head.utf8) + Array(body)
            // Whoever asked may be gone before the end.
            #if canImport(Darwin)
                _ = write(connection, answer, answer.count)
            #else
                _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
            #endif
            close(connection)
        }
    }
}
