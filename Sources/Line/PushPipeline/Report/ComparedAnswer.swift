package import PushModel

/// The answer that a sender got, as its record has it.
package enum ComparedAnswer: Sendable {
    case known(SenderAnswer)
    /// It cannot be read, which a finding says.
    case unreadable

    /// The difference from the answer here; nil if there is none, or nothing to compare.
    func difference(from message: DecodedMessage) -> AnswerDifference? {
        guard case .known(let theirs) = self, let ours = EmulatedAnswer(message) else { return nil }
        return ours.agrees(with: theirs) ? nil : AnswerDifference(ours: ours, theirs: theirs)
    }
}

/// The answer that the emulated service gives.
package enum EmulatedAnswer: Sendable, Hashable {
    /// Status 200.
    case accepted
    case rejected(Rejection)
    /// Expo's word in a ticket or a receipt.
    case ticket(String)
    /// The record contains no message. `pushpipe serve` answers with status 400; the services document no reason.
    case malformed

    /// Nil for what no service answers: an event, and what a stage of a program's own refuses.
    init?(_ message: DecodedMessage) {
        switch message.verdict {
        case .rejected(let rejection):
            let word = message.gateway == .expo ? rejection.wordOfExpo(isTooBig: message.isTooBig) : nil
            self = word.map { .ticket($0) } ?? .rejected(rejection)
        case .malformed: self = .malformed
        case .event, .refused: return nil
        case .accepted, .fannedOut, .suppressed, .withheld, .held, .expired, .discarded: self = .accepted
        }
    }

    private var status: Int {
        switch self {
        case .accepted, .ticket: 200
        case .rejected(let rejection): rejection.row.status
        case .malformed: 400
        }
    }

    /// True if everything that is known of the other answer is the same here.
    func agrees(with theirs: SenderAnswer) -> Bool {
        if let other = theirs.status, other != status, !(Self.isSuccess(other) && Self.isSuccess(status)) {
            return false
        }
        return switch (theirs.reason, self) {
        case (.unsaid, _), (.none, .accepted), (.taken, .accepted), (.word, .malformed): true
        // A ticket says only that Expo knows the token.
        case (.taken, .ticket(let word)): word != Rejection.expoNotRegistered
        case (.word(let word), .ticket(let own)): word == own
        case (.none, _), (.taken, _), (.word, .accepted): false
        case (.word(let word), .rejected(let rejection)):
            // Without FCM's own word, an answer of Google's has a general one.
            word == rejection.reason || FCMAnswer.googleStatus(of: rejection)?.description == word
        }
    }

    /// Airnotifier accepts a push with 202.
    private static func isSuccess(_ status: Int) -> Bool { 200...299 ~= status }
}

extension EmulatedAnswer: CustomStringConvertible {
    /// `200`, `400 BadTopic`, `200 MessageTooBig`, `400 (malformed)`.
    package var description: String {
        switch self {
        case .accepted: "200"
        case .ticket(let word): "200 \(word)"
        case .rejected(let rejection): "\(rejection.row.status) \(rejection.reason)"
        case .malformed: "400 (malformed)"
        }
    }
}

/// An answer that a sender got, and another one here.
package struct AnswerDifference: Sendable, Hashable {
    package var ours: EmulatedAnswer
    package var theirs: SenderAnswer
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

    /// The most kinds of differences that are told apart: services have some hundred words, and input may have any.
    private static let mostKinds = 1000

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
        let provider = difference.ours == .malformed ? nil : report.provider
        add(1, Kind(provider: provider, difference: difference))
    }

    mutating func add(_ part: AnswerCounts) {
        compared &+= part.compared
        unreadable &+= part.unreadable
        for (kind, count) in part.differences { add(count, kind) }
    }

    private mutating func add(_ count: UInt64, _ kind: Kind) {
        var kind = kind
        if differences.count >= Self.mostKinds, differences[kind] == nil {
            kind.difference.theirs.reason = .word("(other)")
        }
        differences[kind, default: 0] &+= count
    }
}
