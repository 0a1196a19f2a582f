import HeapModule
package import PushJSON
package import PushSystem

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
    /// Lines written.
    package private(set) var lines: UInt64 = 0
    /// Why lines are missing, or may be: the first `mostProblems` reasons, and how many there are.
    package private(set) var problems: [PlainError] = []
    package private(set) var problemCount = 0
    private static let mostProblems = 20

    /// - Throws: `PlainError` for a file that does not begin like a report.
    package init(_ parts: [ReportPart]) throws(PlainError) {
        for part in parts {
            do throws(PlainError) {
                if try part.advance() { heads.insert(Head(part: part, seq: part.seq)) }
            } catch {
                guard part.isIncomplete else { throw error }
                add(error)
            }
        }
    }

    private mutating func add(_ problem: PlainError) {
        problemCount += 1
        if problems.count < Self.mostProblems { problems.append(problem) }
    }

    /// Goes to the next line of a report. False at its end, and where nothing that comes after is certain.
    private mutating func advance(_ part: ReportPart) -> Bool {
        do throws(PlainError) { return try part.advance() } catch {
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
                try pass(first.part, upTo: heads.min?.seq ?? .max, write)
                continue
            }
            var group = [first.part]
            while let other = heads.min, other.seq == first.seq {
                group.append(other.part)
                heads.removeMin()
            }
            try merge(group, about: first.seq, write)
        }
    }

    /// Writes the lines of one report up to a record of which another one has a line.
    private mutating func pass(_ part: ReportPart, upTo other: UInt64, _ write: (BorrowedText) throws -> Void) throws {
        repeat {
            try self.write(part, write)
            guard advance(part) else { return }
        } while part.seq < other
        heads.insert(Head(part: part, seq: part.seq))
    }

    // MARK: - A record in several reports

    /// A report at a line about a record that other reports have lines about, too.
    private struct Turn: Comparable {
        let key: ReportLineKey
        let part: ReportPart

        static func == (left: Self, right: Self) -> Bool { left.part === right.part }

        static func < (left: Self, right: Self) -> Bool {
            left.key == right.key ? left.part.position < right.part.position : left.key < right.key
        }
    }

    /// Writes the lines about one record, in the order of their keys.
    private mutating func merge(
        _ parts: [ReportPart], about seq: UInt64, _ write: (BorrowedText) throws -> Void
    ) throws {
        var turns = Heap<Turn>()
        for part in parts { insert(part, into: &turns) }
        while let turn = turns.popMin() {
            let isOwn = turn.key.stage == .own
            var same = [turn.part]
            while isOwn, let other = turns.min, other.key == turn.key { same.append(turns.removeMin().part) }
            // Of lines about the same thing, the same ones are written once, and different ones not at all.
            let isCertain = same.allSatisfy { $0.line == turn.part.line }
            if same.count > 1 { add(.overlap(of: same, about: seq, isRepeated: isCertain)) }
            for (position, part) in same.enumerated() {
                let isWritten = isCertain && position == 0
                if isWritten { try self.write(part, write) }
                if try follow(part, seq, isOwn: isOwn, isWritten: isWritten, write) { insert(part, into: &turns) }
            }
        }
    }

    private mutating func write(_ part: ReportPart, _ write: (BorrowedText) throws -> Void) throws {
        lines &+= 1
        try write(part.line)
    }

    /// A report whose line is not JSON is left.
    private mutating func insert(_ part: ReportPart, into turns: inout Heap<Turn>) {
        do throws(PlainError) { turns.insert(Turn(key: try part.key(), part: part)) } catch { add(error) }
    }

    /// Goes to the next line of a report, after those that follow from the line of a record. False when the next one is about another record.
    private mutating func follow(
        _ part: ReportPart, _ seq: UInt64, isOwn: Bool, isWritten: Bool, _ write: (BorrowedText) throws -> Void
    ) throws -> Bool {
        while advance(part) {
            guard part.seq == seq else {
                heads.insert(Head(part: part, seq: part.seq))
                return false
            }
            // A line that is not JSON is a problem when its turn comes.
            guard isOwn, (try? part.key().isConsequence) ?? false else { return true }
            if isWritten { try self.write(part, write) }
        }
        return false
    }
}

extension PlainError {
    fileprivate static func overlap(of parts: [ReportPart], about seq: UInt64, isRepeated: Bool) -> PlainError {
        let what = isRepeated ? "the same line" : "another line, so neither is written"
        return .unfit(
            parts[0].name,
            "has a line about record \(seq), and \(parts[1].name) has \(what): "
                + "merge each report once, and reports of one input only")
    }
}

/// The place of a report line among those of its record, which may be in several parts.
///
/// A record's time comes first: what it triggers at other devices has its lines before the record's own line, ordered by what was sent when
/// and to whom. Only an event that advances the clock comes before what it triggers. See `Samples/scale-out/README.md`.
struct ReportLineKey: Comparable {
    enum Stage: Int, Comparable {
        /// The line of an event that advances the clock.
        case clock
        /// A queued message whose time has come.
        case queued
        /// A token whose time has come.
        case token
        /// The line of a record, or of one of its targets. What follows from it comes after it.
        case own

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    var stage: Stage
    /// The number of the record that a queued message came in, or the index of the target.
    var number: UInt64 = 0
    var device = ""
    var app = ""

    /// True if the line follows from another one.
    var isConsequence: Bool { stage == .queued || stage == .token }

    static func < (left: Self, right: Self) -> Bool {
        (left.stage, left.number, left.device, left.app) < (right.stage, right.number, right.device, right.app)
    }

    init(_ line: JSONView) {
        let original = line["original"]?.int64.flatMap { UInt64(exactly: $0) }
        let event = line["event"]?.string?.string
        switch event {
        case "clock": stage = .clock
        case "token_deleted", "token_disabled", "deleted_messages": stage = .token
        // After the line of the message, whose time may have come.
        case "posted", "withdrawn": stage = original == nil ? .token : .queued
        case nil where original != nil: stage = .queued
        default:
            stage = .own
            number = line["target"]?.int64.flatMap { UInt64(exactly: $0) } ?? 0
        }
        guard isConsequence else { return }
        number = original ?? 0
        device = line["device"]?.string?.string ?? ""
        app = line[event == nil ? "topic" : "app"]?.string?.string ?? ""
    }
}
