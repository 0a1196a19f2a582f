import PushDecoding
import PushModel
import PushStore

/// Chunks with events, or with messages to devices of which something is known, that lanes deliver: each has its own devices, what is known of
/// them, and what is queued for them. Only the clock concerns all, so each lane handles its events.
extension ChunkDelivery {
    /// Places in the order of delivery for each message and event: one for each notification that it brings to a screen. An event may release
    /// many.
    static var placesOfMessage: UInt64 { 1 << 20 }

    /// True if a chunk can be delivered with divided devices.
    func isDivisible(_ chunk: borrowing RecordChunk) -> Bool {
        guard let lanes, lanes.laneCount > 1, stages.count == 1, stages[0] is RegistryStage, !lateRemovals.isActive,
            !chunk.isPlaced, !chunk.batch.hasLiveActivities, chunk.lines.isDivisible
        else { return false }
        return !chunk.batch.events.contains { $0.event.concernsSeveralDevices }
    }

    /// Divides the devices, unless they are, if a chunk could not be delivered in lanes otherwise.
    ///
    /// - Parameters:
    ///   - reason: why.
    ///   - isOldest: true if no line of an earlier chunk is still to be composed: it may borrow a device's name, which moves.
    /// - Returns: true if it is delivered with divided devices.
    func dividesDevices(_ reason: String?, isOldest: Bool) -> Bool {
        guard let lanes else { return false }
        return lanes.areDevicesDivided || (reason != nil && isOldest && lanes.divideDevices())
    }

    /// Prepares the lanes of a chunk, and moves the clock to its end.
    func prepareLanes(
        of chunk: inout RecordChunk, _ times: inout ChunkTimes, _ store: StoreTransaction, _ lanes: any LaneStore
    ) -> [LaneDelivery] {
        // SOUND: the messages, lanes and results of the chunk stay where they are until it is taken.
        let messages = unsafe chunk.batch.messages
        let lines = chunk.lines
        while chunk.lanes.count < lanes.laneCount {
            chunk.lanes.append(LaneDelivery(chunk.lanes.count, configuration, self.store, lanes, store))
        }
        passed = max(passed, times.recordsBefore)
        if passed > 0, times.source != .wall { passedTime = times.time(ofPosition: passed) }
        let work = unsafe LaneDelivery.Work(
            messages: messages, events: chunk.batch.events, laneOf: lines.laneOf, recordOf: lines.recordOf,
            results: lines.results,
            recordCount: chunk.frames.count, times: times,
            firstOrder: lanes.takeOrder(messages.count, placesEach: Self.placesOfMessage), passed: passed,
            passedTime: passedTime)
        for lane in chunk.lanes { lane.begin(work) }
        chunk.hasLaneResults = true
        var dead = deadTokens(of: chunk.batch)[...]
        for (index, event) in chunk.batch.events where event.name == .clock {
            unsafe note(dead.prefix { $0 < index }, messages, times)
            dead = dead.drop { $0 < index }
            unsafe times.offset &+= RegistryStage.advance(event, at: times.of(messages[index].record).at) ?? 0
        }
        unsafe note(dead, messages, times)
        if chunk.frames.count > 0 { setPassed(times.position(ofRecord: chunk.frames.count - 1), times) }
        return chunk.lanes
    }

    /// Notes since when tokens are dead.
    private func note(
        _ dead: ArraySlice<Int>, _ messages: UnsafeMutableBufferPointer<DecodedMessage>, _ times: ChunkTimes
    ) {
        // SOUND: the indices are those of messages.
        for index in dead {
            let time = unsafe times.of(messages[index].record).at
            context.lines.updateNote(of: index) { $0.timestamp = time }
        }
    }

    /// Lets happen what has become due at records of other lanes before the message at an index, as it would have happened when these came.
    ///
    /// - Parameter recordOf: the record of each message, from whose lane it may change meanwhile.
    func catchUp(before index: Int, _ recordOf: UnsafePointer<UInt32>, _ times: ChunkTimes) throws {
        // SOUND: the indices are below that of a message, or the number of all.
        guard index > 0, case let end = unsafe times.position(ofRecord: Int(recordOf[index - 1])), end > passed else {
            return
        }
        while case let due = nextDue, due < .max {
            let seen = unsafe firstMessage(at: passed + 1, before: index, recordOf, times)
            guard seen < index else { break }
            let position = unsafe times.position(ofRecord: Int(recordOf[seen]))
            let next = max(times.firstPosition(at: due, seenFrom: position), passed + 1)
            let first = unsafe firstMessage(at: next, before: index, recordOf, times)
            guard first < index else { break }
            try unsafe passTime(toRecord: Int(recordOf[first]), before: first, times)
        }
        if end > passed { setPassed(end, times) }
    }

    /// The first message before an index whose record has a position or a later one; the index if there is none.
    private func firstMessage(
        at position: UInt64, before index: Int, _ recordOf: UnsafePointer<UInt32>, _ times: ChunkTimes
    ) -> Int {
        // SOUND: the indices are below that of a message.
        var low = 0
        var high = index
        while low < high {
            let middle = (low + high) / 2
            if unsafe times.position(ofRecord: Int(recordOf[middle])) < position {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
