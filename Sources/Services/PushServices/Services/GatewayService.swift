import PushPipeline

/// A push service that the gateway stands in for, or a part of the gateway's own API: it says what to do with the requests for its paths.
///
/// Everything here is called on the pipeline's thread.
protocol GatewayService: AnyObject {
    /// Whose reasons refuse its records, as `Rejection.Row` has it; nil if fault rules cannot refuse them.
    var speaker: String? { get }

    /// Called once, before the first request.
    ///
    /// - Parameter pipeline: runs the records. A service may ask it what it knows.
    func begin(_ pipeline: Pipeline)

    /// Plans a request. Each service is asked, in the gateway's order, until one knows the path.
    ///
    /// - Parameter records: takes the records that the request becomes. They are run when all requests of a group are planned.
    /// - Returns: nil if the path belongs to another service.
    func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan?

    /// When the service has records of its own to run, in monotonic seconds; nil for never.
    var nextDue: Double? { get }

    /// Composes the records that are due. Called some time after `nextDue`, and before the gateway ends.
    ///
    /// - Parameter now: monotonic seconds; infinite before the gateway ends.
    func takeDue(now: Double, _ records: inout RecordComposer)

    /// The name in metrics and in the message log.
    var name: String { get }

    /// True if its requests are in the message log.
    var isLogged: Bool { get }
}

extension GatewayService {
    /// Of no provider.
    var speaker: String? { nil }

    /// Does nothing.
    func begin(_ pipeline: Pipeline) {}
    /// Never.
    var nextDue: Double? { nil }
    /// Does nothing.
    func takeDue(now: Double, _ records: inout RecordComposer) {}
    /// That of its type: `apns` for `APNsService`.
    var name: String {
        let type = "\(Self.self)"
        return (type.hasSuffix("Service") ? String(type.dropLast("Service".count)) : type).lowercased()
    }

    /// True: only the gateway's own API is left out.
    var isLogged: Bool { true }
}

enum RequestPlan {
    /// Answer it without waiting for the pipeline. Records that the service has just composed are run all the same.
    case answer(GatewayAnswer)
    /// Answer it from the report lines about the records that the service has just composed.
    case report(any AnswerDraft)
    /// The same. Requests that came later are planned when it has its answer.
    case reportAndWait(any AnswerDraft)
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
