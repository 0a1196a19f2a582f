import DeviceScreens
import PushModel
import PushServices

/// A request of a sender, and what became of it.
public struct Message: Sendable, Equatable {
    /// A header of the request.
    public struct Header: Sendable, Equatable {
        /// In lower case.
        public let name: String
        /// As it was sent.
        public let value: String
    }

    /// Grows by 1 with each message of a server.
    public let id: UInt64
    /// Who answered, such as `apns`; `none` for a path that is nobody's.
    public let service: String
    /// The method of the request.
    public let method: String
    /// The path of the request, with its query.
    public let path: String
    /// The headers of the request, in the order in which they came.
    public let headers: [Header]
    /// The body of the request.
    public let body: [UInt8]
    /// The HTTP status of the answer.
    public let status: Int
    /// The report: a line for each target, and for each consequence. Empty if the request became no record.
    public let report: [ReportLine]

    init(_ message: LoggedMessage) {
        id = message.id
        service = message.service
        status = message.answer.status
        method = message.request.method
        path = message.request.path
        body = message.request.body
        headers = message.request.headers.map { Header(name: $0.name, value: $0.value) }
        report = message.outcomes.map(ReportLine.init)
    }

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The first value of a header, whose name is in lower case; nil without one.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The outcome of the message, such as `delivered` or `rejected`; nil if the request became no record. Of several targets, the first.
    public var outcome: String? { report.first?.outcome }
    /// Why it was refused or not delivered, in the provider's word; nil if it was.
    public var reason: String? { report.first?.reason }
    /// The token, registration id or topic.
    public var device: String? { report.first?.device }
    /// The bundle identifier or package name.
    public var app: String? { report.first?.app }
}

/// A line of the report. `Documentation/reference/report.md` lists outcomes and reasons.
public struct ReportLine: Sendable, Equatable {
    /// Such as `delivered`, `replaced` or `rejected`.
    public let outcome: String
    /// Why a message was refused or not delivered; nil if it was.
    public let reason: String?
    /// `apns`, `gcm` or `fcm`; nil for events.
    public let provider: String?
    /// The token, registration id or topic.
    public let device: String?
    /// The bundle identifier or package name.
    public let app: String?
    /// Of the notification that is shown; nil if none is.
    public let identifier: String?
    /// The line as JSON.
    public let json: String

    init(_ line: ReportedOutcome) {
        outcome = line.outcome
        reason = line.reason
        provider = line.provider
        device = line.device
        app = line.app
        identifier = line.identifier
        json = line.json
    }
}

/// A notification on a device's screen.
public struct ShownNotification: Sendable, Equatable {
    /// The bundle identifier or package name.
    public let app: String
    /// The sender's identifier, or a generated one.
    public let identifier: String
    /// The texts that are shown; nil for those that are not.
    public let title: String?
    /// See `title`.
    public let subtitle: String?
    /// See `title`.
    public let body: String?
    /// The thread that groups it; nil for none.
    public let thread: String?
    /// The payload, as JSON.
    public let payload: String

    init(_ notification: DeliveredNotification) {
        app = notification.app
        identifier = notification.identifier
        payload = notification.payload
        let content = notification.content
        title = content.title
        subtitle = content.subtitle
        body = content.body
        thread = content.thread
    }
}
