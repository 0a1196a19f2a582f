import PushLintFiles

/// The changes on the phone between two snapshots: the members of sections, with their values before and after.
package struct SnapshotDifference {
    /// One line of a snapshot that is another one now.
    package struct Change: Equatable {
        /// The scenario that it is in; empty outside of one.
        package var scenario = ""
        /// The section that it is in, such as `record 1`; empty for the first line of a scenario.
        package var section: String
        /// True if it is the first line of the section.
        package var isHeading = false
        /// The name of the member; nil for a line without one, and for a heading.
        package var name: String?
        /// The value, or the line; nil if there was none.
        package var before: String?
        /// The value, or the line; nil if there is none now.
        package var after: String?
    }

    /// Changes in the order of the snapshots.
    package private(set) var changes: [Change] = []

    /// Compares two snapshots line by line. The texts may be anything.
    package init(from old: [UInt8], to new: [UInt8]) {
        let oldLines = LineDifference.lines(of: old)
        let newLines = LineDifference.lines(of: new)
        let before = Self.parts(oldLines)
        let after = Self.parts(newLines)
        for change in LineDifference.changes(from: oldLines, to: newLines) {
            add(before[change.old], after[change.new])
        }
    }

    /// Adds lines that were replaced by others. Lines with the same name in the same section belong together.
    private mutating func add(_ old: ArraySlice<Part>, _ new: ArraySlice<Part>) {
        // Only the line feed at the end of the file is another.
        if let last = old.last, let end = new.last, last.isWhole != end.isWhole, last.isSame(as: end) {
            return add(old.dropLast(), new.dropLast())
        }
        var unused: [String: [Part]] = [:]
        for part in old.reversed() { if let key = part.key { unused[key, default: []].append(part) } }
        var paired: Set<Int> = []
        for part in new where !part.isBlank {
            let partner = part.key.flatMap { unused[$0]?.popLast() }
            if let partner { paired.insert(partner.line) }
            changes.append(part.change(before: partner?.value, after: part.value))
        }
        for part in old where !part.isBlank && !paired.contains(part.line) {
            changes.append(part.change(before: part.value, after: nil))
        }
    }

    // MARK: - Lines

    private struct Part {
        /// Its number, from 0.
        var line: Int
        var scenario: String
        var section: String
        var isHeading = false
        var name: String?
        var value = ""

        /// The line without its line feed. It need not be UTF-8.
        var bytes: ArraySlice<UInt8> = []
        /// True if it is empty, and separates sections.
        var isBlank = false
        /// True if it ends in a line feed, as all do but perhaps the last one.
        var isWhole = true

        /// True if both have the same bytes: an accented letter has two spellings, and bytes that are not UTF-8 have one.
        func isSame(as other: Part) -> Bool {
            bytes.elementsEqual(other.bytes)
                && [scenario, section].joined(separator: "\n").utf8.elementsEqual(
                    [other.scenario, other.section].joined(separator: "\n").utf8)
        }

        /// The key that it shares with the line that it replaces; nil for a line without a name.
        var key: String? {
            isHeading || name != nil ? [scenario, section, name ?? ""].joined(separator: "\n") : nil
        }

        func change(before: String?, after: String?) -> Change {
            Change(
                scenario: scenario, section: section, isHeading: isHeading, name: name, before: before, after: after)
        }
    }

    private static func parts(_ lines: [ArraySlice<UInt8>]) -> [Part] {
        var scenario = ""
        var section = ""
        return lines.enumerated().map { number, line in
            let isWhole = line.last == UInt8(ascii: "\n")
            let bytes = isWhole ? line.dropLast() : line
            let text = String(decoding: bytes, as: UTF8.self)
            func part(name: String? = nil, value: String = "", isHeading: Bool = false, isBlank: Bool = false) -> Part {
                Part(
                    line: number, scenario: scenario, section: section, isHeading: isHeading, name: name, value: value,
                    bytes: bytes, isBlank: isBlank, isWhole: isWhole)
            }
            if text.hasPrefix(SnapshotLine.indent) {
                let (name, value) = nameAndValue(String(text.dropFirst(SnapshotLine.indent.utf8.count)))
                return part(name: name, value: value)
            }
            if text.isEmpty { return part(isBlank: true) }
            let (name, value) = nameAndValue(text)
            if name == SnapshotLine.scenario {
                scenario = value
                section = ""
                return part(isHeading: true)
            }
            section = name ?? value
            return part(value: name == nil ? "" : value, isHeading: true)
        }
    }

    /// Splits a line into the name and the value of a member. A line that continues a value is indented further, and has
    /// no name.
    private static func nameAndValue(_ text: String) -> (String?, String) {
        guard !text.hasPrefix(SnapshotLine.indent), let colon = text.firstIndex(of: ":") else { return (nil, text) }
        let value = text[text.index(after: colon)...]
        guard value.isEmpty || value.hasPrefix(" ") else { return (nil, text) }
        return (String(text[..<colon]), String(value.dropFirst()))
    }
}
