import PushJSON
import PushPipeline
import PushReports
import PushText

/// A line of a report as NDJSON and as text, and its first error.
struct ReportLine: Equatable {
    var json: String
    var text: String
    var trouble: String?

    init(_ report: borrowing RecordReport) {
        var out = ByteBuffer()
        NDJSONReport().append(report, to: &out)
        trouble = out.bytes.withCopy(Self.check)
        json = String(decoding: out.bytes, as: UTF8.self)
        out.removeAll()
        TextReport(style: TextStyle(hasColors: false, columns: 80)).append(report, to: &out)
        text = String(decoding: out.bytes, as: UTF8.self)
        if TerminalText.cleanLines(text) != text {
            trouble = trouble ?? "the text report would disturb a terminal: \(readable(text.utf8))"
        }
    }

    private static func check(_ line: UnsafeRawBufferPointer) -> String? {
        func wrong(_ words: String) -> String { "\(words): \(readable(line))" }
        guard line.last == UInt8(ascii: "\n") else { return wrong("a line without a line feed") }
        if line.dropLast().contains(UInt8(ascii: "\n")) { return wrong("more than one line") }
        var scanner = JSONScanner()
        var tape = JSONTape()
        if let fault = scanner.scan(line, into: &tape) { return wrong("a line that is not JSON, \(fault)") }
        if !tape.notes.isEmpty { return wrong("a line that not every reader can represent, \(tape.notes)") }
        guard let root = tape.root(of: line), root["seq"]?.int64 != nil, root["outcome"]?.isString == true else {
            return wrong("a line without seq or outcome")
        }
        return nil
    }
}
