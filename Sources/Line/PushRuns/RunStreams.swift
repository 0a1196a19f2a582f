package import PayloadJSON
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
