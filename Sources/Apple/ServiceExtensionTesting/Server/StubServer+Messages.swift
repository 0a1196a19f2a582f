#if os(Linux)
    public import Foundation
    import FoundationNetworking
    public import ServiceExtension

    extension StubServer {
        /// A request that arrived.
        public struct Request: Sendable, CustomStringConvertible {
            /// Bytes of a request line and headers, and of a body.
            static let maximumHead = 64 * 1024  // 64 KiB
            static let maximumBody = 16 * 1024 * 1024  // 16 MiB

            /// In capitals, such as `GET`.
            public let method: String
            /// Without the query, and decoded, such as `/pictures/1`.
            public let path: String
            /// The query's items by name, decoded; of two with one name the last.
            public let query: [String: String]
            /// The header fields in the order in which they came, with names as they were sent.
            public let headers: [(name: String, value: String)]
            /// The body; empty without one.
            public internal(set) var body = Data()
            /// Bytes of the body.
            let length: Int

            /// Reads the head of a request of HTTP/1.1 (RFC 9112); nil if it is not one, or does not say how long its body is.
            ///
            /// - Parameter head: from the request line up to the empty line.
            init?(head: String) {
                var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
                let words = (lines.popFirst() ?? "").split(separator: " ", omittingEmptySubsequences: false)
                guard words.count == 3, words[1].hasPrefix("/"), words[2].hasPrefix("HTTP/1.") else { return nil }
                method = String(words[0])
                // The scheme and the host keep a path with two slashes from being a host.
                let parts = URLComponents(string: "http://host" + words[1])
                path = parts?.path ?? String(words[1])
                let items = (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
                query = Dictionary(items, uniquingKeysWith: { $1 })
                var headers: [(name: String, value: String)] = []
                for line in lines {
                    guard let colon = line.firstIndex(of: ":") else { return nil }
                    let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                    headers.append((String(line[..<colon]), value))
                }
                self.headers = headers
                func value(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }
                guard value("transfer-encoding") == nil, let length = Int(value("content-length") ?? "0"),
                    (0...Self.maximumBody).contains(length)
                else { return nil }
                self.length = length
            }

            /// The first header with this name, which is case-insensitive; nil without one.
            public func header(_ name: String) -> String? {
                headers.first { $0.name.lowercased() == name.lowercased() }?.value
            }

            /// The body as text.
            public var text: String { String(decoding: body, as: UTF8.self) }

            /// The body as the type that an app or its server decodes it to.
            ///
            /// - Throws: `DecodingError`.
            public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
                try JSONDecoder().decode(type, from: body)
            }

            /// Method and path, such as `GET /pictures/1`.
            public var description: String { "\(method) \(path)" }
        }

        /// The answer of a server.
        public struct Response: Sendable {
            enum Delivery: Sendable {
                case answer, never, disconnect
            }

            /// The HTTP status.
            public var status: Int
            /// Header fields; `Content-Length` and `Connection` are added.
            public var headers: [String: String] = [:]
            /// The body.
            public var body = Data()
            /// The size in `Content-Length`; nil for the body's size.
            var promisedSize: Int?
            var delivery = Delivery.answer
            var delay: (time: Duration, clock: any ExtensionClock)?

            /// A status without a body.
            public static func status(_ status: Int) -> Response { Response(status: status) }

            /// Bytes of a media type, such as `image/png`.
            public static func data(_ body: Data, type: String) -> Response {
                Response(status: 200, headers: ["Content-Type": type], body: body)
            }

            /// A text.
            public static func text(_ text: String) -> Response {
                data(Data(text.utf8), type: "text/plain; charset=utf-8")
            }

            /// A JSON text as it is.
            public static func json(_ text: String) -> Response { data(Data(text.utf8), type: "application/json") }

            /// A value as JSON.
            ///
            /// - Throws: the errors of its `encode(to:)`.
            public static func json(encoding value: some Encodable) throws -> Response {
                data(try JSONEncoder().encode(value), type: "application/json")
            }

            /// A file.
            ///
            /// - Throws: an error of Foundation if it cannot be read.
            public static func file(_ file: URL, type: String) throws -> Response {
                data(try Data(contentsOf: file), type: type)
            }

            /// A redirection to another address.
            public static func redirect(to url: URL, status: Int = 302) -> Response {
                Response(status: status, headers: ["Location": url.absoluteString])
            }

            /// No answer: the connection stays open until the server stops, so that the extension's time passes.
            public static var never: Response { Response(status: 0, delivery: .never) }

            /// No answer: the connection is closed.
            public static var disconnect: Response { Response(status: 0, delivery: .disconnect) }

            /// The same with a header field.
            public func header(_ name: String, _ value: String) -> Response {
                var copy = self
                copy.headers[name] = value
                return copy
            }

            /// The same with another status.
            public func status(_ status: Int) -> Response {
                var copy = self
                copy.status = status
                return copy
            }

            /// The same, cut off after some bytes of the body, although all were promised.
            public func cutOff(after bytes: Int) -> Response {
                var copy = self
                copy.promisedSize = body.count
                copy.body = body.prefix(max(bytes, 0))
                return copy
            }

            /// The same, but only when so much time has passed on the clock: with a `ManualExtensionClock`, when the test moves it. The time
            /// begins before the request is among `requests`, so a test that waits for the request can move the clock then.
            public func after(_ time: Duration, on clock: any ExtensionClock) -> Response {
                var copy = self
                copy.delay = (time, clock)
                return copy
            }

            /// The bytes of the answer.
            var bytes: Data {
                var text = "HTTP/1.1 \(status) \(HTTPURLResponse.localizedString(forStatusCode: status))\r\n"
                // A line break would begin another header.
                for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
                    text += (name + ": " + value).filter { !$0.isNewline } + "\r\n"
                }
                text += "Content-Length: \(promisedSize ?? body.count)\r\nConnection: close\r\n\r\n"
                return Data(text.utf8) + body
            }
        }
    }
#endif
