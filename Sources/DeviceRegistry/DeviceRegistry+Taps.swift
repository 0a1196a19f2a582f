package import AppSimulation
import PayloadJSON

/// A notification that the user taps.
package struct TappedNotification {
    /// The app that shows it.
    package let app: String
    /// Collapse id, tag, or a generated identifier.
    package let identifier: String
    /// The payload as it was sent; nil when it was not kept.
    package let payload: String?
    /// What a service extension changed, as a JSON object; empty when it changed nothing.
    package let changes: String

    package init(app: String, identifier: String, payload: String?, changes: String = "") {
        self.app = app
        self.identifier = identifier
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
                        app: tapped.app, identifier: tapped.identifier, payload: payload, changes: changes))
            }
        }
    }
}
