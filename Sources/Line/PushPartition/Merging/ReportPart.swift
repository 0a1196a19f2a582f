import PushJSON
import PushPipeline
package import PushSystem

/// The report of one part, read line by line. Holds one piece of the file, or its longest line.
package final class ReportPart {
    /// The path, for messages.
    package let name: String
    let position: Int
    private let descriptor: FileDescriptor
    /// The line that is read, and what follows it.
    private var input: InputBuffer
    private var lineLength = 0
    private let maximumLine: Int
    private var isAtEnd = false
    /// True if it ends in the middle of a line, as the report of a run that was killed.
    private(set) var isIncomplete = false
    private(set) var lineNumber: UInt64 = 0
    /// The number of the record that the line is about.
    private(set) var seq: UInt64 = 0
    private var knownKey: ReportLineKey?
    private var scanner = JSONScanner()
    private var tape = JSONTape()

    /// - Parameters:
    ///   - descriptor: open for reading; it stays open.
    ///   - pieceBytes: how much is read at once.
    ///   - maximumLine: most bytes of a line. A pipe may have no end.
    package init(
        _ name: String, _ descriptor: FileDescriptor, position: Int, pieceBytes: Int,
        maximumLine: Int = JSONScanner.maximumLength
    ) {
        self.name = name
        self.descriptor = descriptor
        self.position = position
        self.maximumLine = maximumLine
        input = InputBuffer(capacity: max(pieceBytes, 64))
    }

    /// The line with its line feed. Valid until the next call of `advance`.
    var line: BorrowedText {
        // SOUND: the line is a part of the bytes that were read.
        unsafe input.bytes.baseAddress.map {
            unsafe BorrowedText(start: $0.assumingMemoryBound(to: UInt8.self), count: lineLength)
        } ?? .empty
    }

    /// The line after the last one that was read.
    private var tooLong: PlainError {
        .unfit("\(name): line \(lineNumber &+ 1)", "the line is longer than \(maximumLine) bytes")
    }

    private var notReport: PlainError {
        // SOUND: the line is a part of the bytes that were read.
        if lineNumber == 1, unsafe line.bytes.starts(with: Array("SQLite format 3".utf8)) {
            return .unfit(name, "is a store, not a report")
        }
        return failure("not a line of a report; merge takes reports of pushpipe run in NDJSON")
    }

    private func failure(_ problem: String) -> PlainError { .unfit("\(name): line \(lineNumber)", problem) }

    /// Goes to the next line. False at the end.
    ///
    /// - Throws: `PlainError` for a line that is not a report line, or is about an earlier record than the line before.
    func advance() throws(PlainError) -> Bool {
        input.drop(lineLength)
        lineLength = 0
        knownKey = nil
        guard try findLine() else { return false }
        lineNumber &+= 1
        guard let number = Self.sequence(line) ?? scannedSequence() else { throw notReport }
        guard number >= seq else {
            throw failure(
                "record \(number) comes after record \(seq); merge takes reports as pushpipe run writes them, in order")
        }
        seq = number
        return true
    }

    /// Sets `lineLength`.
    private func findLine() throws(PlainError) -> Bool {
        // SOUND: the search stays within the bytes that were read, and the space within the buffer.
        var searched = 0
        while true {
            let bytes = unsafe input.bytes
            if let base = bytes.baseAddress,
                let feed = unsafe Memory.firstOffset(
                    of: UInt8(ascii: "\n"), in: base + searched, count: bytes.count - searched)
            {
                lineLength = searched + feed + 1
                if lineLength > maximumLine { throw tooLong }
                return true
            }
            searched = input.count
            if isAtEnd {
                guard searched > 0 else { return false }
                lineNumber &+= 1
                isIncomplete = true
                throw failure("the line does not end: the report is incomplete")
            }
            try checkBeginning()
            do throws(SystemError) {
                let count = try unsafe descriptor.read(into: input.freeSpace(atLeast: 1))
                isAtEnd = count == 0
                input.didWrite(count)
            } catch .wouldBlock {
                descriptor.waitUntilReadable()
            } catch {
                throw .unfit(name, "\(error)")
            }
        }
    }

    /// Throws for a line that never becomes one of a report, however much is read of it.
    private func checkBeginning() throws(PlainError) {
        guard let first = unsafe input.bytes.first else { return }
        if first != UInt8(ascii: "{"), first > UInt8(ascii: " ") || first == 0 {
            lineNumber &+= 1
            throw notReport
        }
        if input.count >= maximumLine { throw tooLong }
    }

    // MARK: - Members

    /// The number at the beginning of a line as `NDJSONReport` writes it: `{"seq":17`.
    private static func sequence(_ line: BorrowedText) -> UInt64? {
        // SOUND: every index is below the count.
        let prefix: StaticString = "{\"seq\":"
        guard line.hasPrefix(prefix) else { return nil }
        var number: UInt64 = 0
        var index = prefix.utf8CodeUnitCount
        while index < line.count {
            let digit = unsafe line.buffer[index] &- UInt8(ascii: "0")
            if digit > 9 { break }
            let (product, overflows) = number.multipliedReportingOverflow(by: 10)
            guard !overflows, product <= .max - 9 else { return nil }
            number = product + UInt64(digit)
            index += 1
        }
        guard index > prefix.utf8CodeUnitCount, index < line.count else { return nil }
        let next = unsafe line.buffer[index]
        return next == UInt8(ascii: ",") || next == UInt8(ascii: "}") ? number : nil
    }

    private func scannedSequence() -> UInt64? { withLine { $0?["seq"]?.int64.flatMap { UInt64(exactly: $0) } } }

    /// Passes the line as JSON, or nil if it is none.
    func withLine<Result>(_ body: (JSONView?) -> Result) -> Result {
        // SOUND: the line stays as it is during the call, and the tape is of this line.
        guard unsafe scanner.scan(line.bytes, into: &tape) == nil else { return body(nil) }
        return unsafe body(tape.root(of: line.bytes))
    }

    /// The place of the line among those of its record. O(line) for the first call.
    ///
    /// - Throws: `PlainError` for a line that is not JSON.
    func key() throws(PlainError) -> ReportLineKey {
        if let knownKey { return knownKey }
        guard let key = withLine({ $0.map { ReportLineKey($0) } }) else { throw failure("not JSON") }
        knownKey = key
        return key
    }
}
