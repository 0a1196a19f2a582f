import DeviceScreens
import GherkinRunner
import NotificationStore
import PushModel
import PushPipeline

/// What is on the screens, and how it came there.
extension StepVocabulary {
    static func addScreens(to library: inout Library) throws(PatternError) {
        try library.add(
            .then, "the screen of {string} shows {int} notification(s)",
            summary:
                "Number of notifications on a device, of all apps; the device is named as in the push, or `default`.",
            example: "Then the screen of \"default\" shows 2 notifications"
        ) { world, step in
            let (device, count) = (try step.text(0), try step.int(1))
            let screen = try world.screen(of: device)
            guard screen.count == count else {
                throw StepFailure(
                    "the screen of \"\(device)\" shows \(screen.count), not \(count)\(listing(screen, world))")
            }
        }
        try library.add(
            .then, "the screen of {string} is empty",
            summary: "The same for none.", example: "Then the screen of \"anna\" is empty"
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
                All that a device shows, newest first. The table's first row names what is compared: app, identifier, title, \
                subtitle, body, thread, badge, record. An empty cell stands for what a notification does not have.
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
            .then, "the journal of {string} is:", argument: .table,
            summary: """
                All that happened on a device, oldest first. The table's first row names what is compared: event \
                (delivered, replaced, removed, held, tapped, and so on, and the steps of an app), identifier, app, record.
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

    private static let screenColumns: [(name: String, value: @Sendable (DeliveredNotification) -> String)] = [
        ("app", { $0.app }), ("identifier", { $0.identifier }), ("title", { $0.content.title ?? "" }),
        ("subtitle", { $0.content.subtitle ?? "" }), ("body", { $0.content.body ?? "" }),
        ("thread", { $0.content.thread ?? "" }), ("badge", { $0.content.badge.map(String.init) ?? "" }),
        ("record", { String($0.seq) }),
    ]

    private static let journalColumns: [(name: String, value: @Sendable (JournalEntry) -> String)] = [
        ("event", { "\($0.kind.name)" }), ("identifier", { $0.identifier }), ("app", { $0.app }),
        ("record", { String($0.seq) }),
    ]

    /// Holds a table against what there is, row by row, in the columns that it names.
    private static func compare<Element>(
        _ table: [[String]], with elements: [Element], columns: [(name: String, value: @Sendable (Element) -> String)],
        of noun: String
    ) throws(StepFailure) {
        var chosen: [(name: String, value: @Sendable (Element) -> String)] = []
        for name in table.first ?? [] {
            guard let column = columns.first(where: { $0.name == name }) else {
                let names = columns.map(\.name).joined(separator: ", ")
                throw StepFailure("there is no column \"\(name)\"; the columns are \(names)")
            }
            chosen.append(column)
        }
        guard !chosen.isEmpty else { throw StepFailure("the table's first row names no column") }
        let wanted = Array(table.dropFirst())
        let found = elements.map { element in chosen.map { $0.value(element) } }
        if found == wanted { return }
        let rows = found.map { "\n  | \($0.joined(separator: " | ")) |" }.joined()
        throw StepFailure("\(noun) has \(found.isEmpty ? "nothing" : "other rows"):\(rows)")
    }

    /// What is on a screen, to tell it in place of what was expected.
    private static func listing(_ screen: [DeliveredNotification], _ world: ScenarioWorld) -> String {
        let notifications = screen.prefix(10).map { notification in
            "\n  \(notification.identifier): \(notification.content.title ?? notification.content.body ?? "")"
        }
        if screen.isEmpty {
            // What is most likely the reason: it is elsewhere, or it was refused.
            let devices = Set((try? world.store.notifications().map(\.device)) ?? []).sorted().prefix(10)
            let elsewhere = devices.isEmpty ? "" : "\n  there is something on: \(devices.joined(separator: ", "))"
            guard let last = world.lines.last, last.identifier == nil else { return elsewhere }
            return "\n  record \(last.seq) is \(last.text)" + elsewhere
        }
        return notifications.joined() + (screen.count > 10 ? "\n  and \(screen.count - 10) more" : "")
    }
}
