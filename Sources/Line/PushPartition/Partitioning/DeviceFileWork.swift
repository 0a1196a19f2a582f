import PushDecoding
import PushModel
import PushPipeline
import PushSystem

/// Reads a file of devices, as `Pipeline.registerDevices` registers them: it has no record numbers.
final class DeviceFileWork: ChunkWork {
    private struct Nothing: ChunkComposer {
        func compose(_ chunk: inout RecordChunk) {}
    }

    let composer: any ChunkComposer = Nothing()
    private(set) var devices = KnownDevices()
    /// Milliseconds by which events have advanced the clock.
    private(set) var clockOffset: Int64 = 0
    private let clock: PipelineClock
    private var records: UInt64 = 0

    init(_ clock: PipelineClock) { self.clock = clock }

    func begin(_ chunk: inout RecordChunk) {}

    func flush() {}

    func finish(_ chunk: inout RecordChunk) throws {
        // SOUND: the index is that of a message of the chunk.
        if let (message, failure) = chunk.batch.decodeFailures.first {
            let record = unsafe chunk.batch.messages[message].record
            var sources = SourceFinder(chunk)
            let position = sources?.source(ofRecord: record).position(of: failure.position) ?? failure.position
            throw DeviceFileError(
                record: records &+ UInt64(record) &+ 1, at: position, message: failure.message)
        }
        for (message, event) in chunk.batch.events {
            let record = unsafe UInt64(chunk.batch.messages[message].record)
            let time =
                switch clock {
                case .wall: SystemClock.wallMilliseconds() &+ clockOffset
                case .fixed(let start): start &+ Int64(truncatingIfNeeded: records &+ record) &+ clockOffset
                }
            guard let advance = event.advance else {
                devices.apply(event, at: time)
                continue
            }
            let (now, overflowed) = time.addingReportingOverflow(advance)
            if !overflowed, now <= EventTime.writable.upperBound { clockOffset &+= advance }
        }
        records &+= UInt64(chunk.recordCount)
    }
}
