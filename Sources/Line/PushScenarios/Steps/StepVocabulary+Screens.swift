import PushGherkinRunner
import PushModel
import PushPipeline
import PushStore
import PushSystem

/// Checks of screens and journals.
extension StepVocabulary {
    static func addScreens(to library: inout Library) throws(PatternError) {
        try library.add(
            .then, "the screen of {string} shows {int} notification(s)",
            summary:
                "Number of notifications of all apps on a device. The device has the name that the push gave it, or `default`.",
            example: "Then the screen of \"default\" shows 2 notifications"
        ) { world, step in
            let device = try step.text(0)
            let count = try step.int(1)
            let screen = try world.screen(of: device)
            guard screen.count == count else {
                throw StepFailure(
                    "the screen of \"\(device)\" shows \(screen.count), not \(count)\(listing(screen, world))")
            }
        }
        try library.add(
            .then, "the screen of {string} is empty",
            summary: "No notification is on the device.", example: "Then the screen of \"anna\" is empty"
        ) { world, step in
            let device = try step.text(0)
            let screen = try world.screen(of: device)
            guard screen.isEmpty else {
                throw StepFailure("the screen of \"\(device)\" shows \(screen.count)\(listing(screen, world))")
            }
        }
        try library.add(
            .then, "the screen of {string} shows:", argument: .table,
            summary: """
                All notifications on a device, newest first. The first row of the table names the columns to compare: app, identifier, title, \
                subtitle, body, thread, badge, record. An empty cell means that the notification does not have it.
                """,
            example: """
                Then the screen of "default" shows:
                  | title  | body            |
                  | Dinner | Dinner is ready |
                """
        ) { world, step in
            let device = try step.text(0)
            try compare(try step.rows(), with: try world.screen(of: device), columns: screenColumns, of: "the screen")
        }
        try library.add(
            .then, "the user sees on the screen of {string}:", argument: .table,
            summary: """
                All notifications on a device as a person sees them, newest first: where previews are hidden, with the placeholder of the \
                category in place of the texts. The columns are those of `the screen of {string} shows:`.
                """,
            example: """
                Then the user sees on the screen of "anna":
                  | title | body         |
                  |       | Notification |
                """
        ) { world, step in
            let device = try step.text(0)
            let seen = HiddenPreviews(try world.store.registered(on: device)).seen(try world.screen(of: device))
            try compare(try step.rows(), with: seen, columns: screenColumns, of: "the screen")
        }
        try library.add(
            .then, "the journal of {string} is:", argument: .table,
            summary: """
                All events on a device, oldest first. The first row of the table names the columns to compare: event (delivered, replaced, \
                removed, held, tapped and so on, and the steps of an app), identifier, app, record, at (a time in UTC, with milliseconds).
                """,
            example: """
                Then the journal of "default" is:
                  | event     | identifier |
                  | delivered | match-17   |
                  | replaced  | match-17   |
                """
        ) { world, step in
            let device = try step.text(0)
            try compare(
                try step.rows(), with: try world.store.events(device: device), columns: journalColumns,
                of: "the journal")
        }
    }

    /// A column of a table, and its text for an element.
    typealias Column<Element> = (name: String, value: @Sendable (Element) -> String)

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

    /// Compares a table with elements, row by row, in the columns that its first row names.
    static func compare<Element>(
        _ table: [[String]], with elements: [Element], columns: [Column<Element>], of noun: String
    ) throws(StepFailure) {
        var chosen: [Column<Element>] = []
        for name in table.first ?? [] {
            guard let column = columns.first(where: { $0.name == name }) else {
                let names = columns.map(\.name).joined(separator: ", ")
                throw StepFailure("unknown column \"\(name)\"; the columns are \(names)")
            }
            chosen.append(column)
        }
        guard !chosen.isEmpty else { throw StepFailure("the table's first row names no column") }
        let wanted = Array(table.dropFirst())
        let found = elements.map { element in chosen.map { $0.value(element) } }
        if found == wanted { return }
        let rows = found.map { "\n  | \($0.joined(separator: " | ")) |" }.joined()
        throw StepFailure(found.isEmpty ? "\(noun) is empty" : "\(noun) has other rows:\(rows)")
    }

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
}
