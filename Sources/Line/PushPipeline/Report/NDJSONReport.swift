import DeviceScreens
package import PayloadJSON
public import PushModel

/// Writes reports in the format of `Documentation/reference/report.md`: one JSON object per line, keys in a fixed order.
package struct NDJSONReport {
    package init() {}

    /// Appends one line.
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
            out.append(",\"outcome\":\"malformed\"")
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

    /// The same for a line with rare details.
    private func append(_ note: ReportNote, _ report: borrowing RecordReport, to out: inout ByteBuffer) {
        if let original = note.original {
            out.append(",\"original\":")
            out.append(original)
        }
        if let event = note.event {
            out.append(",\"event\":")
            out.appendJSONString(event)
            appendEvent(report, to: &out)
            append(note.identifier, replacing: note.replaces, to: &out)
        } else {
            appendMessage(report, to: &out)
        }
        if note.activities.count == 1, let activity = note.activities.first {
            out.append(",\"activity\":")
            out.appendJSONString(activity)
        } else if !note.activities.isEmpty {
            out.append(",\"activities\":")
            out.append(UInt64(note.activities.count))
        }
        // Only APNs reports since when.
        if let timestamp = note.timestamp, case .rejected(let rejection) = report.message.verdict,
            rejection.hasTimestamp
        {
            out.append(",\"timestamp\":")
            out.appendText(String(timestamp))
        }
        append(note.stale, to: &out)
        if let sentTo = note.sentTo {
            out.append(",\"sent_to\":")
            out.appendJSONString(sentTo)
        }
        if let token = note.expoToken {
            out.append(",\"expo\":")
            out.appendJSONString(token)
        }
        if let recipients = note.recipients {
            out.append(",\"recipients\":")
            out.append(UInt64(recipients))
        }
        if let canonical = note.canonical {
            out.append(",\"canonical\":")
            out.appendJSONString(canonical)
        }
        if let quiet = report.quiet {
            out.append(",\"quiet\":")
            out.appendJSONString(quiet)
        }
        if !note.steps.isEmpty {
            out.append(",\"steps\":[")
            for (position, step) in note.steps.enumerated() {
                if position > 0 { out.append(",") }
                out.appendJSONString(step)
            }
            out.append("]")
        }
        if let total = note.totalDeleted {
            out.append(",\"total_deleted\":")
            out.append(UInt64(total))
        }
        appendRest(of: report, to: &out)
    }

    private func append(_ stale: [StaleNotification], to out: inout ByteBuffer) {
        guard !stale.isEmpty else { return }
        out.append(",\"stale\":[")
        for (position, notification) in stale.enumerated() {
            out.append(position > 0 ? ",{\"seq\":" : "{\"seq\":")
            out.append(notification.seq)
            out.append(",\"identifier\":")
            out.appendJSONString(notification.identifier)
            out.append(",\"milliseconds\":")
            out.appendText(notification.milliseconds.map { String($0) } ?? "null")
            out.append("}")
        }
        out.append("]")
    }

    /// The end of a line.
    private func appendRest(of report: borrowing RecordReport, to out: inout ByteBuffer) {
        if let obstacle = report.extensionObstacle {
            out.append(",\"extension_not_started\":")
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

    /// The notification that an app has posted or removed.
    private func append(_ identifier: String?, replacing seq: UInt64?, to out: inout ByteBuffer) {
        if let identifier {
            out.append(",\"identifier\":")
            out.appendJSONString(identifier)
        }
        if let seq {
            out.append(",\"replaces\":")
            out.append(seq)
        }
    }

    private func appendEvent(_ report: borrowing RecordReport, to out: inout ByteBuffer) {
        if !report.message.device.isEmpty {
            out.append(",\"device\":")
            out.appendJSONString(report.message.device)
        }
        if !report.message.topic.isEmpty {
            out.append(",\"app\":")
            out.appendJSONString(report.message.topic)
        }
        out.append(",\"outcome\":\"")
        out.append(report.outcome.name)
        out.append("\"")
        if let reason = report.reasonText {
            out.append(",\"reason\":")
            out.appendJSONString(reason)
        }
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
        out.append(",\"record\":")
        out.append(source.record)
        out.append(",\"line\":")
        out.append(UInt64(source.position.line))
        out.append(",\"column\":")
        out.append(UInt64(source.position.column))
        out.append(",\"offset\":")
        out.append(source.offset)
        out.append("}")
    }

    private func appendFindings(_ findings: ArraySlice<Finding>, to out: inout ByteBuffer) {
        guard !findings.isEmpty else { return }
        out.append(",\"findings\":[")
        for (position, finding) in findings.enumerated() {
            if position > 0 { out.append(",") }
            out.append("{\"rule\":")
            out.appendJSONString(finding.rule)
            out.append(",\"severity\":\"")
            out.appendText(finding.severity.rawValue)
            out.append("\",\"pointer\":")
            out.appendJSONString(finding.pointer)
            out.append(",\"message\":")
            out.appendJSONString(finding.message)
            out.append("}")
        }
        out.append("]")
    }

    private func appendAnswer(_ report: borrowing RecordReport, to out: inout ByteBuffer) {
        guard case .rejected(.invalidArgument) = report.message.verdict else { return }
        let answer = FCMAnswer(.invalidArgument, report.findings)
        guard answer.saysWhy else { return }
        out.append(",\"answer\":")
        answer.append(to: &out)
    }

    private func append(_ decodeFailure: DecodeFailure, in source: RecordSource?, to out: inout ByteBuffer) {
        out.append(",\"error\":{\"rule\":")
        out.appendJSONString(decodeFailure.rule)
        if let cause = decodeFailure.cause {
            out.append(",\"cause\":")
            out.appendJSONString(cause)
        }
        if decodeFailure.isFixable { out.append(",\"fixable\":true") }
        out.append(",\"message\":")
        out.appendJSONString(decodeFailure.message)
        out.append(",\"offset\":")
        out.append(UInt64(decodeFailure.offset))
        out.append(",\"line\":")
        out.append(UInt64(decodeFailure.position.line))
        out.append(",\"column\":")
        out.append(UInt64(decodeFailure.position.column))
        if let source {
            let position = source.position(of: decodeFailure.position)
            out.append(",\"at\":{\"line\":")
            out.append(UInt64(position.line))
            out.append(",\"column\":")
            out.append(UInt64(position.column))
            out.append("}")
        }
        out.append("}")
    }
}

extension PushReport {
    /// The values of a line that is lent, to keep.
    public init(_ report: borrowing RecordReport) {
        var line = ByteBuffer()
        NDJSONReport().append(report, to: &line)
        var values: PushReport?
        line.withText { values = $0.withJSON { PushReport($0) } ?? nil }
        // Cannot happen: `NDJSONReport` writes one object with an outcome, whatever the record contains.
        guard let values else { preconditionFailure("a line of the report is an object with an outcome") }
        self = values
    }
}
