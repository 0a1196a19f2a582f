import PayloadJSON
import PushDecoding
import PushModel
import PushStore

/// Events of devices among the records.
extension ChunkDelivery {
    /// Has the stages handle an event of a device, and lets happen what is due after one that moves the clock.
    func handle(
        _ event: DeviceEvent, _ index: Int, _ message: DecodedMessage, seq: UInt64, at: Int64,
        _ times: inout ChunkTimes
    ) throws -> Delivered {
        turn(to: index, seq: seq, at: at)
        context.clockAdvance = 0
        var result = EventResult.ignored
        for stage in stages {
            guard let answer = try stage.handle(event, standIn: message, context) else { continue }
            result = answer
            break
        }
        if event.name == .clock {
            context.linesFollow = true
            defer { context.linesFollow = false }
            try carryOutDue(until: at &+ context.clockAdvance)
        }
        times.offset &+= context.clockAdvance
        return Delivered(seq: seq, outcome: result == .applied ? .applied : .ignored)
    }

    /// Delivers a queued message, which does not belong to the chunk.
    ///
    /// - Returns: its outcome, the findings of the stages, and a note with the Live Activities that it changed.
    func deliver(
        _ message: inout DecodedMessage, token: BorrowedText?, seq: UInt64, at: Int64, after stage: any DeliveryStage
    ) throws -> (result: Delivered, findings: [Finding], note: ReportNote) {
        let index = context.index
        let lastSeq = context.seq
        let lastAt = context.at
        let findings = context.takeFindings()
        turn(to: -1, seq: seq, at: at)
        defer {
            turn(to: index, seq: lastSeq, at: lastAt)
            for finding in findings { context.report(finding) }
        }
        let next = (stages.firstIndex { $0 === stage } ?? -1) + 1
        let result = try finish(
            &message, from: next, hasBegun: false, notifying: next, token: token, try context.store.screens)
        return (result, context.takeFindings(), context.lines.takeNote(of: -1) ?? ReportNote())
    }
}
