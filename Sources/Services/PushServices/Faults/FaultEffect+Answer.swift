import PushFaults
import PushModel

extension FaultEffect {
    /// The answer with what goes wrong with it. Status and header are those of a refusal.
    ///
    /// - Parameters:
    ///   - speaker: of the service that answers.
    ///   - isAboutPush: false for a request that sends nothing, which only errors of the server can refuse.
    func applied(to answer: GatewayAnswer, by speaker: String?, isAboutPush: Bool) -> GatewayAnswer {
        var answer = answer
        if let refusal = speaker.flatMap({ refusal(by: $0) }), answer.status == refusal.row.status,
            isAboutPush || answer.status != 200
        {
            if let status, status != answer.status {
                // The legacy protocol has most errors inside a 200, and those of the server outside. Expo has tickets in either.
                if answer.status == 200, refusal.row.speaker.description != "expo" {
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
