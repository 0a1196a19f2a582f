import HeapModule
package import PayloadJSON

/// Merges the reports of parts into the report that one run of the whole would have written. Reads each once, and holds one piece of each.
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
    /// Lines written.
    package private(set) var lines: UInt64 = 0

    package init(_ parts: [ReportPart]) throws(MergeError) {
        for part in parts where try part.advance() { heads.insert(Head(part: part, seq: part.seq)) }
    }

    /// Writes all lines.
    ///
    /// - Parameter write: called with each line and its line feed, valid for the duration of the call.
    /// - Throws: `MergeError`, and what `write` throws.
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
            guard try part.advance() else { return }
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
        for part in parts { turns.insert(try Turn(part)) }
        while let turn = turns.popMin() {
            var same = [turn]
            while turn.key.stage == .own, let other = turns.min, other.key == turn.key {
                same.append(other)
                turns.removeMin()
            }
            lines &+= 1
            if same.count > 1 {
                guard var line = BroadcastLine.joined(same.map(\.part)) else {
                    throw MergeError(
                        file: turn.part.name,
                        problem: "has a line about record \(seq), and so has \(same[1].part.name): "
                            + "merge each report once, and reports of one input only")
                }
                try line.withUTF8 { try write(unsafe BorrowedText($0)) }
            } else {
                try write(turn.part.line)
            }
            for turn in same where try follow(turn, seq, write) { turns.insert(try Turn(turn.part)) }
        }
    }

    /// Goes to the next line of a report, after those that follow from the one that was written. False when the next one is about another
    /// record.
    private mutating func follow(
        _ turn: Turn, _ seq: UInt64, _ write: (BorrowedText) throws -> Void
    ) throws -> Bool {
        let hasConsequences = turn.key.stage == .own || turn.key.stage == .subscriber
        while true {
            guard try turn.part.advance() else { return false }
            guard turn.part.seq == seq else {
                heads.insert(Head(part: turn.part, seq: turn.part.seq))
                return false
            }
            guard hasConsequences, try turn.part.key().isConsequence else { return true }
            lines &+= 1
            try write(turn.part.line)
        }
    }
}

extension BorrowedText {
    /// The same bytes.
    fileprivate init(_ bytes: UnsafeBufferPointer<UInt8>) {
        // SOUND: whoever passes them keeps them alive.
        self = unsafe bytes.baseAddress.map { unsafe BorrowedText(start: $0, count: bytes.count) } ?? .empty
    }
}
