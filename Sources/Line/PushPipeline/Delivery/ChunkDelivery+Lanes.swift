import DeviceScreens
import PushDecoding
import PushStore

/// Chunks that lanes deliver, each to its own devices.
extension ChunkDelivery {
    /// Why no chunk can be delivered in lanes; nil if that depends on the chunk.
    var obstacle: String? {
        guard let lanes else { return "store" }
        if worksAhead { return stages[aheadStage].name }
        return configuration.traces ? "trace" : lanes.obstacle
    }

    /// Why the messages of a chunk have to be delivered one after the other: its content concerns more than one device, or there is a stage
    /// with something to do for one of them. Nil for no reason.
    func reason(_ chunk: borrowing RecordChunk, _ times: ChunkTimes) -> String? {
        if chunk.isPlaced { return "places" }
        if !chunk.batch.events.isEmpty { return "events" }
        if chunk.batch.hasLiveActivities { return "live-activities" }
        if lateRemovals.isActive { return "late-removals" }
        guard stages.contains(where: { !$0.isIdle }) else { return nil }
        let end = times.ofRecord(UInt64(max(chunk.frames.count - 1, 0)))
        // SOUND: the messages are those of the chunk, which is borrowed for the duration of the call.
        let messages = unsafe chunk.batch.messages
        return stages.first { unsafe !$0.isIdle && !$0.leavesAlone(messages, until: end) }?.name
    }

    func work(for chunk: borrowing RecordChunk, _ times: ChunkTimes, _ lanes: any LaneStore) -> LaneWork {
        // SOUND: an empty batch has no element to read; messages, keys and results of the chunk stay until it is taken.
        let messages = unsafe chunk.batch.messages
        let lines = chunk.lines
        return unsafe LaneWork(
            messages: messages.baseAddress.map { unsafe UnsafePointer($0) }, keys: lines.keys, results: lines.results,
            count: messages.count, firstSequence: times.firstSequence,
            firstOrder: lanes.takeOrder(messages.count),
            time: times.ofRecord(0), timePerRecord: times.perRecord)
    }

    /// Notes that the records of a chunk in lanes have passed, as stages have to know that look at the time.
    func setPassed(ofLastIn chunk: borrowing RecordChunk, _ times: ChunkTimes) {
        guard stages.contains(where: { !$0.isIdle }), chunk.frames.count > 0 else { return }
        let end = times.position(ofRecord: chunk.frames.count - 1)
        if end > passed { setPassed(end, times) }
    }
}
