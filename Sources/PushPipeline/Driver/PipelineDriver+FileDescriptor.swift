import NotificationStore
public import SystemSupport

/// The operating system's error for an input that cannot be read.
public typealias SystemError = SystemSupport.SystemError

extension PipelineDriver {
    /// Begins an input: names it, and continues where it was left.
    func begin(_ source: InputSource?, at progress: InputProgress?) {
        if let progress { begin(at: progress) }
        cutter.name(source)
    }

    /// Continues where an input was left.
    private func begin(at progress: InputProgress) {
        cutter.beginInput(at: progress)
        if progress.offset > 0 {
            delivery.isResumed = true
            delivery.clock.records = progress.records
            delivery.clock.offset = progress.clockOffset
        }
        deliveredOffset = progress.offset
    }

    /// Reads an open file, pipe or socket to its end, or until `isStopped`, called between two reads, returns true. Processes all bytes read
    /// by then.
    func read(_ descriptor: Int32, isStopped: @escaping () -> Bool, to sink: any ReportSink) throws {
        // SOUND: the piece is a part of the buffer's free space, which nothing else changes while it is read into.
        self.isStopped = isStopped
        defer { self.isStopped = { false } }
        let input = FileDescriptor(rawValue: descriptor)
        while !isStopped() {
            let space = unsafe cutter.input.freeSpace(atLeast: chunkBytes / 2)
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
            let hasMore = input.isReadable
            if hasMore, cutter.input.count < chunkBytes { continue }
            try advance(isEnd: false, to: sink)
            if !hasMore { try drain(to: sink) }
            try flush(sink)
        }
        try drain(to: sink)
        try flush(sink)
    }

    private func flush(_ sink: any ReportSink) throws {
        var watch = Stopwatch(isOn: configuration.measuresStages)
        try sink.flush()
        watch.lap(.write, count: 0, &stageTimes)
    }
}
