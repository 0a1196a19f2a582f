import PushJSON
import PushText

/// A rule, or a group of rules, whose findings are left out of a file.
package struct Suppression: Sendable {
    /// The rule or group as it was written.
    package var text: String
    /// Nil if there is no such rule, which is reported.
    package var pattern: RulePattern?
    /// The only record that it is about, from 1; nil for all.
    package var record: Int?
    /// The part of the record that it is about, in tokens of a JSON Pointer; empty for all of it.
    package var path: [String]
    /// True if it is a setting of a configuration, which decides by itself what is shown.
    package var isSetting: Bool
    /// The line of the file that it stands in, from 1.
    package var line: Int
    package var column: Int

    package init(
        _ text: String, record: Int? = nil, path: [String] = [], isSetting: Bool = false, line: Int, column: Int
    ) {
        self.text = text
        self.isSetting = isSetting
        pattern = try? RulePattern(text)
        self.record = record
        self.path = path
        self.line = line
        self.column = column
    }

    func matches(_ rule: Rule, record: Int, pointer: String) -> Bool {
        guard pattern?.contains(rule) == true, self.record ?? record == record else { return false }
        return path.isEmpty || (JSONPointer.tokens(pointer) ?? []).starts(with: path)
    }

    /// The message about a suppression that no finding needs.
    static func unusedMessage(_ text: String) -> String {
        do throws(UnknownRule) { _ = try RulePattern(text) } catch { return error.description }
        return "nothing here breaks \(TerminalText.clean(text)), so there is nothing to ignore"
    }
}

/// The suppressions of one file, and where they stand.
package final class SuppressionFile: Sendable {
    /// The name in reports.
    package let name: String
    package let bytes: [UInt8]
    package let suppressions: [Suppression]

    init(_ name: String, _ bytes: [UInt8], _ suppressions: [Suppression]) {
        self.name = name
        self.bytes = bytes
        self.suppressions = suppressions
    }

    /// Findings about those that were not used, in their order.
    ///
    /// - Parameters:
    ///   - used: positions in a list of several files' suppressions.
    ///   - first: the position of this file's first one there.
    ///   - linter: decides which are shown.
    package func unused(_ used: Set<Int>, from first: Int, _ linter: TextWorker) -> LintResult {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        var result = LintResult()
        for (index, suppression) in suppressions.enumerated() where !used.contains(first + index) {
            let line = lines.indices.contains(suppression.line - 1) ? lines[suppression.line - 1] : []
            // Columns count characters, whose bytes after the first are left out.
            let starts = line.indices.filter { line[$0] & 0xC0 != 0x80 }
            let column = suppression.column - 1
            let start = starts.indices.contains(column) ? starts[column] : line.endIndex
            let count = max(min(suppression.text.utf8.count, line.endIndex - start), 0)
            let found = Diagnostic(
                rule: .unusedSuppression, message: Suppression.unusedMessage(suppression.text), pointer: "",
                range: start..<start + count)
            linter.report(found, to: &result)
        }
        return result
    }
}

/// `pushpipe-ignore` at the top level of a record: rules that a sample breaks on purpose. The record is checked as if the member were not in
/// it, so it is no unknown key and takes no bytes of a budget. Whoever sends the record sends the member, too.
struct SampleMember {
    static let name: StaticString = "pushpipe-ignore"

    private struct Entry {
        let text: String?
        let kind: String
        let pointer: String
        let range: Range<Int>
    }

    /// The bytes of the record without which the member is not there: with a comma and the space up to the next member.
    private let range: Range<Int>
    private var entries: [Entry] = []

    /// Nil if the record has no such member.
    init?(_ root: LintNode, of record: UnsafeRawBufferPointer) {
        guard root.isObject, root.view.kind == .object, root[Self.name] != nil else { return nil }
        var found: (member: LintMember, next: Int?)?
        root.forEachMember { member in
            if member.key == Self.name {
                found = (member, nil)
            } else if found?.next == nil {
                found?.next = member.keyRange.lowerBound
            }
        }
        guard let found else { return nil }
        let end = found.member.value.range.upperBound
        var start = found.member.keyRange.lowerBound
        if found.next == nil {
            // SOUND: `place` is an index of the record.
            var place = start
            while place > 0, unsafe record[place - 1] <= 0x20 { place -= 1 }
            if place > 0, unsafe record[place - 1] == UInt8(ascii: ",") { start = place - 1 }
        }
        range = start..<max(start, found.next ?? end)
        let value = found.member.value
        if value.view.kind == .array {
            value.forEachElement {
                entries.append(Entry(text: $0.swiftString, kind: $0.kindName, pointer: $0.pointer, range: $0.range))
            }
        } else {
            entries.append(
                Entry(text: value.swiftString, kind: value.kindName, pointer: value.pointer, range: value.range))
        }
    }

    func removed(from record: UnsafeRawBufferPointer) -> [UInt8] {
        // SOUND: the range is of this record.
        unsafe Array(record[..<range.lowerBound]) + Array(record[range.upperBound...])
    }

    /// The remaining findings about the record without the member, with places in the record; and the suppressions that matched nothing.
    ///
    /// - Parameter malformed: the rules that make the record malformed, which cannot be ignored.
    func applied(to diagnostics: [Diagnostic], malformed: Set<String>) -> [Diagnostic] {
        let patterns = entries.map { $0.text.flatMap { try? RulePattern($0) } }
        var used = Set<Int>()
        var left: [Diagnostic] = []
        for diagnostic in diagnostics {
            let matching = patterns.indices.filter { patterns[$0]?.contains(diagnostic.rule) == true }
            used.formUnion(matching)
            if matching.isEmpty || malformed.contains(diagnostic.rule.id.text) { left.append(moved(diagnostic)) }
        }
        for (index, entry) in entries.enumerated() where !used.contains(index) {
            let message =
                if let text = entry.text {
                    Suppression.unusedMessage(text)
                } else {
                    "pushpipe-ignore must be a rule or a list of rules, not \(entry.kind)"
                }
            left.append(
                Diagnostic(
                    rule: .unusedSuppression, message: message, pointer: entry.pointer, range: entry.range))
        }
        return LintRun.sorted(left)
    }

    private func moved(_ diagnostic: Diagnostic) -> Diagnostic {
        var moved = diagnostic
        moved.range = place(diagnostic.range)
        // An edit across the place where the member was would delete it.
        let isAcross = diagnostic.edits.contains {
            $0.range.lowerBound < range.lowerBound && $0.range.upperBound > range.lowerBound
        }
        moved.edits =
            isAcross ? [] : diagnostic.edits.map { TextEdit(range: place($0.range), replacement: $0.replacement) }
        return moved
    }

    private func place(_ old: Range<Int>) -> Range<Int> {
        let start = old.lowerBound + (old.lowerBound >= range.lowerBound ? range.count : 0)
        let end = old.upperBound + (old.upperBound > range.lowerBound ? range.count : 0)
        return start..<max(start, end)
    }
}
