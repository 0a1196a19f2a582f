import PushFaults
import PushModel

extension FaultEffect {
    /// The answer with what goes wrong with it. Status and header are those of a refusal.
    ///
    /// - Parameter speaker: of the service that answers.
    func applied(to answer: GatewayAnswer, by speaker: String?) -> GatewayAnswer {
        var answer = answer
        if let refusal = speaker.flatMap({ refusal(by: $0) }), answer.status == refusal.row.status {
            if let status, status != answer.status {
                // The legacy protocol has most errors inside a 200, and those of the server outside.
                if answer.status == 200 {
                    answer = GatewayAnswer(status: status, body: Array("\(refusal.row.reason)".utf8))
                }
                answer.status = status
            }
            if let retryAfterSeconds { answer.headers.append(HeaderField("retry-after", "\(retryAfterSeconds)")) }
        }
        if transport != TransportFault() { answer.fault = transport }
        return answer
    }
}
