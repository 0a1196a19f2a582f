import PushDecoding
import PushDevices
import PushFraming
import PushJSON
import PushModel
import PushSystem

struct RunClock {
    private let source: PipelineClock
    /// Records of the run, including those of an earlier run that it resumes.
    var records: UInt64 = 0
    /// Milliseconds by which events have advanced the clock.
    var offset: Int64 = 0
    /// If lines say when their records are delivered, the time of the last record; nil while none is known.
    var recordTime: Int64?
    /// The machine's clock; tests replace it.
    var wallMilliseconds: () -> Int64 = SystemClock.wallMilliseconds
    /// Milliseconds by which journal lines may be later than their record: an extension waits for its removals.
    private let longestDelay: Int64
    private var latestTime = Int64.min
    /// The largest lag, in milliseconds, of the machine's clock, or the time in a line, behind an earlier delivery whose time was reused.
    private(set) var lag: Int64 = 0

    init(_ source: PipelineClock, longestDelay: Int64 = 0) {
        self.source = source
        self.longestDelay = longestDelay
    }

    /// How far a fixed clock has advanced: a millisecond per record, plus the advances by events.
    var elapsedMilliseconds: Int64 { Int64(truncatingIfNeeded: records) &+ offset }

    /// The numbers and times of the next chunk.
    ///
    /// - Parameter recordTimes: the time that each line says; empty if none is read.
    mutating func beginChunk(_ progress: any ProgressKeeper, _ recordTimes: [Int64]) -> ChunkTimes {
        if !recordTimes.isEmpty, let times = times(progress, ofLines: recordTimes) { return times }
        return ChunkTimes(
            firstSequence: progress.lastSequence &+ 1, recordsBefore: records, source: source, offset: offset,
            now: source == .wall ? timeOfChunk(progress) : 0, ofRecords: [])
    }

    /// The numbers and times of a chunk whose lines say when their records are delivered; nil while no time is known.
    @inline(never)
    private mutating func times(_ progress: any ProgressKeeper, ofLines lines: [Int64]) -> ChunkTimes? {
        let ascending = ascending(lines)
        guard let first = ascending.first else { return nil }
        return ChunkTimes(
            firstSequence: progress.lastSequence &+ 1, recordsBefore: records, source: source,
            offset: recordTime ?? first, now: 0, ofRecords: ascending)
    }

    /// The times of records by those in their lines, so that none is before the one before it; empty if none is known yet. Records of the chunk
    /// that has the first time of a run get that time, and those of chunks before it have the clock's.
    private mutating func ascending(_ times: [Int64]) -> [Int64] {
        guard let first = recordTime ?? times.first(where: { $0 != .min }) else { return [] }
        var latest = max(first, latestTime)
        return times.map { time in
            if time != .min { lag = max(lag, latest - time) }
            latest = max(latest, time)
            return latest
        }
    }

    /// The machine's time, or the time of the last delivery, in this run or an earlier one, if the clock has gone backward.
    private mutating func timeOfChunk(_ progress: any ProgressKeeper) -> Int64 {
        let now = wallMilliseconds()
        // A later time outside the calendar is from an edited store. Times of this run include the advances by events.
        let known = progress.latestTime.flatMap { RFC3339.writable.contains($0) ? $0 &- offset &- longestDelay : nil }
        latestTime = max(latestTime, now, known ?? now)
        lag = max(lag, latestTime &- now)
        return latestTime
    }
}

/// Numbers and times of the records of a chunk.
///
/// The position of a record is its number in the run, from 1. With a fixed clock its time follows from it.
struct ChunkTimes {
    let firstSequence: UInt64
    let recordsBefore: UInt64
    let source: PipelineClock
    /// Milliseconds by which events have advanced the clock; with times in lines, that which no record is before.
    var offset: Int64
    /// The time of the machine's clock, in milliseconds since the epoch.
    let now: Int64
    /// The time of each record, ascending, if their lines say it.
    let ofRecords: [Int64]
    /// The position of each record, if records have places.
    var positions: [UInt64] = []

    /// The number and the time of a record. Not of its message, which would be copied for the call.
    func of(_ record: Int) -> (seq: UInt64, at: Int64) {
        let position = position(ofRecord: record)
        return (seq(ofPosition: position), time(ofPosition: position))
    }

    /// - Parameter record: its index in the chunk, or that before the first one.
    func ofRecord(_ record: UInt64) -> Int64 {
        if !ofRecords.isEmpty { return ofLine(Int(truncatingIfNeeded: record)) }
        switch source {
        case .wall: return now &+ offset
        case .fixed(let milliseconds):
            return milliseconds &+ Int64(truncatingIfNeeded: recordsBefore &+ record) &+ offset
        }
    }

    /// The time of a record by its line.
    @inline(never)
    private func ofLine(_ index: Int) -> Int64 {
        index < 0 ? offset : max(offset, ofRecords[min(index, ofRecords.count - 1)])
    }

    func position(ofRecord record: Int) -> UInt64 {
        positions.isEmpty ? recordsBefore &+ UInt64(truncatingIfNeeded: record) &+ 1 : positions[record]
    }

    func seq(ofPosition position: UInt64) -> UInt64 { firstSequence &+ (position &- recordsBefore &- 1) }

    func time(ofPosition position: UInt64) -> Int64 { ofRecord(position &- recordsBefore &- 1) }

    /// The first position whose time is not before `due`; `UInt64.max` if none is.
    ///
    /// - Parameter position: that of the record that has come. By the machine's clock, everything is due at this one.
    func firstPosition(at due: Int64, seenFrom position: UInt64) -> UInt64 {
        if !ofRecords.isEmpty {
            if due <= offset { return 0 }
            var range = 0..<ofRecords.count
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                range = ofRecords[middle] < due ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            return range.lowerBound < ofRecords.count ? self.position(ofRecord: range.lowerBound) : .max
        }
        switch source {
        case .wall: return due <= now &+ offset ? position : .max
        case .fixed(let milliseconds):
            let (distance, overflowed) = due.subtractingReportingOverflow(milliseconds &+ offset)
            if overflowed { return due < 0 ? 0 : .max }
            return distance < 0 ? 0 : UInt64(distance) &+ 1
        }
    }

    /// True if the time of a record is known only when it has come.
    var isWall: Bool { source == .wall && ofRecords.isEmpty }

    /// How much later a record is than the one before it, in milliseconds.
    var perRecord: Int64 { source == .wall ? 0 : 1 }
}

/// The source of delivery times.
public enum PipelineClock: Sendable, Equatable {
    /// The machine's clock, read once per chunk. If it goes backward, within a run or between two runs on a store, deliveries reuse the last
    /// time until the clock catches up: no notification is older than the one before it.
    case wall
    /// This time for the first record, in milliseconds since the epoch, and one millisecond more for each further record. Two runs over
    /// the same input produce the same bytes.
    case fixed(milliseconds: Int64)

    /// A fixed clock that starts at a time since the epoch, rounded down to a millisecond: `.fixed(.seconds(1_767_268_800))`.
    public static func fixed(_ start: Duration) -> PipelineClock {
        let (seconds, attoseconds) = start.components
        return .fixed(milliseconds: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
