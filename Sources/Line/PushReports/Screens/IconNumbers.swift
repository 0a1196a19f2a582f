package import PushModel
package import PushStore

/// The numbers on the icons of apps, for a report of notifications: which of them the notifications do not show.
package struct IconNumbers {
    private struct Key: Hashable {
        var device: String
        var app: String
    }

    /// A number on an icon.
    package struct Icon: Sendable, Equatable {
        package var device: String
        package var app: String
        package var number: Int
    }

    /// Nil for those that have been shown.
    private var icons: [Icon?] = []
    private var positions: [Key: Int] = [:]

    /// Reads the numbers that are not 0.
    ///
    /// - Parameters:
    ///   - device: nil for all devices.
    ///   - app: nil for all apps.
    package init(_ store: any ScreenReading, device: String?, app: String?) throws {
        if let device {
            for (name, number) in try store.badges(on: device) { add(number, name, device, only: app) }
        } else {
            try store.forEachBadge { device, name, number in add(number, name, device, only: app) }
        }
    }

    private mutating func add(_ number: Int?, _ app: String, _ device: String, only wanted: String?) {
        guard let number, number != 0, wanted ?? app == app else { return }
        positions[Key(device: device, app: app)] = icons.count
        icons.append(Icon(device: device, app: app, number: number))
    }

    /// Takes the number of an app; nil for none, and for one that has been taken.
    package mutating func take(device: String, app: String) -> Int? {
        guard let position = positions.removeValue(forKey: Key(device: device, app: app)) else { return nil }
        defer { icons[position] = nil }
        return icons[position]?.number
    }

    /// Says that a notification is shown, newest first. The number of an app is shown if its newest notification has set it.
    package mutating func show(_ notification: DeliveredNotification) {
        let key = Key(device: notification.device, app: notification.app)
        guard let position = positions.removeValue(forKey: key) else { return }
        if icons[position]?.number == notification.content.badge { icons[position] = nil }
    }

    /// The numbers that nothing has shown, in the order in which the apps were first seen.
    package var rest: [Icon] { icons.compactMap(\.self) }
}
