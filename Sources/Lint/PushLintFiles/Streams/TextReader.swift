import Dispatch
import PushDecoding
import PushFiles
import PushJSON
import PushLint
import PushModel
import PushSystem
import PushText
import Synchronization

/// The outcome of reading a text.
struct TextReading {
    var bytes = 0
    var records = 0
    /// Why the rest could not be read.
    var error: SystemError?
    /// The error as it is reported.
    var problem: String? {
        error.map { $0 == .damaged ? "is damaged: only what is reported could be read" : "\($0)" }
    }
    /// Why it was left before its end: it has no valid record in `TextReader.mostWithoutRecord` bytes, or is longer than its file may be.
    var excess: String?
    /// True if the file does not contain payloads, and was not read any further.
    var isOther = false
    /// The kind of lines that the text begins with; `records` unless logs are looked for.
    var recognition = LogRecognition.records
}

/// Reads texts as they arrive, and has their records linted part by part, on several cores.
final class TextReader<Streams: LintStreams> {
    /// Bytes of a part, unless the input pauses earlier: 256 KiB.
    private static var partBytes: Int { 256 << 10 }
    /// Bytes of a text that another thread would not finish sooner: 16 KiB.
    private static var smallBytes: Int { 16 << 10 }

    /// Takes the results of a part, in order: the output, and the rest.
    typealias Taker = (borrowing ByteBuffer, PartResult) throws -> Void

    private let streams: Streams
    private var ring: PartRing
    private let margin: Int
    private var piece = [UInt8](repeating: 0, count: partBytes)

    /// Bytes of a pipe or device without a valid record after which it is left: 64 MiB.
    static var mostWithoutRecord: Int { 64 << 20 }

    private let acceptsEmpty: Bool

    /// - Parameters:
    ///   - margin: number of bytes around a record that a report may show.
    ///   - acceptsEmpty: true to read on however many bytes have no record.
    init(_ streams: Streams, jobs: Int, margin: Int, acceptsEmpty: Bool) {
        self.streams = streams
        self.acceptsEmpty = acceptsEmpty
        ring = PartRing(jobs: jobs)
        self.margin = margin
    }

    /// Reads a text to its end, or until the streams ask to stop, and lints all its records.
    ///
    /// - Parameter takePart: takes what is found, part by part.
    /// - Throws: errors of `takePart` and the streams.
    func read(_ input: LintInput, as kind: PartTask.Kind, _ takePart: Taker) throws -> TextReading {
        let source: TextSource
        do throws(SystemError) {
            source = try TextSource(input.path, output: streams.outputIdentity)
        } catch {
            return TextReading(error: error == .interrupted && streams.isStopped ? nil : error)
        }
        defer { source.close() }
        var profile = input.profile
        let options = profile.options
        let suppressions = input.suppressions
        var cutter = TextCutter(options.cutter, margin: margin)
        var reading = TextReading()
        /// What was read before it is known whether the text is a log; nil from then on.
        var beginning: [UInt8]? = options.recognizesLogs ? [] : nil
        func recognize(isEnd: Bool) -> Bool {
            guard let bytes = beginning else { return true }
            // SOUND: the bytes live until the closure returns.
            reading.recognition = unsafe bytes.withUnsafeBytes {
                unsafe LogRecognition(beginning: $0, isEnd: isEnd, options.decoding)
            }
            if reading.recognition == .undecided { return false }
            if case .log(let location) = reading.recognition {
                profile = profile.reading(at: location)
                cutter = TextCutter(profile.options.cutter, margin: margin)
            }
            cutter.append(bytes[...])
            beginning = nil
            return true
        }
        func cut(isEnd: Bool, isPaused: Bool) throws {
            repeat {
                guard let part = cutter.cut(isEnd: isEnd, isPaused: isPaused) else { return }
                if ring.isFull { try ring.takeOldest(take) }
                let task = PartTask(
                    part: part, name: input.name, kind: kind, profile: profile, suppressions: suppressions)
                ring.add(task, atOnce: isEnd && ring.count == 0 && part.bytes.count < Self.smallBytes)
            } while cutter.isNextReady && !streams.isStopped
        }
        func pause() throws {
            try cut(isEnd: false, isPaused: true)
            try drain(take)
            try streams.flush()
        }
        var unseen = 0
        let most = acceptsEmpty || source.isRegular ? .max : max(Self.mostWithoutRecord, options.maximumRecordBytes)
        let limit = source.limit(options.decoding)
        var hasRecord = false
        func take(_ text: borrowing ByteBuffer, _ result: PartResult) throws {
            hasRecord = hasRecord || result.hasRecord
            try takePart(text, result)
        }
        while !streams.isStopped {
            let count: Int
            do throws(SystemError) {
                count = try source.read(into: &piece, streams)
            } catch {
                if error == .interrupted { continue }
                if error == .wouldBlock {
                    try pause()
                    source.waitUntilReadable()
                    continue
                }
                reading.error = error
                break
            }
            if count == 0 {
                _ = recognize(isEnd: true)
                try cut(isEnd: true, isPaused: false)
                break
            }
            if cutter.length == 0, beginning?.isEmpty ?? true, input.isOther(piece[..<count]) {
                reading.isOther = true
                return reading
            }
            if beginning != nil {
                beginning? += piece[..<count]
                if !recognize(isEnd: false) { continue }
            } else {
                cutter.append(piece[..<count])
            }
            unseen += count
            let hasMore = source.hasMore(streams)
            if hasMore, unseen < Self.partBytes { continue }
            unseen = 0
            if hasMore { try cut(isEnd: false, isPaused: false) } else { try pause() }
            if let limit, cutter.length > limit.bytes {
                reading.excess = limit.problem
                break
            }
            if cutter.length > most, !hasRecord { try drain(take) }
            if cutter.length > most, !hasRecord {
                reading.excess =
                    "no valid record in \(cutter.length >> 20) MiB; the input may have no end"
                    + options.decoding.advice(.acceptEmpty)
                break
            }
        }
        _ = recognize(isEnd: true)
        if streams.isStopped || reading.error != nil { try cut(isEnd: false, isPaused: true) }
        try drain(take)
        reading.bytes = cutter.length
        reading.records = cutter.records
        return reading
    }

