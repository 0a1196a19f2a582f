import AppSimulation
package import PayloadJSON
package import PushModel

/// The meaning of the user's choice among the actions of a notification for its app.
package enum ActionChoice: Equatable, Sendable {
    /// As without categories.
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
        let name = device.string
        guard try isKnown(name) else { return nil }
        let position = try known(name)
        return BorrowedText.with(app) { findApp($0, on: position) }.flatMap { table[detailsOf: $0].categories }
    }

    /// The same, to look for an action. O(1).
    package func categoryIndex(of app: String, on device: BorrowedText) throws -> CategoryIndex? {
        let name = device.string
        guard try isKnown(name) else { return nil }
        let position = try known(name)
        guard let app = BorrowedText.with(app, { findApp($0, on: position) }) else { return nil }
        let details = table[detailsOf: app]
        return details.categoryIndex ?? details.categories.map { CategoryIndex($0) }
    }

    /// When an app on a device shows the texts of its notifications; always on an unknown device.
    package func previews(of app: BorrowedText, on device: BorrowedText) throws -> DeviceEvent.Previews {
        guard let position = try find(device), let app = findApp(app, on: position) else { return .always }
        return table[detailsOf: app].previews
    }

    /// Registers the categories of an app, and no others, as its service extension does while it handles a push.
    package func setCategories(_ categories: [ActionCategory], of app: String, on device: BorrowedText) throws {
        let device = try known(device.string)
        let app = try self.app(app, on: device)
        table.changeDetails(of: app) { $0.categories = categories }
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
