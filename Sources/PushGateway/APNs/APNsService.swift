import PushModel
import SystemSupport

/// APNs: pushes to devices, and broadcasts.
final class APNsService: GatewayService {
    private var authentication: ProviderAuthentication
    /// Epoch milliseconds; tests replace it. The clock of the pipeline may be emulated, that of clients is not.
    var wallMilliseconds: () -> Int64 = SystemClock.wallMilliseconds

    init(_ authentication: ProviderAuthentication) { self.authentication = authentication }

    func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        guard let route = APNsRoute(method: request.method, path: request.path) else { return nil }
        let refusal: Rejection?
        switch route {
        case .refused(let rejection): refusal = rejection
        case .device, .broadcast:
            // Apple says that authentication comes first.
            refusal =
                request.fault?.refusal(by: "apns")
                ?? authentication.refusal(request, now: Double(wallMilliseconds()) / 1000)
                ?? (request.isTooLarge ? .payloadTooLarge : nil)
        }
        if case .device(let token) = route {
            records.appendAPNs(request, device: token, path: nil, refusal: refusal)
        } else {
            records.appendAPNs(request, device: nil, path: request.path, refusal: refusal)
        }
        return .report(APNsAnswer(to: request, isBroadcast: route == .broadcast))
    }
}
