import PushDecoding
public import PushJSON
import PushJSONRepair
public import PushModel

/// Walks a record, asks the families of rules about its parts, and collects their findings.
final class LintRun {
    let options: DecodingOptions
    /// Who looks at the parts of payloads that are data of the app: the user's schemas.
    let readers: [PayloadReader]
    private var diagnostics: [Diagnostic] = []

    init(_ options: DecodingOptions, _ readers: [PayloadReader] = []) {
        self.options = options
        self.readers = readers
    }

    // MARK: - Walk

    /// Checks a whole record: recognizes its format as the decoder does, and then has its parts checked.
    func checkRecord(_ root: LintNode) {
        guard root.isObject else {
            let isOfExpo = options.format == .expo || options.format == nil && ExpoRequest.isList(root.view)
            if isOfExpo { ExpoRules(run: self).check(root) }
            return
        }
        let keys = TopLevelKeys(of: root.view)
        // The decoder reports what is wrong with an event.
        if keys.event != nil { return }
        var format = options.format ?? keys.format
        if !keys.hasAps, let named = root["provider"]?.swiftString {
            format = RecordFormat(rawValue: named)
            if let format, format != .apns, let payload = root["payload"] {
                if format == .fcm || format == .gcm { FCMContentRules(run: self).checkToken(root["device"]) }
                if let inner = payload.isString ? JSONRules(run: self).open(payload) : payload {
                    check(inner, as: format)
                }
                return
            }
        }
        if let format { check(root, as: format, isRecord: true) } else { checkUnknownShape(root) }
    }

    private func check(_ root: LintNode, as format: RecordFormat, isRecord: Bool = false) {
        guard root.isObject || format == .expo else { return }
        switch format {
        case .apns:
            if let payload = root["payload"], root["aps"] == nil {
                APNsRequestRules(run: self).checkEnvelope(root, payload)
            } else {
                PayloadRules(run: self).check(root, APNsSurroundings(source: .bare))
            }
        case .fcm: FCMRequestRules(run: self).check(root, isRecord: isRecord)
        case .gcm: GCMRules(run: self).check(root)
        case .sns: SNSRules(run: self).check(root)
        case .airnotifier: AirnotifierRules(run: self).check(root)
        case .expo: ExpoRules(run: self).check(root)
        case .wikimedia, .moodle: break
        }
    }

    /// A record that is not recognized because its names are misspelled.
    private func checkUnknownShape(_ root: LintNode) {
        root.forEachMember { member in
            guard PayloadRules.isMeantAsAps(member) else { return }
            PayloadRules(run: self).reportMisspelledAps(member, in: root)
        }
        SNSRules(run: self).checkNames(in: root)
    }

    // MARK: - Findings

    /// Forgets a record's findings.
    func restart() { diagnostics.removeAll(keepingCapacity: true) }

    /// True if no more findings are kept.
    var isFull: Bool { diagnostics.count >= 2 * Linter.maximumDiagnostics }

    func add(_ diagnostic: Diagnostic) {
        var diagnostic = diagnostic
        diagnostic.message = diagnostic.message.onOneLine
        diagnostics.append(diagnostic)
    }

    /// Adds a finding.
    ///
    /// - Parameters:
    ///   - edits: edits of the text that the place is in, which fix it without changing what was meant. Evaluated only for a
    ///     finding that is kept, because it may walk over the object.
    ///   - recordEdits: the same, as edits of the record.
    func report(
        _ rule: Rule, _ message: @autoclosure () -> String, at place: some FindingPlace,
        edits: @autoclosure () -> [TextEdit] = [], recordEdits: @autoclosure () -> [TextEdit] = []
    ) {
        // Locating a place walks over the record, and findings beyond those that are kept are of little use.
        guard !isFull else { return }
        let text = place.text
        add(
            Diagnostic(
                rule: rule, message: message(), pointer: place.pointer, range: text.recordRange(place.shownRange),
                edits: edits().map(text.recordEdit) + recordEdits()))
    }

    /// The value that a pointer into the record leads to, or its name; if there is none, the closest value around it.
    func place(of pointer: String, in root: LintNode, isName: Bool) -> any FindingPlace {
        var tokens = (JSONPointer.tokens(pointer) ?? [])[...]
        if isName, let member = root.findMember(tokens) { return member }
        while true {
            if let node = root.find(tokens) { return node }
            tokens = tokens.dropLast()
        }
    }

