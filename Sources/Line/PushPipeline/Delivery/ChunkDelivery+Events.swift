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
}
