import PayloadJSON
package import PushModel

/// The knowledge of a token: the first app on its device.
package struct KnownToken: Sendable, Equatable {
    /// Empty if no event has named one.
    package var app: String
    /// Nil if no event has set it.
    package var platform: Platform?
    /// When the token became invalid, in milliseconds since the epoch.
    package var unregisteredAt: Int64?
    /// The token's standing with its sender.
    package var standing: DeviceEvent.TokenStanding
    package var topics: Set<String>
}

extension DeviceRegistry {
    /// True if pushes to an app on a device are not rejected because of its token: it is not dead or unconfirmed, and known if it
    /// has to be.
    ///
    /// - Parameter app: empty for none.
    package func isReachable(_ device: String, app: String, rejectsUnknown: Bool) throws -> Bool {
        guard let found = try find(named: device), isKnown(found) else { return !rejectsUnknown }
        let entry = BorrowedText.with(app) { findApp($0, on: found) }
        guard let entry else { return !rejectsUnknown }
        let state = table[app: entry].state
        return state.unregisteredAt == nil && state.standing == .confirmed
    }

    /// The knowledge of a token; nil if it is unknown.
    package func knownToken(_ device: String) throws -> KnownToken? {
        guard let found = try find(named: device), isKnown(found) else { return nil }
        var token = KnownToken(
            app: "", platform: table[device: found].platform, unregisteredAt: nil, standing: .confirmed, topics: [])
        guard let app = table.firstApp(of: found) else { return token }
        let state = table[app: app].state
        token.app = table.name(ofApp: app).string
        token.unregisteredAt = state.unregisteredAt
        token.standing = state.standing
        if table[app: app].hasDetails { token.topics = table[detailsOf: app].settings.topics ?? [] }
        return token
    }
}
