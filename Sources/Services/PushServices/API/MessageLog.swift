import DequeModule
import FoundationEssentials
import PushDecoding
import PushJSON
import PushModel
import PushSystem

/// A request as the gateway received it, what it answered, and what the report says of it.
package struct LoggedMessage: Sendable {
    /// Grows by 1 with each message, from 1.
    package var id: UInt64
    /// The time of its answer, in milliseconds since the epoch, by the machine's clock.
    package var at: Int64
    /// The name of the service that answered; `none` if the path was nobody's.
    package var service: String
    package var request: GatewayRequest
    /// The length of the request's body in bytes, also if the body is not kept.
    package var requestBytes: Int
    package var answer: GatewayAnswer
    /// The records that the request became, one per line; empty if it became none.
    package var records: [UInt8]
    /// The lines of the report in NDJSON, with those about consequences.
    package var report: [UInt8]
    /// True if there were more lines than are kept.
    package var isReportCut: Bool
    /// True if a client of the API has deleted it. Its place stays, so that ids have no gaps.
    package var isRemoved = false

    /// Its size in memory, in bytes.
    var memory: Int {
        512 + Self.memory(request.headers) + Self.memory(answer.headers) + request.path.utf8.count
            + request.body.count + answer.body.count + records.count + report.count
    }

    private static func memory(_ headers: [HeaderField]) -> Int {
        headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 }
    }
}

/// The newest messages, bounded in number and in bytes.
struct MessageLog {
    /// How many there are at most, at least 1.
    let maximumCount: Int
    /// How much they take at most, in bytes. The newest one is kept in any case.
    let maximumBytes: Int
    /// All that are kept, and those that were removed, oldest first. Their ids have no gaps.
    private(set) var all: Deque<LoggedMessage> = []
    private var bytes = 0
    private(set) var nextID: UInt64 = 1
    /// How many there are, without those that were removed.
    private(set) var count = 0

    init(maximumCount: Int = 10_000, maximumBytes: Int = 64 << 20) {
        self.maximumCount = max(maximumCount, 1)
        self.maximumBytes = maximumBytes
    }

    /// The id of the oldest one; that of the next one if there is none.
    var firstID: UInt64 { nextID - UInt64(all.count) }

    /// Adds a message, and gives it its id.
    mutating func append(_ message: consuming LoggedMessage) {
        message.id = nextID
        nextID += 1
        bytes += message.memory
        count += 1
        all.append(message)
        while all.count > maximumCount || (bytes > maximumBytes && all.count > 1) {
            let oldest = all.removeFirst()
            bytes -= oldest.memory
            if !oldest.isRemoved { count -= 1 }
        }
    }

    /// Messages with a greater id than one.
    func messages(after id: UInt64) -> Deque<LoggedMessage>.SubSequence { all[index(of: id < .max ? id + 1 : id)...] }

    /// Messages with a smaller id than one.
    func messages(before id: UInt64) -> Deque<LoggedMessage>.SubSequence { all[..<index(of: id)] }

    /// The place of the first message whose id is not less than one.
    private func index(of id: UInt64) -> Int { Int(min(max(id, firstID), nextID) - firstID) }

    /// The message with an id; nil if it is gone, or not there yet.
    subscript(_ id: UInt64) -> LoggedMessage? {
        guard id >= firstID, id < nextID else { return nil }
        let message = all[index(of: id)]
        return message.isRemoved ? nil : message
    }

    /// Forgets some of them. Returns how many.
    mutating func remove(where isUnwanted: (LoggedMessage) -> Bool) -> Int {
        let before = count
        for index in all.indices where !all[index].isRemoved && isUnwanted(all[index]) {
            bytes -= all[index].memory
            all[index].remove()
            bytes += all[index].memory
            count -= 1
        }
        return before - count
    }

    /// Forgets all of them. Ids go on.
    mutating func removeAll() {
        all = []
        bytes = 0
        count = 0
    }
}

extension LoggedMessage {
    fileprivate mutating func remove() {
        isRemoved = true
        request = GatewayRequest(method: "", path: "")
        answer = GatewayAnswer(status: 0)
        records = []
        report = []
    }
}

/// Which messages a client of the API wants.
struct MessageFilter: Equatable {
    /// `text` must occur in the request, the answer or the report, with ASCII letters in either case. One report line must have all others.
    static let names = ["outcome", "reason", "device", "app", "provider", "text"]
    static let outcomes = Outcome.allCases.map(\.name.description)
    private static let mostBytes = 256

