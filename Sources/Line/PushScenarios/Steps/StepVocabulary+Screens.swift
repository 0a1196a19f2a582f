import PushGherkinRunner
import PushModel
import PushPipeline
import PushStore
import PushSystem

/// Screens, journals, Live Activities, and the tray of an Android device.
extension StepVocabulary {
    static let screens: Table = [
        "the screen of {string} shows {int} notification(s)": .then(
            "Number of notifications of all apps on a device. The device has the name that the push gave it, or `default`.",
            example: #"Then the screen of "default" shows 2 notifications"#
        ) { world, step in
            let device = try step.text(0)
            let count = try step.int(1)
            let screen = try world.screen(of: device)
            if screen.count == count { return nil }
            return "the screen of \"\(device)\" shows \(screen.count), not \(count)\(listing(screen, world))"
        },
        "the screen of {string} is empty": .then(
            "No notification is on the device."
        ) { world, step in
            let device = try step.text(0)
            let screen = try world.screen(of: device)
            return screen.isEmpty ? nil : "the screen of \"\(device)\" shows \(screen.count)\(listing(screen, world))"
        },
        "the screen of {string} shows:": .then(
            """
            All notifications on a device, newest first. The first row of the table names the columns to compare: app, identifier, \
            title, subtitle, body, thread, badge, record. An empty cell means that the notification does not have it.
            """, example: ["default"],
            below: """
                | title  | body            |
                | Dinner | Dinner is ready |
                """, table(of: "the screen", screenColumns) { world, step in try world.screen(of: step.text(0)) }),
        "the user sees on the screen of {string}:": .then(
            """
            All notifications on a device as a person sees them, newest first: where previews are hidden, with the placeholder of \
            the category in place of the texts. The columns are those of `the screen of {string} shows:`.
            """,
            below: """
                | title | body         |
                |       | Notification |
                """,
            table(of: "the screen", screenColumns) { world, step in
                let device = try step.text(0)
                return HiddenPreviews(try world.store.registered(on: device)).seen(try world.screen(of: device))
            }),
        "the journal of {string} is:": .then(
            """
            All events on a device, oldest first. The first row of the table names the columns to compare: event (delivered, \
            replaced, removed, held, tapped and so on, and the steps of an app), identifier, app, record, at (a time in UTC, with \
            milliseconds).
            """, example: ["default"],
            below: """
                | event     | identifier |
                | delivered | match-17   |
                | replaced  | match-17   |
                """,
            table(of: "the journal", journalColumns) { world, step in try world.store.events(device: step.text(0)) }),
    ]

    private static let screenColumns: [Column<DeliveredNotification>] = [
        ("app", { $0.app }), ("identifier", { $0.identifier }), ("title", { $0.content.title ?? "" }),
        ("subtitle", { $0.content.subtitle ?? "" }), ("body", { $0.content.body ?? "" }),
        ("thread", { $0.content.thread ?? "" }), ("badge", { $0.content.badge.map(String.init) ?? "" }),
        ("record", { String($0.seq) }),
    ]

    private static let journalColumns: [Column<JournalEntry>] = [
        ("event", { "\($0.kind.name)" }), ("identifier", { $0.identifier }), ("app", { $0.app }),
        ("record", { String($0.seq) }), ("at", { RFC3339.text($0.at) }),
    ]

    /// The notifications on a screen, for messages.
    private static func listing(_ screen: [DeliveredNotification], _ world: ScenarioWorld) -> String {
        let notifications = screen.prefix(10).map { notification in
            "\n  \(notification.identifier): \(notification.content.title ?? notification.content.body ?? "")"
        }
        if screen.isEmpty {
            // The most likely reasons: the notification is on another device, or it was rejected.
            let devices = Set((try? world.store.notifications().map(\.device)) ?? []).sorted().prefix(10)
            let elsewhere = devices.isEmpty ? "" : "\n  devices with notifications: \(devices.joined(separator: ", "))"
            guard let last = world.lines.last, last.identifier == nil else { return elsewhere }
            return "\n  record \(last.seq) is \(last)" + elsewhere
        }
        return notifications.joined() + (screen.count > 10 ? "\n  and \(screen.count - 10) more" : "")
    }

    // MARK: - Live Activities

