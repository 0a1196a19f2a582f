package import NotificationStore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What the operating system says about a file or stream that cannot be read or written.
public struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The value of `errno`.
    public var code: Int32

    /// The last error of this thread.
    public init() { code = errno }

    /// In the system's words, such as `No such file or directory`.
    public var description: String { String(cString: strerror(code)) }
}

extension Pipeline {
    /// Reads an open file, pipe or socket to its end and processes it as one input.
    ///
    /// A chunk is closed when it is full, or when there is nothing to read for the moment: a slow sender's record is reported as soon
    /// as it is complete.
    ///
    /// - Parameters:
    ///   - descriptor: stays open.
    ///   - report: called once per report line.
    ///   - flush: called behind the reports of each chunk, when whoever reads them should see them.
    /// - Throws: `SystemError` when the input cannot be read; what `report`, `flush` or the store throws.
    public func process(
        fileDescriptor descriptor: Int32, report: (RecordReport) throws -> Void, flush: () throws -> Void = {}
    ) throws {
        try read(descriptor, isStopped: { false }, report: report, flush: flush)
    }

    /// Reads an open file from where a store says that it was left, and keeps in the store how far it has come.
    ///
    /// - Parameters:
    ///   - descriptor: stands at `progress.offset`, and stays open.
    ///   - progress: nil for an input that cannot be taken up, such as a pipe.
    ///   - isStopped: asked between two reads. Once it is true, what has been read is finished, and no more is read.
    ///   - text: takes the report of a chunk as NDJSON, once it is committed with that report. The chunk after it is committed only when
    ///     this has returned.
    package func process(
        fileDescriptor descriptor: Int32, progress: InputProgress?, isStopped: @escaping () -> Bool,
        text: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        if let progress { begin(at: progress) }
        textReport = text
        defer { textReport = nil }
        try read(descriptor, isStopped: isStopped, report: { _ in }, flush: {})
    }

    /// Bytes of the input at hand that are done with, when that is kept track of.
    package var inputOffset: UInt64 { deliveredOffset }

    /// The same with a report of another form, which is not kept.
    package func process(
        fileDescriptor descriptor: Int32, progress: InputProgress?, isStopped: @escaping () -> Bool,
        report: (RecordReport) throws -> Void, flush: @escaping () throws -> Void
    ) throws {
        if let progress { begin(at: progress) }
        flushChunk = flush
        defer { flushChunk = {} }
        try read(descriptor, isStopped: isStopped, report: report, flush: flush)
    }

    private func begin(at progress: InputProgress) {
        cutter.beginInput(at: progress)
        if progress.offset > 0 {
            recordsOfRun = progress.records
            clockOffset = progress.clockOffset
        }
        deliveredOffset = progress.offset
    }

    private func read(
        _ descriptor: Int32, isStopped: @escaping () -> Bool, report: (RecordReport) throws -> Void,
        flush: () throws -> Void
    ) throws {
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
                    try drain(report: report)
                    try flush()
                    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    poll(&request, 1, -1)
                    continue
                }
                throw SystemError()
            }
            watch.lap(.read, count: 0, &stageTimes)
            if count == 0 {
                try finish(report: report)
                return try measured(flush)
            }
            cutter.input.didWrite(count)
            let hasMore = Self.hasMore(descriptor)
            if hasMore, cutter.input.count < chunkBytes { continue }
            try advance(isEnd: false, report: report)
            if !hasMore { try drain(report: report) }
            try measured(flush)
        }
        try drain(report: report)
        try measured(flush)
    }

    private func measured(_ flush: () throws -> Void) rethrows {
        var watch = Stopwatch(isOn: configuration.measuresStages)
        try flush()
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
