/// A header of a request to APNs: every other place that names one derives it from here.
///
/// Sources: Apple, "Sending notification requests to APNs", "Sending broadcast push notification requests to APNs".
@usableFromInline
package enum APNsHeader: UInt8, CaseIterable, Sendable {
    case topic, pushType, priority, id, expiration, collapseID
    /// Names a broadcast; nothing here reads it.
    case requestID
    case channelID
    /// The path, which names the app of a broadcast.
    case path

    /// The name in lower case, as HTTP/2 writes it.
    @inlinable @inline(__always)
    package var name: StaticString {
        switch self {
        case .topic: "apns-topic"
        case .pushType: "apns-push-type"
        case .priority: "apns-priority"
        case .id: "apns-id"
        case .expiration: "apns-expiration"
        case .collapseID: "apns-collapse-id"
        case .requestID: "apns-request-id"
        case .channelID: "apns-channel-id"
        case .path: ":path"
        }
    }
}
