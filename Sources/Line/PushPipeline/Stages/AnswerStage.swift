import PayloadJSON
package import PushDecoding
import PushJSONRepair
import PushModel

/// Reads the answers that senders got: the member `answer` of an envelope, or what is at a place in the record's line.
///
/// Only a run that compares answers has this stage. It scans records again, so that no other run pays for it.
package struct AnswerStage: ChunkStage {
    package var name: String { "answers" }
    package var changesPayloads: Bool { false }
    private let location: RecordLocation?

    /// - Parameter location: where the answer is in each line; nil for the member of the envelope.
    package init(at location: RecordLocation?) { self.location = location }

    /// One worker's memory.
    private final class Scratch {
        var locator: RecordLocator?
        var scanner = JSONScanner()
        var tape = JSONTape()
        var arena = ScratchArena()
        init(_ location: RecordLocation?) { locator = location.map { RecordLocator($0) } }

        /// The answers in a part of a JSON text; nil if it is not JSON.
        func answers(
            in text: UnsafeRawBufferPointer, of part: (JSONView) -> JSONView? = { $0 }
        ) throws(SenderAnswerReader.Fault) -> SenderAnswerReader.Reading? {
            // SOUND: the tape is of the text, which the caller keeps alive.
            guard unsafe scanner.scan(text, into: &tape) == nil, let root = unsafe tape.root(of: text) else {
                return nil
            }
            return try part(root).map(SenderAnswerReader.answers) ?? .nothing
        }
    }

    package func process(_ chunk: inout RecordChunk, context: StageContext) {
        // SOUND: every index is that of a message, and a record's text lives as long as the chunk.
        guard !context.options.readsDevices else { return }
        let scratch = context.scratch { Scratch(location) }
        var end = 0
        while end < chunk.batch.messageCount {
            let first = end
            let record = unsafe chunk.batch.messages[first].record
            while end < chunk.batch.messageCount, unsafe chunk.batch.messages[end].record == record { end += 1 }
            if unsafe chunk.batch.messages[first].verdict.isEvent { continue }
            do throws(SenderAnswerReader.Fault) {
                let reading = try answers(of: record, in: chunk, context.options, scratch)
                for index in first..<end { note(reading, index, in: &chunk) }
            } catch {
                report(error, message: first, in: &chunk)
                for index in first..<end { chunk.lines.updateNote(of: index) { $0.answer = .unreadable } }
            }
        }
    }

    /// An answer to GCM has one for each target, and one of Expo's for each message and token. A target without one gets no other's.
    private func note(_ reading: SenderAnswerReader.Reading, _ index: Int, in chunk: inout RecordChunk) {
        let answers = reading.answers
        guard !answers.isEmpty else { return }
        // SOUND: the index is that of a message.
        let target = reading.list != nil ? unsafe chunk.batch.messages[index].target ?? 0 : 0
        guard target < answers.count else {
            let results = answers.count == 1 ? "1 result" : "\(answers.count) results"
            let message = "the answer has \(results), and none for target \(target)"
            report(SenderAnswerReader.Fault(pointer: reading.list ?? "", message: message), message: index, in: &chunk)
            chunk.lines.updateNote(of: index) { $0.answer = .unreadable }
            return
        }
        chunk.lines.updateNote(of: index) { $0.answer = .known(answers[target]) }
    }

    private func report(_ fault: SenderAnswerReader.Fault, message index: Int, in chunk: inout RecordChunk) {
        let pointer = (location.map { $0.pointer ?? "" } ?? "/answer") + fault.pointer
        let finding = Finding(rule: "record.answer", severity: .warning, pointer: pointer, message: fault.message)
        chunk.batch.report(finding, message: index)
    }

    private func answers(
        of record: Int, in chunk: borrowing RecordChunk, _ options: DecodingOptions, _ scratch: Scratch
    ) throws(SenderAnswerReader.Fault) -> SenderAnswerReader.Reading {
        // SOUND: the line lives as long as the chunk, and what is found in it as long as the arena, which is reset after its use.
        guard location != nil else { return try answersInEnvelope(record, chunk, options, scratch) }
        guard let line = unsafe chunk.line(ofRecord: record) else { return .nothing }
        defer { scratch.arena.reset() }
        switch unsafe scratch.locator?.locate(in: line, &scratch.arena) {
        case .found(let found) where !isWhole:
            return found.isFound ? try SenderAnswerReader.answers(in: found.text) : .nothing
        case .found(let found): return unsafe try scratch.answers(in: found.text.bytes) ?? .nothing
        case .whole where isWhole: return unsafe try scratch.answers(in: line) ?? .nothing
        case .whole, .nothing, nil: return .nothing
        }
    }

    /// True if the line itself is the answer.
    private var isWhole: Bool { location?.pointer == "" }

    /// Next to `aps` the name is the app's own, as `provider` is, and a request has no members but its own.
    private func answersInEnvelope(
        _ record: Int, _ chunk: borrowing RecordChunk, _ options: DecodingOptions, _ scratch: Scratch
    ) throws(SenderAnswerReader.Fault) -> SenderAnswerReader.Reading {
        // SOUND: the tape is of the text, which lives as long as the chunk.
        guard let text = unsafe chunk.bytes(ofRecord: record) else { return .nothing }
        if let answers = unsafe try scratch.answers(in: text, of: Self.member) { return answers }
        guard options.acceptsRelaxedJSON, let strict = unsafe RelaxedReading(text).text else { return .nothing }
        let arena = unsafe strict.withUnsafeBytes { unsafe scratch.arena.copy($0) }
        defer { scratch.arena.reset() }
        return unsafe try scratch.answers(in: arena.bytes, of: Self.member) ?? .nothing
    }

    private static func member(of root: JSONView) -> JSONView? {
        root["payload"] == nil || root["aps"] != nil ? nil : root["answer"]
    }
}

extension RecordChunk {
    /// The line of a record, or the object that it was found in; nil for one over the limit.
    fileprivate func line(ofRecord record: Int) -> UnsafeRawBufferPointer? {
        // SOUND: a frame's range is within the input, which the chunk owns.
        switch (lineFrames.isEmpty ? frames : lineFrames)[record] {
        case .record(let range): unsafe UnsafeRawBufferPointer(rebasing: input.bytes[range])
        case .copied(let text, _): unsafe text.bytes
        case .nothing, .tooLong: nil
        }
    }
}
