import PushDecoding
import PushFiles
package import PushLint
import PushLintYAML
import PushModel
package import PushPipeline
import Synchronization

/// Checks each record against the linter's rules. Findings go to the report line of the record's first message, unless the decoder has
/// reported the same; findings of severity `info` are left out, and those about what a whole file is for.
///
/// It reads records as received, so it belongs before stages that change payloads.
package struct LintStage: ChunkStage {
    package var name: String { "lint" }
    package var changesPayloads: Bool { false }
    private let quotesRecords: Bool
    private let configuration: LintStageConfiguration?

    /// - Parameters:
    ///   - configuration: which rules apply; nil for all of them.
    ///   - quotesRecords: false if a `RedactionStage` follows.
    package init(_ configuration: LintStageConfiguration? = nil, quotesRecords: Bool = true) {
        self.quotesRecords = quotesRecords
        self.configuration = configuration
    }

    private final class Scratch {
        var linter: ProfileLinter
        init(_ linter: ProfileLinter) { self.linter = linter }
    }

    package func process(_ chunk: inout RecordChunk, context: StageContext) {
        // SOUND: every index is below the number of messages, and a record's text lives as long as the chunk.
        // The rules do not apply to device files.
        guard !context.options.readsDevices else { return }
        let (profile, suppressions) = configuration?.input ?? (nil, [])
        let scratch = context.scratch { Scratch(ProfileLinter(profile, context.options)) }
        if scratch.linter.profile !== profile { scratch.linter = ProfileLinter(profile, context.options) }
        let linter = scratch.linter
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
            let number = chunk.firstNumber &+ record
            let found = unsafe linter.lint(text, number: number, without: suppressions)
                .filter { $0.severity > .info && !($0.rule.isOncePerText && $0.severity == $0.rule.severity) }
                .map(finding)
            guard !found.isEmpty else { continue }
            let reported = known[nextKnown...].prefix { $0.message < messages.upperBound }
            if found.count == 1, reported.isEmpty {
                chunk.batch.report(found[0], message: messages.lowerBound)
                continue
            }
            var places = Set(reported.map { Place($0.finding) })
            for finding in found where places.insert(Place(finding)).inserted {
                chunk.batch.report(finding, message: messages.lowerBound)
            }
        }
    }

    private func finding(_ diagnostic: Diagnostic) -> Finding {
        var finding = diagnostic.finding
        // A diagnostic may quote any text, also without quotation marks.
        if !quotesRecords { finding.message = diagnostic.rule.title }
        return finding
    }

    private struct Place: Hashable {
        let rule: String
        let pointer: String

        init(_ finding: Finding) {
            rule = finding.rule
            pointer = finding.pointer
        }
    }
}

/// The configuration that applies to the input that is read. Whoever runs several inputs changes it between them.
package final class LintStageConfiguration: Sendable {
    /// The rules that apply to an input, and what to leave out of its findings.
    package typealias Input = (profile: LintProfile?, suppressions: [Suppression])

    private let current = Mutex<Input>((nil, []))

    package init() {}

    package var input: Input {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}

/// Which of the linter's rules apply to each input: those that its nearest configuration chooses, without what a file next to it
/// has ignored, as for `pushpipe lint`.
struct RunLint {
    /// The configuration of the stage.
    let configuration = LintStageConfiguration()
    private var settings: [String?: LintStageConfiguration.Input] = [:]

    /// Reads the configurations of all inputs.
    ///
    /// - Parameters:
    ///   - inputs: nil is standard input, to which the configuration of the working directory applies.
    ///   - source: where their configurations are.
    ///   - schemas: reads those that configurations name.
    init(
        _ inputs: [String?], _ source: ConfigurationFinder.Source, _ schemas: SchemaReader
    ) throws(ConfigurationError) {
        let finder = ConfigurationFinder(source, LintOptions(), reader: schemas.configuration)
        for input in inputs {
            let path = input.map { FilePaths.absolute($0) }
            let profile = try finder.profile(forFile: path)
            let isExcluded = path.map { profile.excludes($0) } ?? false
            let suppressions =
                try path.map { path throws(ConfigurationError) in try finder.ignored(besideFile: path) } ?? []
            settings[input] = (isExcluded ? .nothing : profile, suppressions)
        }
        if let first = inputs.first { begin(first) }
    }

    /// The rules about extensions that the configuration of the working directory ignores.
    static func ignoredOfExtensions(
        _ source: ConfigurationFinder.Source, _ schemas: SchemaReader
    ) throws(ConfigurationError) -> Set<String> {
        let finder = ConfigurationFinder(source, LintOptions(), reader: schemas.configuration)
        return try finder.profile(forFile: nil).ignoredOfExtensions
    }

    /// Has the rules of an input apply from now on.
    func begin(_ input: String?) { configuration.input = settings[input] ?? (nil, []) }
}
