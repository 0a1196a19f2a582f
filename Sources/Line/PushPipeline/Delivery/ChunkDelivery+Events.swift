import PushDecoding
import PushModel
import PushStore

/// Events of devices among the records.
extension ChunkDelivery {
    /// Has the stages handle an event of a device, and late removals one that moves the clock.
    func handle(
        _ event: DeviceEvent?, _ index: Int, _ message: DecodedMessage, seq: UInt64, at: Int64,
        _ times: inout ChunkTimes
    ) throws -> Delivered {
        guard let event else { return Delivered(seq: seq, outcome: .ignored) }
        turn(to: index, seq: seq, at: at)
        context.clockAdvance = 0
        if event.name == .clock {
            // What has become due meanwhile was due before what the new time brings about.
            let (now, overflows) = at.addingReportingOverflow(event.advance ?? 0)
            let isPossible = !overflows && now <= EventTime.writable.upperBound
            try lateRemovals.advance(to: isPossible ? now : at, try context.store.screens)
        }
        var result = EventResult.ignored
        for stage in stages {
            guard let answer = try stage.handle(event, standIn: message, context) else { continue }
            result = answer
            break
        }
        times.offset &+= context.clockAdvance
        return Delivered(seq: seq, outcome: result == .applied ? .applied : .ignored)
    }
}
