#if os(Linux)
    import CWebSockets
    import Foundation
    import FoundationNetworking

    /// A connection to a server, with TLS for https. One thread reads, and one queue writes.
    final class WebConnection: @unchecked Sendable {
        // libcurl's codes, from <curl/curl.h>.
        private static let failures: [CInt: URLError.Code] = [
            3: .badURL, 4: .unsupportedURL, 5: .cannotFindHost, 6: .cannotFindHost, 7: .cannotConnectToHost,
            28: .timedOut, 35: .secureConnectionFailed, 60: .serverCertificateUntrusted,
            77: .secureConnectionFailed,
        ]

        private let connection: OpaquePointer

        /// - Parameter timeout: seconds.
        /// - Throws: `URLError`.
        init(_ server: URL, timeout: Double) throws {
            var code: CInt = 0
            let limit = Int(min(max(timeout, 0.001), 86_400) * 1000)
            guard let connection = web_connection_open(server.absoluteString, limit, &code) else {
                throw URLError(Self.failures[code] ?? .networkConnectionLost)
            }
            self.connection = connection
        }

        deinit { web_connection_close(connection) }

        /// Waits for bytes. Returns none at the end, or after an error.
        ///
        /// - Parameter timeout: seconds; nil waits for ever.
        /// - Throws: `URLError` with `timedOut`.
        func read(timeout: Double?) throws -> Data {
            var bytes = [UInt8](repeating: 0, count: 16 * 1024)
            let limit = timeout.map { CInt(min(max($0, 0.001), 86_400) * 1000) } ?? -1
            let size = web_connection_read(connection, &bytes, bytes.count, limit)
            if size == -2 { throw URLError(.timedOut) }
            return Data(bytes.prefix(max(0, size)))
        }

        /// Returns whether it could.
        func write(_ data: Data) -> Bool {
            data.withUnsafeBytes { bytes in
                bytes.isEmpty || web_connection_write(connection, bytes.baseAddress, bytes.count)
            }
        }

        /// Ends reads and writes in other threads.
        func abort() { web_connection_abort(connection) }
    }
#endif
