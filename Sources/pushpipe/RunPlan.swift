import ArgumentParser
import ExtensionHost
import FoundationEssentials
import PushPipeline

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What `pushpipe run` will do, checked through.
struct RunPlan {
    /// Nil is standard input.
    let inputs: [String?]
    let configuration: PipelineConfiguration
    /// Nil when pushes are shown as they come.
    let serviceExtension: ExtensionConfiguration?
    let storePath: String?
    let resumes: Bool
    let report: ReportForm
    let showsScreen: Bool
    let failOn: [FailureCondition]
    let isQuiet: Bool

    init(_ command: RunCommand) throws {
        inputs = command.files.isEmpty ? [nil] : command.files.map { $0 == "-" ? nil : $0 }
        var configuration = PipelineConfiguration()
        configuration.framing = command.decoding.framing
        configuration.maximumRecordBytes = try Self.byteCount(command.decoding.maxRecord)
        configuration.clock = try Self.clock(command.clock)
        let jobs = command.jobs ?? min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 16)
        guard (1...256).contains(jobs) else { throw ValidationError("--jobs takes a number from 1 to 256.") }
        configuration.jobs = jobs
        configuration.decoding = try command.decoding.options()
        configuration.decoding.acceptsRelaxedJSON = command.relaxed
        if let order = try Self.fitOrder(command) { configuration.mutations.append(FitToBudget(order: order)) }
        if let key = command.replaceBy {
            guard !key.isEmpty else { throw ValidationError("--replace-by needs the name of a member of the payload.") }
            configuration.decoding.replacementKey = key
        }
        configuration.appliesRules = command.rules
        configuration.measuresStages = command.stats
        self.configuration = configuration
        serviceExtension = try command.serviceExtension.configuration()
        if serviceExtension != nil, command.replaceBy != nil {
            throw ValidationError("--replace-by is an extension of its own; it does not go with --extension.")
        }
        if command.store == "" { throw ValidationError("--store needs the name of a file.") }
        storePath = command.store
        resumes = command.resume
        if resumes, storePath == nil {
            throw ValidationError("--resume needs --store, which knows how far a run has come.")
        }
        if resumes, inputs.contains(nil) {
            throw ValidationError("--resume needs files: standard input cannot be read again.")
        }
        report = command.report ?? (StandardOutput.isTerminal ? .text : .ndjson)
        showsScreen = command.screen
        failOn = command.failOn
        isQuiet = command.quiet
    }

    /// The texts that may be cut, in their order: `body,title`. Nil when nothing is to be cut.
    private static func fitOrder(_ command: RunCommand) throws -> [AlertText]? {
        guard let text = command.fitOrder else { return command.fit ? AlertText.allCases : nil }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map { AlertText(rawValue: String($0)) }
        let order = names.compactMap(\.self)
        guard order.count == names.count, Set(order).count == order.count else {
            throw ValidationError("--fit-order takes body, subtitle and title, each at most once, with commas between.")
        }
        return order
    }

    /// `1048576`, `1024K`, `1M`.
    static func byteCount(_ text: String, option: String = "--max-record") throws -> Int {
        let units: [Character: Int] = [
            "K": 1 << 10, "k": 1 << 10, "M": 1 << 20, "m": 1 << 20, "G": 1 << 30, "g": 1 << 30,
        ]
        let unit = text.last.flatMap { units[$0] }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard let number = Int(digits), number >= 1, number <= PipelineConfiguration.largestMaximumRecordBytes else {
            throw ValidationError("\(option) takes a number of bytes from 1 to 1G, such as 65536, 64K or 1M.")
        }
        let (bytes, overflowed) = number.multipliedReportingOverflow(by: unit ?? 1)
        guard !overflowed, bytes <= PipelineConfiguration.largestMaximumRecordBytes else {
            throw ValidationError("\(option) can be 1G at most.")
        }
        return bytes
    }

    /// Times that RFC 3339 can write: the years 1 to 9999, in milliseconds since the epoch.
    private static let writable: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    static func clock(_ text: String) throws -> PipelineClock {
        if text == "wall" { return .wall }
        if let seconds = Int64(text) {
            let (milliseconds, overflowed) = seconds.multipliedReportingOverflow(by: 1000)
            guard !overflowed, writable.contains(milliseconds) else {
                throw ValidationError("--clock: \(text) seconds is out of range.")
            }
            return .fixed(milliseconds: milliseconds)
        }
        for style in [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)] {
            if let date = try? style.parse(text) {
                guard let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()),
                    writable.contains(milliseconds)
                else { throw ValidationError("--clock takes times of the years 1 to 9999.") }
                return .fixed(milliseconds: milliseconds)
            }
        }
        throw ValidationError("--clock takes wall, epoch seconds, or a time such as 2026-11-03T20:00:00Z.")
    }
}
