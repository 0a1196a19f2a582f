import PayloadJSON
import PushDecoding
import PushModel

/// The outcome of a message or an event in a chunk.
struct Delivered {
    var seq: UInt64
    var outcome: Outcome
    var replaces: UInt64?
}

/// The report of a chunk under construction: a result per message, and rare details. Valid until the next chunk begins.
final class ReportLines {
    /// An additional line after that of a chunk's message, about a queued message or a token that it affected.
    struct Consequence {
        var index: Int
        var result: Delivered
        var message: PushMessage
        var findings: [Finding]
        var note: ReportNote
    }

    // Changed once per message by code that never calls back, so a runtime check of exclusive access would be useless.
    @exclusivity(unchecked) private(set) var results: [Delivered] = []
    private var consequences: [Consequence] = []
    private var notes: [Int: ReportNote] = [:]

    /// The number of results.
    var count: Int {
        // SOUND: nothing changes `results` meanwhile.
        unsafe results.count
    }

    func removeAll() {
        // SOUND: nothing else uses `results` meanwhile.
        unsafe results.removeAll(keepingCapacity: true)
        if !consequences.isEmpty { consequences.removeAll() }
        if !notes.isEmpty { notes.removeAll() }
    }

    func append(_ result: Delivered) {
        // SOUND: nothing else uses `results` meanwhile.
        unsafe results.append(result)
    }

    func append(_ consequence: Consequence) { consequences.append(consequence) }

    func updateNote(of index: Int, _ change: (inout ReportNote) -> Void) {
        change(&notes[index, default: ReportNote()])
    }

    /// Passes the lines in input order. Each is valid for the duration of the call.
    func forEach(
        of batch: borrowing MessageBatch, traces: UnsafePointer<MessageTrace>?, _ body: (RecordReport) throws -> Void
    ) rethrows {
        // SOUND: there is one result, and one trace if any, for each message of the batch, which is borrowed until the
        // last call.
        guard let messages = unsafe batch.messages.baseAddress else { return }
        let findings = batch.findings
        let texts = findings.map(\.finding)
        let isPlain = consequences.isEmpty && notes.isEmpty
        var nextFinding = 0
        var nextFailure = 0
        var nextConsequence = 0
        for (index, result) in unsafe results.enumerated() {
            let first = nextFinding
            while nextFinding < texts.count, findings[nextFinding].message == index { nextFinding += 1 }
            var decodeFailure: DecodeFailure?
            if nextFailure < batch.decodeFailures.count, batch.decodeFailures[nextFailure].message == index {
                decodeFailure = batch.decodeFailures[nextFailure].decodeFailure
                nextFailure += 1
            }
            let line = unsafe RecordReport(
                seq: result.seq, outcome: result.outcome, replaces: result.replaces, borrowing: messages + index,
                findings: texts[first..<nextFinding], decodeFailure: decodeFailure,
                trace: traces.map { unsafe $0 + index }, note: isPlain ? nil : notes[index])
            try body(line)
            if isPlain { continue }
            while nextConsequence < consequences.count, consequences[nextConsequence].index == index {
                try Self.handOut(consequences[nextConsequence], body)
                nextConsequence += 1
            }
        }
    }

    private static func handOut(_ line: Consequence, _ body: (RecordReport) throws -> Void) rethrows {
        // SOUND: the message lives until `body` returns.
        try unsafe withUnsafePointer(to: line.message) { message in
            try unsafe body(
                RecordReport(
                    seq: line.result.seq, outcome: line.result.outcome, replaces: line.result.replaces,
                    borrowing: message, findings: line.findings[...], decodeFailure: nil, note: line.note))
        }
    }
}
