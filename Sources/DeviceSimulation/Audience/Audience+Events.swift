import PayloadJSON
package import PushModel

extension Audience {
    /// Carries out an event of a device or an app on it, and lets what was held go where it has to.
    ///
    /// - Parameter at: milliseconds since the epoch.
    package func apply(_ event: DeviceEvent, at: Int64) throws {
        try advance(to: at)
        guard let name = event.device else { return }
        if event.name == .preference { return switchType(event, try known(name)) }
        guard event.name == .device else { return }
        let device = try known(name)
        let app = app(event.app, on: device)
        let wasOnline = registry[device: device].pointee.isOnline
        if let platform = event.platform { registry[device: device].pointee.platform = platform }
        if let isOnline = event.isOnline { registry[device: device].pointee.isOnline = isOnline }
        registry.noteChange(ofDevice: device)

        // Whoever logs in has switched nothing on yet.
        if event.isLoggedIn == true, registry[app: app].pointee.state.isLoggedIn != true { setTypes([], of: app) }
        if let types = event.types { setTypes(Set(types.map { NotificationType($0) }), of: app) }
        change(&registry[app: app].pointee.state, event, at: at)
        noteTokenDue(app)
        if let appState = event.appState { setAppState(appState, of: app, at: at) }
        registry.changeDetails(of: app) { details in
            if let canonical = event.canonical { details.canonical = canonical.isEmpty ? nil : canonical }
            if let delegate = PresentationDelegate(event) { details.delegate = delegate }
        }
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

    private func setTypes(_ types: Set<NotificationType>, of app: UInt32) {
        registry[app: app].pointee.state.hasTypes = true
        registry.changeDetails(of: app) { $0.typesOn = types }
    }

    private func switchType(_ event: DeviceEvent, _ device: UInt32) {
        guard let type = event.type else { return }
        let app = affectedApp(event.app, on: device)
        var types = registry[detailsOf: app].typesOn ?? []
        if event.isOn == true { types.insert(NotificationType(type)) } else { types.remove(NotificationType(type)) }
        setTypes(types, of: app)
        registry.noteChange(ofDevice: device)
        registry.noteChange(ofApp: app)
    }

    /// The device is back: everything that was held for it arrives, in the order in which it was accepted.
    private func release(_ device: UInt32) throws {
        var messages: [HeldMessage] = []
        for app in registry.apps(of: device) {
            let (held, deletedCount) = registry.changeDetails(of: app) { $0.storage.takeAll() }
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
        let discarded = registry.changeDetails(of: app) { $0.storage.take(where: isDiscarded) }
        for message in discarded { try drop(.discarded(message, reason), message) }
    }
}
