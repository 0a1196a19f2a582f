import AppSimulation
import PayloadJSON
import PushDevices
import PushGherkinRunner
import PushModel
import PushPipeline

/// Where taps lead by the content of notifications, actions, and the app's own toasts.
extension StepVocabulary {
    static func addTapRoutes(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "taps on notifications lead to:", argument: .table,
            summary: """
                Rules like those of `run --mapping`; the first one that matches decides, and a tap that none matches leads to the app's own \
                list. The first row names the columns: at (category, thread-id, collapse-id, topic, or a JSON Pointer), like, action, screen, \
                kind (plain, editor or centre) and modal (true or false). An empty cell counts as missing.
                """,
            example: """
                Given taps on notifications lead to:
                  | at       | like   | action | screen  | kind   |
                  | category | TALK   | REPLY  | reply   | editor |
                  | /url     | */live |        | live    |        |
                  | /url     |        |        | article |        |
                """
        ) { world, step in world.configuration.devicePolicy.tapRoutes = TapRoutes(try rules(step)) }
        try library.add(
            .when, "the user chooses {string} of the notification on {string}",
            summary: """
                An action of the newest notification. The app comes to the front if a rule says what the action opens, or if its category \
                says so (`the app on {string} has the actions:`), and carries it out in the background otherwise.
                """,
            example: "When the user chooses \"MARK_READ\" of the notification on \"anna\""
        ) { world, step in
            var event = StepEvent(.tap, device: try step.text(1))
            event.add("action", text: try step.text(0))
            try world.happen(event.text)
        }
    }

    static func addActions(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "the app on {string} has the actions:", argument: .table,
            summary: """
                The categories of notifications that the app registers, with their actions; from then on no others can be chosen. The first \
                row names the columns: category, action, title, and kind: background (the default), foreground, which opens the app, text, which \
                takes a text, or dismissal, for a category whose dismissals are reported to the app, in a row without an action.
                """,
            example: """
                Given the app on "anna" has the actions:
                  | category | action | title | kind       |
                  | TALK     | REPLY  | Reply | text       |
                  | TALK     | SHOW   | Show  | foreground |
                  | TALK     |        |       | dismissal  |
                """
        ) { world, step in
            let rows = try step.rows()
            guard let columns = rows.first else { throw StepFailure("the table's first row names no column") }
            var categories: [ActionCategory] = []
            for row in rows.dropFirst() { try add(row, columns, to: &categories) }
            var out = ByteBuffer()
            ActionCategory.append(categories, to: &out)
            var event = StepEvent(.device, device: try step.text(0))
            event.add("categories", String(decoding: out.bytes, as: UTF8.self))
            try world.happen(event.text)
        }
        try library.add(
            .when, "the user answers {string} with {string} of the notification on {string}",
            summary: "Types a text with an action of the newest notification.",
            example: "When the user answers \"On my way\" with \"REPLY\" of the notification on \"anna\""
        ) { world, step in
            var event = StepEvent(.tap, device: try step.text(2))
            event.add("action", text: try step.text(1))
            event.add("text", text: try step.text(0))
            try world.happen(event.text)
        }
    }

    private static func add(
        _ row: [String], _ columns: [String], to categories: inout [ActionCategory]
    ) throws(StepFailure) {
        var cells: [String: String] = [:]
        for (column, cell) in zip(columns, row) {
            guard ["category", "action", "title", "kind"].contains(column) else {
                throw StepFailure("unknown column \"\(column)\"; the columns are category, action, title and kind")
            }
            cells[column] = cell
        }
        guard let name = cells["category"], !name.isEmpty else { throw StepFailure("a row names no category") }
        let position = categories.firstIndex { $0.identifier == name } ?? categories.count
        if position == categories.count { categories.append(ActionCategory(name)) }
        let identifier = cells["action"] ?? ""
        let kind = cells["kind"] ?? ""
        if kind == "dismissal" {
            guard identifier.isEmpty else { throw StepFailure("the dismissal of a category has no action") }
            categories[position].reportsDismissal = true
            return
        }
        guard !identifier.isEmpty else { throw StepFailure("a row of category \"\(name)\" names no action") }
        let title = cells["title"] ?? ""
        var action = ActionCategory.Action(identifier, title: title.isEmpty ? identifier : title)
        switch kind {
        case "", "background": break
        case "foreground": action.opensApp = true
        case "text": action.takesText = true
        default:
            throw StepFailure("unknown kind \"\(kind)\"; an action is background, foreground, text or dismissal")
        }
        categories[position].actions.append(action)
    }

    static func addToasts(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "the app on {string} shows a toast where no bell is visible",
            summary: """
                A message of its own for a notification that arrives while a screen without the bell is in front. The app learns of it from its \
                delegate, so it needs one: `the app on {string} presents {string} in the foreground`.
                """,
            example: "Given the app on \"anna\" shows a toast where no bell is visible"
        ) { world, step in try world.happen(StepEvent(.device, device: try step.text(0), "toast", "true").text) }
        try library.add(
            .given, "the app on {string} has its bell on {string}",
            summary: "The screens with the bell, separated by commas; `main` alone unless a step says otherwise.",
            example: "Given the app on \"anna\" has its bell on \"main, settings\""
        ) { world, step in try world.happen(StepEvent(.device, device: try step.text(0), "bell", try step.text(1)).text)
        }
        for (thing, summary) in [
            ("banner", "The banner of the last message that showed one."),
            ("toast", "The toast of the last message that showed one."),
        ] {
            try library.add(
                .when, "the user taps the \(thing) on {string}", summary: summary,
                example: "When the user taps the \(thing) on \"anna\""
            ) { world, step in
                let device = try step.text(0)
                let last = world.lines.last { line in
                    let isNotification = line.event == nil || line.isOfOwnNotification
                    return isNotification && line.device == device && line.steps.contains(thing)
                }
                guard let line = last else {
                    throw StepFailure("no \(thing) has been shown on \"\(device)\"")
                }
                var event = StepEvent(.tap, device: device)
                event.add("seq", "\(line.original ?? line.seq)")
                try world.happen(event.text)
            }
        }
    }
}
