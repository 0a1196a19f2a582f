/// The subject of a notification that a person can turn on and off: `mention`, `breaking-news`. Any text is one.
public struct NotificationType: Hashable, Comparable, Sendable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    /// As in files and options. Never empty in a table.
    public let name: String

    /// A type with this name.
    public init(_ name: String) { self.name = name }

    /// A type from a literal.
    public init(stringLiteral name: String) { self.name = name }

    /// The name.
    public var description: String { name }

    /// Compares the bytes of the names, so that the order is the same on every machine.
    public static func < (left: Self, right: Self) -> Bool {
        left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}

/// The types with a switch on the app's settings screen, in the order of the screen.
public struct NotificationTypeTable: Sendable {
    /// One row per switch.
    public struct Row: Sendable, Equatable {
        /// The type that the switch controls.
        public let type: NotificationType
        /// The label of the switch.
        public let title: String
        /// True if the service sends pushes of this type to people who have not chosen. Nil if it does not document that.
        public let isOnByDefault: Bool?

        /// A switch. Without a title it shows the name of its type.
        public init(_ name: String, title: String? = nil, isOnByDefault: Bool? = nil) {
            type = NotificationType(name)
            self.title = title ?? name
            self.isOnByDefault = isOnByDefault
        }
    }

    /// The rows in the order of the screen.
    public let rows: [Row]
    /// The types of all rows.
    public let types: Set<NotificationType>

    /// A screen. Of several rows with the same type, the first one counts.
    public init(_ rows: [Row]) {
        var types: Set<NotificationType> = []
        self.rows = rows.filter { types.insert($0.type).inserted }
        self.types = types
    }
}
