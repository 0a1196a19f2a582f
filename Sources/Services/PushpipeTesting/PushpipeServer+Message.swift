public import Foundation
import PushModel
import PushServices

extension PushpipeServer {
    /// A request of a sender, and what became of it.
    public struct Message: Sendable, Equatable {
        /// A header of a request.
        public struct Header: Sendable, Equatable {
            /// In lower case.
            public let name: String
            /// As it was sent.
            public let value: String

            /// Creates a header.
            ///
            /// - Parameters:
            ///   - name: in lower case.
            ///   - value: as it was sent.
            public init(name: String, value: String) {
                self.name = name
                self.value = value
            }
        }

        /// Grows by 1 with each message of a server, from 1.
        public let id: UInt64
        /// Who answered, such as `apns`; `none` for a path that is nobody's.
        public let service: String
        /// The method of the request.
        public let method: String
        /// The path of the request, with its query.
        public let path: String
        /// The headers of the request, in the order in which they came.
        public let headers: [Header]
        /// The body of the request. Empty if it was larger than the service reads.
        public let body: [UInt8]
        /// The HTTP status of the answer.
        public let status: Int
        /// The report: a line for each target, and for each consequence, up to 64 KiB of JSON. Empty if the request became no record.
        public let report: [PushReport]

        /// Creates a message that no server received, for tests of functions that take one.
        ///
        ///     let push = PushpipeServer.Message(
        ///         headers: [.init(name: "apns-topic", value: "org.example.news")],
        ///         report: [try #require(PushReport(json: #"{"seq":1,"device":"ab12","outcome":"delivered"}"#))])
        public init(
            id: UInt64 = 1, service: String = "apns", method: String = "POST", path: String = "/3/device/ab12",
            headers: [Header] = [], body: [UInt8] = [], status: Int = 200, report: [PushReport] = []
        ) {
            self.id = id
            self.service = service
            self.method = method
            self.path = path
            self.headers = headers
            self.body = body
            self.status = status
            self.report = report
        }

        /// The body as text.
        public var text: String { String(decoding: body, as: UTF8.self) }

        /// The first value of a header; nil without one.
        ///
        /// - Parameter name: in lower case.
        public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

        /// The outcome of the message; nil if the request became no record. Of several targets, the first.
        public var outcome: Outcome? { report.first?.outcome }
        /// Why it was refused or not delivered, in the provider's word; nil if it was delivered.
        public var reason: String? { report.first?.reason }
        /// The token, registration id or topic.
        public var device: String? { report.first?.device }
        /// The bundle identifier or package name.
        public var app: String? { report.first?.app }

        /// The body as a value: the payload of a push to APNs, the whole request of one to FCM.
        ///
        ///     struct News: Decodable { var article: Int }
        ///     #expect(try push.decodedPayload(as: News.self).article == 7)
        ///
        /// - Parameters:
        ///   - type: the type to decode.
        ///   - decoder: how dates, data and keys are read.
        /// - Throws: `Failure` with the code `invalidPayload`, which names the place in the body.
        public func decodedPayload<Payload: Decodable>(
            as type: Payload.Type = Payload.self, using decoder: JSONDecoder = JSONDecoder()
        ) throws -> Payload {
            do { return try decoder.decode(type, from: Data(body)) } catch {
                let fault = body.isEmpty ? "its body is empty" : (error as? DecodingError)?.place ?? "\(error)"
                let excerpt = body.isEmpty ? "" : "; the body is \(text.prefix(300))\(text.count > 300 ? "…" : "")"
                throw Failure(
                    code: .invalidPayload,
                    description: "message \(id) cannot be decoded as \(type): \(fault)\(excerpt)")
            }
        }
    }

    /// A notification on a device's screen.
    public struct ShownNotification: Sendable, Equatable {
        /// The bundle identifier or package name.
        public let app: String
        /// The sender's identifier, or a generated one.
        public let identifier: String
        /// The title that is shown; nil for none.
        public let title: String?
        /// The subtitle that is shown; nil for none.
        public let subtitle: String?
        /// The text that is shown; nil for none.
        public let body: String?
        /// The thread that groups it; nil for none.
        public let thread: String?
        /// The payload, as JSON.
        public let payload: String

        /// Creates a notification that no device shows, for tests of functions that take one.
        public init(
            app: String, identifier: String, title: String? = nil, subtitle: String? = nil, body: String? = nil,
            thread: String? = nil, payload: String = "{}"
        ) {
            self.app = app
            self.identifier = identifier
            self.title = title
            self.subtitle = subtitle
            self.body = body
            self.thread = thread
            self.payload = payload
        }
    }
}

extension PushpipeServer.Message {
    init(_ message: LoggedMessage) {
        self.init(
            id: message.id, service: message.service, method: message.request.method, path: message.request.path,
            headers: message.request.headers.map { Header(name: $0.name, value: $0.value) },
            body: message.request.body, status: message.answer.status, report: PushReport.list(message.report))
    }
}

extension PushpipeServer.ShownNotification {
    init(_ notification: DeliveredNotification) {
        let content = notification.content
        self.init(
            app: notification.app, identifier: notification.identifier, title: content.title,
            subtitle: content.subtitle, body: content.body, thread: content.thread, payload: notification.payload)
    }
}

extension DecodingError {
    /// The problem, with the JSON Pointer of its place.
    fileprivate var place: String {
        func pointer(_ context: Context) -> String {
            context.codingPath.map { "/" + ($0.intValue.map(String.init) ?? $0.stringValue) }.joined()
        }
        switch self {
        case .keyNotFound(let key, let context):
            let parent = pointer(context)
            return "\(parent.isEmpty ? "the object" : parent) has no \"\(key.stringValue)\""
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            let place = pointer(context)
            return (place.isEmpty ? "" : "\(place): ") + context.debugDescription
        @unknown default: return "\(self)"
        }
    }
}
