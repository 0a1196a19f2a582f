import PayloadJSON
package import PushModel

extension Audience {
    /// Carries out an event of a device or an app on it, and lets what was held go where it has to.
    ///
    /// - Parameter at: milliseconds since the epoch.
    package func apply(_ event: DeviceEvent, at: Int64) throws {
        try advance(to: at)
        guard event.name == .device, let name = event.device else { return }
        let device = try known(name)
        let app = app(event.app, on: device)
        let wasOnline = registry[device: device].pointee.isOnline
        if let platform = event.platform { registry[device: device].pointee.platform = platform }
        if let isOnline = event.isOnline { registry[device: device].pointee.isOnline = isOnline }
        registry.noteChange(ofDevice: device)

        change(&registry[app: app].pointee.state, event, at: at)
        noteTokenDue(app)
        var details = registry[detailsOf: app]
        if let canonical = event.canonical { details.canonical = canonical.isEmpty ? nil : canonical }
        registry[detailsOf: app] = details
        registry.noteChange(ofApp: app)

        let state = registry[app: app].pointee.state
        if let since = state.unregisteredAt, since <= at {
            try discard(of: app, .unregistered) { _ in true }
        } else if event.appState == .forceQuit {
            // Source: Apple, "Pushing background updates to your App".
            try discard(of: app, .forceQuit) { $0.isBackground }
        }
        if !wasOnline, registry[device: device].pointee.isOnline { try release(device) }
    }

    private func change(_ state: inout Installation, _ event: DeviceEvent, at: Int64) {
        if let appState = event.appState { state.appState = appState }
        if let authorization = event.authorization { state.authorization = authorization }
        if let showsAlerts = event.showsAlerts { state.showsAlerts = showsAlerts }
        if let isLoggedIn = event.isLoggedIn { state.isLoggedIn = isLoggedIn }
        if let registration = event.registration { state.registration = registration }
        if let since = event.unregisteredAt { state.unregisteredAt = since }
        switch event.isUnregistered {
        case true?: state.unregisteredAt = event.unregisteredAt ?? at
        case false?: state.unregisteredAt = nil
        case nil: break
        }
        switch event.isConfirmed {
        case true?:
            state.standing = .confirmed
            state.standingSince = at
        case false? where state.standing != .unconfirmed:
            state.standing = .unconfirmed
            state.standingSince = at
        case false?, nil: break
        }
    }

    /// The device is back: everything that was held for it arrives, in the order in which it was accepted.
    private func release(_ device: UInt32) throws {
        var messages: [HeldMessage] = []
        for app in registry.apps(of: device) {
            var details = registry[detailsOf: app]
            let (held, deletedCount) = details.storage.takeAll()
            registry[detailsOf: app] = details
            messages += held
            if deletedCount > 0 {
                registry.noteChange(ofApp: app)
                append(
                    .deletedMessages(
                        device: registry.name(ofDevice: device).string, app: registry.name(ofApp: app).string,
                        count: deletedCount))
            }
        }
        for message in messages.sorted(by: { $0.wasAccepted(before: $1) }) { try drop(.release(message), message) }
    }

    private func discard(
        of app: UInt32, _ reason: OfflineStorage.Reason, where isDiscarded: (HeldMessage) -> Bool
    ) throws {
        var details = registry[detailsOf: app]
        let discarded = details.storage.take(where: isDiscarded)
        registry[detailsOf: app] = details
        for message in discarded { try drop(.discarded(message, reason), message) }
    }
}
