import PushDecoding
import PushModel
import PushStore

/// Records with places, of a part of a divided input.
extension ChunkDelivery {
    /// Resolves the numbers of a chunk's records.
    func resolvePlaces(of chunk: inout RecordChunk, _ times: inout ChunkTimes, _ store: StoreTransaction) throws {
        _ = try part.resolve(&chunk, after: clock.records, times, store)
        times.positions = chunk.places?.positions ?? []
        chunk.lines.places = chunk.places
        rows = part.placesRows ? store.progress : nil
    }

    /// Says where the rows that a message causes belong. Only those of a part are asked.
    func placeRows(_ message: borrowing DecodedMessage, _ seq: UInt64) {
        guard let rows else { return }
        if configuration.decoding.readsDevices {
            let first = configuration.readsPreferences ? RowPlace.firstOfPreferences : 0
            let low = first &+ clock.records &+ UInt64(truncatingIfNeeded: message.record)
            return rows.setRowPlace(RowPlace(seq: rows.lastSequence, low: low))
        }
        // What an event of the clock brings about is ordered by time in all parts.
        let isClock = if case .event = message.verdict { message.device.isEmpty } else { false }
        let place = isClock ? RowPlace(seq: seq, isBefore: true) : RowPlace(seq: seq, target: message.target)
        // A notification is placed in its turn: orders ascend.
        context.isAhead ? rows.setPlaceOfDevices(place) : rows.setRowPlace(place)
    }

    /// Says where the rows that time brings about at a record belong.
    func placeRowsOfTime(atRecord seq: UInt64) {
        if !configuration.decoding.readsDevices { rows?.setRowPlace(RowPlace(seq: seq, isBefore: true)) }
    }

    /// How far a run of streams has come that may be resumed; nil for another one. After the last line of a part another input may follow.
    func streamsEnd(_ times: ChunkTimes) -> InputProgress? {
        guard configuration.resumes else { return nil }
        var end = InputProgress(path: InputProgress.streams)
        guard !part.isComplete else { return end }
        end.records = times.positions.last ?? clock.records
        end.clockOffset = clock.offset
        return end
    }
}
