import PushGherkinRunner
import PushModel
import PushPipeline
import PushStore

/// An Android device: notification channels, apps that the user stops, and the tray with its bundles.
extension StepVocabulary {
    static func addAndroid(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "the app on {string} has the notification channels:", argument: .table,
            summary: """
                The notification channels of an app on an Android device, and no others. The first row of the table names the columns: id, \
                importance (none, min, low, default or high), sound and badge (true or false), default (true for the channel that the manifest \
                names). An empty cell says nothing.
                """,
            example: """
                Given the app on "pixel" has the notification channels:
                  | id   | importance | sound |
                  | news | high       |       |
                  | chat | low        | false |
                """
        ) { world, step in
            let rows = try step.rows()
            let channels = try rows.dropFirst().map { try channel(rows[0], $0) }
            let list = "[\(channels.joined(separator: ","))]"
            try world.happen(StepEvent(.device, device: try step.text(0), "channels", list).text)
        }
        try library.add(
            .when, "the user stops the app in the system's settings of {string}",
            summary: "Force-stops it on an Android device: no message reaches it until the user opens it.",
            example: "When the user stops the app in the system's settings of \"pixel\""
        ) { world, step in
            try world.happen(StepEvent(.device, device: try step.text(0), "state", "force-stopped").text)
        }
        try library.add(
            .when, "the user taps the bundle on {string}",
            summary: """
                The bundle that Android makes of four and more notifications of an app: it opens the app, and all notifications stay.
                """,
            example: "When the user taps the bundle on \"pixel\""
        ) { world, step in try world.happen(StepEvent(.tap, device: try step.text(0), "bundle", "true").text) }
        try library.add(
            .then, "the tray of {string} shows:", argument: .table,
            summary: """
                The notifications on an Android device as they are seen, newest event first, and on a locked device with what the lock screen hides \
                hidden: no title, and the body "New notification". The first row of the table names the columns to compare: app, identifier, title, \
                body, record, bundle (how many notifications the bundle has that it is in; empty for none).
                """,
            example: """
                Then the tray of "pixel" shows:
                  | title       | bundle |
                  | Late result |        |
                """
        ) { world, step in
            let device = try step.text(0)
            let screens = try AndroidScreens(world.store, device: device)
            let shown = try screens.seen(try world.screen(of: device), newestFirst: true)
            let bundles = try Dictionary(grouping: shown, by: \.app).filter { try screens.isBundle($0.value) }
            let rows = shown.map { (notification: $0, bundle: bundles[$0.app]?.count) }
            try compare(try step.rows(), with: rows, columns: trayColumns, of: "the tray")
        }
    }

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
