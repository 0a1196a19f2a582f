/// What became of a message. One a report line.
public enum Outcome: UInt8, Sendable, CaseIterable {
    /// In Notification Center or in the Android drawer now.
    case delivered
    /// Took the place of one with the same identifier, and moved to the top.
    case replaced
    /// An extension removed the earlier one, and this one appeared.
    case reposted
    /// Reached the app; nothing is shown.
    case silent
    /// The device is away.
    case held
    /// Accepted by the provider and not delivered all the same.
    case suppressed
    /// Refused by the provider.
    case rejected
    /// There is no message in the record.
    case malformed
    /// Held until it was too late.
    case expired
    /// Held until another one took its place, or there were too many.
    case discarded
    /// An event that changed something.
    case applied
    /// An event that there was nothing to do for.
    case ignored

    /// As in reports.
    public var name: StaticString {
        switch self {
        case .delivered: "delivered"
        case .replaced: "replaced"
        case .reposted: "reposted"
        case .silent: "silent"
        case .held: "held"
        case .suppressed: "suppressed"
        case .rejected: "rejected"
        case .malformed: "malformed"
        case .expired: "expired"
        case .discarded: "discarded"
        case .applied: "applied"
        case .ignored: "ignored"
        }
    }
}

/// What the record-local stages think of a message. Everything but `accepted` ends its way.
public enum Verdict: Sendable {
    case accepted
    /// The provider refuses it.
    case rejected(Rejection)
    /// Accepted and not delivered, with the reason as in reports.
    case suppressed(StaticString)
    /// There is no message; the batch has the `DecodeFailure`.
    case malformed
    /// The record is no message, but something that happens at a device; the batch has the `DeviceEvent`.
    case event
    /// Accepted, and kept by the provider until the device is back.
    case held
    /// Accepted, and of no use any more: the device is away, and it is not kept, or was kept for too long.
    case expired(StaticString)
    /// Kept by the provider until something else came.
    case discarded(StaticString)
}
