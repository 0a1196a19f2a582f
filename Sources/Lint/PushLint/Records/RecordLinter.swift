public import PushDecoding
import PushJSON
import PushJSONRepair
import PushModel

/// Lints one record at a time, with scratch memory that is kept from one to the next.
package final class RecordLinter {
    private let options: DecodingOptions
    var advice: Advice.Wording { options.advice }
    private let acceptance: Acceptance
    private var decoder: RecordDecoder
    private var batch = MessageBatch()
    /// The record, and what is found in it: kept from one record to the next, so that a record without findings allocates nothing.
    private let text = LintText()
    private let readers: [PayloadReader]
    private let run: LintRun
    private var finder: RecordFinder

    /// How much work all records so far have taken, in entries of tapes and bytes that were walked over, except by scanning and decoding.
    var steps: Int { text.meter.steps }
    /// True to leave out the answers of the emulated services and the decoder's findings, which a pipeline reports itself.
    private let isInPipeline: Bool
    private let fitting: TextFitting?
    /// True if the last record is not JSON.
    private(set) var isMalformed = false
    /// The rules that made the last record malformed.
    private var malformedRules: Set<String> = []

    /// - Parameters:
    ///   - options: how records are read.
    ///   - isInPipeline: true to leave out what a pipeline reports itself.
    ///   - fitting: how to shorten the texts of a message that is over its budget; nil to offer no such fix.
    ///   - contracts: schemas that payloads must fit.
    package init(
        _ options: DecodingOptions, isInPipeline: Bool = false, fitting: TextFitting? = nil,
        contracts: [PayloadContract] = []
    ) {
        self.options = options
        self.fitting = fitting
        self.isInPipeline = isInPipeline
        readers = contracts.map { $0.makeReader() }
        run = LintRun(options, readers)
        acceptance = Acceptance(budget: options.budget)
        decoder = RecordDecoder(options: options)
        finder = RecordFinder(options.location)
    }

    /// Passes the record in a line to `body`, and where it is unless the line is the record.
    ///
    /// - Returns: nil if there is none.
    func withRecord<Result>(in line: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, LocatedRecord?) -> Result)
        -> Result?
    {
        // SOUND: the caller vouches for the line.
        unsafe finder.withRecord(in: line, body)
    }

    /// Checks the record in a line. The findings' ranges are of the line.
    ///
    /// - Returns: the findings, and true if there is a record where the options say.
    func lint(line: UnsafeRawBufferPointer) -> (findings: [Diagnostic], isLocated: Bool) {
        // SOUND: the caller vouches for the line.
        unsafe withRecord(in: line) { record, place in
            let found = unsafe lint(record)
            return (place.map { place in found.map { $0.moved(place.offsetInLine) } } ?? found, isLocated(place))
        } ?? ([], false)
    }

    /// True if the record that was read last is malformed, or no message of its format.
    var hasDecodeFailure: Bool { !batch.decodeFailures.isEmpty }

    /// True if a line has a record where options say. Without a place, it may be no JSON.
    func isLocated(_ place: LocatedRecord?) -> Bool { place?.isFound ?? (options.location?.pointer == nil) }

    /// Checks a record, and returns what is wrong with it in the order of its bytes.
    ///
    /// - Parameter record: one JSON text, valid or not, without its separator.
    package func lint(_ record: UnsafeRawBufferPointer) -> [Diagnostic] {
        // SOUND: the caller vouches for the record, and other texts live until their closures return.
        run.restart()
        unsafe text.read(record)
        isMalformed = text.fault != nil
        if let found = unsafe findings(in: text, record, isSample: !isInPipeline, run) { return found }
        guard !isInPipeline, let fault = text.fault else { return [] }
        if options.acceptsRelaxedJSON, let found = unsafe lintRelaxed(record) { return found }
        // A record with a syntax error is checked too, as it was probably meant.
        guard let repaired = unsafe JSONRules(run: run).check(fault, in: record, of: text), repaired.text != nil else {
            return unsafe run.finished() + oversized(record, fault)
        }
        let syntax = run.finished()
        let inner = LintRun(options, readers)
        unsafe (repaired.text ?? []).withUnsafeBytes { bytes in
            let text = unsafe LintText(record: bytes)
            if let root = text.root { unsafe look(at: root, bytes, inner) }
        }
        // The edits fit the repaired text only. Syntax is fixed first.
        let found = inner.finished().map { $0.moved(repaired.originalOffset) }
            // A word such as NaN is repaired to null, which nobody wrote.
            .filter { moved in
                moved.rule.id != PayloadRules.nullValue.id
                    || !syntax.contains { $0.rule.id == JSONRules.literal.id && $0.range.overlaps(moved.range) }
            }
        return LintRun.sorted(syntax + found)
    }

    /// The finding about the size of a request to APNs that is not UTF-8, and is refused for its size.
    private func oversized(_ record: UnsafeRawBufferPointer, _ fault: JSONFault) -> [Diagnostic] {
        // SOUND: the caller vouches for the record; a finding's index is that of a message of the batch.
        guard fault.kind == .invalidUTF8 else { return [] }
        unsafe fillBatch(from: record)
        for (index, finding) in batch.findings {
            guard case .rejected(.payloadTooLarge) = unsafe batch.messages[index].verdict,
                let rule = Rule.named(finding.rule), rule.id.text == Rejection.payloadTooLarge.rule
            else { continue }
            let message = unsafe finding.message + consequence(of: .payloadTooLarge, for: batch.messages[index])
            let range = fault.offset..<min(fault.offset + 1, record.count)
            return [Diagnostic(rule: rule, message: message, pointer: finding.pointer, range: range)]
        }
        return []
    }

    /// The findings about a record that is JSON after relaxed reading; nil for any other.
    private func lintRelaxed(_ record: UnsafeRawBufferPointer) -> [Diagnostic]? {
        // SOUND: the caller vouches for the record; the strict text lives until the closure returns.
        let reading = unsafe RelaxedReading(record)
        guard let strict = reading.text,
            let strictFindings = unsafe strict.withUnsafeBytes({ bytes in
                unsafe findings(in: LintText(record: bytes), bytes, isSample: true, LintRun(options, readers))
            })
        else { return nil }
        let found = strictFindings.map { $0.moved(reading.originalOffset) }
        let relaxed = Diagnostic(
            rule: JSONRules.relaxed, message: "read as strict JSON after \(reading.summary)", pointer: "", range: 0..<1)
        return LintRun.sorted([relaxed] + found)
    }

    /// The findings about a text; nil if it is not JSON.
    ///
    /// - Parameters:
    ///   - record: the bytes of the text.
    ///   - isSample: true if a member of it may say what to ignore.
    private func findings(
        in text: LintText, _ record: UnsafeRawBufferPointer, isSample: Bool, _ run: LintRun
    ) -> [Diagnostic]? {
        // SOUND: the caller vouches for the record, and the rest of it lives until its closure returns.
        guard let root = text.root else { return nil }
        if isSample, let member = unsafe SampleMember(root, of: record) {
            let found = unsafe member.removed(from: record).withUnsafeBytes { rest in
                unsafe findings(in: LintText(record: rest), rest, isSample: false, run)
            }
            return member.applied(to: found ?? [], malformed: malformedRules)
        }
        unsafe look(at: root, record, run)
        return run.finished()
    }

    private func look(at root: LintNode, _ record: UnsafeRawBufferPointer, _ run: LintRun) {
        // SOUND: the caller vouches for the bytes.
        run.checkRecord(root)
        if isInPipeline {
            ConfigurationRules(run: run).check(root)
        } else {
            unsafe reportRefusals(of: root, record, run)
        }
    }

    private func fillBatch(from record: UnsafeRawBufferPointer) {
        // SOUND: the caller vouches for the record while it uses the batch.
        batch.removeAll()
        unsafe decoder.decode(record, record: 0, into: &batch)
        for index in unsafe batch.messages.indices { acceptance.check(index, in: &batch) }
    }

    /// Decodes a record, measures its messages, and collects the results of `body` for each message that is not malformed.
    func measure<Result>(_ record: UnsafeRawBufferPointer, _ body: (DecodedMessage) -> Result?) -> [Result] {
        // SOUND: the caller vouches for the record, the rest lives until its closure returns, and nothing is appended to the batch meanwhile.
        unsafe text.read(record)
        if let root = text.root, let member = unsafe SampleMember(root, of: record) {
            let rest = unsafe member.removed(from: record)
            return unsafe rest.withUnsafeBytes { unsafe measureWhole($0, body) }
        }
        return unsafe measureWhole(record, body)
    }

    private func measureWhole<Result>(_ record: UnsafeRawBufferPointer, _ body: (DecodedMessage) -> Result?) -> [Result]
    {
        // SOUND: the caller vouches for the record, and nothing is appended to the batch meanwhile.
        unsafe fillBatch(from: record)
        return unsafe batch.messages.compactMap { message in
            switch message.verdict {
            case .malformed, .event: return nil
            default: return body(message)
            }
        }
    }

    /// Reports refusals of the emulated services, and the decoder's findings.
    private func reportRefusals(of root: LintNode, _ record: UnsafeRawBufferPointer, _ run: LintRun) {
        // SOUND: the caller vouches for the record; a finding's index is that of a message of the batch.
        unsafe fillBatch(from: record)
        if !malformedRules.isEmpty { malformedRules = [] }
        if !batch.decodeFailures.isEmpty { malformedRules = Set(batch.decodeFailures.map(\.1.rule)) }
        // Looking for a place walks over the record.
        for (_, decodeFailure) in batch.decodeFailures.prefix(Linter.maximumDiagnostics) {
            guard let rule = Rule.named(decodeFailure.rule), !run.explains(decodeFailure) else { continue }
            let offset = min(max(decodeFailure.offset, 0), record.count)
            run.add(
                Diagnostic(
                    rule: rule, message: decodeFailure.message, pointer: root.innermost(at: offset).pointer,
                    range: offset..<min(offset + 1, record.count)))
        }
        for (index, finding) in batch.findings {
            if run.isFull { break }
            let isUnknownMember = finding.rule == "record.unknown-member"
            // A header beside headers is an error already.
            if isUnknownMember, run.hasError(at: finding.pointer) { continue }
            // Expo answers about each token.
            let isOfPlace = isUnknownMember || finding.rule == Rejection.expoDeviceNotRegistered.rule
            guard let rule = Rule.named(finding.rule),
                isOfPlace || !run.hasReported(rule.id) || finding.rule.hasPrefix("json.")
            else { continue }
            var message = finding.message
            if case .rejected(let rejection) = unsafe batch.messages[index].verdict, rejection.rule == finding.rule {
                // APNs measures a body before it reads it, so its size matters beside its syntax.
                if rejection != .payloadTooLarge, run.hasError(at: finding.pointer) { continue }
                message += unsafe consequence(of: rejection, for: batch.messages[index])
            }
            let isName =
                isUnknownMember || finding.rule == "json.duplicate-key" || finding.rule == "json.nul-in-key"
            run.report(
                rule, message, at: run.place(of: finding.pointer, in: root, isName: isName),
                recordEdits: unsafe cuts(of: batch.messages[index], rule, in: root))
        }
    }

    /// The service's answer, as the end of a finding's message. A number of bytes that the user chose is no service's limit.
    private func consequence(of rejection: Rejection, for message: DecodedMessage) -> String {
        if let budget = options.budget, budget.name == nil, message.byteCount > message.byteLimit {
            return "; this is your own budget, not the service's limit"
        }
        // A certificate for a single topic implies the topic.
        return rejection == .missingTopic ? "; with a provider token, \(rejection.answer)" : "; \(rejection.answer)"
    }

    /// The edits of the record that shorten the texts of a message that was refused for its size.
    private func cuts(of message: DecodedMessage, _ rule: Rule, in root: LintNode) -> [TextEdit] {
        // SOUND: the payload lives as long as the batch, to which nothing is appended.
        guard let fitting, !message.isDerived, message.byteCount > message.byteLimit,
            case .rejected(let rejection) = message.verdict, rejection.rule == rule.id.text
        else { return [] }
        let payload = unsafe LintText(record: message.payload.bytes)
        guard let view = payload.root?.view,
            case .cuts(let cuts) = fitting.plan(for: message, view, bytes: message.byteCount, limit: message.byteLimit)
        else { return [] }
        return cuts.compactMap { cut in
            let pointer = "\(message.place.string)\(message.payloadPointer)\(cut.place.pointer)"
            guard let node = root.find((JSONPointer.tokens(pointer) ?? [])[...]),
                node.string?.count == cut.place.text.count
            else { return nil }
            // Between the quotes.
            let start = node.range.lowerBound + 1 + cut.keptBytes
            return node.text.recordEdit(TextEdit(start..<node.range.upperBound - 1, cut.ellipsis.description))
        }
    }
}

