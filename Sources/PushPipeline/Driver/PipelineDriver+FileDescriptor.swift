import FileAccess
import NotificationStore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension PipelineDriver {
    /// Goes on where an input was left.
    func begin(at progress: InputProgress) {
        cutter.beginInput(at: progress)
        if progress.offset > 0 {
            delivery.clock.records = progress.records
            delivery.clock.offset = progress.clockOffset
        }
        deliveredOffset = progress.offset
    }

    /// Reads an open file, pipe or socket to its end, or until `isStopped`, which is asked between two reads. What has been read by then is
    /// finished.
    func read(_ descriptor: Int32, isStopped: @escaping () -> Bool, to sink: any ReportSink) throws {
        self.isStopped = isStopped
        defer { self.isStopped = { false } }
        while !isStopped() {
            let space = cutter.input.freeSpace(atLeast: chunkBytes / 2)
            var watch = Stopwatch(isOn: configuration.measuresStages)
            let count = systemRead(descriptor, space.baseAddress, min(space.count, chunkBytes))
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN {
                    // Whoever gave us this stream made it non-blocking; wait as a blocking one would.
                    try drain(to: sink)
                    try sink.flush()
                    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    poll(&request, 1, -1)
                    continue
                }
                throw SystemError()
            }
            watch.lap(.read, count: 0, &stageTimes)
            if count == 0 {
                try finish(to: sink)
                return try flush(sink)
            }
            cutter.input.didWrite(count)
            let hasMore = Self.hasMore(descriptor)
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

    /// Whether a read would return at once. True at the end of the input too.
    private static func hasMore(_ descriptor: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) > 0
    }
}

/// `read(2)`, under a name that a method called `read` does not hide.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