    /// True if a file that was found, and not named, does not contain payloads: its beginning says so.
    func isOther(_ input: LintInput) throws(SystemError) -> Bool {
        if case .none = input.doubt { return false }
        let source = try TextSource(input.path, output: streams.outputIdentity)
        defer { source.close() }
        let count = try source.read(into: &piece, streams)
        return input.isOther(piece[..<count])
    }

    private func drain(_ take: Taker) throws {
        while ring.count > 0 { try ring.takeOldest(take) }
    }
}

/// The origin of a text.
private final class TextSource {
    /// Nil for standard input, which the streams read.
    private let file: FileDescriptor?
    /// The file as text, if it is compressed or in UTF-16, and a program converts it.
    private let converted: ConvertedFile?
    /// How much of the file to read.
    private var rest = Int64.max

    /// - Parameter output: the file that the results are written to. Only what is there now is read of it, or it would have no end.
    init(_ path: String?, output: FileIdentity?) throws(SystemError) {
        let file: FileDescriptor? = if let path { try FileDescriptor.open(path, .readOnly) } else { nil }
        self.file = file
        converted =
            try? ConvertedFile.text(
                of: file ?? .standardInput, signatureBytes: ForeignText.longestSignature, ForeignText.converter)
        guard let output, let status = try? FileStatus(file ?? .standardInput), status.identity == output else {
            return
        }
        rest = status.size
    }

    func close() { file?.close() }

    /// True if what is read has the length of a file.
    var isRegular: Bool { converted == nil && (try? FileStatus(file ?? .standardInput))?.kind == .regular }

    /// The most bytes that are read of a converted file, and the words about a longer one.
    func limit(_ options: DecodingOptions) -> (bytes: UInt64, problem: String)? {
        converted?.limit(ratio: options.mostExpansion, advice: options.advice(.acceptRatio))
    }

    /// Reads once. Returns 0 at the end.
    func read(into piece: inout [UInt8], _ streams: some LintStreams) throws(SystemError) -> Int {
        let limit = Int(min(rest, Int64(piece.count)))
        guard limit > 0 else { return 0 }
        let count =
            if let file = converted?.descriptor ?? file {
                try file.read(into: &piece, atMost: limit, retriesOnInterrupt: false)
            } else {
                try streams.readInput(into: &piece, atMost: limit)
            }
        if count == 0, let converted, !converted.finish() { throw .damaged }
        if rest < .max { rest -= Int64(count) }
        return count
    }

    /// True if a read would return at once. Also true at the end.
    func hasMore(_ streams: some LintStreams) -> Bool {
        (converted?.descriptor ?? file)?.isReadable ?? streams.hasInput
    }

    func waitUntilReadable() { (converted?.descriptor ?? file ?? .standardInput).waitUntilReadable() }
}

/// The parts of texts in flight, oldest first: a bounded ring, so that memory stays constant however fast the input is.
///
/// One thread adds parts and takes their results in the same order; with more than one job, other threads work on them in between.
struct PartRing: ~Copyable {
    private struct State: ~Copyable {
        var task: PartTask?
        var worker = PartWorker()
        var text = ByteBuffer()
        var result = PartResult()
    }

    private final class Slot: Sendable {
        private let state = Mutex(State())
        let isDone = DispatchSemaphore(value: 0)

        func fill(_ task: PartTask) { state.withLock { $0.task = task } }

        func work() {
            state.withLock { state in
                if let task = state.task { state.result = state.worker.work(on: task, to: &state.text) }
            }
            isDone.signal()
        }

        func empty(_ body: (borrowing ByteBuffer, PartResult) throws -> Void) rethrows {
            try state.withLock { state in
                // Also when `body` throws: a slot must be empty before it is filled again.
                defer {
                    state.task = nil
                    state.text.removeAll()
                    state.result = PartResult()
                }
                try body(state.text, state.result)
            }
        }
    }