    private var values: [String: String] = [:]

    /// Takes a parameter of a query.
    ///
    /// - Throws: `APIError` for a value that nothing has.
    mutating func take(_ name: String, _ value: String) throws(APIError) {
        if name == "outcome", !Self.outcomes.contains(value) {
            throw .badRequest("outcome is one of \(Self.outcomes.joined(separator: ", "))")
        }
        // A search may look at the whole log, and takes as long as both together.
        guard value.utf8.count <= Self.mostBytes else {
            throw .badRequest("\(name) has more than \(Self.mostBytes) bytes")
        }
        values[name] = name == "device" ? DeviceToken.canonical(value) : value
    }

    /// The filter as a part of a query, with `&` in front of each parameter.
    var query: String {
        Self.names.map { name in values[name].map { "&\(name)=\(PercentEncoding.encoded($0))" } ?? "" }.joined()
    }

    func matches(_ message: LoggedMessage) -> Bool {
        if message.isRemoved || values.isEmpty { return !message.isRemoved }
        if let text = values["text"], !message.contains(text) { return false }
        let wanted = values.filter { $0.key != "text" }
        return wanted.isEmpty || message.reportLines.contains { Self.has($0, wanted) }
    }

    private static func has(_ line: ArraySlice<UInt8>, _ wanted: [String: String]) -> Bool {
        Array(line).withJSON { root in
            func member(_ name: String) -> String? { root[pointer: "/\(name)"]?.string?.string }
            return wanted.allSatisfy { name, value in
                switch name {
                case "device": DeviceToken.canonical(member(name) ?? "") == value
                case "app": member("topic") == value || member(name) == value
                default: member(name) == value
                }
            }
        } ?? false
    }
}

extension LoggedMessage {
    /// The report's lines, without their ends.
    var reportLines: [ArraySlice<UInt8>] { report.split(separator: UInt8(ascii: "\n")) }

    /// True if a text occurs in the request, the answer or the report.
    func contains(_ text: String) -> Bool {
        let text = Array(text.utf8)
        return [Array(request.path.utf8), request.body, answer.body, report].contains {
            $0.contains(text) || $0.unescapedJSON?.contains(text) == true
        }
    }
}

extension [UInt8] {
    /// A JSON text with the characters that its escapes stand for; nil if it has no such escapes, or is not JSON.
    fileprivate var unescapedJSON: [UInt8]? {
        guard contains(UInt8(ascii: "\\")) else { return nil }
        return withJSON { root in
            let text = root.text
            // Outside strings, JSON has no backslash.
            return unsafe JSONString(start: text.start, count: text.count, hasEscapes: true).decodedBytes
        }
    }

    /// True if other bytes occur in these, ASCII letters in either case.
    fileprivate func contains(_ text: [UInt8]) -> Bool {
        guard let first = text.first?.inLowerCase, text.count <= count else { return text.isEmpty }
        return (0...(count - text.count)).contains { start in
            self[start].inLowerCase == first
                && (1..<text.count).allSatisfy { self[start + $0].inLowerCase == text[$0].inLowerCase }
        }
    }
}

extension UInt8 {
    fileprivate var inLowerCase: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension APIQuery {
    /// The most messages in a list, as many as a wait is for if that is more.
    var mostMessages: Int { max(limit ?? 100, wait == nil ? 1 : count) }

    /// The messages that it asks for, oldest first, and whether no older ones match; false also if that is not known.
    func page(of log: MessageLog) -> (messages: [LoggedMessage], isFirst: Bool) {
        var page: (messages: [LoggedMessage], isFirst: Bool) = ([], true)
        if let after {
            for message in log.messages(after: after) where message.id < before ?? .max && filter.matches(message) {
                guard page.messages.count < mostMessages else { break }
                page.messages.append(message)
            }
            page.isFirst = after < log.firstID
        } else {
            for message in log.messages(before: before ?? .max).reversed() where filter.matches(message) {
                guard page.messages.count < mostMessages else {
                    page.isFirst = false
                    break
                }
                page.messages.append(message)
            }
            page.messages.reverse()
        }
        return page
    }
}

/// The short text of a request, for lists of messages.
enum MessageTitle {
    /// The places of titles and texts, the best first: APNs, FCM v1, FCM's data, GCM, Airnotifier, SNS and Expo.
    private static let pointers = [
        "/aps/alert/title", "/aps/alert/body", "/aps/alert/title-loc-key", "/aps/alert/loc-key", "/aps/alert",
        "/message/notification/title", "/message/notification/body", "/message/webpush/notification/title",
        "/message/apns/payload/aps/alert/title", "/message/apns/payload/aps/alert", "/message/data/title",
        "/notification/title", "/notification/body", "/data/title", "/data/message", "/alert/title", "/alert/body",
        "/alert", "/title", "/message", "/body", "/0/title", "/0/body",
    ]
    /// The longest title in characters.
    static let mostCharacters = 120
    /// The longest title in bytes of UTF-8: a character can have any number of combining marks.
    static let mostBytes = 480

