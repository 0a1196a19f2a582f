import PayloadJSON
import PushDecoding
import PushDevices
import PushModel
import PushPipeline
import PushSystem

/// Reads a file of devices, as `Pipeline.registerDevices` registers them: it has no record numbers.
final class DeviceFileWork: ChunkWork {
    private struct Nothing: ChunkComposer {
        func compose(_ chunk: inout RecordChunk) {}
    }

    let composer: any ChunkComposer = Nothing()
    private(set) var devices: KnownDevices
    /// Milliseconds by which events have advanced the clock.
    private(set) var clockOffset: Int64 = 0
    private let clock: PipelineClock
    private var records: UInt64 = 0

    /// - Parameter policy: the limits of the runs, of which only the life cycle of tokens applies here.
    init(_ clock: PipelineClock, _ policy: DevicePolicy) {
        self.clock = clock
        var own = DevicePolicy()
        own.tokenLifeCycle = policy.tokenLifeCycle
        devices = KnownDevices(own)
    }

    /// Applies an event of a file of preferences, which is read after that of devices.
    func apply(_ event: DeviceEvent) throws(UnknownOutcome) {
        try devices.apply(event, at: time(ofRecord: 0))
    }

    func begin(_ chunk: inout RecordChunk) {}

    func flush() {}

    func finish(_ chunk: inout RecordChunk) throws {
        // SOUND: the index is that of a message of the chunk.
        if let (message, failure) = chunk.batch.decodeFailures.first {
            throw unsafe self.failure(
                of: chunk, chunk.batch.messages[message].record, failure.message, at: failure.position)
        }
        for (message, event) in chunk.batch.events {
            let record = unsafe UInt64(chunk.batch.messages[message].record)
            let time = time(ofRecord: records &+ record)
            guard let advance = event.advance else {
                do {
                    try devices.apply(event, at: time)
                } catch {
                    throw failure(of: chunk, Int(record), "\(error)")
                }
                continue
            }
            let (now, overflowed) = time.addingReportingOverflow(advance)
            if !overflowed, now <= EventTime.writable.upperBound { clockOffset &+= advance }
        }
        records &+= UInt64(chunk.recordCount)
    }

    private func failure(
        of chunk: borrowing RecordChunk, _ record: Int, _ message: String,
        at position: TextPosition = TextPosition(line: 1, column: 1)
    ) -> DeviceFileError {
        var sources = SourceFinder(chunk)
        return DeviceFileError(
            record: records &+ UInt64(record) &+ 1,
            at: sources?.source(ofRecord: record).position(of: position) ?? position, message: message)
    }

    private func time(ofRecord record: UInt64) -> Int64 {
        switch clock {
        case .wall: SystemClock.wallMilliseconds() &+ clockOffset
        case .fixed(let start): start &+ Int64(truncatingIfNeeded: record) &+ clockOffset
        }
    }
}
