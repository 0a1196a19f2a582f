import PayloadJSON
import PushModel

/// The fate of a notification at APNs or FCM, in the words of Expo.
struct ExpoReceipt: Equatable {
    /// Expo's word; nil if the provider has accepted the notification.
    var code: String?
    var message = ""
    /// The provider's own answer; nil if it has accepted the notification.
    var rejection: Rejection?

    static let accepted = ExpoReceipt()

    /// Writes a ticket's or a receipt's members for an error, after its status.
    func append(to out: inout ByteBuffer) {
        guard let code else { return out.append("{\"status\":\"ok\"}") }
        out.append("{\"status\":\"error\"")
        out.appendMember("message", message)
        out.append(",\"details\":{\"error\":")
        out.appendJSONString(code)
        if let rejection { Self.append(rejection, to: &out) }
        out.append("}}")
    }

    /// The form of `apns` is that in the tests of Expo's SDKs, and that of `fcm` is UNCONFIRMED.
    private static func append(_ rejection: Rejection, to out: inout ByteBuffer) {
        switch rejection.row.speaker.description {
        case "apns":
            out.append(",\"apns\":{\"reason\":")
            out.appendJSONString(rejection.reason)
            out.appendMember("statusCode", rejection.status)
            out.append("}")
        case "fcm":
            out.append(",\"fcm\":{\"error\":")
            out.appendJSONString(rejection.reason)
            out.append("}")
        default: break
        }
    }
}

extension ExpoReceipt {
    /// - Parameters:
    ///   - rejection: of APNs, FCM or Expo.
    ///   - token: that of Expo's, for the message.
    init(_ rejection: Rejection, token: String, isTooBig: Bool) {
        self.rejection = rejection.row.speaker.description == "expo" ? nil : rejection
        code = rejection.wordOfExpo(isTooBig: isTooBig) ?? rejection.reason
        message =
            isNotRegistered
            ? "\"\(token)\" is not a registered push notification recipient"
            : "\(rejection.reason): \(rejection.row.cause)"
    }

    /// True for what a ticket says, and no receipt.
    var isNotRegistered: Bool { code == Rejection.expoNotRegistered }
}

/// The receipts of the last 24 hours of the emulated clock, the newest ones.
final class ExpoReceipts {
    /// Source: Expo, "Send notifications with Expo's Push API": they are cleared after 24 hours.
    private static let lifetime: Int64 = 86_400_000  // milliseconds
    /// Some 30 MB. Clients that ask for none would fill the memory.
    private static let most = 100_000

    private var byID: [String: ExpoReceipt] = [:]
    /// In the order of their times; those before `first` are cleared.
    private var order: [(id: String, at: Int64)] = []
    private var first = 0

    /// Keeps a receipt.
    ///
    /// - Parameter at: milliseconds since the epoch.
    func add(_ receipt: ExpoReceipt, as id: String, at: Int64) {
        clear(at: at)
        byID[id] = receipt
        order.append((id, at))
        if byID.count > Self.most { removeFirst() }
    }

    subscript(_ id: String) -> ExpoReceipt? { byID[id] }

    func clear(at now: Int64) {
        while first < order.count, now &- order[first].at >= Self.lifetime { removeFirst() }
    }

    private func removeFirst() {
        byID[order[first].id] = nil
        first += 1
        guard first > 1024, first * 2 > order.count else { return }
        order.removeFirst(first)
        first = 0
    }
}
