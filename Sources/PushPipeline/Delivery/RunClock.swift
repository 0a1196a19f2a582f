import NotificationStore
import PushModel
import SystemSupport

/// Numbers and times of a run's records.
struct RunClock {
    private let source: PipelineClock
    /// Records of the run, those of an earlier one that this one resumes among them.
    var records: UInt64 = 0
    /// Milliseconds by which events have moved the clock on.
    var offset: Int64 = 0
    /// The machine's clock; a test has one of its own.
    var wallMilliseconds: () -> Int64 = SystemClock.wallMilliseconds
    private var latestTime = Int64.min
    /// Milliseconds that the machine's clock was behind an earlier delivery at most, whose time was taken instead.
    private(set) var lag: Int64 = 0

    init(_ source: PipelineClock) { self.source = source }

    /// By how much a fixed clock has gone on: a millisecond a record, and what events have moved it.
    var elapsedMilliseconds: Int64 { Int64(truncatingIfNeeded: records) &+ offset }

    /// The numbers and times of the next chunk.
    mutating func beginChunk(_ progress: any ProgressKeeper) -> ChunkTimes {
        ChunkTimes(
            firstSequence: progress.lastSequence &+ 1, recordsBefore: records, source: source, offset: offset,
            now: source == .wall ? timeOfChunk(progress) : 0)
    }

    /// What the machine's clock says, unless it has gone back behind an earlier delivery, of this run or of one before.
    private mutating func timeOfChunk(_ progress: any ProgressKeeper) -> Int64 {
        let now = wallMilliseconds()
        // A later one that no calendar has is in a store that somebody edited. Those of this run are later by what events have moved its clock on.
        let known = progress.latestTime.flatMap { $0 <= RFC3339.writable.upperBound ? $0 &- offset : nil }
        latestTime = max(latestTime, now, known ?? now)
        lag = max(lag, latestTime &- now)
        return latestTime
    }
}

/// Numbers and times of the records of a chunk.
struct ChunkTimes {
    let firstSequence: UInt64
    let recordsBefore: UInt64
    let source: PipelineClock
    /// Milliseconds by which events have moved the clock on.
    var offset: Int64
    /// Of the machine's clock.
    let now: Int64

    func of(_ message: borrowing PushMessage) -> (seq: UInt64, at: Int64) {
        let record = UInt64(truncatingIfNeeded: message.record)
        let at: Int64 =
            switch source {
            case .wall: now &+ offset
            case .fixed(let milliseconds):
                milliseconds &+ Int64(truncatingIfNeeded: recordsBefore &+ record) &+ offset
            }
        return (firstSequence &+ record, at)
    }
}
