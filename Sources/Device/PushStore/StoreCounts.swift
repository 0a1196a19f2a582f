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
    /// By table.
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
        /// Number of notifications.
        package var notifications = 0
        /// Number of journal lines.
        package var events = 0
        /// Number of Live Activities.
        package var activities = 0

        /// Nothing deleted.
        package init() {}
    }
}

/// How far a pruning has come: what it has deleted stays deleted, whatever happens next.
package final class PruningProgress {
    package var summary = Pruning.Summary()

    package init() {}
}
