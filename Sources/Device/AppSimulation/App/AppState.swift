package import PushModel

/// The state of the app's process.
package typealias AppState = DeviceEvent.AppState

extension AppState {
    /// True if the process runs and has screens.
    package var isRunning: Bool { self == .background || self == .foreground }

    /// True if the user has ended it, and only the user starts it again. An Apple device and a browser have one way to do so.
    package var isQuit: Bool { self == .forceQuit || self == .forceStopped }
}

/// One screen of the app.
package struct AppScreen: Sendable, Equatable {
    /// The purpose of a screen: `plain` without text input, `editor` in which the user writes, `center` for the app's list of notifications
    /// behind the bell, and `article`. The app returns to the article that was read most recently.
    package typealias Kind = DeviceEvent.ScreenKind

    /// The app's name for it.
    package var name: String
    /// The purpose of the screen.
    package var kind: Kind
    /// True if the screen is modal and has to be dismissed; false if it was pushed and is left by going back.
    package var isModal: Bool
    /// True if an editor contains unsaved text.
    package var hasUnsavedWork = false

    /// Makes a screen.
    package init(_ name: String, kind: Kind = .plain, isModal: Bool = false) {
        self.name = name
        self.kind = kind
        self.isModal = isModal
    }

    /// The first screen.
    package static let main = AppScreen(DeviceEvent.ScreenName.main)
    /// The list of notifications.
    package static let center = AppScreen(DeviceEvent.ScreenName.center, kind: .center)

    var wouldLoseWork: Bool { kind == .editor && hasUnsavedWork }
}

/// An entry of the app's own notification list.
package struct AppNotification: Sendable, Equatable {
    /// Identifier of the request. A later notification with the same identifier replaces it.
    package var id: String
    /// True if the user has read it or marked it as read. Seeing it in the list is not enough.
    package var isRead = false

    /// A new, unread notification.
    package init(_ id: String) { self.id = id }
}
