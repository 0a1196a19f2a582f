public import PushModel

/// What the app is doing.
public typealias AppState = DeviceEvent.AppState

extension AppState {
    /// Whether there is a process with screens in it.
    public var isRunning: Bool { self == .background || self == .foreground }
}

/// One screen of the app.
public struct AppScreen: Sendable, Equatable {
    /// What it is for.
    public enum Kind: Sendable, Equatable {
        /// Something to look at.
        case plain
        /// Something to write in.
        case editor
        /// The app's list of notifications, behind the bell.
        case center
    }

    /// As the app calls it.
    public var name: String
    /// What it is for.
    public var kind: Kind
    /// Whether it lies over the others and has to be dismissed, or was pushed and is left by going back.
    public var isModal: Bool
    /// Of an editor: something was written and not saved.
    public var hasUnsavedWork = false

    /// A screen.
    public init(_ name: String, kind: Kind = .plain, isModal: Bool = false) {
        self.name = name
        self.kind = kind
        self.isModal = isModal
    }

    /// The first screen.
    public static let main = AppScreen("main")
    /// The list of notifications.
    public static let center = AppScreen("centre", kind: .center)

    /// Whether it cannot go away without asking.
    var wouldLoseWork: Bool { kind == .editor && hasUnsavedWork }
}

/// A notification as the app's own list has it.
public struct AppNotification: Sendable, Equatable {
    /// Identifier of the request. A later one with the same takes its place.
    public var id: String
    /// Whether the person has read it or marked it as read. To see it in the list is less.
    public var isRead = false

    /// One that has just come.
    public init(_ id: String) { self.id = id }
}
