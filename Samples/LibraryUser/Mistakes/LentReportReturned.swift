// error: implicit conversion to .* is consuming
import PushPipeline

func last(_ text: String) throws -> RecordReport? {
    var last: RecordReport?
    try Pipeline().process(text) { (line: borrowing RecordReport) in last = line }
    return last
}
