#if os(Linux)
    import Foundation
    import FoundationNetworking

    /// The request that opens a web socket, and its answer. Source: RFC 6455, section 4.
    struct WebSocketHandshake {
        /// Names that the handshake decides itself, in lower case.
        private static let own: Set<String> = [
            "host", "upgrade", "connection", "sec-websocket-key", "sec-websocket-version", "content-length",
        ]

        /// The URL to connect to, with http for ws.
        let server: URL
        private let request: URLRequest
        private let key: String

        /// - Returns: nil for a URL that is not one of a web socket.
        init?(_ request: URLRequest, key: Data = Data((0..<16).map { _ in .random(in: .min ... .max) })) {
            guard let url = request.url, let host = url.host, !host.isEmpty,
                var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
            else { return nil }
            switch parts.scheme?.lowercased() {
            case "ws", "http": parts.scheme = "http"
            case "wss", "https": parts.scheme = "https"
            default: return nil
            }
            (parts.path, parts.query, parts.fragment) = ("/", nil, nil)
            (parts.user, parts.password) = (nil, nil)
            guard let server = parts.url else { return nil }
            self.server = server
            self.request = request
            self.key = key.base64EncodedString()
        }

        /// The bytes of the request.
        func request(_ configuration: URLSessionConfiguration) -> Data {
            let parts = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
            var path = parts?.percentEncodedPath ?? ""
            if path.isEmpty { path = "/" }
            if let query = parts?.percentEncodedQuery { path += "?" + query }
            var lines = ["GET \(path) HTTP/1.1"]
            let host = parts?.percentEncodedHost ?? ""
            lines.append("Host: \(host)\(parts?.port.map { ":\($0)" } ?? "")")
            lines += ["Upgrade: websocket", "Connection: Upgrade"]
            lines += ["Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13"]
            var fields: [String: String] = [:]
            if request.httpShouldHandleCookies, configuration.httpShouldSetCookies {
                let cookies = configuration.httpCookieStorage?.cookies(for: server) ?? []
                fields = HTTPCookie.requestHeaderFields(with: cookies)
            }
            for (name, value) in configuration.httpAdditionalHeaders ?? [:] { fields["\(name)"] = "\(value)" }
            for (name, value) in request.allHTTPHeaderFields ?? [:] { fields[name] = value }
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) where !Self.own.contains(name.lowercased()) {
                lines.append("\(name): \(value)")
            }
            // A line break in a value would begin another field.
            let text = lines.map { $0.filter { !$0.isNewline } }.joined(separator: "\r\n")
            return Data((text + "\r\n\r\n").utf8)
        }

        /// The answer, if its head is complete, and the bytes after it.
        func answer(_ bytes: Data) -> (response: HTTPURLResponse, rest: Data)? {
            guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
            let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            var fields: [String: String] = [:]
            for line in lines.dropFirst() {
                guard let colon = line.firstIndex(of: ":") else { continue }
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                fields[String(line[..<colon])] = value
            }
            let words = lines[0].split(separator: " ", maxSplits: 2)
            let status = words.count > 1 && words[0].hasPrefix("HTTP/1.") ? Int(words[1]) ?? 0 : 0
            let response = HTTPURLResponse(
                url: request.url ?? server, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
            return response.map { ($0, Data(bytes[end.upperBound...])) }
        }

        /// True if the server has opened the web socket for this request.
        func isAccepted(by response: HTTPURLResponse) -> Bool {
            response.statusCode == 101
                && response.value(forHTTPHeaderField: "Upgrade")?.lowercased() == "websocket"
                && response.value(forHTTPHeaderField: "Sec-WebSocket-Accept") == Self.proof(of: key)
        }

        /// The answer to a key.
        static func proof(of key: String) -> String {
            Data(sha1(Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))).base64EncodedString()
        }

        /// Only for handshakes: it protects nothing. Source: RFC 3174.
        private static func sha1(_ message: [UInt8]) -> [UInt8] {
            var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
            var padded = message + [0x80]
            padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
            padded += (0..<8).reversed().map { UInt8(truncatingIfNeeded: (message.count * 8) >> ($0 * 8)) }
            func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
            for block in stride(from: 0, to: padded.count, by: 64) {
                var words = (0..<16).map { word in
                    padded[(block + word * 4)..<(block + word * 4 + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                }
                for index in 16..<80 {
                    let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
                    words.append(rotated(mixed, 1))
                }
                var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
                for index in 0..<80 {
                    let (mixed, constant): (UInt32, UInt32) =
                        switch index / 20 {
                        case 0: (b & c | ~b & d, 0x5A82_7999)
                        case 1: (b ^ c ^ d, 0x6ED9_EBA1)
                        case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
                        default: (b ^ c ^ d, 0xCA62_C1D6)
                        }
                    let next = rotated(a, 5) &+ mixed &+ e &+ constant &+ words[index]
                    (e, d, c, b, a) = (d, c, rotated(b, 30), a, next)
                }
                for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
            }
            return state.flatMap { word in (0..<4).reversed().map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
        }
    }
#endif
