package import PayloadJSON
package import PushDecoding
import PushDevices
import PushJSONRepair
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

/// Reads the answers that senders got: the member `answer` of an envelope, or what is at a place in the record's line.
///
/// Only a run that compares answers has this stage. It scans records again, so that no other run pays for it.
package struct AnswerStage: ChunkStage {
    package var name: String { "answers" }
    package var changesPayloads: Bool { false }
    private let location: RecordLocation?

    /// - Parameter location: where the answer is in each line; nil for the member of the envelope.
    package init(at location: RecordLocation? = nil) { self.location = location }

    /// The place of answers, for messages: `answer at /response`.
    package var place: String { location.map { "answer at \($0.pointer ?? "")" } ?? "answer" }

    /// One worker's memory.
    private final class Scratch {
        var locator: RecordLocator?
        var arena = ScratchArena()
        init(_ location: RecordLocation?) { locator = location.map { RecordLocator($0) } }
    }

    package func process(_ chunk: inout RecordChunk, context: StageContext) {
        // SOUND: every index is that of a message.
        guard !context.options.readsDevices else { return }
        let scratch = context.scratch { Scratch(location) }
        var end = 0
        while end < chunk.batch.messageCount {
            let first = end
            let record = unsafe chunk.batch.messages[first].record
            while end < chunk.batch.messageCount, unsafe chunk.batch.messages[end].record == record { end += 1 }
            if unsafe chunk.batch.messages[first].verdict.isEvent { continue }
            var compared = ComparedAnswer.unreadable
            do throws(SenderAnswerReader.Fault) {
                guard let answer = try answer(of: record, in: chunk, context.options, scratch) else { continue }
                compared = .known(answer)
            } catch {
                let pointer = (location.map { $0.pointer ?? "" } ?? "/answer") + error.pointer
                chunk.batch.report(
                    Finding(rule: "record.answer", severity: .warning, pointer: pointer, message: error.message),
                    message: first)
            }
            for index in first..<end { chunk.lines.updateNote(of: index) { $0.answer = compared } }
        }
    }

    private func answer(
        of record: Int, in chunk: borrowing RecordChunk, _ options: DecodingOptions, _ scratch: Scratch
    ) throws(SenderAnswerReader.Fault) -> SenderAnswer? {
        // SOUND: the line lives as long as the chunk, and what is found in it as long as the arena, which is reset after its use.
        guard let location else { return try answerInEnvelope(record, chunk, options) }
        guard let line = chunk.line(ofRecord: record) else { return nil }
        defer { scratch.arena.reset() }
        switch unsafe scratch.locator?.locate(in: line.bytes, &scratch.arena) {
        case .found(let found) where location.pointer == "": return try found.text.withJSON(Self.answer)?.get() ?? nil
        case .found(let found): return found.isFound ? try SenderAnswerReader.answer(inText: found.text) : nil
        case .whole where location.pointer == "": return try line.withJSON(Self.answer)?.get() ?? nil
        case .whole, .nothing, nil: return nil
        }
    }

    private func answerInEnvelope(
        _ record: Int, _ chunk: borrowing RecordChunk, _ options: DecodingOptions
    ) throws(SenderAnswerReader.Fault) -> SenderAnswer? {
        // SOUND: the text lives as long as the chunk.
        guard let text = chunk.text(ofRecord: record) else { return nil }
        if let answer = text.withJSON(Self.inEnvelope) { return try answer.get() }
        guard options.acceptsRelaxedJSON, let strict = unsafe RelaxedReading(text.bytes).text else { return nil }
        return try strict.withJSON(Self.inEnvelope)?.get() ?? nil
    }

    private typealias Answer = Result<SenderAnswer?, SenderAnswerReader.Fault>

    private static func answer(_ view: JSONView) -> Answer {
        Result { () throws(SenderAnswerReader.Fault) in try SenderAnswerReader.answer(in: view) }
    }

    /// Next to `aps` the name is the app's own, as `provider` is, and a request has no members but its own.
    private static func inEnvelope(_ root: JSONView) -> Answer {
        guard root["payload"] != nil, root["aps"] == nil, let member = root["answer"] else { return .success(nil) }
        return answer(member)
    }
}

