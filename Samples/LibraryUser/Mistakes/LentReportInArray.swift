// error: type 'RecordReport' does not conform to protocol 'Copyable'
import PushPipeline

func reports(_ text: String) throws -> Int {
    var kept: [RecordReport] = []
    try Pipeline().process(text) { line in kept.append(line) }
    return kept.count
}
