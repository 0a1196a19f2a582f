import PayloadJSON
import PushPipeline
import PushReports

/// Records in the body of a request: one JSON object, an array of them, or NDJSON.
enum RecordsBody {
    /// Passes each record to `body`, on one line. Lines that are no JSON are passed as they are: the report says what is wrong.
    ///
    /// - Throws: `APIError` if there is none.
    static func forEach(_ bytes: [UInt8], _ body: (BorrowedText) -> Void) throws(APIError) {
        var count = 0
        func take(_ text: some Collection<UInt8>) {
            let isBreak: (UInt8) -> Bool = { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            // JSON has no line break inside a string.
            var line = text.map { isBreak($0) ? UInt8(ascii: " ") : $0 }[...]
            // The pipeline would skip it at the beginning of its input, and then there would be one record less than lines.
            while line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
            guard !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { return }
            count += 1
            // SOUND: the bytes live until the closure returns.
            unsafe line.withUnsafeBufferPointer { line in
                guard let start = line.baseAddress else { return }
                unsafe body(BorrowedText(start: start, count: line.count))
            }
        }
        let isOne: Bool? = bytes.withJSON { root in
            if root.isObject {
                take(bytes)
                return true
            }
            guard root.kind == .array else { return true }
            for element in root.elements {
                // SOUND: the text is copied before the bytes change.
                unsafe take(element.text.buffer)
            }
            return true
        }
        if isOne != true { for line in bytes.split(separator: UInt8(ascii: "\n")) { take(line) } }
        guard count > 0 else { throw .badRequest("the body has no records; it takes those that pushpipe run reads") }
    }
}

struct RecordsAnswer: AnswerDraft {
    private var lines = ReportArray()

    mutating func add(_ line: borrowing RecordReport, record: Int) { lines.append(line) }

    mutating func addConsequence(_ line: borrowing RecordReport) { lines.append(line) }

    func answer() -> GatewayAnswer {
        var out = ByteBuffer()
        out.append("{\"report\":[")
        out.appendRaw(lines.text)
        out.append("]")
        if lines.isCut { out.appendMember("report_cut", true) }
        out.append("}\n")
        return .api(out)
    }
}

/// Report lines as elements of a JSON array.
private struct ReportArray {
    private(set) var text: [UInt8] = []
    /// True if there were more lines than fit.
    private(set) var isCut = false

    /// 1 MiB: a record may concern any number of devices.
    private static let maximumBytes = 1 << 20

    mutating func append(_ report: borrowing RecordReport) {
        var line = ByteBuffer()
        NDJSONReport().append(report, to: &line)
        guard text.count + line.count <= Self.maximumBytes else {
            isCut = true
            return
        }
        if !text.isEmpty { text += Array(",\n".utf8) }
        // SOUND: the bytes are copied before the buffer changes.
        unsafe text.append(contentsOf: line.bytes.dropLast())
    }
}
