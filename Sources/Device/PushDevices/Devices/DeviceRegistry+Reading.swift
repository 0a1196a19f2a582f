package import AppSimulation
import PushDecoding
package import PushJSON
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

    /// The devices in memory with an app that does not always show the texts of its notifications, or is in the scheduled summary. O(apps
    /// with details).
    package func devicesSeenDifferently() -> Set<String> {
        var found: Set<String> = []
        table.forEachDetails { app, details in
            let isDifferent = details.settings.previews != nil || details.settings.isInSummary == true
            if isDifferent { found.insert(table.name(ofDevice: table[app: app].device).string) }
        }
        return found
    }

    /// The apps on a device as events have described them. Empty for an unknown device.
    func registeredApps(on device: String) throws -> [RegisteredApp] {
        guard let position = try find(named: device), table[device: position].isKnown else { return [] }
        var registrations = AppRegistrations()
        return table.apps(of: position).map { app in
            let event = DeviceEvent(
                registering: table.name(ofApp: app).string, table[app: app].state, on: device,
                platform: table[device: position].platform, isOnline: table[device: position].isOnline)
            return registrations.app(
                event, table[detailsOf: app].settings, table[conditionOf: position], device: Int64(position))
        }
    }

    /// The tokens of the devices in memory that a provider should no longer send to, in the order in which they became known. O(devices).
    package func deadTokens() -> [DeadToken] {
        (0..<UInt32(table.loadedCount)).flatMap { device in
            table.apps(of: device).compactMap { app in
                let since = table[app: app].state.unregisteredAt
                let canonical = table[detailsOf: app].settings.canonical
                guard since != nil || canonical != nil else { return nil }
                return DeadToken(
                    device: table.name(ofDevice: device).string, app: table.name(ofApp: app).string,
                    platform: table[device: device].platform ?? .ios, unregisteredAt: since, canonical: canonical)
            }
        }
    }
}

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

/// A notification that the user taps.
package struct TappedNotification {
    package let app: String
    /// Collapse id, tag, or a generated identifier.
    package let identifier: String
    /// Collapse id or tag; nil when the identifier was generated, and when rules for taps do not ask.
    package let collapseID: String?
    /// The payload as it was sent; nil when it was not kept.
    package let payload: String?
    /// The changes of a service extension, as a JSON object; empty when it changed nothing.
    package let changes: String

    package init(app: String, identifier: String) {
        self.app = app
        self.identifier = identifier
        collapseID = nil
        payload = nil
        changes = ""
    }

    /// - Parameter seq: the number of the record that the notification came in.
    package init(app: String, identifier: String, seq: UInt64, payload: String?, changes: String = "") {
        self.app = app
        self.identifier = identifier
        collapseID = GeneratedIdentifier(identifier, seq: seq) == nil ? identifier : nil
        self.payload = payload
        self.changes = changes
    }
}

extension DeviceRegistry {
    /// The screen that a tap on a notification opens; nil when no rule says so.
    ///
    /// - Parameter action: the action that the user chose; nil for the notification itself.
    package func screen(for tapped: TappedNotification, action: String?) -> AppScreen? {
        guard let routes = policy.tapRoutes else { return nil }
        return AppText.withRoot(of: tapped.payload) { payload in
            AppText.withRoot(of: tapped.changes) { changes in
                routes.screen(
                    for: action,
                    TappedValues(
                        app: tapped.app, collapseID: tapped.collapseID, payload: payload, changes: changes))
            }
        }
    }
}

/// The meaning of the user's choice among the actions of a notification for its app.
package enum ActionChoice: Equatable, Sendable {
    /// An ordinary tap or dismissal, as in an app without categories.
    case plain
    /// An action that brings the app to the front; nil for one that is carried out in the background.
    case action(opensApp: Bool)
    case dismissal
    /// The notification has no such action, or the action takes no text.
    case impossible
}

extension DeviceRegistry {
    /// The categories that an app has registered; nil when no event has said anything about them.
    package func categories(of app: String, on device: BorrowedText) throws -> [ActionCategory]? {
        guard let position = try find(device), isKnown(position) else { return nil }
        return BorrowedText.with(app) { findApp($0, on: position) }.flatMap { table[detailsOf: $0].settings.categories }
    }

    /// The categories that an app has registered, to look for an action. O(1).
    package func categoryIndex(of app: String, on device: BorrowedText) throws -> CategoryIndex? {
        guard let position = try find(device), isKnown(position),
            let app = BorrowedText.with(app, { findApp($0, on: position) })
        else { return nil }
        let details = table[detailsOf: app]
        return details.categoryIndex ?? details.settings.categories.map { CategoryIndex($0) }
    }

    /// When an app on a device shows the texts of its notifications; always on an unknown device.
    package func previews(of app: BorrowedText, on device: BorrowedText) throws -> DeviceEvent.Previews {
        guard let position = try find(device), let app = findApp(app, on: position) else { return .always }
        return table[detailsOf: app].settings.previews ?? .always
    }

    /// Registers the categories of an app, and no others, as its service extension does while it handles a push.
    package func setCategories(_ categories: [ActionCategory], of app: String, on device: BorrowedText) throws {
        let device = try known(device.string)
        let app = try self.app(app, on: device)
        table.changeDetails(of: app) { details in
            details.settings.categories = categories
            details.indexCategories()
        }
        table.noteRow(ofDevice: device)
        table.noteChange(ofApp: app)
    }

    /// The meaning of a tap or a dismissal, by the category of the notification that it is about.
    ///
    /// The categories are those that the app has registered. Of a notification whose content was not kept the category is
    /// unknown; then any of them may be meant.
    package func choice(
        _ event: DeviceEvent, of target: TappedNotification, _ categories: CategoryIndex
    ) -> ActionChoice {
        let name: String? = AppText.withRoot(of: target.payload) { payload in
            AppText.withRoot(of: target.changes) { changes in
                payload.map { _ in
                    TappedValues(app: target.app, collapseID: nil, payload: payload, changes: changes)[.category] ?? ""
                }
            }
        }
        if event.name == .dismiss { return categories.reportsDismissal(name) ? .dismissal : .plain }
        guard let chosen = event.action else { return event.text == nil ? .plain : .impossible }
        guard let action = categories.action(chosen, of: name), event.text == nil || action.takesText else {
            return .impossible
        }
        return .action(opensApp: action.opensApp)
    }
}

extension DeviceEvent {
    /// The chosen action as steps and the journal have it: with the text that the user typed.
    var actionWords: String? { action.map { action in text.map { "\(action) \"\($0)\"" } ?? action } }
}
