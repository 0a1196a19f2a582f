import PushJSON
import PushLintConfiguration
import PushSystem
import TestSupport
import Testing

@testable import PushLint
@testable import PushLintFiles

/// What `lint --watch` writes.
struct WatchJobTests {
    /// Streams that ask to stop after so many reports.
    private final class Streams: LintStreams {
        private let collected = CollectedStreams()
        private let reports: Int
        private let afterReport: () -> Void
        /// Whether a report asks to stop, too.
        var stopsInReport = false

        init(reports: Int, afterReport: @escaping () -> Void = {}) {
            self.reports = reports
            self.afterReport = afterReport
        }

        var results: String { collected.results }
        var notes: String { collected.notes }
        let outputIdentity: FileIdentity? = nil
        let hasInput = false
        private var count = 0
        var isStopped: Bool { count >= reports }

        func readInput(into piece: inout [UInt8], atMost limit: Int) throws(SystemError) -> Int { 0 }
        func append(_ write: (inout ByteBuffer) -> Void) throws { try collected.append(write) }
        func flush() throws {
            try collected.flush()
            if stopsInReport, !results.isEmpty { count = reports }
        }
        func note(_ lines: String) {
            collected.note(lines)
            guard lines.contains("waiting for changes") else { return }
            count += 1
            afterReport()
        }
    }

    private func watch(_ streams: Streams, _ folder: LintFolder, isTerminal: Bool = false) throws {
        var job = LintJob([folder.path(".")])
        job.format = .ndjson
        job.results.isTerminal = isTerminal
        try job.watch(to: streams, reader: LintConfiguration.init(yaml:path:directory:))
    }

    @Test func `a report comes after the time of day, and a terminal is cleared`() throws {
        let folder = try LintFolder(["a.json": Payload.misspelled])
        let streams = Streams(reports: 1)
        try watch(streams, folder, isTerminal: true)
        #expect(streams.results.hasPrefix("\u{1B}[H\u{1B}[2J{\"file\":"))
        #expect(streams.notes.hasPrefix("pushpipe: "))
        #expect(
            streams.notes.hasSuffix(
                "1 error in 1 file; 1 fixable\npushpipe: waiting for changes; Ctrl-C ends this\n"))
    }

    @Test func `a stop during a report ends it without waiting`() throws {
        let folder = try LintFolder(["a.json": Payload.misspelled])
        let streams = Streams(reports: 1)
        streams.stopsInReport = true
        try watch(streams, folder)
        #expect(!streams.notes.contains("waiting for changes"))
    }

    @Test func `a configuration that appears above the folder is a reason for another report`() throws {
        let folder = try LintFolder(["in/a.json": Payload.misspelled])
        let streams = Streams(reports: 2) { _ = try? folder.write("lint:\n  ignore: [aps]\n", to: ".pushpipe.yml") }
        var job = LintJob([folder.path("in")])
        job.format = .ndjson
        try job.watch(to: streams, reader: LintConfiguration.init(yaml:path:directory:))
        #expect(streams.results.lines.count == 1)
    }

    @Test func `a mistake in a configuration is noted, and the next change is waited for`() throws {
        let folder = try LintFolder([".pushpipe.yml": "lint:\n  severty: info\n", "a.json": Payload.misspelled])
        let streams = Streams(reports: 2) { _ = try? folder.write("lint:\n  severity: info\n", to: ".pushpipe.yml") }
        try watch(streams, folder)
        #expect(streams.notes.contains(".pushpipe.yml:2:3: "))
        #expect(streams.results.lines.count == 1)
    }
}
