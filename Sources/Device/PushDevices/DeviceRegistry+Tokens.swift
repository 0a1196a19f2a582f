import PayloadJSON
import PushModel

/// The sender's token life cycle; see `TokenLifeCycle`.
extension DeviceRegistry {
    /// The push service reported the token as unregistered.
    func disable(_ app: UInt32, at: Int64) {
        guard policy.tokenLifeCycle != nil else { return }
        setStanding(.disabled, of: app, at: at)
        noteTokenDue(app)
        append(fate(.disabled, of: app))
    }

    private func setStanding(_ standing: TokenLifeCycle.Standing, of app: UInt32, at: Int64) {
        table[app: app].state.standing = standing
        table[app: app].state.standingSince = at
        noteChange(of: app)
    }

    func fate(_ fate: TokenFate, of app: UInt32) -> FollowUp {
        let device = table[app: app].device
        return .token(
            device: table.name(ofDevice: device).string, app: table.name(ofApp: app).string, fate)
    }

    func tokenDue(_ app: UInt32) -> Int64? {
        let state = table[app: app].state
        return (policy.tokenLifeCycle ?? TokenLifeCycle()).due(state.standing, since: state.standingSince)
    }

    func noteTokenDue(_ app: UInt32) {
        if policy.tokenLifeCycle != nil, let due = tokenDue(app) { tokensDue.insert(due, app) }
    }

    /// Applies the token life cycle up to a time.
    func sweep(until at: Int64) throws {
        if let rows, at >= tokenDueInStore {
            for device in try rows.devicesWithTokenDue(at: at) { _ = try find(named: device) }
        }
        var dues: [(due: Int64, app: UInt32, name: (device: String, app: String))] = []
        var seen: Set<UInt32> = []
        while let app = tokensDue.takeEarliest(until: at) {
            // It may have been confirmed or swept since.
            guard let due = tokenDue(app), due <= at, seen.insert(app).inserted else { continue }
            let device = table[app: app].device
            dues.append((due, app, (table.name(ofDevice: device).string, table.name(ofApp: app).string)))
        }
        dues.sort { $0.name < $1.name }
        for (due, app, _) in dues {
            let isDisabled = table[app: app].state.standing == .disabled
            setStanding(.deleted, of: app, at: due)
            append(fate(isDisabled ? .deleted : .sweptAway, of: app))
        }
        // What was due in the store is now in memory, and is written with it.
        tokenDueInStore = try rows?.nextTokenDue(after: at) ?? .max
    }
}
