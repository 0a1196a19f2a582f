package import PushModel

extension PreferenceBook {
    /// The events that apply the preferences of each device, in the order of the devices' names.
    package var deviceEvents: [DeviceEvent] {
        devices.sorted { $0.key < $1.key }.map { name, preferences in
            var event = DeviceEvent(.device, device: name)
            event.authorization = preferences.permission
            event.showsAlerts = preferences.alertsAreOn
            event.isLoggedIn = preferences.account != nil
            event.registration = DeviceEvent.Registration(preferences.registration)
            event.types = preferences.typesOn.sorted().map(\.name)
            return event
        }
    }
}

extension DeviceEvent.Registration {
    /// The word for a registration in events.
    package init(_ registration: PushRegistration) {
        switch registration {
        case .none, .underWay: self = .pending
        case .registered: self = .succeeded
        case .failed: self = .failed
        case .subscriptionFailed: self = .subscriptionFailed
        }
    }
}
