import PayloadJSON
public import PushModel

extension PushReport {
    /// The values of a line that is lent, to keep.
    public init(_ report: borrowing RecordReport) {
        var line = ByteBuffer()
        NDJSONReport().append(report, to: &line)
        var values: PushReport?
        line.withText { values = $0.withJSON { PushReport($0) } ?? nil }
        // Cannot happen: `NDJSONReport` writes one object with an outcome, whatever the record contains.
        guard let values else { preconditionFailure("a line of the report is an object with an outcome") }
        self = values
    }
}
