/// The subject of a notification that a person can turn on and off: `mention`, `breaking-news`. Any text is one.
package struct NotificationType: Hashable, Comparable, Sendable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    /// As in files and options. Never empty in a table.
    package let name: String

    /// A type with this name.
    package init(_ name: String) { self.name = name }

    /// A type from a literal.
    package init(stringLiteral name: String) { self.name = name }

    /// The name.
    package var description: String { name }

    /// Compares the bytes of the names, so that the order is the same on every machine.
    package static func < (left: Self, right: Self) -> Bool {
        left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}

/// The types with a switch on the app's settings screen, in the order of the screen.
package struct NotificationTypeTable: Sendable {
    /// One row per switch.
    package struct Row: Sendable, Equatable {
        /// The type that the switch controls.
        package let type: NotificationType
        /// The label of the switch.
        package let title: String

        /// A switch. Without a title it shows the name of its type.
        package init(_ name: String, title: String? = nil) {
            type = NotificationType(name)
            self.title = title ?? name
        }
    }

    /// The rows in the order of the screen.
    package let rows: [Row]
    /// The types of all rows.
    package let types: Set<NotificationType>

    /// A screen. Of several rows with the same type, the first one counts.
    package init(_ rows: [Row]) {
        var types: Set<NotificationType> = []
        self.rows = rows.filter { types.insert($0.type).inserted }
        self.types = types
    }
}