extension Diagnostic {
    /// The diagnostic about another text, without edits, which fit this text alone.
    ///
    /// - Parameter offset: where an offset of this text is in the other.
    fileprivate func moved(_ offset: (Int) -> Int) -> Diagnostic {
        var moved = self
        let start = offset(range.lowerBound)
        moved.range = start..<max(start, offset(range.upperBound))
        moved.edits = []
        return moved
    }
}

extension Rejection {
    /// `APNs answers 400 BadCollapseId`.
    var answer: String {
        let speaker =
            switch row.speaker.description {
            case "binary": "the binary interface"
            case "apns": "APNs"
            case "gcm": "GCM"
            case "fcm": "FCM"
            case "sns": "SNS"
            case "expo": "Expo"
            default: "Airnotifier"
            }
        return "\(speaker) answers \(row.status) \(row.reason)"
    }
}

/// Finds the records in lines, as `DecodingOptions.location` says.
struct RecordFinder: ~Copyable {
    /// Nil if lines are records.
    private var locator: RecordLocator?
    /// The contents of strings in a line.
    private var scratch = ScratchArena()

    init(_ location: RecordLocation?) { locator = location.map { RecordLocator($0) } }

    /// Passes the record in a line to `body`, and where it is unless the line is the record.
    ///
    /// - Returns: nil if there is none.
    mutating func withRecord<Result>(
        in line: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, LocatedRecord?) -> Result
    ) -> Result? {
        // SOUND: the caller vouches for the line; the scratch memory does not change until `body` has returned.
        guard locator != nil else { return unsafe body(line, nil) }
        scratch.reset()
        switch unsafe locator?.locate(in: line, &scratch) {
        case .nothing: return nil
        case .found(let record): return unsafe body(record.text.bytes, record)
        case .whole, nil: return unsafe body(line, nil)
        }
    }
}

