package import PushModel

/// The answer that a sender got, as its record has it.
package enum ComparedAnswer: Sendable {
    case known(SenderAnswer)
    /// It cannot be read, which a finding says.
    case unreadable

    /// The difference from the answer here; nil if there is none, or nothing to compare.
    func difference(from message: DecodedMessage) -> AnswerDifference? {
        guard case .known(let theirs) = self, let ours = SenderAnswer(of: message) else { return nil }
        let difference = AnswerDifference(ours: ours, theirs: theirs)
        // Airnotifier accepts a push with 202.
        let areSuccesses = 200...299 ~= theirs.status ?? 0 && ours.status == 200
        if theirs.status ?? ours.status != ours.status, !areSuccesses { return difference }
        guard let reason = theirs.reason, reason != ours.reason, ours != .malformed else { return nil }
        // Without FCM's own word, an answer of Google's has a general one.
        guard case .rejected(let rejection) = message.verdict,
            FCMAnswer.googleStatus(of: rejection)?.description == reason
        else { return difference }
        return nil
    }
}

/// An answer that a sender got, and another one here.
package struct AnswerDifference: Sendable, Hashable {
    package var ours: SenderAnswer
    package var theirs: SenderAnswer
}

extension SenderAnswer {
    /// The answer to a record that contains no message. The services document no reason.
    fileprivate static let malformed = SenderAnswer(status: 400, reason: "(malformed)")

    /// The answer that the emulated service gives; nil for what no service answers: an event, and what a stage of a program's own refuses.
    fileprivate init?(of message: DecodedMessage) {
        switch message.verdict {
        case .rejected(let rejection):
            let word = message.gateway == .expo ? rejection.wordOfExpo(isTooBig: message.isTooBig) : nil
            self.init(status: word == nil ? rejection.row.status : 200, reason: word ?? rejection.reason)
        case .malformed: self = .malformed
        case .event, .refused: return nil
        case .accepted, .fannedOut, .suppressed, .withheld, .held, .expired, .discarded: self.init(status: 200)
        }
    }
}

/// Counts of the answers that a run has compared.
package struct AnswerCounts: Sendable, Equatable {
    /// A difference between two answers, of one service.
    package struct Kind: Sendable, Hashable {
        /// Nil for a malformed record.
        package var provider: Provider?
        package var difference: AnswerDifference
    }

    /// Messages whose sender's answer is known.
    package private(set) var compared: UInt64 = 0
    /// Messages with an answer that cannot be read.
    package private(set) var unreadable: UInt64 = 0
    /// Messages by difference.
    package private(set) var differences: [Kind: UInt64] = [:]

    /// The most kinds of differences that are told apart: input may have any words.
    private static let mostKinds = 100

    package init() {}

    /// Messages whose sender got another answer.
    package var different: UInt64 { differences.values.reduce(0, &+) }

    mutating func add(_ answer: ComparedAnswer, _ report: borrowing RecordReport) {
        guard case .known = answer else {
            unreadable &+= 1
            return
        }
        compared &+= 1
        guard let difference = answer.difference(from: report.message) else { return }
        add(1, Kind(provider: difference.ours == .malformed ? nil : report.provider, difference: difference))
    }

    mutating func add(_ part: AnswerCounts) {
        compared &+= part.compared
        unreadable &+= part.unreadable
        for (kind, count) in part.differences { add(count, kind) }
    }

    private mutating func add(_ count: UInt64, _ kind: Kind) {
        var kind = kind
        if differences.count >= Self.mostKinds, differences[kind] == nil {
            kind.difference.theirs.reason = "(other)"
        }
        differences[kind, default: 0] &+= count
    }
}
