import PushModel
import PushStore

/// The effects of time: with every record, whatever becomes of it.
extension ChunkDelivery {
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
            try lateRemovals.advance(to: context.at, try context.store.screens)
            for position in busy { try stages[position].passTime(context) }
            // What cannot happen must not be tried at each of a million records.
            if nextDue == due { break }
        }
        passed = end
    }
}