/// Lints records in a pipeline, with the rules that a file's configuration chooses.
package final class ProfileLinter {
    /// The settings; nil for the rules' own severities.
    package let profile: LintProfile?
    private let linter: RecordLinter
    private let filter: RuleFilter

    package init(_ profile: LintProfile?, _ options: DecodingOptions) {
        self.profile = profile
        linter = RecordLinter(options, isInPipeline: true, contracts: profile?.contracts ?? [])
        filter = RuleFilter(profile?.settings ?? [])
    }

    /// The findings about a record, with the severities of the configuration.
    ///
    /// - Parameters:
    ///   - number: the record's in its file, from 1.
    ///   - suppressions: findings to leave out.
    package func lint(
        _ record: UnsafeRawBufferPointer, number: Int = 1, without suppressions: [Suppression] = []
    ) -> [Diagnostic] {
        // SOUND: the caller vouches for the record.
        unsafe linter.lint(record).compactMap { diagnostic in
            let isIgnored = suppressions.contains {
                !$0.isSetting && $0.matches(diagnostic.rule, record: number, pointer: diagnostic.pointer)
            }
            guard !isIgnored, case .shown(let severity) = filter.verdict(on: diagnostic.rule) else { return nil }
            var shown = diagnostic
            shown.severity = severity
            return shown
        }
    }
}

