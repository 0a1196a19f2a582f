import PushDecoding
import PushModel

extension ChunkDelivery {
    /// Calls the stages up to the one that works ahead for the message at `index`, and for as many later messages as that stage accepts.
    /// Stops at an event, because later messages depend on its effect. Time has passed up to the message at `index`.
    func lookAhead(_ index: Int, in batch: inout MessageBatch, _ times: ChunkTimes) throws {
        // SOUND: `ahead` stays below the number of messages, and delivering appends no message.
        let messages = unsafe batch.messages
        let end = worksAhead ? messages.count : index + 1
        if ahead < index {
            ahead = index
            isPrepared = false
        }
        while ahead < end {
            if case .event = unsafe messages[ahead].verdict { return }
            // A message to a topic is delivered to its subscribers in its turn.
            if ahead > index, let first = busy.first, first < aheadStage, unsafe messages[ahead].isForTopic { return }
            let (seq, at) = unsafe times.ofPlaced(messages[ahead].record)
            context.isAhead = ahead > index
            defer { context.isAhead = false }
            // What time brings about is delivered before the message, and not before those ahead of it.
            if context.isAhead, at >= nextDue { return }
            turn(to: ahead, seq: seq, at: at)
            if rows != nil { unsafe placeRows(messages[ahead], seq) }
            if !isPrepared {
                for position in busy where position < aheadStage {
                    // Otherwise the message would be copied for the question.
                    guard unsafe messages[ahead].verdict.isAccepted || isCalled(stages[position], for: messages[ahead])
                    else { continue }
                    try unsafe stages[position].process(&messages[ahead], context)
                }
                reportFindings(of: ahead, in: &batch)
            }
            isPrepared = true
            if worksAhead, unsafe isCalled(stages[aheadStage], for: messages[ahead]) {
                guard try unsafe stages[aheadStage].begin(messages[ahead], context) else { return }
            }
            isPrepared = false
            ahead += 1
        }
    }
}