    static let liveActivities: Table = [
        "the user swipes the Live Activity {string} off {string}": .when(
            "A Live Activity on the lock screen, by its identifier. Later pushes do not change it.",
            example: ["activity-1", "anna"], event(.dismiss, device: 1, ["identifier": .parameter(0)])),
        "the lock screen of {string} shows {int} Live Activity/Activities": .then(
            "Number of Live Activities of all apps on a device, with those that have ended and are still shown.",
            example: #"Then the lock screen of "default" shows 1 Live Activity"#
        ) { world, step in
            let device = try step.text(0)
            let count = try step.int(1)
            let shown = try lockScreen(of: device, world)
            if shown.count == count { return nil }
            let list = shown.map { "\n  \($0.identifier): \($0.state.rawValue) \($0.contentState ?? "")" }.joined()
            return "the lock screen of \"\(device)\" shows \(shown.count), not \(count)\(list)"
        },
        "the lock screen of {string} shows:": .then(
            """
            All Live Activities on a device, the greatest relevance score first. The first row of the table names the columns to \
            compare: activity, app, state (active, stale, ended), type, attributes, content, relevance, channel, alert, record. An \
            empty cell means that the activity does not have it.
            """, example: ["default"],
            below: """
                | type            | content              | state  |
                | MatchAttributes | {"home":1,"away":0} | active |
                """,
            table(of: "the lock screen", activityColumns) { world, step in try lockScreen(of: step.text(0), world) }),
    ]

    private static func lockScreen(of device: String, _ world: ScenarioWorld) throws -> [LiveActivity] {
        LiveActivity.inOrderOfRelevance(
            try world.store.liveActivities(device: device).filter { $0.state != .dismissed })
    }

    private static let activityColumns: [Column<LiveActivity>] = [
        ("activity", { $0.identifier }), ("app", { $0.app }), ("state", { $0.state.rawValue }),
        ("type", { $0.attributesType ?? "" }), ("attributes", { $0.attributes ?? "" }),
        ("content", { $0.contentState ?? "" }), ("relevance", { $0.relevanceScore ?? "" }),
        ("channel", { $0.channel ?? "" }), ("alert", { $0.alertTitle ?? $0.alertBody ?? "" }),
        ("record", { String($0.seq) }),
    ]

    // MARK: - Android

    static let android: Table = [
        "the app on {string} has the notification channels:": .given(
            """
            The notification channels of an app on an Android device, and no others. The first row of the table names the columns: \
            id, importance (none, min, low, default or high), sound and badge (true or false), default (true for the channel that \
            the manifest names). An empty cell says nothing.
            """, example: ["pixel"],
            below: """
                | id   | importance | sound |
                | news | high       |       |
                | chat | low        | false |
                """
        ) { world, step in
            let rows = try step.rows()
            let channels = try rows.dropFirst().map { try channel(rows[0], $0) }
            let list = "[\(channels.joined(separator: ","))]"
            try world.happen(StepEvent(.device, device: try step.text(0), "channels", list).text)
        },
        "the user stops the app in the system's settings of {string}": .when(
            "Force-stops it on an Android device: no message reaches it until the user opens it.", example: ["pixel"],
            event(.device, ["state": "force-stopped"])),
        "the user taps the bundle on {string}": .when(
            "The bundle that Android makes of four and more notifications of an app: it opens the app, and all notifications stay.",
            example: ["pixel"], event(.tap, ["bundle": "true"])),
        "the tray of {string} shows:": .then(
            """
            The notifications on an Android device as they are seen, newest event first, and on a locked device with what the lock \
            screen hides hidden: no title, and the body "New notification". The first row of the table names the columns to \
            compare: app, identifier, title, body, record, bundle (how many notifications the bundle has that it is in; empty for \
            none).
            """, example: ["pixel"],
            below: """
                | title       | bundle |
                | Late result |        |
                """,
            table(of: "the tray", trayColumns) { world, step in
                let device = try step.text(0)
                let screens = try AndroidScreens(world.store, device: device)
                let shown = try screens.seen(try world.screen(of: device), newestFirst: true)
                let bundles = try Dictionary(grouping: shown, by: \.app).filter { try screens.isBundle($0.value) }
                return shown.map { (notification: $0, bundle: bundles[$0.app]?.count) }
            }),
    ]

    private static let trayColumns: [Column<(notification: DeliveredNotification, bundle: Int?)>] = [
        ("app", { $0.notification.app }), ("identifier", { $0.notification.identifier }),
        ("title", { $0.notification.content.title ?? "" }), ("body", { $0.notification.content.body ?? "" }),
        ("record", { String($0.notification.seq) }), ("bundle", { $0.bundle.map(String.init) ?? "" }),
    ]

    /// A channel as JSON.
    private static func channel(_ names: [String], _ row: [String]) throws(StepFailure) -> String {
        let columns = ["id", "importance", "sound", "badge", "default"]
        if let name = names.first(where: { !columns.contains($0) }) {
            throw StepFailure("unknown column \"\(name)\"; the columns are \(columns.joined(separator: ", "))")
        }
        let members = zip(names, row).filter { !$1.isEmpty }.map { name, value in
            let isFlag = name != "id" && (value == "true" || value == "false")
            return "\(StepEvent.quoted(name)):\(isFlag ? value : StepEvent.quoted(value))"
        }
        return "{\(members.joined(separator: ","))}"
    }
}
