import PushDecoding
import PushFaults
import PushModel
import PushSystem

/// APNs: pushes to devices, broadcasts, and the channels of broadcasts.
final class APNsService: GatewayService {
    let speaker: String? = "apns"
    private var authentication: ProviderAuthentication
    private var channels = BroadcastChannels()
    /// Epoch milliseconds; tests replace it. The clock of the pipeline may be emulated, that of clients is not.
    var wallMilliseconds: () -> Int64 = SystemClock.wallMilliseconds

    init(_ authentication: ProviderAuthentication) { self.authentication = authentication }

    func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        guard let route = APNsRoute(method: request.method, path: request.path) else { return nil }
        let refusal: Rejection?
        switch route {
        case .refused(let rejection): refusal = rejection
        case .device, .broadcast, .channels, .allChannels: refusal = self.refusal(of: request, route)
        }
        switch route {
        case .device(let token):
            let request = request.withTopicOfCertificate
            records.appendAPNs(
                request, device: token, path: nil, refusal: refusal ?? request.refusalByCertificate)
            return .report(
                APNsAnswer(
                    to: request, isBroadcast: false,
                    hasValidToken: refusal == nil && request.header("authorization") != nil))
        case .broadcast(let bundle):
            records.appendAPNs(
                request, device: nil, path: request.path,
                refusal: refusal ?? channels.refusal(ofBroadcast: request, to: bundle))
        case .channels(let bundle):
            return .answer(
                refusal.map { APNsAnswer.refusal($0, of: request) } ?? channels.answer(to: request, bundle))
        case .allChannels(let bundle):
            return .answer(
                refusal.map { APNsAnswer.refusal($0, of: request) } ?? channels.list(for: request, bundle))
        case .refused: records.appendAPNs(request, device: nil, path: request.path, refusal: refusal)
        }
        return .report(APNsAnswer(to: request, isBroadcast: !request.path.hasPrefix("/3")))
    }

    /// Why a request is refused before its message is looked at. Apple says that authentication comes first.
    private func refusal(of request: GatewayRequest, _ route: APNsRoute) -> Rejection? {
        if let refusal = request.fault?.refusal(by: "apns") { return refusal }
        if request.headers.count(where: { $0.name == "authorization" }) > 1 { return .duplicateHeaders }
        return authentication.refusal(request, now: Double(wallMilliseconds()) / 1000)
            ?? (request.isTooLarge ? .payloadTooLarge : nil)
    }
}

extension GatewayRequest {
    /// With the topic of the client's certificate, if there is one and the request names none.
    ///
    /// Source: Apple, "Sending notification requests to APNs": with a certificate for several topics, the header is needed.
    fileprivate var withTopicOfCertificate: GatewayRequest {
        guard let certificate = sender.certificate, header(.topic) == nil else { return self }
        guard let topic = certificate.topics.count == 1 ? certificate.topics.first : nil else { return self }
        var request = self
        request.headers.append(HeaderField(.topic, topic))
        return request
    }

    /// The refusal of a topic that the client's certificate is not for.
    ///
    /// Apple names no rule that decides between `TopicDisallowed` and `BadTopic` here.
    fileprivate var refusalByCertificate: Rejection? {
        guard let certificate = sender.certificate, !certificate.topics.isEmpty, let topic = header(.topic) else {
            return nil
        }
        if certificate.topics.contains(topic) { return nil }
        // A certificate without a list of topics is for those of its app.
        if certificate.topics.count == 1, let bundle = certificate.bundle, certificate.topics == [bundle],
            topic.hasPrefix(bundle + ".")
        {
            return nil
        }
        return .topicDisallowed
    }
}