extension RecordChunk {
    /// The line of a record, or the object that it was found in; nil for one over the limit.
    fileprivate func line(ofRecord record: Int) -> BorrowedText? {
        // SOUND: a frame's range is within the input, which the chunk owns.
        switch (lineFrames.isEmpty ? frames : lineFrames)[record] {
        case .record(let range):
            return unsafe UnsafeRawBufferPointer(rebasing: input.bytes[range]).baseAddress.map {
                unsafe BorrowedText(start: $0.assumingMemoryBound(to: UInt8.self), count: range.count)
            }
        case .copied(let text, _): return text
        case .nothing, .tooLong: return nil
        }
    }
}

/// The answer that a sender got, as its record has it.
package enum ComparedAnswer: Sendable {
    case known(SenderAnswer)
    /// It cannot be read, which a finding says.
    case unreadable

    /// The difference from the answer here; nil if there is none, or nothing to compare.
    func difference(from message: DecodedMessage) -> AnswerDifference? {
        guard case .known(let theirs) = self, let ours = SenderAnswer(of: message) else { return nil }
        let difference = AnswerDifference(ours: ours, theirs: theirs)
        // Airnotifier accepts a push with 202.
        let areSuccesses = 200...299 ~= theirs.status ?? 0 && ours.status == 200
        if theirs.status ?? ours.status != ours.status, !areSuccesses { return difference }
        guard let reason = theirs.reason, reason != ours.reason, ours != .malformed else { return nil }
        // Without FCM's own word, an answer of Google's has a general one.
        guard case .rejected(let rejection) = message.verdict,
            FCMAnswer.googleStatus(of: rejection)?.description == reason
        else { return difference }
        return nil
    }
}

/// An answer that a sender got, and another one here.
package struct AnswerDifference: Sendable, Hashable {
    package var ours: SenderAnswer
    package var theirs: SenderAnswer
}

extension SenderAnswer {
    /// The answer to a record that contains no message. The services document no reason.
    fileprivate static let malformed = SenderAnswer(status: 400, reason: "(malformed)")

    /// The answer that the emulated service gives; nil for what no service answers: an event, and what a stage of a program's own refuses.
    fileprivate init?(of message: DecodedMessage) {
        switch message.verdict {
        case .rejected(let rejection):
            let word = message.gateway == .expo ? rejection.wordOfExpo(isTooBig: message.isTooBig) : nil
            self.init(status: word == nil ? rejection.row.status : 200, reason: word ?? rejection.reason)
        case .malformed: self = .malformed
        case .event, .refused: return nil
        case .accepted, .fannedOut, .suppressed, .withheld, .held, .expired, .discarded: self.init(status: 200)
        }
    }
}

/// Counts of the answers that a run has compared.
package struct AnswerCounts: Sendable, Equatable {
    /// A difference between two answers, of one service.
    package struct Kind: Sendable, Hashable {
        /// Nil for a malformed record.
        package var provider: Provider?
        package var difference: AnswerDifference
    }

    /// Messages whose sender's answer is known.
    package private(set) var compared: UInt64 = 0
    /// Messages with an answer that cannot be read.
    package private(set) var unreadable: UInt64 = 0
    /// Messages by difference.
    package private(set) var differences: [Kind: UInt64] = [:]

    /// The most kinds of differences that are told apart: input may have any words.
    private static let mostKinds = 100

    package init() {}

    /// Messages whose sender got another answer.
    package var different: UInt64 { differences.values.reduce(0, &+) }

    mutating func add(_ answer: ComparedAnswer, _ report: borrowing RecordReport) {
        guard case .known = answer else {
            unreadable &+= 1
            return
        }
        compared &+= 1
        guard let difference = answer.difference(from: report.message) else { return }
        add(1, Kind(provider: difference.ours == .malformed ? nil : report.provider, difference: difference))
    }

    mutating func add(_ part: AnswerCounts) {
        compared &+= part.compared
        unreadable &+= part.unreadable
        for (kind, count) in part.differences { add(count, kind) }
    }

    private mutating func add(_ count: UInt64, _ kind: Kind) {
        var kind = kind
        if differences.count >= Self.mostKinds, differences[kind] == nil {
            kind.difference.theirs.reason = "(other)"
        }
        differences[kind, default: 0] &+= count
    }
}
