import FileAccess
import PayloadJSON
import PushDecoding
import PushLint
import PushModel
import PushPipeline
import TerminalStyle

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension LintPlan {
    /// - Throws: `Failure`.
    func execute() throws {
        let finder = ConfigurationFinder(configurationSource) { TextLinter($0, options) }
        let inputs = try LintInputs(paths, finder)
        for trouble in inputs.troubles { StandardError.write("pushpipe: \(trouble)\n") }
        if showsBudgets { return try showBudgets(of: inputs) }
        // What is mended, or would be, goes to standard output, so that findings have to go elsewhere.
        let takesOutput = fixing == .show || (fixing == .write && paths == [nil])
        var sink = LintSink(plan: self, isStandardError: takesOutput)
        var summary = LintSummary(fixing: fixing)
        summary.excluded = inputs.excluded
        var troubles = inputs.troubles
        for input in inputs.found {
            do throws(SystemError) {
                let bytes = try FileBytes.read(input.path)
                let result = fixing == .none ? nil : input.linter.fix(bytes)
                let shown = result?.bytes ?? bytes
                let left = result?.remaining ?? input.linter.lint(bytes)
                if shown != bytes, fixing == .write, let path = input.path {
                    try FileBytes.replace(path, with: shown)
                }
                summary.add(left, fixed: result?.fixed ?? 0)
                sink.prepare(LintedFile(name: input.name, bytes: shown, findings: left.findings), before: bytes)
            } catch {
                let trouble = "\(TextStyle.clean(input.path ?? "standard input")): \(error)"
                StandardError.write("pushpipe: \(trouble)\n")
                troubles.append(trouble)
            }
            try sink.write()
        }
        try sink.finish(troubles: troubles)
        if !isQuiet { StandardError.write(summary.text) }
        if !troubles.isEmpty { throw Failure.troubleTold }
        if summary.count(.error) > 0 || (isStrict && summary.count(.warning) > 0) { throw Failure.conditionMet }
    }
}

/// Where findings, differences and mended text go.
private struct LintSink {
    private let output = StandardOutput()
    private let isStandardError: Bool
    private let fixing: FixMode
    private var report: LintReport
    private var pending: (file: LintedFile, before: [UInt8])?

    init(plan: LintPlan, isStandardError: Bool) {
        self.isStandardError = isStandardError
        fixing = plan.fixing
        let isTerminal = isStandardError ? StandardError.isTerminal : StandardOutput.isTerminal
        report = LintReport(
            plan.format, isStrict: plan.isStrict, style: .forTerminal(isTerminal),
            width: TerminalWidth.columns(of: isStandardError ? STDERR_FILENO : STDOUT_FILENO))
    }

    /// - Parameter before: the text as it was before fixing.
    mutating func prepare(_ file: LintedFile, before: [UInt8]) { pending = (file, before) }

    /// Writes what there is to say about the file, all at once.
    mutating func write() throws {
        guard let (file, before) = pending else { return }
        pending = nil
        if fixing == .show, file.bytes != before {
            let diff = UnifiedDiff(from: before, to: file.bytes)
            try output.append { diff.append(name: file.name, isForTerminal: StandardOutput.isTerminal, to: &$0) }
        }
        if fixing == .write, isStandardError {
            try output.append { for byte in file.bytes { $0.append(byte) } }
        }
        try emit { report.add(file, to: &$0) }
        try output.flush()
    }

    mutating func finish(troubles: [String]) throws {
        try emit { report.finish(unreadable: troubles, to: &$0) }
        try output.flush()
    }

    private func emit(_ body: (inout ByteBuffer) -> Void) throws {
        guard isStandardError else { return try output.append(body) }
        var buffer = ByteBuffer()
        body(&buffer)
        StandardError.write(String(decoding: buffer.bytes, as: UTF8.self))
    }
}

enum TerminalWidth {
    private static let `default` = 120

    /// Of a terminal; as many as a page has otherwise.
    static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return `default`
        }
        return Int(size.ws_col)
    }
}
