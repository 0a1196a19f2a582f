package import PushJSON
import PushText

/// The difference between two texts, as `patch` reads it.
///
/// Made for texts that differ in few places. If both have the same number of lines, lines are compared one by one, and
/// otherwise as `LineDifference` does.
package struct UnifiedDiff {
    private static let contextLines = 3

    private let old: [ArraySlice<UInt8>]
    private let new: [ArraySlice<UInt8>]
    private let changes: [LineDifference.Change]

    package init(from old: [UInt8], to new: [UInt8]) {
        self.old = LineDifference.lines(of: old)
        self.new = LineDifference.lines(of: new)
        changes = Self.changes(from: self.old, to: self.new)
    }

    /// - Parameters:
    ///   - name: of the file, before and after.
    ///   - isForTerminal: makes control characters visible. Such a difference may not apply.
    package func append(name: String, isForTerminal: Bool, to out: inout ByteBuffer) {
        guard !changes.isEmpty else { return }
        // A tab ends a name that contains blanks.
        let name = TextStyle.clean(name) + (name.contains(" ") ? "\t" : "")
        out.appendText("--- \(name)\n+++ \(name)\n")
        var index = 0
        while index < changes.count {
            var end = index + 1
            while end < changes.count,
                changes[end].old.lowerBound - changes[end - 1].old.upperBound
                    <= 2 * Self.contextLines
            { end += 1 }
            appendHunk(changes[index..<end], isForTerminal, to: &out)
            index = end
        }
    }

    private func appendHunk(
        _ changes: ArraySlice<LineDifference.Change>, _ isForTerminal: Bool, to out: inout ByteBuffer
    ) {
        guard let first = changes.first, let last = changes.last else { return }
        let before = min(Self.contextLines, first.old.lowerBound)
        let after = min(Self.contextLines, old.count - last.old.upperBound)
        let oldLines = first.old.lowerBound - before..<last.old.upperBound + after
        let newLines = first.new.lowerBound - before..<last.new.upperBound + after
        out.appendText("@@ -\(Self.place(oldLines)) +\(Self.place(newLines)) @@\n")
        var line = oldLines.lowerBound
        for change in changes {
            for index in line..<change.old.lowerBound { append(" ", old[index], isForTerminal, to: &out) }
            for index in change.old { append("-", old[index], isForTerminal, to: &out) }
            for index in change.new { append("+", new[index], isForTerminal, to: &out) }
            line = change.old.upperBound
        }
        for index in line..<oldLines.upperBound { append(" ", old[index], isForTerminal, to: &out) }
    }

    /// First line, from 1, and number of lines. For no lines, the line before them.
    private static func place(_ lines: Range<Int>) -> String {
        "\(lines.isEmpty ? lines.lowerBound : lines.lowerBound + 1),\(lines.count)"
    }

    private func append(_ mark: String, _ line: ArraySlice<UInt8>, _ isForTerminal: Bool, to out: inout ByteBuffer) {
        out.appendText(mark)
        let isWhole = line.last == 0x0A
        if isForTerminal {
            let end = line.reversed().prefix { $0 == 0x0A || $0 == 0x0D }.count
            out.appendText(TextStyle.clean(String(decoding: line.dropLast(end), as: UTF8.self)))
        } else {
            for byte in isWhole ? line.dropLast() : line { out.append(byte) }
        }
        out.appendText(isWhole ? "\n" : "\n\\ No newline at end of file\n")
    }

    // MARK: - Lines

    private static func changes(from old: [ArraySlice<UInt8>], to new: [ArraySlice<UInt8>]) -> [LineDifference.Change] {
        guard old.count == new.count else { return LineDifference.changes(from: old, to: new) }
        var changes: [LineDifference.Change] = []
        for line in old.indices where old[line] != new[line] {
            let start = changes.last?.old.upperBound == line ? changes.removeLast().old.lowerBound : line
            changes.append(LineDifference.Change(old: start..<line + 1, new: start..<line + 1))
        }
        return changes
    }
}

/// The lines that differ between two texts.
package enum LineDifference {
    /// The most lines for which the smallest difference is found: the time grows with the square.
    private static let maximumSearchedLines = 2000

    /// Lines `old` of one text are replaced by lines `new` of the other.
    package struct Change {
        package var old: Range<Int>
        package var new: Range<Int>
    }

    /// The lines of a text, with their line feeds.
    package static func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? text.count
            lines.append(text[start..<end])
            start = end
        }
        return lines
    }

    /// The smallest difference of the lines between the common ends, or, if those are many, a replacement of all of them.
    package static func changes(from old: [ArraySlice<UInt8>], to new: [ArraySlice<UInt8>]) -> [Change] {
        var start = 0
        while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
        var oldEnd = old.count
        var newEnd = new.count
        while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
            oldEnd -= 1
            newEnd -= 1
        }
        if start == oldEnd, start == newEnd { return [] }
        guard max(oldEnd, newEnd) - start <= maximumSearchedLines else {
            return [Change(old: start..<oldEnd, new: start..<newEnd)]
        }
        return smallest(from: old, start..<oldEnd, to: new, start..<newEnd)
    }

    private static func smallest(
        from old: [ArraySlice<UInt8>], _ oldLines: Range<Int>, to new: [ArraySlice<UInt8>], _ newLines: Range<Int>
    ) -> [Change] {
        let difference = Array(new[newLines]).difference(from: Array(old[oldLines]))
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset + oldLines.lowerBound)
            case .insert(let offset, _, _): inserted.insert(offset + newLines.lowerBound)
            }
        }
        var changes: [Change] = []
        var line = oldLines.lowerBound
        var newLine = newLines.lowerBound
        while line < oldLines.upperBound || newLine < newLines.upperBound {
            let start = line
            let newStart = newLine
            while removed.contains(line) { line += 1 }
            while inserted.contains(newLine) { newLine += 1 }
            if line > start || newLine > newStart {
                changes.append(Change(old: start..<line, new: newStart..<newLine))
            } else {
                line += 1
                newLine += 1
            }
        }
        return changes
    }
}
