import PushModel
import PushStore

/// The effects of time: with every record, whatever becomes of it.
extension ChunkDelivery {
    /// The messages of a batch whose records say that the provider has answered 410, by their indices. It says since when: now, because no record
    /// tells. O(findings).
    func deadTokens(of batch: borrowing MessageBatch) -> [Int] {
        // SOUND: a finding is about a message of the batch.
        let messages = unsafe batch.messages
        return batch.findings.lazy.map(\.message).filter { index in
            guard case .rejected(let rejection) = unsafe messages[index].verdict else { return false }
            return rejection.hasTimestamp
        }
    }

    /// Notes since when tokens are dead, for a chunk whose messages have no order.
    func noteDeadTokens(of batch: borrowing MessageBatch, _ times: ChunkTimes) {
        // SOUND: as above.
        for index in deadTokens(of: batch) {
            let time = unsafe times.of(batch.messages[index].record).at
            context.lines.updateNote(of: index) { $0.timestamp = time }
        }
    }

    /// When something happens by itself next; `Int64.max` when nothing does.
    var nextDue: Int64 {
        var due = lateRemovals.due
        for position in busy { due = min(due, stages[position].due) }
        return due
    }

    /// Lets everything happen that is due up to a record, at the records whose times are the first at which it is due.
    ///
    /// - Parameters:
    ///   - record: index in the chunk.
    ///   - isIncluded: true if effects that are due at the record itself come before it; false for an event that moves the clock.
    ///   - index: the message before whose line the lines about it stand.
    func passTime(toRecord record: Int, isIncluded: Bool = true, before index: Int, _ times: ChunkTimes) throws {
        let position = times.position(ofRecord: record)
        let end = isIncluded ? position : position &- 1
        guard end > passed else { return }
        while case let due = nextDue, due < .max {
            let next = max(times.firstPosition(at: due, seenFrom: position), passed + 1)
            guard next <= end else { break }
            passed = next
            turn(to: index, seq: times.seq(ofPosition: next), at: times.time(ofPosition: next))
            placeRowsOfTime(atRecord: context.seq)
            try carryOutDue(until: context.at)
            // What cannot happen must not be tried at each of a million records.
            if nextDue == due { break }
        }
        setPassed(end, times, isIncluded: isIncluded)
    }

    /// Notes the last record before which time has passed.
    ///
    /// - Parameter isIncluded: false if the record has not come, but the one after it; by the machine's clock its time is unknown then.
    func setPassed(_ position: UInt64, _ times: ChunkTimes, isIncluded: Bool = true) {
        passed = position
        if isIncluded || times.source != .wall { passedTime = times.time(ofPosition: position) }
    }

    /// Lets everything happen that is due up to a time, in its order, and each at its own time, which is then that of the context.
    ///
    /// Everything that was due before the last record happens at the time of that record: it has followed from it.
    func carryOutDue(until end: Int64) throws {
        let screens = try context.store.screens
        let firstLine = context.lines.consequences.count
        var at = min(passedTime, end)
        var steps = 0
        while case let due = nextDue, due <= end {
            at = max(at, due)
            // At once, and there was no record before.
            if at == .min { at = end }
            context.at = at
            try lateRemovals.advance(to: at, screens)
            for position in busy { try stages[position].passTime(context) }
            steps += 1
            if nextDue == due {
                // It has to wait for something else, which may be what is due later.
                if at == end { break }
                at = end
            }
        }
        passedTime = max(passedTime, at)
        context.at = end
        if steps > 1 { context.lines.order(from: firstLine) }
    }
}
