import HeapModule
package import PayloadJSON

/// Merges the reports of parts into the report that one run of the whole would have written. Reads each once, and holds one piece of each.
///
/// Uncertain lines are left out, and listed as a problem: the rest of a report that is damaged, and lines that contradict each other.
package struct ReportMerger {
    /// A report at one of its lines. Ordered by record.
    private struct Head: Comparable {
        let part: ReportPart
        let seq: UInt64

        static func == (left: Self, right: Self) -> Bool { left.part === right.part }

        static func < (left: Self, right: Self) -> Bool {
            (left.seq, left.part.position) < (right.seq, right.part.position)
        }
    }

    private var heads = Heap<Head>()
    /// The groups of reports that have lines about the same things, by position; empty as long as none have.
    private var overlaps: [Int: Int] = [:]
    /// Lines written.
    package private(set) var lines: UInt64 = 0
    /// Why lines are missing, or may be: the first `mostProblems` reasons, and how many there are.
    package private(set) var problems: [MergeError] = []
    package private(set) var problemCount = 0
    private static let mostProblems = 20

    /// - Throws: `MergeError` for a file that does not begin like a report.
    package init(_ parts: [ReportPart]) throws(MergeError) {
        for part in parts {
            do throws(MergeError) {
                if try part.advance() { heads.insert(Head(part: part, seq: part.seq)) }
            } catch {
                guard error.isIncomplete else { throw error }
                add(error)
            }
        }
    }

    private mutating func add(_ problem: MergeError) {
        problemCount += 1
        if problems.count < Self.mostProblems { problems.append(problem) }
    }

    /// Goes to the next line of a report. False at its end, and where nothing that comes after is certain.
    private mutating func advance(_ part: ReportPart) -> Bool {
        do throws(MergeError) { return try part.advance() } catch {
            add(error)
            return false
        }
    }

    /// Writes all lines.
    ///
    /// - Parameter write: called with each line and its line feed, valid for the duration of the call.
    /// - Throws: what `write` throws.
    package mutating func merge(_ write: (BorrowedText) throws -> Void) throws {
        while let first = heads.popMin() {
            guard let next = heads.min, next.seq == first.seq else {
                try pass(first.part, upTo: heads.min?.seq, write)
                continue
            }
            var group = [first]
            while let other = heads.min, other.seq == first.seq {
                group.append(other)
                heads.removeMin()
            }
            try merge(group.map(\.part), write)
        }
    }

    /// Writes the lines of one report as long as no other one has a line about the same record or an earlier one.
    private mutating func pass(
        _ part: ReportPart, upTo other: UInt64?, _ write: (BorrowedText) throws -> Void
    ) throws {
        repeat {
            lines &+= 1
            try write(part.line)
            guard advance(part) else { return }
        } while part.seq < other ?? .max
        heads.insert(Head(part: part, seq: part.seq))
    }

    // MARK: - A record in several parts

    /// A report at a line about a record that other reports have lines about, too.
    private struct Turn: Comparable {
        let key: ReportLineKey
        let part: ReportPart

        init(_ part: ReportPart) throws(MergeError) { (key, self.part) = (try part.key(), part) }

        static func == (left: Self, right: Self) -> Bool { left.part === right.part }

        static func < (left: Self, right: Self) -> Bool {
            left.key == right.key ? left.part.position < right.part.position : left.key < right.key
        }
    }

    /// Writes the lines about one record of several reports, in the order of their keys.
    private mutating func merge(_ parts: [ReportPart], _ write: (BorrowedText) throws -> Void) throws {
        let seq = parts.first?.seq ?? 0
        var turns = Heap<Turn>()
        for part in parts { insert(part, into: &turns) }
        while let turn = turns.popMin() {
            var same = [turn]
            while turn.key.stage == .own, let other = turns.min, other.key == turn.key {
                same.append(other)
                turns.removeMin()
            }
            let certainty = try self.write(same.map(\.part), seq, write)
            for (index, turn) in same.enumerated() {
                let isWritten = certainty == .certain || certainty == .repeated && index == 0
                if try follow(turn, seq, isWritten: isWritten, write) { insert(turn.part, into: &turns) }
            }
        }
    }

    /// A report whose line is not JSON is left.
    private mutating func insert(_ part: ReportPart, into turns: inout Heap<Turn>) {
        do throws(MergeError) { turns.insert(try Turn(part)) } catch { add(error) }
    }

    /// The relation of lines of several reports about the same thing.
    private enum Certainty {
        /// The parts of one line, or a line of one report.
        case certain
        /// The same line.
        case repeated
        case contradictory
    }

    /// Writes what is certain of lines that are about the same thing.
    private mutating func write(
        _ parts: [ReportPart], _ seq: UInt64, _ write: (BorrowedText) throws -> Void
    ) throws -> Certainty {
        let first = parts[0]
        guard parts.count > 1 else {
            lines &+= 1
            try write(first.line)
            return .certain
        }
        let isRepeated = parts.allSatisfy { $0.line == first.line }
        let group = overlaps[first.position]
        let isOfOneGroup = group != nil && parts.allSatisfy { overlaps[$0.position] == group }
        if !(isRepeated && isOfOneGroup), var line = BroadcastLine.joined(parts, overlaps) {
            lines &+= 1
            try line.withUTF8 { try write(unsafe BorrowedText($0)) }
            return .certain
        }
        noteOverlap(of: parts)
        let what = isRepeated ? "the same line" : "another line, so neither is written"
        add(
            MergeError(
                file: first.name,
                problem: "has a line about record \(seq), and \(parts[1].name) has \(what): "
                    + "merge each report once, and reports of one input only"))
        guard isRepeated else { return .contradictory }
        lines &+= 1
        try write(first.line)
        return .repeated
    }

    /// Notes that reports have lines about the same things, so that a broadcast's activities in them are the same ones.
    private mutating func noteOverlap(of parts: [ReportPart]) {
        let positions = parts.map(\.position)
        let joined = Set(positions.map { overlaps[$0] ?? $0 })
        guard let group = joined.min() else { return }
        for (position, known) in overlaps where joined.contains(known) { overlaps[position] = group }
        for position in positions { overlaps[position] = group }
    }

    /// Goes to the next line of a report, after those that follow from the one that was written. False when the next one is about another
    /// record.
    private mutating func follow(
        _ turn: Turn, _ seq: UInt64, isWritten: Bool, _ write: (BorrowedText) throws -> Void
    ) throws -> Bool {
        let hasConsequences = turn.key.stage == .own || turn.key.stage == .subscriber
        while advance(turn.part) {
            guard turn.part.seq == seq else {
                heads.insert(Head(part: turn.part, seq: turn.part.seq))
                return false
            }
            // A line that is not JSON is a problem when its turn comes.
            guard hasConsequences, (try? turn.part.key().isConsequence) ?? false else { return true }
            guard isWritten else { continue }
            lines &+= 1
            try write(turn.part.line)
        }
        return false
    }
}

extension BorrowedText {
    /// The same bytes.
    fileprivate init(_ bytes: UnsafeBufferPointer<UInt8>) {
        // SOUND: whoever passes them keeps them alive.
        self = unsafe bytes.baseAddress.map { unsafe BorrowedText(start: $0, count: bytes.count) } ?? .empty
    }
}
