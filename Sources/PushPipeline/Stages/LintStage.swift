import PushDecoding
import PushLint
import PushModel

/// Checks each record against the linter's rules, as `run --rules` does. Findings go to the report line of the record's first message, unless
/// the decoder has reported the same; findings of severity `info` are left out.
///
/// It reads records as received, so it belongs before stages that change payloads.
public struct LintStage: RecordStage {
    /// `lint`.
    public var name: String { "lint" }
    /// False: the stage changes no payloads.
    public var changesPayloads: Bool { false }
    private let redaction: Redaction?

    /// - Parameter redaction: the parts that findings must not quote, if a `RedactionStage` follows.
    public init(hiding redaction: Redaction? = nil) { self.redaction = redaction }

    private final class Scratch {
        let linter: Linter
        init(_ options: DecodingOptions) { linter = Linter(options, isInPipeline: true) }
    }

    /// Checks all records of a chunk.
    public func process(_ chunk: inout RecordChunk, context: StageContext) {
        // SOUND: every index is below the number of messages, and a record's text lives as long as the chunk.
        // The rules do not apply to device files.
        guard !context.options.readsDevices else { return }
        let linter = context.scratch { Scratch(context.options) }.linter
        let known = chunk.batch.findings
        var nextKnown = 0
        var end = 0
        while end < chunk.batch.messageCount {
            let first = end
            let record = unsafe chunk.batch.messages[first].record
            while end < chunk.batch.messageCount, unsafe chunk.batch.messages[end].record == record { end += 1 }
            let messages = first..<end
            guard let text = unsafe chunk.bytes(ofRecord: record) else { continue }
            while nextKnown < known.count, known[nextKnown].message < messages.lowerBound { nextKnown += 1 }
            let found = unsafe linter.lint(text).filter { $0.rule.severity > .info }.map(finding)
            guard !found.isEmpty else { continue }
            var places: Set<Place> = []
            for entry in known[nextKnown...].prefix(while: { $0.message < messages.upperBound }) {
                places.insert(Place(entry.finding))
            }
            for finding in found where places.insert(Place(finding)).inserted {
                chunk.batch.report(finding, message: messages.lowerBound)
            }
        }
    }

    private func finding(_ diagnostic: Diagnostic) -> Finding {
        var finding = diagnostic.finding
        // A diagnostic may quote text that is not recognized as a token or content, so only its rule's summary is used.
        if let redaction, redaction.hidesContent || diagnostic.rule.id.hasPrefix("json.") {
            finding.message = diagnostic.rule.title
        }
        return finding
    }

    /// The subject of a finding.
    private struct Place: Hashable {
        let rule: String
        let pointer: String

        init(_ finding: Finding) {
            rule = finding.rule
            pointer = finding.pointer
        }
    }
}
