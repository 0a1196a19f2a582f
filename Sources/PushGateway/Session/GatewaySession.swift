import PayloadJSON
import PushModel
package import PushPipeline
import SystemSupport

/// Turns requests into records, runs them through a pipeline, and has an answer for each: everything of the gateway that needs no network.
///
/// All requests of a call are one input of the pipeline, so as many as fit share a transaction. Used on one thread.
package final class GatewaySession {
    private let pipeline: Pipeline
    private let report: (RecordReport) throws -> Void
    private var composer = RecordComposer()
    private var authentication: ProviderAuthentication
    /// Epoch milliseconds; tests replace it. The clock of the pipeline may be emulated, that of clients is not.
    var wallMilliseconds: () -> Int64 = SystemClock.wallMilliseconds

    /// - Parameters:
    ///   - pipeline: reads one record per line.
    ///   - authentication: which provider tokens are taken.
    ///   - report: called with every report line, after the commit.
    package init(
        _ pipeline: Pipeline, authentication: ProviderAuthentication = .wellFormed,
        report: @escaping (RecordReport) throws -> Void
    ) {
        (self.pipeline, self.authentication, self.report) = (pipeline, authentication, report)
    }

    /// What to do with a request.
    private enum Plan {
        /// Its record is this one of the records of the call, from 0.
        case record(Int, isBroadcast: Bool)
        case answer(GatewayAnswer)
    }

    /// Answers requests: returns when everything that they changed is committed and reported.
    ///
    /// - Returns: an answer for each request, in their order.
    /// - Throws: errors of the store and of `report`. Then some requests may have been delivered and reported.
    package func answers(to requests: [GatewayRequest]) throws -> [GatewayAnswer] {
        composer.removeAll()
        var records = 0
        let plans = requests.map { request in plan(request, &records) }
        var drafts = [APNsAnswer](repeating: APNsAnswer(), count: records)
        var current = -1
        var number: UInt64?
        let report = report
        // SOUND: the lines stay as they are until the next call, and the pipeline copies them.
        try unsafe pipeline.feed(composer.lines.bytes) { line in
            try report(line)
            // Lines about queued messages, subscribers and tokens follow the lines of a record, and have no record of their own.
            guard line.note?.original == nil, line.note?.sentTo == nil, line.note?.isConsequence != true else { return }
            if line.seq != number {
                number = line.seq
                current += 1
            }
            if drafts.indices.contains(current) { drafts[current].add(line) }
        }
        return zip(requests, plans).map { request, plan in
            switch plan {
            case .answer(let answer): answer
            case .record(let index, let isBroadcast):
                drafts[index].answer(to: request, isBroadcast: isBroadcast)
            }
        }
    }

    private func plan(_ request: GatewayRequest, _ records: inout Int) -> Plan {
        let route = GatewayRoute(method: request.method, path: request.path)
        let refusal: Rejection?
        switch route {
        case .unknown: return .answer(APNsAnswer.refusal(.badPath, of: request))
        case .refused(let rejection): refusal = rejection
        case .device, .broadcast:
            // Apple says that authentication comes first.
            refusal =
                authentication.refusal(request, now: Double(wallMilliseconds()) / 1000)
                ?? (request.isTooLarge ? .payloadTooLarge : nil)
        }
        if case .device(let token) = route {
            composer.appendAPNs(request, device: token, path: nil, refusal: refusal)
        } else {
            composer.appendAPNs(request, device: nil, path: request.path, refusal: refusal)
        }
        defer { records += 1 }
        return .record(records, isBroadcast: route == .broadcast)
    }
}
