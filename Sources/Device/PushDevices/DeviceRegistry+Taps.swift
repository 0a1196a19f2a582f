package import AppSimulation
import PushModel

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
        collapseID = GeneratedIdentifier.target(in: identifier, seq: seq) == nil ? identifier : nil
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
