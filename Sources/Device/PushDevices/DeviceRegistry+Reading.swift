package import AppSimulation
import PayloadJSON
import PushDecoding
package import PushModel

/// Questions about devices, for whoever checks what events and messages have done to them.
extension DeviceRegistry {
    /// The app on a device: its state, its screens and its own list of notifications. Nil for an unknown device.
    ///
    /// - Parameter name: the app; nil for the first one of the device.
    package func appOnDevice(_ device: String, named name: String? = nil) throws -> AppStateMachine? {
        guard let position = try find(named: device), table[device: position].isKnown else { return nil }
        let first = table.firstApp(of: position)
        let app = name.map { name in BorrowedText.with(name) { findApp($0, on: position) } } ?? first
        guard let app else { return nil }
        return table[detailsOf: app].app ?? AppStateMachine(state: table[app: app].state.appState)
    }

    /// The app in the foreground on a device; nil when none is.
    package func appInFront(on device: String) throws -> AppStateMachine? {
        guard let position = try find(named: device) else { return nil }
        return table.appsInFront(of: position).first.flatMap { table[detailsOf: $0].app }
    }

    /// The name by which an event finds an app on a device: its own, or nil while an entry without a name stands for every app.
    package func nameInEvents(of app: String, on device: String) throws -> String? {
        guard !app.isEmpty, let position = try find(named: device) else { return nil }
        return table.firstApp(of: position).flatMap { table.name(ofApp: $0).isEmpty ? nil : app }
    }

    /// The names of all registered apps and their devices in memory, in the order in which they became known; an empty name stands for every
    /// app of a device. O(devices).
    package func names() -> [(device: String, app: String)] {
        (0..<UInt32(table.loadedCount)).flatMap { device -> [(device: String, app: String)] in
            guard table[device: device].isKnown else { return [] }
            let name = table.name(ofDevice: device).string
            return table.apps(of: device).map { (name, table.name(ofApp: $0).string) }
        }
    }

    /// The devices in memory with an app that does not always show the texts of its notifications. O(apps with details).
    package func devicesHidingPreviews() -> Set<String> {
        var found: Set<String> = []
        table.forEachDetails { app, details in
            if details.settings.previews != nil { found.insert(table.name(ofDevice: table[app: app].device).string) }
        }
        return found
    }

    /// The apps on a device as events have described them: for each the events that would say it again. Empty for an unknown device.
    package func events(registering device: String) throws -> [[DeviceEvent]] {
        guard let position = try find(named: device), table[device: position].isKnown else { return [] }
        var registrations = AppRegistrations()
        return table.apps(of: position).map { app in
            let state = table[app: app].state
            let details = table[detailsOf: app]
            var event = DeviceEvent(.device, device: device, app: table.name(ofApp: app).string)
            event.platform = table[device: position].platform
            event.isOnline = table[device: position].isOnline
            event.appState = state.appState
            event.authorization = state.authorization
            event.showsAlerts = state.showsAlerts
            event.isLoggedIn = state.isLoggedIn
            event.registration = state.registration
            event.unregisteredAt = state.unregisteredAt
            switch state.standing {
            case .confirmed: break
            case .unconfirmed: event.isConfirmed = false
            case .disabled, .deleted: event.token = state.standing
            }
            if state.standing != .confirmed, EventTime.writable.contains(state.standingSince) {
                event.tokenSince = state.standingSince
            }
            return registrations.events(event, details, table[conditionOf: position], device: Int64(position))
        }
    }

    /// A token that a provider should no longer send to, as `pushpipe store feedback` lists it.
    package struct Feedback: Equatable, Sendable {
        /// Token or registration id.
        package var device: String
        /// Bundle identifier or package name; empty for an entry that stands for every app of the device.
        package var app: String
        /// Nil if no event has set it.
        package var platform: Platform?
        /// When the token became invalid, in milliseconds since the epoch; nil for one that is valid but replaced.
        package var unregisteredAt: Int64?
        /// The token to use instead of this one.
        package var canonical: String?
    }

    /// The feedback about the devices in memory, in the order in which they became known. O(devices).
    package func feedback() -> [Feedback] {
        (0..<UInt32(table.loadedCount)).flatMap { device in
            table.apps(of: device).compactMap { app in
                let since = table[app: app].state.unregisteredAt
                let canonical = table[detailsOf: app].settings.canonical
                guard since != nil || canonical != nil else { return nil }
                return Feedback(
                    device: table.name(ofDevice: device).string, app: table.name(ofApp: app).string,
                    platform: table[device: device].platform, unregisteredAt: since, canonical: canonical)
            }
        }
    }
}
