import PushReports
package import PushRuns
import PushSystem
import PushText

/// The job of `pushpipe merge`: merges the reports of parts into that of one run.
package struct MergeJob {
    /// Files, or folders of files.
    package var paths: [String]
    package var isQuiet = false

    package init(_ paths: [String]) { self.paths = paths }

    /// Memory for the pieces of all reports together.
    private static let bufferBytes = 64 << 20  // 64 MiB
    private static let pieces = 16 << 10...1 << 20  // 16 KiB to 1 MiB
    /// Files that this process has open besides the reports.
    private static let otherFiles = 32

    /// Merges the reports.
    ///
    /// - Returns: false if something was left out because it is not certain; a note says what.
    /// - Throws: `PlainError`.
    package func run(to streams: some RunStreams) throws -> Bool {
        let files = try paths.flatMap(Self.files)
        try Self.check(files, output: streams.outputDescriptor)
        let wanted = files.count + Self.otherFiles
        let limit = OpenFileLimit.raise(to: wanted)
        guard limit >= wanted else {
            throw PlainError(
                "\(files.count) reports need \(wanted) open files, and this process may have \(limit); "
                    + "raise the limit (ulimit -n), or merge them in groups: a merged report can be merged again")
        }
        let pieceBytes = min(
            max(Self.bufferBytes / max(files.count, 1), Self.pieces.lowerBound), Self.pieces.upperBound)
        let start = SystemClock.monotonicSeconds()
        var descriptors: [FileDescriptor] = []
        defer { for descriptor in descriptors { descriptor.close() } }
        var parts: [ReportPart] = []
        for (position, file) in files.enumerated() {
            do throws(SystemError) {
                let descriptor = try FileDescriptor.open(file, .readOnly)
                descriptors.append(descriptor)
                parts.append(
                    ReportPart(TerminalText.clean(file), descriptor, position: position, pieceBytes: pieceBytes))
            } catch {
                throw PlainError("\(TerminalText.clean(file)): \(error)")
            }
        }
        let output = streams.openOutput(writesInBackground: true)
        var merger = try ReportMerger(parts)
        try merger.merge { try output.append($0) }
        try output.finish()
        if !isQuiet {
            let seconds = SystemClock.monotonicSeconds() - start
            streams.note(Self.summary(lines: merger.lines, reports: files.count, seconds: seconds))
        }
        for problem in merger.problems { streams.note("pushpipe: \(problem)\n") }
        let others = merger.problemCount - merger.problems.count
        if others > 0 { streams.note("pushpipe: and \(others) more\n") }
        return merger.problemCount == 0
    }

    private static func summary(lines: UInt64, reports: Int, seconds: Double) -> String {
        let rate = UInt64(Double(lines) / max(seconds, 0.000_001))
        return "\(SummaryText.grouped(lines)) \(lines == 1 ? "line" : "lines") of "
            + "\(SummaryText.grouped(UInt64(reports))) \(reports == 1 ? "report" : "reports") "
            + "(\(SummaryText.grouped(rate)) lines/s)\n"
    }

    /// Throws if a report is named twice, under whatever name, or is the output.
    private static func check(_ files: [String], output: FileDescriptor) throws(PlainError) {
        var known: [FileIdentity: String] = [:]
        if let status = try? FileStatus(output), status.kind == .regular { known[status.identity] = "standard output" }
        for file in files {
            guard let status = try? FileStatus(file), status.kind == .regular else { continue }
            if let other = known.updateValue(file, forKey: status.identity) {
                let name = TerminalText.clean(file)
                throw other == "standard output"
                    ? PlainError("\(name) is standard output; redirect it elsewhere")
                    : PlainError("\(name) is named twice, also as \(TerminalText.clean(other))")
            }
        }
    }

    /// The file, or the files with reports in a folder, in the order of their names.
    private static func files(_ path: String) throws -> [String] {
        guard FileSystem.isDirectory(path) else { return [path] }
        do throws(SystemError) {
            let names = try FileSystem.names(in: path).filter { $0.hasSuffix(".ndjson") && !$0.hasPrefix(".") }.sorted()
            if !names.isEmpty { return names.map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" } }
        } catch {
            throw PlainError("\(TerminalText.clean(path)): \(error)")
        }
        throw PlainError(
            "\(TerminalText.clean(path)): the folder has no report, which would be a file that ends in .ndjson")
    }
}
