import FoundationEssentials
package import PushDecoding
import PushDevices
package import PushModel
package import PushPipeline
import PushStore
import PushSystem
package import RecordFraming

/// Reads the values of options that several commands have.
package enum OptionValue {
    /// Why a value cannot be used: a sentence that names the option.
    package struct Invalid: Error, Equatable, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// Of `--max-record`.
    package static let defaultRecordBytes = "1M"

    /// A number of bytes from 1 to 1 GiB: `1048576`, `1024K`, `1MiB`.
    package static func byteCount(_ text: String, option: String = "--max-record") throws(Invalid) -> Int {
        guard let bytes = ByteSize.bytes(text), 1...PipelineConfiguration.largestMaximumRecordBytes ~= bytes else {
            throw Invalid(
                description: "\(option) takes a number of bytes from 1 to 1G, such as 65536, 64K or 1MiB.")
        }
        return bytes
    }

    /// Which records a job writes to standard output.
    package static func emission(
        _ selection: Emission.Selection?, _ form: Emission.Form?, of job: RunJob, resumes: Bool
    ) throws(Invalid) -> Emission? {
        guard let selection else {
            if form != nil { throw Invalid(description: "--emit-as needs --emit.") }
            return nil
        }
        if resumes {
            throw Invalid(
                description:
                    "--emit cannot be combined with --resume: the store does not keep track of which records were written."
            )
        }
        let isApart = job.reportFile.map { !$0.isStandardOutput } ?? false
        if !isApart, job.output != .none || job.showsScreen {
            throw Invalid(
                description:
                    "--emit writes records to standard output; the report, --trace and --screen need --report-file.")
        }
        if selection == .changed, job.fitOrder == nil, job.serviceExtension == nil {
            throw Invalid(description: "--emit changed needs --fit or --extension: nothing else changes a payload.")
        }
        return Emission(selection, as: form ?? .input)
    }

    /// Where payloads are in their records; nil if they are the records.
    package static func location(_ pointer: String?, skipsPrefix: Bool) throws(Invalid) -> RecordLocation? {
        guard pointer != nil || skipsPrefix else { return nil }
        guard pointer?.isEmpty != true, let location = RecordLocation(pointer: pointer, skipsPrefix: skipsPrefix) else {
            throw Invalid(description: "--at takes a JSON Pointer (RFC 6901), such as /log/payload.")
        }
        return location
    }

    /// What stands before an object ends with its line, so records are lines.
    package static func framing(_ framing: Framing, skipsPrefix: Bool) throws(Invalid) -> Framing {
        guard skipsPrefix, framing != .ndjson else { return framing }
        guard framing == .auto else { throw Invalid(description: "--skip-prefix reads lines; it takes no --framing.") }
        return .ndjson
    }

    /// `wall`, epoch seconds or a time in RFC 3339.
    package static func clock(_ text: String, option: String = "--clock") throws(Invalid) -> PipelineClock {
        if text == "wall" { return .wall }
        if let seconds = Int64(text) {
            let (milliseconds, overflowed) = seconds.multipliedReportingOverflow(by: 1000)
            guard !overflowed, writable.contains(milliseconds) else {
                throw Invalid(description: "\(option): \(text) seconds is out of range.")
            }
            return .fixed(milliseconds: milliseconds)
        }
        guard let milliseconds = try time(text, option: option) else {
            throw Invalid(
                description: "\(option) takes wall, epoch seconds, or a time such as 2026-11-03T20:00:00Z.")
        }
        return .fixed(milliseconds: milliseconds)
    }

    /// Times that RFC 3339 can write: the years 1 to 9999, in milliseconds since the epoch.
    private static let writable: ClosedRange<Int64> = -62_135_596_800_000...RFC3339.writable.upperBound

    /// A time in RFC 3339, in milliseconds since the epoch; nil for another text.
    package static func time(_ text: String, option: String) throws(Invalid) -> Int64? {
        for style in [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)] {
            guard let date = try? style.parse(text) else { continue }
            guard let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()),
                writable.contains(milliseconds)
            else { throw Invalid(description: "\(option) takes times in the years 1 to 9999.") }
            return milliseconds
        }
        return nil
    }

    /// The time before which something is old: an age before `now`, or a time. Both in milliseconds since the epoch.
    package static func age(_ text: String, before now: Int64, option: String) throws(Invalid) -> Int64 {
        if let time = PruningAge.time(text, before: now) { return time }
        guard Int64(text) == nil, let time = try time(text, option: option) else {
            throw Invalid(description: "\(option) takes an age such as 30d, or a time such as 2026-11-03T20:00:00Z.")
        }
        return time
    }

    /// Epoch seconds, or a time in RFC 3339, of the years that events can have; in milliseconds since the epoch.
    package static func eventTime(_ text: String, option: String) throws(Invalid) -> Int64 {
        if let time = Int64(text).flatMap({ EventTime.milliseconds(Double($0)) }) ?? EventTime.milliseconds(text) {
            return time
        }
        throw Invalid(description: "\(option) takes epoch seconds, or a time such as 2026-11-03T20:00:00Z.")
    }

    /// A number of pushes per minute or hour; nil for no limit.
    package static func rate(_ number: Int?, option: String) throws(Invalid) -> Int? {
        let limits = DevicePolicy.limits
        guard let number, !limits.contains(number) else { return number }
        throw Invalid(
            description: "\(option) takes a number from \(limits.lowerBound) to \(limits.upperBound).")
    }

    /// A number of cores; nil for all, but at most 16.
    package static func jobs(_ number: Int?) throws(Invalid) -> Int {
        let jobs = number ?? defaultJobs
        guard (1...256).contains(jobs) else {
            throw Invalid(description: "--jobs takes a number from 1 to 256.")
        }
        return jobs
    }

    /// All cores, but at most 16.
    package static var defaultJobs: Int { min(CurrentProcess.processorCount, 16) }

    /// The texts that `--fit` may shorten, in order: `body,title`.
    package static func fitOrder(_ text: String) throws(Invalid) -> [AlertText] {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map { AlertText(rawValue: String($0)) }
        let order = names.compactMap(\.self)
        guard order.count == names.count, Set(order).count == order.count else {
            throw Invalid(
                description:
                    "--fit-order takes body, subtitle and title, each at most once, separated by commas.")
        }
        return order
    }
}
