// error: 'line' cannot be captured by an escaping closure
import PushPipeline

func printers(_ text: String) throws -> [() -> Void] {
    var printers: [() -> Void] = []
    try Pipeline().process(text) { (line: borrowing RecordReport) in printers.append { print(line.outcome) } }
    return printers
}
