import PayloadJSON
import PushDecoding
import PushModel

/// Collects the findings about one record.
final class LintRun {
    /// Where a finding points.
    enum Place {
        /// The name of a member.
        case key(LintMember)
        /// A value; for an object or array, its first byte.
        case value(LintNode)
    }

    let options: DecodingOptions
    /// Who looks at the parts of payloads that are data of the app: the user's schemas.
    let readers: [any PayloadReader]
    private var diagnostics: [Diagnostic] = []

    init(_ options: DecodingOptions, _ readers: [any PayloadReader] = []) {
        self.options = options
        self.readers = readers
    }

    /// Forgets a record's findings.
    func restart() { diagnostics.removeAll(keepingCapacity: true) }

    /// True if no more findings are kept.
    var isFull: Bool { diagnostics.count >= 2 * Linter.maximumFindings }

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
        _ rule: Rule, _ message: @autoclosure () -> String, at place: Place,
        edits: @autoclosure () -> [TextEdit] = [], recordEdits: @autoclosure () -> [TextEdit] = []
    ) {
        // Locating a place walks over the record, and findings beyond those that are kept are of little use.
        guard !isFull else { return }
        let (text, range, pointer) = Self.locate(place)
        add(
            Diagnostic(
                rule: rule, message: message(), pointer: pointer, range: text.recordRange(range),
                edits: edits().map(text.recordEdit) + recordEdits()))
    }

    private static func locate(_ place: Place) -> (text: LintText, range: Range<Int>, pointer: String) {
        switch place {
        case .key(let member): (member.value.text, member.keyRange, member.value.pointer)
        case .value(let node):
            switch node.kind {
            case .object, .array: (node.text, node.view.offset..<node.view.offset + 1, node.pointer)
            default: (node.text, node.range, node.pointer)
            }
        }
    }

    /// The value that a pointer into the record leads to, or its name; if there is none, the closest value around it.
    func place(of pointer: String, in root: LintNode, isName: Bool) -> Place {
        var tokens = (JSONPointer.tokens(pointer) ?? [])[...]
        if isName, let member = root.findMember(tokens) { return .key(member) }
        while true {
            if let node = root.find(tokens) { return .value(node) }
            tokens = tokens.dropLast()
        }
    }

    /// True if an error at exactly this place has been reported.
    func hasError(at pointer: String) -> Bool {
        diagnostics.contains { $0.pointer == pointer && $0.rule.severity == .error }
    }

    /// True if a rule has been reported anywhere.
    func hasReported(_ rule: String) -> Bool { diagnostics.contains { $0.rule.id == rule } }

    /// True if the reason why a record is malformed has been reported in more detail.
    func explains(_ decodeFailure: DecodeFailure) -> Bool {
        decodeFailure.rule == Rule.recordNotText.id
            || decodeFailure.rule.hasPrefix("json.")
                && diagnostics.contains { $0.rule.id.hasPrefix("json.") && $0.rule.severity == .error }
    }

    /// The findings in the order of their places, at most `Linter.maximumFindings`.
    func finished() -> [Diagnostic] { diagnostics.count < 2 ? diagnostics : Self.sorted(diagnostics) }

    static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        let sorted = diagnostics.enumerated().sorted { left, right in
            (left.element.range.lowerBound, left.offset) < (right.element.range.lowerBound, right.offset)
        }
        var seen: Set<String> = []
        let unique = sorted.map(\.element).filter { seen.insert("\($0.rule.id) \($0.range) \($0.message)").inserted }
        return Array(unique.prefix(Linter.maximumFindings))
    }

    // MARK: - JSON

    /// Reports what is wrong with a text that is not JSON, and returns its repair; nil if none is attempted.
    func reportSyntax(_ fault: JSONFault, in bytes: UnsafeRawBufferPointer, of text: LintText) -> JSONRepair? {
        // SOUND: the caller vouches for the bytes, which the fault was found in.
        if text.pointer.isEmpty, let foreign = unsafe ForeignText(bytes) {
            let range = text.recordRange(0..<min(1, bytes.count))
            add(
                Diagnostic(
                    rule: .recordNotText, message: foreign.message, pointer: text.pointer, range: range, edits: []))
            return nil
        }
        let repair = unsafe fault.kind == .invalidUTF8 || fault.kind == .tooDeep ? nil : JSONRepair(bytes)
        var isUnclosed = false
        for problem in repair?.problems ?? [] {
            // A missing quote or bracket leaves others unclosed.
            if problem.kind == .unclosed {
                if isUnclosed { continue }
                isUnclosed = true
            }
            add(
                Diagnostic(
                    rule: fault.kind == .trailingContent && problem.kind == .other ? .jsonExtra : problem.kind.rule,
                    message: problem.message, pointer: text.pointer,
                    range: text.recordRange(problem.range),
                    edits: problem.isSafe ? problem.edits.map(text.recordEdit) : []))
        }
        if repair?.text == nil {
            let offset = min(fault.offset, bytes.count)
            let isTold = (repair?.problems ?? []).contains { $0.range.contains(offset) }
            if !isTold {
                let rule =
                    fault.kind == .trailingContent ? .jsonExtra : Rule.named(fault.rule.description) ?? .jsonSyntax
                unsafe add(
                    Diagnostic(
                        rule: rule, message: fault.message(in: bytes), pointer: text.pointer,
                        range: text.recordRange(offset..<min(offset + 1, bytes.count)), edits: []))
            }
        }
        return repair
    }

    /// Reads the contents of a string as JSON, and reports what is wrong with it; nil if it is not JSON.
    func open(_ node: LintNode) -> LintNode? {
        // SOUND: the bytes live as long as `inner`.
        guard node.string?.count ?? 0 > 0, let inner = node.inner else { return nil }
        if let fault = inner.fault, !isFull { _ = unsafe reportSyntax(fault, in: inner.allBytes, of: inner) }
        return inner.root
    }

    // MARK: - Names

    /// Finds the expected name that an unexpected one resembles.
    ///
    /// - Returns: the name that was probably meant, and whether only case and separators differ.
    static func lookAlike(_ name: String, among list: NameList) -> (name: String, differsInStyleOnly: Bool)? {
        let folded = NearMiss.folded(name)
        if let same = list.folded.firstIndex(of: folded) { return (list.names[same].description, true) }
        if let close = list.folded.firstIndex(where: { NearMiss.isClose(folded, $0) }) {
            return (list.names[close].description, false)
        }
        return nil
    }

    /// The edit that renames a member of `object`; none if another member has that name, or will get it.
    static func rename(_ member: LintMember, to name: String, in object: LintNode) -> [TextEdit] {
        let folded = NearMiss.folded(name)
        var first: Int?
        var isTaken = false
        let wanted = Array(name.utf8)
        object.forEachMember { other in
            if other.key.equals(wanted) { isTaken = true }
            if first == nil, NearMiss.folded(other.name) == folded { first = other.keyRange.lowerBound }
        }
        let isSpelling = NearMiss.folded(member.name) == folded
        guard !isTaken, first == (isSpelling ? member.keyRange.lowerBound : nil) else { return [] }
        return [TextEdit(member.keyRange, "\"\(name)\"")]
    }
}