    /// - Returns: nil for a body that is not JSON, or has no such text.
    static func text(of body: [UInt8]) -> String? {
        body.withJSON { root in
            pointers.lazy.compactMap { root[pointer: $0]?.string?.string }.first { !$0.isEmpty }.map(shortened)
        } ?? nil
    }

    private static func shortened(_ text: String) -> String {
        guard text.utf8.count > mostBytes else { return String(text.prefix(mostCharacters)) }
        var bytes = 0
        let scalars = text.unicodeScalars.prefix { scalar in
            bytes += UTF8.width(scalar)
            return bytes <= mostBytes
        }
        let characters = Substring(scalars)
        // The cut may have been within the last character.
        return String((characters.count > 1 ? characters.dropLast() : characters).prefix(mostCharacters))
    }
}

/// Writes messages as JSON, in the form of `Documentation/reference/gateway-api.md`.
struct MessageJSON {
    /// True if only the report may be shown.
    let isRedacted: Bool

    /// A message as it is in lists and events, on one line: who answered, what, and the report.
    func summary(of message: LoggedMessage) -> JSONText { "{\(members(of: message))}" }

    private func members(of message: LoggedMessage) -> JSONText {
        let request = message.request
        let place: JSONText =
            isRedacted ? "" : #","path":\#(request.path)\#(member: "client", request.sender.address)"#
        let title = isRedacted ? nil : MessageTitle.text(of: request.body)
        return #"""
            "id":\#(message.id),"at":\#(RFC3339.text(message.at)),"service":\#(message.service),\#
            "method":\#(request.method)\#(place),"status":\#(message.answer.status)\#(member: "title", title),\#
            "report":\#(message.reportLines.map { JSONText($0) })\#
            \#(member: "report_cut", message.isReportCut ? true : nil)
            """#
    }

    /// Everything about a message.
    ///
    /// - Parameter trace: the output of `pushpipe trace` for its records; nil if it is not known.
    func whole(_ message: LoggedMessage, trace: String?) -> JSONText {
        let request = message.request
        let answer = message.answer
        guard !isRedacted else {
            return #"""
                {\#(members(of: message)),"request":{"method":\#(request.method),"bytes":\#(message.requestBytes)},\#
                "answer":{"status":\#(answer.status)}\#(member: "trace", trace)}
                """#
        }
        let records = message.records.split(separator: UInt8(ascii: "\n")).map { line -> JSONText in
            // A body that is not UTF-8 stands in its record as it came.
            Array(line).withJSON { _ in JSONText(line) } ?? #"{"base64":\#(Data(line).base64EncodedString())}"#
        }
        return #"""
            {\#(members(of: message)),"request":{"method":\#(request.method),"path":\#(request.path),\#
            "headers":\#(request.headers.map(json)),"bytes":\#(message.requestBytes)\#(body(request.body))},\#
            "answer":{"status":\#(answer.status),"headers":\#(answer.headers.map(json))\#(body(answer.body))},\#
            "records":\#(records)\#(member: "trace", trace)}
            """#
    }

    private func json(_ field: HeaderField) -> JSONText {
        Self.isSecret(field.name)
            ? #"{"name":\#(field.name),"hidden":true}"# : #"{"name":\#(field.name),"value":\#(field.value)}"#
    }

    private func body(_ bytes: [UInt8]) -> JSONText {
        if let text = String(validating: bytes, as: UTF8.self) { return #","body":\#(text)"# }
        return #","body_base64":\#(Data(bytes).base64EncodedString())"#
    }

    /// True if a header's value lets whoever knows it send or read.
    private static func isSecret(_ name: String) -> Bool {
        ["authorization", "cookie", "token", "secret", "password"].contains(where: name.contains)
            || name.hasSuffix("-key")
    }
}
