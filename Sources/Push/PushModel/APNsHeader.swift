/// A header of a request to APNs. Its row has what senders, gateways and the linter know of it.
///
/// Sources: Apple, "Sending notification requests to APNs", "Sending broadcast push notification requests to APNs"; Amazon SNS developer guide,
/// "Reserved message attributes for mobile push notifications".
@usableFromInline
package enum APNsHeader: UInt8, CaseIterable, Sendable {
    /// The headers that an envelope has, in its order. FCM hands the first six on to APNs.
    case topic, pushType, priority, expiration, collapseID, id, channelID
    /// Names a broadcast, and comes back in the answer to it. Nothing else depends on it.
    case requestID
    /// The path, which has the token of a device, or names the app of a broadcast.
    case path

    @frozen
    @usableFromInline package struct Row: Sendable {
        /// The name in lower case, as HTTP/2 writes it.
        @usableFromInline package let name: StaticString
        /// The attribute of Amazon SNS that sets it, after the name of the platform; empty if there is none.
        @usableFromInline package let attribute: StaticString
        /// The values that it takes, in words; empty if any text may be one.
        @usableFromInline package let values: StaticString
        /// True if FCM hands it on from `apns.headers`.
        @usableFromInline package let isHandedOn: Bool

        @inlinable @inline(__always)
        package init(
            _ name: StaticString, sns attribute: StaticString = "", values: StaticString = "", isHandedOn: Bool = true
        ) {
            self.name = name
            self.attribute = attribute
            self.values = values
            self.isHandedOn = isHandedOn
        }
    }

    /// The table of headers: inlined, so that a name costs a record no more than a literal.
    @inlinable @inline(__always)
    package var row: Row {
        switch self {
        case .topic: Row("apns-topic", sns: "TOPIC")
        case .pushType: Row("apns-push-type", sns: "PUSH_TYPE", values: "a push type such as alert")
        case .priority: Row("apns-priority", sns: "PRIORITY", values: "10, 5 or 1")
        case .expiration: Row("apns-expiration", values: "seconds since 1970")
        case .collapseID: Row("apns-collapse-id", sns: "COLLAPSE_ID")
        case .id: Row("apns-id")
        case .channelID: Row("apns-channel-id", isHandedOn: false)
        case .requestID: Row("apns-request-id", isHandedOn: false)
        case .path: Row(":path", isHandedOn: false)
        }
    }

    /// The name in lower case, as HTTP/2 writes it.
    @inlinable @inline(__always)
    package var name: StaticString { row.name }
}