    /// True if an error at exactly this place has been reported.
    func hasError(at pointer: String) -> Bool {
        diagnostics.contains { $0.pointer == pointer && $0.rule.severity == .error }
    }

    /// True if a rule has been reported anywhere.
    func hasReported(_ rule: RuleID) -> Bool { diagnostics.contains { $0.rule.id == rule } }

    /// True if the reason why a record is malformed has been reported in more detail.
    func explains(_ decodeFailure: DecodeFailure) -> Bool {
        decodeFailure.rule == RecordRules.notText.id.text
            || decodeFailure.rule == RecordRules.payloadType.id.text
                && diagnostics.contains {
                    $0.rule.id == SNSRules.valueNotText.id && $0.range.lowerBound == decodeFailure.offset
                }
            || decodeFailure.rule.hasPrefix("json.")
                && diagnostics.contains { $0.rule.id.text.hasPrefix("json.") && $0.rule.severity == .error }
    }

    /// The findings in the order of their places, at most `Linter.maximumDiagnostics`.
    func finished() -> [Diagnostic] { diagnostics.count < 2 ? diagnostics : Self.sorted(diagnostics) }

    static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        let order = diagnostics.indices.sorted { left, right in
            (diagnostics[left].range.lowerBound, left) < (diagnostics[right].range.lowerBound, right)
        }
        var unique: [Diagnostic] = []
        for index in order where unique.count < Linter.maximumDiagnostics {
            let next = diagnostics[index]
            // The same finding twice is about the same place.
            let others = unique.reversed().prefix { $0.range.lowerBound == next.range.lowerBound }
            let isKnown = others.contains {
                $0.range == next.range && $0.rule.id == next.rule.id && $0.message == next.message
            }
            if !isKnown { unique.append(next) }
        }
        return unique
    }
}

/// The place that a finding points at: a value, or the name of a member.
protocol FindingPlace {
    var text: LintText { get }
    /// The bytes in the text that are shown.
    var shownRange: Range<Int> { get }
    var pointer: String { get }
}

extension LintNode: FindingPlace {
    /// The value's bytes; the first one of an object or array.
    var shownRange: Range<Int> { isObject || kind == .array ? view.offset..<view.offset + 1 : range }
}

extension LintMember: FindingPlace {
    var text: LintText { value.text }
    var shownRange: Range<Int> { keyRange }
    var pointer: String { value.pointer }
}

/// A finding of the linter, with its place and its fix.
///
/// It is printed on one line: `error aps.misspelled-key at /aps/mutable_content: …`.
public struct Diagnostic: Sendable, Equatable {
    /// The rule that is broken.
    public var rule: Rule
    /// The rule's severity, unless a configuration sets another one.
    public var severity: Finding.Severity
    /// One line in plain words about this place.
    public var message: String
    /// JSON Pointer (RFC 6901) into the record. It continues into JSON inside a string.
    public var pointer: String
    /// Number of the record in its text, from 1.
    public var record = 1
    /// The bytes that the message is about: of the record from a ``Linter``, of the text from a ``TextLinter``.
    public var range: Range<Int>
    /// Edits of the same bytes that fix it; empty if there is no safe fix.
    public var edits: [TextEdit]

    init(rule: Rule, message: String, pointer: String, range: Range<Int>, edits: [TextEdit] = []) {
        self.rule = rule
        severity = rule.severity
        self.message = message
        self.pointer = pointer
        self.range = range
        self.edits = edits
    }
}

extension Diagnostic: CustomStringConvertible {
    /// Severity, rule, place and message on one line. A text's first record is not named.
    public var description: String {
        let number = record == 1 ? "" : " in record \(record)"
        return "\(severity) \(rule.id)\(number)\(pointer.isEmpty ? "" : " at \(pointer)"): \(message)"
    }
}

extension Diagnostic {
    /// The finding in the form that `pushpipe run` reports.
    package var finding: Finding {
        Finding(rule: rule.id.text, severity: severity, pointer: pointer, message: message)
    }

    /// The diagnostic in a text with `offset` more bytes before it.
    func moved(by offset: Int) -> Diagnostic {
        var moved = self
        moved.range = range.moved(by: offset)
        moved.edits = edits.map { TextEdit(range: $0.range.moved(by: offset), replacement: $0.replacement) }
        return moved
    }
}

extension Range<Int> {
    /// The range in a text with `offset` more bytes before it.
    func moved(by offset: Int) -> Range<Int> { lowerBound + offset..<upperBound + offset }
}
