import PushDecoding
import PushDevices
package import PushJSON
public import PushModel

/// Writes reports in the format of `Documentation/reference/report.md`: one JSON object per line, keys in a fixed order.
package struct NDJSONReport {
    package init() {}

    package func append(_ report: borrowing RecordReport, to out: inout ByteBuffer) {
        // SOUND: the room is enough for the beginning of the line and a message.
        var line = unsafe out.cursor(room: room(for: report))
        unsafe line.append("{\"seq\":")
        unsafe line.append(report.seq)
        if let target = unsafe report.base.pointee.target {
            unsafe line.append(",\"target\":")
            unsafe line.append(UInt64(target))
        }
        guard let details = report.details else {
            unsafe appendMessage(report, to: &line)
            unsafe line.append("}\n")
            unsafe out.finish(line)
            return
        }
        if details.decodeFailure == nil, details.note == nil { unsafe appendMessage(report, to: &line) }
        unsafe out.finish(line)
        if let decodeFailure = details.decodeFailure {
            out.appendMember("outcome", "malformed")
            append(details.source, to: &out)
            appendFindings(details.findings, to: &out)
            append(report.differingAnswer, to: &out)
            append(decodeFailure, in: details.source, to: &out)
        } else if let note = details.note {
            append(note, report, to: &out)
        } else {
            appendRest(of: report, to: &out)
        }
        out.append("}\n")
    }

    private func append(_ note: ReportNote, _ report: borrowing RecordReport, to out: inout ByteBuffer) {
        out.appendMember("original", note.original)
        if let event = note.event {
            out.appendMember("event", event)
            appendEvent(report, to: &out)
            // The notification that an app has posted or removed.
            out.appendMember("identifier", note.identifier)
            out.appendMember("replaces", note.replaces)
        } else {
            appendMessage(report, to: &out)
        }
        if note.activities.count == 1 {
            out.appendMember("activity", note.activities[0])
        } else if !note.activities.isEmpty {
            out.appendMember("activities", note.activities.count)
        }
        // Only APNs reports since when.
        if let timestamp = note.timestamp, case .rejected(let rejection) = report.message.verdict,
            rejection.hasTimestamp
        {
            out.appendMember("timestamp", Int(timestamp))
        }
        append(note.stale, to: &out)
        out.appendMember("sent_to", note.sentTo)
        out.appendMember("expo", note.expoToken)
        if let recipients = note.recipients { out.appendMember("recipients", recipients) }
        out.appendMember("canonical", note.canonical)
        out.appendMember("quiet", report.quiet)
        if !note.steps.isEmpty { out.appendMember("steps", note.steps) }
        if let total = note.totalDeleted { out.appendMember("total_deleted", total) }
        appendRest(of: report, to: &out)
    }

    private func append(_ stale: [StaleNotification], to out: inout ByteBuffer) {
        guard !stale.isEmpty else { return }
        out.append(",\"stale\":[")
        for (position, notification) in stale.enumerated() {
            out.append(position > 0 ? ",{\"seq\":" : "{\"seq\":")
            out.append(notification.seq)
            out.appendMember("identifier", notification.identifier)
            out.appendMemberName("milliseconds")
            out.appendText(notification.milliseconds.map { String($0) } ?? "null")
            out.append("}")
        }
        out.append("]")
    }

    private func appendRest(of report: borrowing RecordReport, to out: inout ByteBuffer) {
        if let obstacle = report.extensionObstacle {
            out.appendMemberName("extension_not_started")
            out.appendJSONString(BorrowedText(obstacle.name))
        }
        append(report.source, to: &out)
        appendFindings(report.findings, to: &out)
        appendAnswer(report, to: &out)
        append(report.differingAnswer, to: &out)
    }

    private func append(_ answer: SenderAnswer?, to out: inout ByteBuffer) {
        guard let answer else { return }
        out.append(",\"sender_answer\":{")
        if let status = answer.status {
            out.append("\"status\":")
            out.append(UInt64(status))
        }
        if let reason = answer.reason {
            out.append(answer.status == nil ? "\"reason\":" : ",\"reason\":")
            out.appendJSONString(reason)
        }
        out.append("}")
    }

    private func appendEvent(_ report: borrowing RecordReport, to out: inout ByteBuffer) {
        if !report.message.device.isEmpty { out.appendMember("device", report.message.device) }
        if !report.message.topic.isEmpty { out.appendMember("app", report.message.topic) }
        out.appendMember("outcome", BorrowedText(report.outcome.name))
        if let reason = report.reasonText { out.appendMember("reason", reason) }
    }

    private func appendMessage(_ report: borrowing RecordReport, to out: inout ByteBuffer) {
        // SOUND: the room is enough for a message.
        var line = unsafe out.cursor(room: room(for: report))
        unsafe appendMessage(report, to: &line)
        unsafe out.finish(line)
    }

    /// Room for the beginning of a line, and for a message: its texts, at most seven numbers, and names.
    private func room(for report: borrowing RecordReport) -> Int {
        // SOUND: the report keeps its message alive.
        // Texts in memory are too short for their sum to overflow.
        let texts =
            unsafe report.base.pointee.device.count &+ report.base.pointee.topic.count
            &+ (report.base.pointee.headers.collapseID?.count ?? 0) &+ (report.base.pointee.content.tag?.count ?? 0)
        return unsafe 1024 &+ ByteCursor.room(forJSONString: texts)
    }

    @inline(__always)
    private func appendMessage(_ report: borrowing RecordReport, to line: inout ByteCursor) {
        // SOUND: the caller made as much room as `room(for:)` says, and the report keeps its message alive.
        // In place: a message is too large to copy.
        let message = unsafe report.base
        switch unsafe message.pointee.provider {
        case .apns: unsafe line.append(",\"provider\":\"apns")
        case .gcm: unsafe line.append(",\"provider\":\"gcm")
        case .fcm: unsafe line.append(",\"provider\":\"fcm")
        }
        if let gateway = unsafe message.pointee.gateway {
            unsafe line.append("\",\"via\":\"")
            unsafe line.append(gateway.name)
        }
        unsafe line.append("\",\"device\":")
        unsafe line.appendJSONString(message.pointee.device)
        if unsafe !message.pointee.topic.isEmpty {
            unsafe line.append(",\"topic\":")
            unsafe line.appendJSONString(message.pointee.topic)
        }
        switch report.outcome {
        case .delivered: unsafe line.append(",\"outcome\":\"delivered\"")
        case .replaced: unsafe line.append(",\"outcome\":\"replaced\"")
        case .silent: unsafe line.append(",\"outcome\":\"silent\"")
        case .rejected: unsafe line.append(",\"outcome\":\"rejected\"")
        default:
            unsafe line.append(",\"outcome\":\"")
            unsafe line.append(report.outcome.name)
            unsafe line.append("\"")
        }
        if case .accepted = unsafe message.pointee.verdict, report.details?.note == nil,
            report.outcome != .suppressed, report.outcome != .silent
        {
            unsafe line.append(",\"status\":200")
        } else {
            if let status = report.status {
                unsafe line.append(",\"status\":")
                unsafe line.append(UInt64(status))
            }
            if let reason = report.reasonText {
                unsafe line.append(",\"reason\":")
                unsafe line.appendJSONString(reason)
            }
        }
        unsafe line.append(",\"bytes\":")
        unsafe line.append(UInt64(message.pointee.byteCount))
        if unsafe message.pointee.byteLimit == 4096 {
            // That of nearly all messages.
            unsafe line.append(",\"limit\":4096")
        } else {
            unsafe line.append(",\"limit\":")
            unsafe line.append(UInt64(message.pointee.byteLimit))
        }
        if let serviceExtension = unsafe message.pointee.serviceExtension {
            unsafe line.append(",\"extension\":\"")
            unsafe line.append(serviceExtension.name)
            unsafe line.append("\"")
        }
        if report.isShown {
            unsafe line.append(",\"identifier\":")
            if unsafe message.pointee.platform == .ios, let identifier = unsafe message.pointee.headers.collapseID {
                unsafe line.appendJSONString(identifier)
            } else {
                report.withIdentifier { unsafe line.appendJSONString($0) }
                if unsafe message.pointee.platform == .web { return unsafe appendEndForBrowser(report, to: &line) }
            }
        }
        unsafe appendReplaces(report, to: &line)
    }

    @inline(__always)
    private func appendReplaces(_ report: borrowing RecordReport, to line: inout ByteCursor) {
        // SOUND: the caller made as much room as `room(for:)` says.
        guard let replaces = report.replaces else { return }
        unsafe line.append(",\"replaces\":")
        unsafe line.append(replaces)
    }

    /// A note has `quiet` after keys of its own.
    private func appendEndForBrowser(_ report: borrowing RecordReport, to line: inout ByteCursor) {
        // SOUND: the caller made as much room as `room(for:)` says.
        unsafe appendReplaces(report, to: &line)
        guard report.details?.note == nil, let quiet = report.quietInBrowser else { return }
        unsafe line.append(",\"quiet\":\"")
        unsafe line.append(quiet)
        unsafe line.append("\"")
    }

    private func append(_ source: RecordSource?, to out: inout ByteBuffer) {
        guard let source else { return }
        out.append(",\"source\":{\"file\":")
        out.appendJSONString(source.file)
        out.appendMember("record", source.record)
        out.appendMember("line", source.position.line)
        out.appendMember("column", source.position.column)
        out.appendMember("offset", source.offset)
        out.append("}")
    }

    private func appendFindings(_ findings: ArraySlice<Finding>, to out: inout ByteBuffer) {
        guard !findings.isEmpty else { return }
        out.append(",\"findings\":[")
        for (position, finding) in findings.enumerated() {
            out.append(position > 0 ? ",{\"rule\":" : "{\"rule\":")
            out.appendJSONString(finding.rule)
            out.appendMember("severity", finding.severity.rawValue)
            out.appendMember("pointer", finding.pointer)
            out.appendMember("message", finding.message)
            out.append("}")
        }
        out.append("]")
    }

    private func appendAnswer(_ report: borrowing RecordReport, to out: inout ByteBuffer) {
        guard case .rejected(.invalidArgument) = report.message.verdict else { return }
        let answer = FCMAnswer(.invalidArgument, report.findings)
        guard answer.saysWhy else { return }
        out.appendMemberName("answer")
        answer.append(to: &out)
    }

    private func append(_ decodeFailure: DecodeFailure, in source: RecordSource?, to out: inout ByteBuffer) {
        out.append(",\"error\":{\"rule\":")
        out.appendJSONString(decodeFailure.rule)
        out.appendMember("cause", decodeFailure.cause)
        if decodeFailure.isFixable { out.appendMember("fixable", true) }
        out.appendMember("message", decodeFailure.message)
        out.appendMember("offset", decodeFailure.offset)
        out.appendMember("line", decodeFailure.position.line)
        out.appendMember("column", decodeFailure.position.column)
        if let source {
            let position = source.position(of: decodeFailure.position)
            out.append(",\"at\":{\"line\":")
            out.append(UInt64(position.line))
            out.appendMember("column", position.column)
            out.append("}")
        }
        out.append("}")
    }
}

extension ByteBuffer {
    /// Appends `,"name":number`, or nothing for nil.
    fileprivate mutating func appendMember(_ name: StaticString, _ number: UInt64?) {
        guard let number else { return }
        appendMemberName(name)
        append(number)
    }

    /// Appends `,"name":"text"`.
    fileprivate mutating func appendMember(_ name: StaticString, _ text: BorrowedText) {
        appendMemberName(name)
        appendJSONString(text)
    }
}

extension PushReport {
    /// The values of a line that is lent, to keep.
    public init(_ report: borrowing RecordReport) {
        var line = ByteBuffer()
        NDJSONReport().append(report, to: &line)
        var values: PushReport?
        line.withText { values = $0.withJSON { PushReport($0) } ?? nil }
        guard let values else {
            // Cannot happen: `NDJSONReport` writes one object with an outcome, whatever the record contains.
            preconditionFailure("a line of the report is an object with an outcome")
        }
        self = values
    }
}
