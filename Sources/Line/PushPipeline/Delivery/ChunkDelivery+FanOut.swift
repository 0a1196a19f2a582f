import PushDecoding
import PushModel

/// Records with many consequences: a message to a topic has a report line for each subscriber.
extension ChunkDelivery {
    /// True if a record has to wait for another transaction, because those before it have more consequences than fit in memory, say a line
    /// for each subscriber to a topic.
    func isFull(before index: Int, _ messages: UnsafeMutableBufferPointer<DecodedMessage>) -> Bool {
        // SOUND: the index is that of a message, and there is one before it.
        guard context.lines.consequences.count >= mostConsequences, index > 0,
            unsafe messages[index].record != messages[index - 1].record
        else { return false }
        // What a stage has begun with cannot be taken back.
        return ahead < index || (ahead == index && !isPrepared)
    }
}
