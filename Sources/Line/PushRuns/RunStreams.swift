package import PayloadJSON
package import PushStore
package import PushSystem

/// The streams of a run. Whoever runs the job decides what they are.
package protocol RunStreams {
    associatedtype Output: RunOutput

    /// Opens the stream that the results are written to: the report or trace, and the screens. Called once.
    ///
    /// - Parameter writesInBackground: true if a separate thread writes, so that the run need not wait for the reader.
    func openOutput(writesInBackground: Bool) -> Output

    /// Opens the stream that results are written to if it is not standard output. Called instead of the other one, which then is for
    /// records.
    ///
    /// - Parameter report: stays open until the run has ended.
    func openOutput(to report: OpenReport, writesInBackground: Bool) -> Output

    /// The descriptor that the results are written to. It is looked at, and not written to.
    var outputDescriptor: FileDescriptor { get }

    /// Writes text about the run, which is not a result: warnings, progress, the summary.
    func note(_ text: String)

    /// Tells somebody at a terminal that the run waits for payloads, if standard input is one.
    func inviteInput()

    /// Called once, when everything is open: from now on a signal ends the run after the current chunk, and not at once.
    func listenForStop()

    /// True to read no more. Asked between two reads.
    var isStopped: Bool { get }

    /// The cause of the stop, such as `SIGINT`. Asked only once `isStopped` is true.
    var stopReason: String { get }
}

/// A buffered stream that takes results. Used on one thread.
package protocol RunOutput: AnyObject {
    /// Lets `body` append to the buffer, and writes the buffer once it is large enough.
    func append(_ body: (inout ByteBuffer) -> Void) throws(OutputError)

    /// Appends bytes, which are valid only for the duration of the call.
    func append(_ bytes: BorrowedText) throws(OutputError)

    /// Writes the buffer and then these bytes, and returns when both are written.
    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError)

    /// Writes the buffer, or hands it to the writing thread.
    func flush() throws(OutputError)

    /// Writes the buffer, and returns once everything is written.
    func finish() throws(OutputError)
}

/// The stream of a report. If records are written too, the run goes on for them when nobody reads the report any more.
final class ReportOutput<Output: RunOutput>: RunOutput {
    private let output: Output
    private let isOptional: Bool
    private var isGone = false

    /// - Parameter isOptional: true if the run goes on without a reader.
    init(_ output: Output, isOptional: Bool) {
        self.output = output
        self.isOptional = isOptional
    }

    private func attempt(_ body: () throws(OutputError) -> Void) throws(OutputError) {
        if isGone { return }
        do throws(OutputError) {
            try body()
        } catch {
            guard isOptional, error.isReaderGone else { throw error }
            isGone = true
        }
    }

    func append(_ body: (inout ByteBuffer) -> Void) throws(OutputError) {
        try attempt { () throws(OutputError) in try output.append(body) }
    }

    func append(_ bytes: BorrowedText) throws(OutputError) {
        try attempt { () throws(OutputError) in try output.append(bytes) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
        // SOUND: passes the bytes on for the duration of the call.
        try attempt { () throws(OutputError) in try unsafe output.write(bytes) }
    }

    func flush() throws(OutputError) { try attempt { () throws(OutputError) in try output.flush() } }

    func finish() throws(OutputError) { try attempt { () throws(OutputError) in try output.finish() } }
}

/// Shows what is on screens while a run goes on. Called on the run's thread, from one place after the other.
package protocol RunFollower: AnyObject {
    /// Called once, before the first record.
    ///
    /// - Parameters:
    ///   - store: the store that the run delivers to. Between two calls it may change.
    ///   - isStopped: returns true if the run is to end.
    func begin(_ store: any BrowsableStore, isStopped: @escaping () -> Bool)

    /// Called before each read of an input. Returns once there is something to read, or the run is to end.
    func pause(before input: FileDescriptor)

    /// Called after the last record. Returns when nobody looks any more.
    func end()

    /// Called before something else is written to the terminal, at any time and any number of times.
    func leave()
}

extension RunJob {
    /// Runs all inputs, and writes what `output` asks for.
    ///
    /// - Parameter follower: shows the screens of a job that is followed. Without one, or if the records are typed into the same terminal,
    ///   they are written at the end. While it shows them, no report goes to the terminal.
    /// - Throws: `InputError`, `OutputError`, `StoreError`, `PlainError`, and what `setUp` throws.
    package func run(to streams: some RunStreams, follower: (any RunFollower)? = nil) throws -> Outcome {
        guard follows else { return try deliver(to: streams, follower: nil) }
        var job = self
        let isTyped = inputs.contains(nil) && Terminal.isTerminal(.standardInput)
        guard let follower, !isTyped else {
            job.showsScreen = true
            return try job.deliver(to: streams, follower: nil)
        }
        if reportFile == nil { job.output = .none }
        defer { follower.leave() }
        return try job.deliver(to: streams, follower: follower)
    }
}