    private let slots: [Slot]
    private let queues: [DispatchQueue]
    private var oldest = 0
    private(set) var count = 0

    /// - Parameter jobs: number of cores to use. The caller's thread only reads and writes, unless it is the only one.
    init(jobs: Int) {
        let helpers = jobs > 1 ? jobs : 0
        queues = (0..<helpers).map { DispatchQueue(label: "pushpipe.lint.\($0)") }
        slots = (0..<max(2 * helpers, 1)).map { _ in Slot() }
    }

    var isFull: Bool { count == slots.count }

    /// Starts the work on a part. The ring must not be full.
    ///
    /// - Parameter atOnce: true to do the work before returning, because a thread would take longer to begin.
    mutating func add(_ task: PartTask, atOnce: Bool) {
        let position = (oldest + count) % slots.count
        let slot = slots[position]
        slot.fill(task)
        count += 1
        if atOnce || queues.isEmpty {
            slot.work()
        } else {
            queues[position % queues.count].async { slot.work() }
        }
    }

    /// Waits for the oldest part, passes its text and result to `body`, and removes it. The ring must not be empty.
    mutating func takeOldest(_ body: (borrowing ByteBuffer, PartResult) throws -> Void) rethrows {
        let slot = slots[oldest]
        oldest = (oldest + 1) % slots.count
        count -= 1
        slot.isDone.wait()
        try slot.empty(body)
    }
}

/// A part of a text, and what to do with it.
struct PartTask: Sendable {
    enum Kind: Sendable {
        case findings(LintReport)
        case budgets(BudgetStyle)
    }

    var part: TextPart
    /// The text's name in reports.
    var name: String
    var kind: Kind
    var profile: LintProfile
    var suppressions: [Suppression]
}

/// The report on a part of a text.
struct PartResult: Sendable {
    /// Lines for standard error.
    var notes = ""
    var counts = LintCounts()
    /// The findings, if they are not in the text.
    var file: LintedFile?
    /// Positions of the suppressions that left something out.
    var used: Set<Int> = []
    /// The finding that a text has once, which an earlier part may have had.
    var once: OnceFinding?
    /// True if a record is valid.
    var hasRecord = false
    /// Budgets, if they are kept.
    var measured: [MeasuredMessage] = []
}

/// Lints one part at a time, on any core.
struct PartWorker: ~Copyable {
    private var profile: LintProfile?
    private var linter = LintProfile([], LintOptions()).makeWorker()

    /// Appends to the results what can be written at once.
    mutating func work(on task: PartTask, to out: inout ByteBuffer) -> PartResult {
        if profile?.isEquivalent(to: task.profile) != true {
            profile = task.profile
            linter = task.profile.makeWorker()
        }
        linter.suppressions = task.suppressions
        switch task.kind {
        case .findings(let report): return lint(task, report, to: &out)
        case .budgets(let style): return measure(task, style, to: &out)
        }
    }

    private func lint(_ task: PartTask, _ report: LintReport, to out: inout ByteBuffer) -> PartResult {
        let found = linter.lint(task.part)
        var result = PartResult()
        result.counts.add(found)
        result.hasRecord = found.hasValidRecord
        result.used = found.used
        result.once = found.once
        guard !found.diagnostics.isEmpty else { return result }
        let file = LintedFile(name: task.name, part: task.part, diagnostics: found.diagnostics)
        // What a text has once may have been in an earlier part, which is known when the parts are taken in order.
        if report.form.keepsNothing, found.once?.isShown != true {
            var form = report.form
            form.add(file, to: &out)
        } else {
            result.file = report.form.showsText ? file : file.withoutText
        }
        return result
    }

    private func measure(_ task: PartTask, _ style: BudgetStyle, to out: inout ByteBuffer) -> PartResult {
        let records = linter.budgets(of: task.part)
        let positions = PositionTable(
            of: records.map(\.offset), in: task.part.bytes, at: task.part.offset, from: task.part.place)
        var result = PartResult()
        result.counts.located = records.count { $0.isLocated }
        for (offset, reports, _, isMalformed) in records {
            let line = positions[offset].line
            if !reports.isEmpty { result.hasRecord = true }
            if reports.isEmpty {
                result.counts.malformed += 1
            }
            // An event has nothing to measure.
            if reports.isEmpty, isMalformed {
                result.counts.shown[.error, default: 0] += 1
                let place = "\(TextStyle.clean(task.name)):\(line)"
                result.notes += "\(place): no message to measure; pushpipe lint says why\n"
            }
            for report in reports {
                if report.left < 0 { result.counts.shown[.error, default: 0] += 1 }
                if case .kept = style {
                    result.measured.append(MeasuredMessage(file: task.name, line: line, report: report))
                } else {
                    style.append(report, file: task.name, line: line, to: &out)
                }
            }
        }
        return result
    }
}
