package import PushDecoding

/// How a run finds the answers that senders got, to compare them with its own.
package struct AnswerComparison: Sendable, Equatable {
    /// Where an answer is in each line or object of the input; nil for the member `answer` of an envelope.
    package var location: RecordLocation?

    package init(at location: RecordLocation? = nil) { self.location = location }

    /// For messages: `answer at /response`.
    var name: String { location.map { "answer at \($0.pointer ?? "")" } ?? "answer" }
}
