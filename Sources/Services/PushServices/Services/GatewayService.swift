import PushDevices
import PushModel
import PushPipeline

/// A push service that the gateway stands in for, or a part of the gateway's own API: it says what to do with the requests for its paths.
///
/// Everything here is called on the pipeline's thread.
class GatewayService {
    /// Runs the records. A service may ask it what it knows. Set before the first request.
    weak var pipeline: Pipeline?

    /// Writes a line to the gateway's log.
    var note: (String) -> Void = { _ in }
    private var hasNoted = false

    /// Writes a line to the gateway's log if it is the service's first one.
    func noteOnce(_ line: @autoclosure () -> String) {
        if !hasNoted { note(line()) }
        hasNoted = true
    }

    /// Whose reasons refuse its records, as `Rejection.Row` has it; nil if fault rules cannot refuse them.
    var speaker: String? { nil }

    /// Plans a request. Each service is asked, in the gateway's order, until one knows the path.
    ///
    /// - Parameter records: takes the records that the request becomes. They are run when all requests of a group are planned.
    /// - Returns: nil if the path belongs to another service.
    func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? { nil }

    /// The time at which the service has records of its own to run, in monotonic seconds; nil for never.
    var nextDue: Double? { nil }

    /// Composes the records that are due. Called some time after `nextDue`, and before the gateway ends.
    ///
    /// - Parameter now: monotonic seconds; infinite before the gateway ends.
    func takeDue(now: Double, _ records: inout RecordComposer) {}

    /// The name in metrics and in the message log: that of the type, such as `apns` for `APNsService`.
    var name: String {
        let type = "\(Self.self)"
        return (type.hasSuffix("Service") ? String(type.dropLast("Service".count)) : type).lowercased()
    }

    /// True if its requests are in the message log; false for those of the gateway itself.
    var isLogged: Bool { true }
}

enum RequestPlan {
    /// Answer it without waiting for the pipeline. Records that the service has just composed are run all the same.
    case answer(GatewayAnswer)
    /// Answer it from the report lines about the records that the service has just composed.
    /// With `isAwaited`, requests that came later are planned when it has its answer.
    case report(any AnswerDraft, isAwaited: Bool = false)
    /// Do nothing: what came before it over its connection was refused, and nobody waits for an answer.
    case drop
    /// Answer it later, or bit by bit.
    case later(any PendingAnswer)
}

/// An answer that depends on what becomes of a request's records.
protocol AnswerDraft {
    /// Takes a report line about one of the records, in their order. Lines about queued messages, subscribers and other consequences of a
    /// record are left out.
    ///
    /// - Parameters:
    ///   - line: valid only for the duration of the call.
    ///   - record: of the request's records, from 0.
    mutating func add(_ line: borrowing RecordReport, record: Int)

    /// Takes a line about a consequence of one of the records.
    ///
    /// - Parameter line: valid only for the duration of the call.
    mutating func addConsequence(_ line: borrowing RecordReport)

    /// The answer, when all records are committed and their lines were added.
    func answer() -> GatewayAnswer
}

extension AnswerDraft {
    /// Consequences change no answer.
    mutating func addConsequence(_ line: borrowing RecordReport) {}
}

/// A part of an answer, as it is sent.
package enum AnswerPart: Sendable, Equatable {
    /// All of it.
    case whole(GatewayAnswer)
    /// The status, the headers and the first bytes of an answer whose rest follows.
    case begin(GatewayAnswer)
    /// More bytes of its body.
    case more([UInt8])
    /// The end of its body.
    case end
    /// Closes the stream or the connection, without the rest.
    case cut

    /// True if nothing follows.
    package var isLast: Bool {
        switch self {
        case .whole, .end, .cut: true
        case .begin, .more: false
        }
    }

    /// Bytes of the body.
    package var count: Int {
        switch self {
        case .whole(let answer), .begin(let answer): answer.body.count
        case .more(let bytes): bytes.count
        case .end, .cut: 0
        }
    }
}

/// An answer that is given later, or bit by bit.
///
/// Everything here is called on the pipeline's thread.
package protocol PendingAnswer: AnyObject {
    /// The time to ask again even if nothing has happened, in seconds of `SystemClock.monotonicSeconds`; nil for never.
    var deadline: Double? { get }

    /// The next part to send; nil to wait. Called until it returns nil or the last part: after each group of requests, at the deadline, and
    /// when the client has taken what was sent before.
    ///
    /// - Parameters:
    ///   - now: in seconds, as `deadline`.
    ///   - unread: bytes that were sent before, and that the client has not taken yet.
    ///   - hasRoom: false if clients have taken too little of all answers together. Called again when there is room.
    ///   - isStopping: true if the gateway stops. Then the answer ends at once.
    func next(now: Double, unread: Int, hasRoom: Bool, isStopping: Bool) -> AnswerPart?

    /// Called once, when the answer is complete or the client is gone.
    func didEnd()
}

/// Thrown where a push service refuses a request: each case has an answer of its own.
extension Rejection: Error {}

extension RecordReport {
    /// The reason for which the service refuses the push, for the answer to its sender; nil if it takes the push.
    ///
    /// A push that is not sent because of its token's standing (`TokenLifeCycle`) is answered as one to a dead token, each time and by every
    /// service: a sender that is told 200 would keep the token.
    var refusal: Rejection? {
        switch message.verdict {
        case .rejected(let rejection): rejection
        case .suppressed(let reason) where TokenLifeCycle.isSilence(reason):
            message.provider.tokenRejections.unregistered
        default: nil
        }
    }
}
