import PushModel
package import PushSystem

/// Composes what is written of a chunk. Called on any thread, for several chunks at the same time.
package protocol ChunkComposer: Sendable {
    /// Composes the output of a decoded chunk into its own memory.
    func compose(_ chunk: inout RecordChunk)
}

/// Work on decoded records that needs neither devices nor a store.
///
/// `DecodedInput` calls `begin` and `finish` on its own thread, for every chunk in input order, and between them `compose` of the composer on
/// any thread.
package protocol ChunkWork: AnyObject {
    var composer: any ChunkComposer { get }

    /// Called for each chunk once it is decoded, in input order. Earlier chunks may not be finished.
    func begin(_ chunk: inout RecordChunk)

    /// Called for each composed chunk, in input order. The chunk and what was composed are valid for the duration of the call.
    func finish(_ chunk: inout RecordChunk) throws

    /// Called when readers should see what is finished: the input pauses or is at its end.
    func flush() throws
}

/// Reads inputs, decodes their records on as many cores as there are jobs, and passes them on in input order: the first half of a pipeline.
/// Memory is bounded by the number of chunks in flight. Not thread-safe.
package final class DecodedInput {
    private let work: any ChunkWork
    private var cutter: ChunkCutter
    private let scheduler: ChunkScheduler
    private var times = StageTimes()
    private let mostWithoutRecord: UInt64?
    /// True if a record was read that is not malformed.
    private var hasRecord = false
    /// Bytes of a chunk, unless the input pauses earlier.
    private static let chunkBytes = 512 << 10

    /// - Parameter configuration: `decoding`, `framing`, `maximumRecordBytes`, `maximumBytesWithoutRecord` and `jobs` apply.
    package init(_ configuration: PipelineConfiguration, _ work: any ChunkWork) {
        var configuration = configuration
        configuration.recordStages = []
        configuration.validation = .off
        configuration.measuresStages = false
        configuration.traces = false
        configuration.emits = false
        configuration.readsPlaces = false
        self.work = work
        mostWithoutRecord = configuration.maximumBytesWithoutRecord
        cutter = ChunkCutter(configuration)
        scheduler = ChunkScheduler(configuration, nil)
        scheduler.setComposer(work.composer)
    }

    /// Names the input that begins.
    package func begin(_ source: InputSource) { cutter.name(source) }

    /// Adds bytes to the input.
    package func feed(_ bytes: UnsafeRawBufferPointer) throws {
        // SOUND: each part is within the bytes that the caller vouches for, and is copied.
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let part = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(Self.chunkBytes))
            unsafe cutter.input.append(part)
            unsafe rest = unsafe rest.dropFirst(part.count)
            try advance(isEnd: false)
        }
        try drain()
    }

    /// Ends the input. Another one with its own framing may follow.
    package func finish() throws {
        try advance(isEnd: true)
        try drain()
        cutter.beginInput()
    }

    /// Reads an open file, pipe or socket to its end, or until `isStopped`, called between two reads, returns true.
    ///
    /// - Throws: `SystemError`; `InputError` for what goes on and on without a record; what the work throws.
    package func read(_ input: FileDescriptor, isStopped: () -> Bool) throws {
        // SOUND: the piece is a part of the buffer's free space, which nothing else changes while it is read into.
        let isRegular = (try? FileStatus(input))?.kind == .regular
        while !isStopped() {
            let space = unsafe cutter.input.freeSpace(atLeast: Self.chunkBytes / 2)
            let count: Int
            do throws(SystemError) {
                let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: space[..<min(space.count, Self.chunkBytes)])
                count = try unsafe input.read(into: piece, retriesOnInterrupt: false)
            } catch .interrupted {
                continue
            } catch .wouldBlock {
                // The stream was opened as non-blocking; wait as a blocking one would.
                try drain()
                try work.flush()
                input.waitUntilReadable()
                continue
            }
            if count == 0 {
                try finish()
                return try work.flush()
            }
            cutter.input.didWrite(count)
            let hasMore = input.isReadable
            if hasMore, cutter.input.count < Self.chunkBytes { continue }
            try advance(isEnd: false)
            if !isRegular { try checkForRecords() }
            guard !hasMore else { continue }
            try drain()
            try work.flush()
        }
        try drain()
        try work.flush()
    }

    private func checkForRecords() throws {
        guard let mostWithoutRecord, cutter.bytesWithoutRecord > mostWithoutRecord else { return }
        try drain()
        try work.flush()
        if !hasRecord { throw InputError.endless(cutter.title, without: mostWithoutRecord) }
    }

    /// Starts work on all complete records, and finishes the oldest chunk if too many are in flight.
    private func advance(isEnd: Bool) throws {
        if scheduler.isFull { try finishOldest() }
        if scheduler.cut(from: &cutter, isEnd: isEnd) > 0 { beginDecoded() }
    }

    private func drain() throws {
        while scheduler.count > 0 { try finishOldest() }
    }

    private func beginDecoded() {
        scheduler.deliver { chunk, _ in
            work.begin(&chunk)
            return .done
        }
    }

    private func finishOldest() throws {
        while true {
            beginDecoded()
            if scheduler.isOldestReady { break }
            scheduler.advance(&times)
        }
        try scheduler.takeOldest { chunk, _ in
            hasRecord = hasRecord || chunk.recordCount > chunk.batch.decodeFailures.count
            try work.finish(&chunk)
        }
    }
}
