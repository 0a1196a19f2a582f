import Foundation
import PushFiles
import PushJSON
import PushLintConfiguration
import PushSystem
import TestSupport

@testable import PushLint
@testable import PushLintFiles

/// Streams that record what is written.
final class CollectedStreams: LintStreams {
    /// Each arrives alone, after a pause.
    private var pieces: [[UInt8]]
    private let pauses: Bool
    private(set) var results = ""
    private(set) var notes = ""
    /// The results at each pause of the input.
    private(set) var atPauses: [String] = []
    /// Asks to stop when the last piece has been read.
    var stopsAtEnd = false
    var outputIdentity: FileIdentity?
    private var buffer = ByteBuffer()

    init(input: String = "") {
        pieces = [Array(input.utf8)]
        pauses = false
    }

    /// - Parameters:
    ///   - pieces: what one read each returns.
    ///   - pauses: whether the next piece is not there yet when one has been read.
    init(pieces: [[UInt8]], pauses: Bool) {
        self.pieces = pieces
        self.pauses = pauses
    }

    func readInput(into piece: inout [UInt8], atMost limit: Int) throws(SystemError) -> Int {
        if pauses { atPauses.append(results) }
        guard let first = pieces.first else { return 0 }
        let part = first.prefix(limit)
        piece.replaceSubrange(..<part.count, with: part)
        if part.count == first.count { pieces.removeFirst() } else { pieces[0].removeFirst(part.count) }
        return part.count
    }

    var hasInput: Bool { !pauses }

    var isStopped: Bool { stopsAtEnd && pieces.isEmpty }

    func append(_ write: (inout ByteBuffer) -> Void) throws { write(&buffer) }

    func flush() throws {
        results += String(decoding: buffer.bytes, as: UTF8.self)
        buffer.removeAll()
    }

    func note(_ lines: String) { notes += lines }
}

/// What a job wrote, with paths relative to its folder.
struct JobOutput {
    var outcome: LintJob.Outcome
    var results: String
    var notes: String

    var lines: [String] { results.split(separator: "\n").map(String.init) }

    /// The results as JSON.
    func findings() throws -> [FindingLine] {
        try lines.map { try JSONDecoder().decode(FindingLine.self, from: Data($0.utf8)) }
    }
}

typealias LintFolder = TestFolder

extension TestFolder {
    /// Runs a job on files of the folder.
    func run(
        _ names: String..., budgets: Bool = false, into output: FileIdentity? = nil,
        _ change: (inout LintJob) -> Void = { _ in }
    ) throws -> JobOutput {
        var job = LintJob(names.map(path))
        change(&job)
        let streams = CollectedStreams()
        streams.outputIdentity = output
        var output = try job.run(streams, budgets: budgets)
        output.results = relative(output.results)
        output.notes = relative(output.notes)
        return output
    }
}

extension LintJob {
    /// Runs the job with the configuration reader that the command uses.
    func run(_ streams: CollectedStreams, budgets: Bool = false) throws -> JobOutput {
        let outcome =
            budgets
            ? try reportBudgets(to: streams, reader: LintConfiguration.init(yaml:path:directory:))
            : try lint(to: streams, reader: LintConfiguration.init(yaml:path:directory:))
        return JobOutput(outcome: outcome, results: streams.results, notes: streams.notes)
    }
}
