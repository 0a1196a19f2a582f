import PayloadJSON

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
                    "pushpipe-ignore is a rule or a list of rules, not \(entry.kind)"
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
