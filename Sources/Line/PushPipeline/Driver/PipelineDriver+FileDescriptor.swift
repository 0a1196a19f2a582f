import PushDecoding
import PushModel
import PushStore
public import PushSystem

/// The operating system's error for an input that cannot be read.
public typealias SystemError = PushSystem.SystemError

extension PipelineDriver {
    /// Begins an input: names it, and continues where it was left.
    ///
    /// - Parameter descriptor: the input.
    func begin(_ source: InputSource?, at progress: InputProgress?, _ descriptor: Int32) throws {
        if let progress, progress.path == InputProgress.streams {
            continueRun(at: progress)
        } else if let progress {
            begin(at: progress)
            if progress.offset > 0 { try cutter.continueInsideValue(of: FileDescriptor(rawValue: descriptor)) }
            if progress.offset > 0, let header = try header(of: descriptor) {
                delivery.part.resume(header)
                cutter.continuePart()
            }
        }
        cutter.name(source)
    }

    /// The first line of a part, decoded; nil for another input. Bytes that are read of an input that is not a regular file are kept.
    ///
    /// - Parameter isStopped: asked when a signal ends the wait for the first line; nil is returned then.
    func header(of descriptor: Int32, isStopped: () -> Bool = { false }) throws -> ChunkPlaces.Header? {
        // SOUND: the piece is a part of the buffer's free space, which nothing else changes while it is read into.
        let input = FileDescriptor(rawValue: descriptor)
        var first = [UInt8](repeating: 0, count: Self.longestHeader)
        if (try? FileStatus(input))?.kind == .regular {
            first.removeLast(first.count - (try input.read(into: &first, at: 0)))
            return unsafe first.withUnsafeBytes { unsafe ChunkPlaces.Header(beginning: $0) }
        }
        while cutter.input.count < Self.longestHeader, unsafe !cutter.input.bytes.contains(UInt8(ascii: "\n")) {
            let space = unsafe cutter.input.freeSpace(atLeast: Self.longestHeader)
            let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: space[..<Self.longestHeader])
            do throws(SystemError) {
                let count = try unsafe input.read(into: piece, retriesOnInterrupt: false)
                if count == 0 { break }
                cutter.input.didWrite(count)
            } catch {
                if error == .interrupted {
                    if isStopped() { return nil }
                    continue
                }
                guard error == .wouldBlock else { throw error }
                input.waitUntilReadable()
            }
        }
        return unsafe ChunkPlaces.Header(beginning: cutter.input.bytes)
    }

    /// In bytes.
    private static let longestHeader = 4096

    /// Continues where an input was left.
    private func begin(at progress: InputProgress) {
        cutter.beginInput(at: progress)
        if progress.offset > 0 { continueRun(at: progress) }
        deliveredOffset = progress.offset
    }

    /// Continues the numbers and the clock of an earlier run.
    private func continueRun(at progress: InputProgress) {
        delivery.isResumed = progress.records > 0
        delivery.clock.records = progress.records
        delivery.clock.offset = progress.clockOffset
    }

    /// Reads an open file, pipe or socket to its end, or until `isStopped`, called between two reads, returns true. Processes all bytes read
    /// by then.
    func read(_ descriptor: Int32, isStopped: @escaping () -> Bool, to sink: any ReportSink) throws {
        // SOUND: the piece is a part of the buffer's free space, which nothing else changes while it is read into.
        self.isStopped = isStopped
        defer { self.isStopped = { false } }
        let input = FileDescriptor(rawValue: descriptor)
        let isRegular = (try? FileStatus(input))?.kind == .regular
        while !isStopped() {
            if let beforeReading {
                // It looks at the store, which lanes change meanwhile.
                try drain(to: sink)
                beforeReading(input)
                if isStopped() { break }
            }
            let space = unsafe cutter.input.freeSpace(atLeast: spaceToRead(isRegular: isRegular))
            var watch = Stopwatch(isOn: configuration.measuresStages)
            let count: Int
            do throws(SystemError) {
                let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: space[..<min(space.count, chunkBytes)])
                count = try unsafe input.read(into: piece, retriesOnInterrupt: false)
            } catch {
                if error == .interrupted { continue }
                guard error == .wouldBlock else { throw error }
                // The stream was opened as non-blocking; wait as a blocking one would.
                try drain(to: sink)
                try sink.flush()
                input.waitUntilReadable()
                continue
            }
            watch.lap(.read, count: 0, &stageTimes)
            if count == 0 {
                try finish(to: sink)
                return try flush(sink)
            }
            cutter.input.didWrite(count)
            // A file always is, also at its end.
            let hasMore = isRegular || input.isReadable
            if hasMore, cutter.input.count < chunkBytes { continue }
            try advance(isEnd: false, to: sink)
            if !hasMore { try drain(to: sink) }
            try flush(sink)
            if !isRegular { try checkForRecords(to: sink) }
        }
        try drain(to: sink)
        try flush(sink)
    }

    /// The space that the next read needs: what is missing of a chunk, so that the buffer is not enlarged, and all that is in it copied, in the
    /// middle of one. A stream may bring less.
    private func spaceToRead(isRegular: Bool) -> Int {
        let missing = chunkBytes - cutter.input.count
        let half = chunkBytes / 2
        return missing <= 0 ? half : isRegular ? missing : min(missing, half)
    }

    /// Ends an input that goes on and on without a record.
    ///
    /// - Throws: `InputError`, after what came before has been reported.
    private func checkForRecords(to sink: any ReportSink) throws {
        guard let most = configuration.maximumBytesWithoutRecord, cutter.bytesWithoutRecord > most else { return }
        try drain(to: sink)
        try flush(sink)
        guard summary.count(.malformed) == summary.records else { return }
        throw InputError.endless(cutter.title, without: most, configuration.decoding.advice(.acceptEmpty))
    }

    private func flush(_ sink: any ReportSink) throws {
        var watch = Stopwatch(isOn: configuration.measuresStages)
        try sink.flush()
        watch.lap(.write, count: 0, &stageTimes)
    }
}