/// Finds what is wrong, doubtful or without effect in records.
///
///     let linter = Linter()
///     for diagnostic in linter.lint(#"{"aps":{"alert":"Hi","mutable_content":1}}"#) {
///         print(diagnostic)
///     }
///
/// It accepts any bytes, and always answers with a list of diagnostics. Tasks may share a linter, because each call makes scratch memory of
/// its own; a ``TextLinter`` makes it once for all records of a text.
public struct Linter: Sendable {
    /// The most diagnostics that are kept per record.
    public static let maximumDiagnostics = Finding.maximumPerRecord

    private let options: DecodingOptions

    /// - Parameter options: how records are read.
    public init(_ options: DecodingOptions = DecodingOptions()) { self.options = options }

    /// Checks a record, and returns what is wrong with it in the order of its bytes.
    public func lint(_ record: String) -> [Diagnostic] { lint(record.utf8) }

    /// Checks a record, and returns what is wrong with it in the order of its bytes.
    ///
    /// - Parameter record: one JSON text, valid or not, without its separator.
    public func lint(_ record: some Collection<UInt8>) -> [Diagnostic] {
        // SOUND: the bytes live until the closure returns.
        unsafe Array(record).withUnsafeBytes { unsafe RecordLinter(options).lint($0) }
    }

    /// A report for each message of a record; none if the record is malformed.
    public func budgets(of record: String) -> [BudgetReport] { budgets(of: record.utf8) }

    /// A report for each message of a record; none if the record is malformed.
    public func budgets(of record: some Collection<UInt8>) -> [BudgetReport] {
        // SOUND: the bytes live until the closure returns.
        unsafe Array(record).withUnsafeBytes { unsafe RecordLinter(options).budgets(of: $0) }
    }
}
