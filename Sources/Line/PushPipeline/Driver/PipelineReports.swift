public import PushModel

/// The report of an input that arrives in pieces: its lines, in input order. Iterate over it once.
///
/// A record is reported once its last byte has arrived. Whoever ends the loop early ends the processing: what has arrived by then is stored.
/// An error of the input, of a stage or of the store ends the loop.
public struct PipelineReports<Input: AsyncSequence>: AsyncSequence where Input.Element: Collection<UInt8> {
    /// A line of the report.
    public typealias Element = PushReport
    fileprivate let pipeline: Pipeline
    fileprivate let input: Input

    /// Lines that are not yet taken, and the rest of the input.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let pipeline: Pipeline
        fileprivate var input: Input.AsyncIterator
        fileprivate var reports: ArraySlice<PushReport> = []
        fileprivate var isAtEnd = false

        /// The next line; nil at the end of the input.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> PushReport? {
            while reports.isEmpty, !isAtEnd {
                var found: [PushReport] = []
                if let bytes = try await input.next(isolation: actor) {
                    try pipeline.feed(bytes) { found.append(PushReport($0)) }
                } else {
                    isAtEnd = true
                    try pipeline.finish { found.append(PushReport($0)) }
                }
                reports = found[...]
            }
            return reports.popFirst()
        }
    }

    /// Begins with the first piece of the input.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pipeline: pipeline, input: input.makeAsyncIterator())
    }
}

/// The lines of an input that arrives byte by byte; long ones in pieces of 16 KiB.
public struct InputLines<Bytes: AsyncSequence>: AsyncSequence where Bytes.Element == UInt8 {
    /// The bytes of a line, with its end.
    public typealias Element = [UInt8]
    fileprivate let bytes: Bytes

    /// The rest of the bytes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var bytes: Bytes.AsyncIterator

        /// The next line; nil at the end of the input.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> [UInt8]? {
            var line: [UInt8] = []
            while line.count < 16 * 1024, let byte = try await bytes.next(isolation: actor) {
                line.append(byte)
                if byte == UInt8(ascii: "\n") { break }
            }
            return line.isEmpty ? nil : line
        }
    }

    /// Begins with the first byte.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: bytes.makeAsyncIterator()) }
}

extension Pipeline {
    /// Processes an input that arrives in pieces, such as the body of a request: `for try await report in pipeline.reports(of: body)`.
    public func reports<Input: AsyncSequence>(of input: Input) -> PipelineReports<Input>
    where Input.Element: Collection<UInt8> {
        PipelineReports(pipeline: self, input: input)
    }

    /// Processes an input that arrives byte by byte, such as `FileHandle.bytes`.
    public func reports<Bytes: AsyncSequence>(of bytes: Bytes) -> PipelineReports<InputLines<Bytes>>
    where Bytes.Element == UInt8 {
        PipelineReports(pipeline: self, input: InputLines(bytes: bytes))
    }
}
