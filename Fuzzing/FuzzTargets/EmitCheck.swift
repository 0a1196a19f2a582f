import PushDecoding
import PushFraming
import PushModel
import PushPipeline

/// Records that are written again are read as before: as many, none malformed as a whole, and with a message that is accepted.
enum EmitCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        var pipelines: [Int: (first: FedPipeline, second: FedPipeline)] = [:]
        return { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            let choice = Int(input.options.0 & 0x7F)
            let pair = pipelines[choice] ?? makePipelines(choice)
            pipelines[choice] = pair
            let before = pair.first.emittedCount
            // A registered device decides how later messages are read.
            guard let first = lines(pair.first, input.text), !first.contains(where: \.isEvent) else { return nil }
            let written = pair.first.emittedCount - before
            let emitted = pair.first.emitted
            guard let second = emitted.withUnsafeBytes({ lines(pair.second, $0) }) else { return "not read again" }
            // A record may have a text per platform, of which one is enough.
            let wellFormed = Set(second.filter { !$0.isMalformed }.map(\.record))
            if second.contains(where: { !wellFormed.contains($0.record) }) { return "malformed: \(readable(emitted))" }
            guard Set(second.map(\.record)).count == Int(written) else {
                return "\(written) records written, and \(Set(second.map(\.record)).count) read: \(readable(emitted))"
            }
            guard !isEnvelope(choice) else { return nil }
            let accepted = Set(second.filter { !$0.isRejected && !$0.isMalformed }.map(\.record))
            return accepted.count == Int(written) ? nil : "refused when read again: \(readable(emitted))"
        }
    }

    private struct Line {
        var record: UInt64
        var isEvent: Bool
        var isMalformed: Bool
        var isRejected: Bool
    }

    private static func isEnvelope(_ choice: Int) -> Bool { choice & 1 != 0 }

    private static func makePipelines(_ choice: Int) -> (first: FedPipeline, second: FedPipeline) {
        var configuration = PipelineConfiguration()
        configuration.clock = .fixed(milliseconds: 1_000_000)
        configuration.decoding.topic = "org.example.app"
        if choice & 2 != 0 { configuration.decoding.budget = Budget(bytes: 100) }
        if choice & 4 != 0 { configuration.decoding.platform = .ios }
        var again = configuration
        // A payload keeps its line breaks.
        again.framing = .json
        configuration.recordStages = [FitToBudget()]
        configuration.emits = true
        configuration.framing = [.auto, .json, .ndjson, .ndjson][choice >> 3 & 3]
        configuration.decoding.acceptsRelaxedJSON = choice & 32 != 0
        if choice & 64 != 0 {
            configuration.decoding.location = RecordLocation(
                pointer: choice & 8 == 0 ? nil : "/a", skipsPrefix: configuration.framing == .ndjson)
        }
        let first = FedPipeline(configuration)
        first.emit(Emission(.accepted, as: isEnvelope(choice) ? .envelope : .input))
        return (first, FedPipeline(again))
    }

    private static func lines(_ pipeline: FedPipeline, _ text: UnsafeRawBufferPointer) -> [Line]? {
        var found: [Line] = []
        do {
            try pipeline.read(text) { report in
                found.append(
                    Line(
                        record: report.seq, isEvent: [.applied, .ignored].contains(report.outcome),
                        isMalformed: report.outcome == .malformed, isRejected: report.outcome == .rejected))
            }
        } catch {
            return nil
        }
        return found
    }
}
