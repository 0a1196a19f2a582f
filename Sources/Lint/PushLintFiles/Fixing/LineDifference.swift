/// The lines that differ between two texts.
package enum LineDifference {
    /// With more lines, finding the smallest difference takes too long: the time grows with the square.
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
