package import PushModel

/// A store whose screens can be drawn, and that is read in parts, for a page that shows it: those calls read no more than a part, whatever the
/// store has.
package protocol BrowsableStore: NotificationStore {
    /// The numbers on the icons of a device's apps, in the order in which the apps were first seen, those without one left out.
    func badges(on device: String) throws -> [(app: String, badge: Int)]

    /// The devices that are locked. Few are, so that no other one need be asked about.
    func lockedDevices() throws -> Set<String>

    /// Calls `body` for each app on a device with the number on its icon, in the order in which they were first seen. Counts nothing.
    func forEachBadge(_ body: (_ device: String, _ app: String, _ badge: Int?) throws -> Void) throws

    /// The apps on a device as events have described them: as the events that would say it again.
    func registered(on device: String) throws -> [RegisteredApp]

    /// The devices with an app that does not always show the texts of its notifications, or is in the scheduled summary. Few have one, so that no
    /// other device need be asked.
    func devicesSeenDifferently() throws -> Set<String>

    /// Apps on devices, in the order in which they were first seen, those that are only registered last.
    ///
    /// - Parameter search: what occurs in the name of the device or the app, ASCII letters in either case; nil for all.
    func apps(matching search: String?, offset: Int, limit: Int) throws -> [CenterSummary]

    /// The apps that have shown something on a device, in the order in which they were first seen.
    func apps(on device: String) throws -> [CenterSummary]

    /// The newest notifications of a device, newest first.
    ///
    /// - Parameters:
    ///   - app: nil for all apps.
    ///   - place: only those that were delivered before the one in this place.
    func newest(on device: String, app: String?, before place: UInt64, limit: Int) throws -> [PlacedNotification]

    /// Lines of the journal, oldest first.
    func journal(_ query: JournalQuery) throws -> [PlacedEntry]

    /// The places of the lines of the journal that are kept, up to that of the next line; empty if none is kept.
    func journalPlaces() throws -> Range<UInt64>

    /// True if lines of the journal are gone, so that what happened on devices before its first line is not known.
    func hasLostLines() throws -> Bool
}

/// One app on one device, in numbers.
package struct CenterSummary: Sendable, Equatable {
    /// Token, registration id, topic name or condition.
    package var device: String
    /// Bundle identifier or package name; empty when the records named none.
    package var app: String
    /// The number on the app's icon; nil when no push has set it.
    package var badge: Int?
    /// Notifications on the screen.
    package var count: Int
    /// When the newest of them was delivered, in milliseconds since the epoch.
    package var latest: Int64?

    package init(device: String, app: String, badge: Int? = nil, count: Int, latest: Int64? = nil) {
        self.device = device
        self.app = app
        self.badge = badge
        self.count = count
        self.latest = latest
    }
}

/// A stored app on a device.
package struct RegisteredApp: Sendable, Equatable {
    /// Token or registration id.
    package var device: String
    /// Bundle identifier or package name; empty for an entry that stands for every app of the device.
    package var app: String
    /// The event that would register it again.
    package var event: DeviceEvent
    /// Events that would restore what the first one cannot: a Focus, and the scheduled summary.
    package var furtherEvents: [DeviceEvent] = []

    package init(device: String, app: String, event: DeviceEvent) {
        self.device = device
        self.app = app
        self.event = event
    }
}

/// A notification with its place in the order of delivery.
package struct PlacedNotification: Sendable, Equatable {
    /// Grows with each delivery.
    package var place: UInt64
    package var notification: DeliveredNotification

    package init(place: UInt64, notification: DeliveredNotification) {
        self.place = place
        self.notification = notification
    }
}

/// A line of the journal with its place.
package struct PlacedEntry: Sendable, Equatable {
    /// Grows by 1 with each line, from 1.
    package var place: UInt64
    package var entry: JournalEntry

    package init(place: UInt64, entry: JournalEntry) {
        self.place = place
        self.entry = entry
    }
}

