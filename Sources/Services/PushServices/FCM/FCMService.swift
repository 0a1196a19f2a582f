import PushFaults
import PushModel
import PushSystem

/// FCM HTTP v1: `POST /v1/projects/<project>/messages:send`.
///
/// Source: Firebase, FCM v1 `projects.messages`.
final class FCMService: GatewayService {
    let speaker: String? = "fcm"
    private let access: GoogleAccess
    private let groups: DeviceGroups
    private var names = MessageNames()
    /// Epoch milliseconds; tests replace it.
    var wallMilliseconds: () -> Int64 = SystemClock.wallMilliseconds

    init(_ access: GoogleAccess, _ groups: DeviceGroups = DeviceGroups()) {
        self.access = access
        self.groups = groups
    }

    func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        guard request.path.hasPrefix("/v1/projects/") else { return nil }
        let path = RequestTarget(request.path).segments
        // Topics: see `InstanceIDService`.
        if path.count > 3, path[3] == "registrations" { return nil }
        guard path.count == 4, path[3] == "messages:send", request.method == "POST" else {
            return .answer(GoogleAnswer.notFound(request))
        }
        let refusal: Rejection?
        var denial: GoogleAccess.Denial?
        if let fault = request.fault?.refusal(by: "fcm") {
            refusal = fault
        } else {
            denial = access.denial(of: request, to: path[2], now: Double(wallMilliseconds()) / 1000)
            refusal = denial?.rejection ?? (request.isTooLarge ? .invalidArgument : nil)
        }
        if refusal == nil, let requests = groups.expandVersion1(request.body) {
            for body in requests { records.append(body, to: .fcm) }
        } else {
            records.append(request.body, to: .fcm, refusal: refusal)
        }
        return .report(FCMSendAnswer(request: request, project: path[2], message: names.next(), denial: denial))
    }
}

/// Made-up ids of messages, in the form that FCM's have: `0:1500415314455276%31bd1c9631bd1c96`.
struct MessageNames {
    private var count: UInt64 = 0
    private let base = UInt64.random(in: 0..<1_000_000_000) + 1_500_000_000_000_000

    mutating func next() -> String {
        count &+= 1
        let tail = String(UInt64.random(in: .min ... .max), radix: 16)
        return "0:\(base &+ count)%\(String(repeating: "0", count: max(16 - tail.utf8.count, 0)))\(tail)"
    }

    /// A number, as the answers of the legacy protocol have them.
    mutating func nextNumber() -> UInt64 {
        count &+= 1
        return UInt64.random(in: 1...9_000_000_000_000_000_000)
    }
}
