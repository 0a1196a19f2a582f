import PayloadJSON
package import PushSystem

/// The report of one part, read line by line. Holds one piece of the file, or its longest line.
@safe  // SOUND: owns its memory; `start`, `end` and `lineEnd` stay within `capacity`.
package final class ReportPart {
    /// The path, for messages.
    package let name: String
    let position: Int
    private let descriptor: FileDescriptor
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    private var start = 0
    private var end = 0
    /// The end of the line that is read, which begins at `start`.
    private var lineEnd = 0
    private let maximumLine: Int
    private var isAtEnd = false
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
        // SOUND: `deinit` or `makeRoom` frees it.
        self.name = name
        self.descriptor = descriptor
        self.position = position
        self.maximumLine = maximumLine
        capacity = max(pieceBytes, 64)
        unsafe base = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        // SOUND: allocated here, and freed once.
        unsafe base.deallocate()
    }

    /// The line with its line feed. Valid until the next call of `advance`.
    var line: BorrowedText {
        // SOUND: the range is within the bytes that were read.
        unsafe BorrowedText(start: (base + start).assumingMemoryBound(to: UInt8.self), count: lineEnd - start)
    }

    /// The line after the last one that was read.
    private var tooLong: MergeError {
        MergeError(file: name, line: lineNumber &+ 1, problem: "the line is longer than \(maximumLine) bytes")
    }

    private var notReport: MergeError {
        failure("not a line of a report; merge takes reports of pushpipe run in NDJSON")
    }

    private func failure(_ problem: String) -> MergeError { MergeError(file: name, line: lineNumber, problem: problem) }

    /// Goes to the next line. False at the end.
    ///
    /// - Throws: `MergeError` for a line that is not a report line, or is about an earlier record than the line before.
    func advance() throws(MergeError) -> Bool {
        start = lineEnd
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

    /// Sets `lineEnd`.
    private func findLine() throws(MergeError) -> Bool {
        // SOUND: the search stays within the bytes that were read.
        var searched = start
        while true {
            if let feed = unsafe Memory.firstOffset(of: UInt8(ascii: "\n"), in: base + searched, count: end - searched)
            {
                lineEnd = searched + feed + 1
                if lineEnd - start > maximumLine { throw tooLong }
                return true
            }
            searched = end - start
            if isAtEnd {
                guard end > start else { return false }
                lineNumber &+= 1
                var error = failure("the line does not end: the report is incomplete")
                error.isIncomplete = true
                throw error
            }
            try checkBeginning()
            makeRoom()
            let count: Int
            do throws(SystemError) {
                let space = unsafe UnsafeMutableRawBufferPointer(start: base + end, count: capacity - end)
                count = try unsafe descriptor.read(into: space)
            } catch .wouldBlock {
                descriptor.waitUntilReadable()
                continue
            } catch {
                throw MergeError(file: name, problem: "\(error)")
            }
            isAtEnd = count == 0
            end += count
        }
    }

    /// Throws for a line that never becomes one of a report, however much is read of it.
    private func checkBeginning() throws(MergeError) {
        // SOUND: there is a byte at `start`.
        guard end > start else { return }
        let first = unsafe base.load(fromByteOffset: start, as: UInt8.self)
        if first != UInt8(ascii: "{"), first > UInt8(ascii: " ") || first == 0 {
            lineNumber &+= 1
            throw notReport
        }
        if end - start >= maximumLine { throw tooLong }
    }

    /// Moves the line to the front, and doubles the memory when it is full.
    private func makeRoom() {
        // SOUND: both places have room for the bytes, which are not used at the old place any more.
        let count = end - start
        if count >= capacity - 1 {
            let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity * 2, alignment: 16)
            unsafe Memory.copy(base + start, to: larger, count: count)
            unsafe base.deallocate()
            unsafe base = unsafe larger
            capacity *= 2
        } else if start > 0 {
            unsafe Memory.move(base + start, to: base, count: count)
        }
        start = 0
        end = count
        lineEnd = 0
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

    /// Where the line stands among those of its record. O(line) for the first call.
    ///
    /// - Throws: `MergeError` for a line that is not JSON.
    func key() throws(MergeError) -> ReportLineKey {
        if let knownKey { return knownKey }
        guard let key = withLine({ $0.map { ReportLineKey($0) } }) else { throw failure("not JSON") }
        knownKey = key
        return key
    }
}