/// Which lines of a journal to read.
package struct JournalQuery: Sendable, Equatable {
    /// Nil for any.
    package var device: String?
    package var app: String?
    package var identifier: String?
    /// The place after which the lines are, the first ones; nil for the last ones.
    package var after: UInt64?
    /// The place before which the lines are.
    package var before: UInt64?
    /// The most to return.
    package var limit: Int

    package init(
        device: String? = nil, app: String? = nil, identifier: String? = nil, after: UInt64? = nil,
        before: UInt64? = nil, limit: Int = 100
    ) {
        self.device = device
        self.app = app
        self.identifier = identifier
        self.after = after
        self.before = before
        self.limit = limit
    }

    /// True if a line has the names that are asked for.
    func matches(_ entry: JournalEntry) -> Bool {
        (device ?? entry.device) == entry.device && (app ?? entry.app) == entry.app
            && (identifier ?? entry.identifier) == entry.identifier
    }
}

extension CenterSummary {
    /// True if a text occurs in the name of the device or the app. ASCII letters in either case.
    func contains(_ search: String?) -> Bool {
        guard let search, !search.isEmpty else { return true }
        return [device, app].contains { $0.inLowerCaseASCII.utf8.contains(search.inLowerCaseASCII.utf8) }
    }
}

extension String {
    /// The text with ASCII letters in lower case, and all else as it is: what `lower` of SQLite makes of it.
    package var inLowerCaseASCII: String {
        String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

extension BrowsableStore {
    /// The screen of a device after a line of the journal, newest first.
    ///
    /// - Parameters:
    ///   - place: of the last line that counts.
    ///   - limit: how many lines are read at most, the newest ones.
    /// - Returns: the notifications, and true if the device's lines were read from the first one on. If not, older notifications may be
    ///   missing.
    package func screen(
        of device: String, app: String?, at place: UInt64, limit: Int
    ) throws -> (shown: [JournalFold.Shown], isComplete: Bool) {
        let before = place == .max ? nil : place + 1
        let lines = try journal(JournalQuery(device: device, app: app, before: before, limit: limit))
        var fold = JournalFold()
        for line in lines { fold.take(line) }
        return (fold.screen, try lines.count < limit && !hasLostLines())
    }
}

/// How much was imported.
package struct ImportCounts: Sendable, Equatable {
    package var screens = 0
    package var notifications = 0
    package var events = 0
    package var devices = 0
    package var activities = 0

    package init() {}
}

/// How much was merged.
package struct MergeCounts: Sendable, Equatable {
    package var parts = 0
    /// The number of rows by table.
    package var copied: [String: Int] = [:]
    /// Rows of all tables so far.
    package var rows = 0

    package init() {}

    package var notifications: Int { copied["notification", default: 0] }
    package var events: Int { copied["event", default: 0] }
    /// Apps that have shown something on a device.
    package var screens: Int { copied["center", default: 0] }
    package var activities: Int { copied["live_activity", default: 0] }
    /// Queued messages.
    package var held: Int { copied["held", default: 0] }
}

/// The limits of a store. A notification is deleted if either limit applies.
package struct Pruning: Sendable, Equatable {
    /// Milliseconds since the epoch: anything delivered earlier is deleted.
    package var before: Int64?
    /// Number of newest notifications to keep per app on a device.
    package var keep: Int?
    /// Nil selects every device.
    package var device: String?
    /// Nil selects every app.
    package var app: String?
    /// True if journal lines from before `before` are deleted too.
    package var includesEvents: Bool

    /// Sets limits; without any, nothing is deleted.
    package init(
        before: Int64? = nil, keep: Int? = nil, device: String? = nil, app: String? = nil, includesEvents: Bool = false
    ) {
        self.before = before
        self.keep = keep
        self.device = device
        self.app = app
        self.includesEvents = includesEvents
    }

    /// The rows that were deleted, or would be.
    package struct Summary: Sendable, Equatable {
        package var notifications = 0
        package var events = 0
        package var activities = 0

        package init() {}
    }
}

/// How far a pruning has come: what it has deleted stays deleted, whatever happens next.
package final class PruningProgress {
    package var summary = Pruning.Summary()

    package init() {}
}
