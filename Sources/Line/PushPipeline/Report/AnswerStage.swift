package import PushDecoding
import PushJSON
import PushJSONRepair
package import PushModel

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

    private final class Scratch {
        var locator: RecordLocator?
        var arena = ScratchArena()
        init(_ location: RecordLocation?) { locator = location.map { RecordLocator($0, trimsStrings: false) } }
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
            var reader = SenderAnswerReader()
            let answer = answer(of: record, in: chunk, context.options, scratch, &reader)
            if let fault = reader.fault {
                let pointer = (location.map { $0.pointer ?? "" } ?? "/answer") + fault.pointer
                chunk.batch.report(
                    Finding(rule: "record.answer", severity: .warning, pointer: pointer, message: fault.message),
                    message: first)
            } else if answer == nil {
                continue
            }
            let compared = answer.map { ComparedAnswer.known($0) } ?? .unreadable
            for index in first..<end { chunk.lines.updateNote(of: index) { $0.answer = compared } }
        }
    }

    private func answer(
        of record: Int, in chunk: borrowing RecordChunk, _ options: DecodingOptions, _ scratch: Scratch,
        _ reader: inout SenderAnswerReader
    ) -> SenderAnswer? {
        // SOUND: the line lives as long as the chunk, and what is found in it as long as the arena, which is reset after its use.
        guard let location else { return answerInEnvelope(record, chunk, options, &reader) }
        guard let line = chunk.line(ofRecord: record) else { return nil }
        defer { scratch.arena.reset() }
        switch unsafe scratch.locator?.locate(in: line.bytes, &scratch.arena) {
        case .found(let found) where location.pointer == "":
            return found.text.withJSON { reader.answer(in: $0) } ?? nil
        case .found(let found): return found.isFound ? reader.answer(inText: found.text) : nil
        case .whole where location.pointer == "": return line.withJSON { reader.answer(in: $0) } ?? nil
        case .whole, .nothing, nil: return nil
        }
    }

    private func answerInEnvelope(
        _ record: Int, _ chunk: borrowing RecordChunk, _ options: DecodingOptions, _ reader: inout SenderAnswerReader
    ) -> SenderAnswer? {
        // SOUND: the text lives as long as the chunk.
        guard let text = chunk.text(ofRecord: record) else { return nil }
        if let answer = text.withJSON({ Self.answer(inEnvelope: $0, &reader) }) { return answer }
        guard options.acceptsRelaxedJSON, let strict = unsafe RelaxedReading(text.bytes).text else { return nil }
        return strict.withJSON { Self.answer(inEnvelope: $0, &reader) } ?? nil
    }

    /// Next to `aps` the name is the app's own, as `provider` is, and a request has no members but its own.
    private static func answer(inEnvelope root: JSONView, _ reader: inout SenderAnswerReader) -> SenderAnswer? {
        guard root["payload"] != nil, root["aps"] == nil, let member = root["answer"] else { return nil }
        return reader.answer(in: member)
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
        guard case .rejected(let rejection) = message.verdict else { return difference }
        // Without FCM's own word, an answer of Google's has a general one, or the message of UNREGISTERED.
        let isMessage = rejection == .fcmUnregistered && reason == Rejection.notRegistered.reason
        return isMessage || FCMAnswer.googleStatus(of: rejection)?.description == reason ? nil : difference
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
