import AppSimulation
import PayloadJSON
import PushDevices
import PushGherkinRunner
import PushModel
import PushPipeline

/// The app's own rules: where taps lead, actions, toasts, and the notifications that it posts and removes by itself.
extension StepVocabulary {
    static let tapRoutes: Table = [
        "taps on notifications lead to:": .given(
            """
            Rules like those of `run --mapping`; the first one that matches decides, and a tap that none matches leads to the \
            app's own list. The first row names the columns: at (category, thread-id, collapse-id, topic, or a JSON Pointer), \
            like, action, screen, kind (plain, editor or centre) and modal (true or false). An empty cell counts as missing.
            """,
            below: """
                | at       | like   | action | screen  | kind   |
                | category | TALK   | REPLY  | reply   | editor |
                | /url     | */live |        | live    |        |
                | /url     |        |        | article |        |
                """
        ) { world, step in world.configuration.devicePolicy.tapRoutes = TapRoutes(try rules(step)) },
        "the user chooses {string} of the notification on {string}": .when(
            """
            An action of the newest notification. The app comes to the front if a rule says what the action opens, or if its \
            category says so (`the app on {string} has the actions:`), and carries it out in the background otherwise.
            """, example: ["MARK_READ", "anna"], event(.tap, device: 1, ["action": .parameter(0)])),
    ]

    static let actions: Table = [
        "the app on {string} has the actions:": .given(
            """
            The categories of notifications that the app registers, with their actions; from then on no others can be chosen. The \
            first row names the columns: category, action, title, and kind: background (the default), foreground, which opens the \
            app, text, which takes a text, or dismissal, for a category whose dismissals are reported to the app, in a row without \
            an action.
            """,
            below: """
                | category | action | title | kind       |
                | TALK     | REPLY  | Reply | text       |
                | TALK     | SHOW   | Show  | foreground |
                | TALK     |        |       | dismissal  |
                """
        ) { world, step in
            var categories: [ActionCategory] = []
            for cells in try namedCells(step) { try add(cells, to: &categories) }
            var out = ByteBuffer()
            ActionCategory.append(categories, to: &out)
            let event = StepEvent(
                .device, device: try step.text(0), "categories", String(decoding: out.bytes, as: UTF8.self))
            try world.happen(event.text)
        },
        "the user answers {string} with {string} of the notification on {string}": .when(
            "Types a text with an action of the newest notification.", example: ["On my way", "REPLY", "anna"],
            event(.tap, device: 2, ["action": .parameter(1), "text": .parameter(0)])),
    ]

    private static func add(_ row: [NamedCell], to categories: inout [ActionCategory]) throws(StepFailure) {
        var cells: [String: String] = [:]
        for (column, cell) in row {
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

    static let toasts: Table = [
        "the app on {string} shows a toast where no bell is visible": .given(
            """
            A message of its own for a notification that arrives while a screen without the bell is in front. The app learns of it \
            from its delegate, so it needs one: `the app on {string} presents {string} in the foreground`.
            """, event(.device, ["toast": "true"])),
        "the app on {string} has its bell on {string}": .given(
            "The screens with the bell, separated by commas; `main` alone unless a step says otherwise.",
            example: ["anna", "main, settings"], event(.device, ["bell": .parameter(1)])),
        "the user taps the banner on {string}": .when(
            "The banner of the last message that showed one.", tapLast("banner")),
        "the user taps the toast on {string}": .when(
            "The toast of the last message that showed one.", tapLast("toast")),
    ]

    /// Taps the notification that showed a banner or a toast last.
    private static func tapLast(_ thing: String) -> StepRow.Body {
        { world, step in
            let device = try step.text(0)
            let last = world.lines.last { line in
                let isNotification = line.event == nil || line.isOfOwnNotification
                return isNotification && line.device == device && line.steps.contains(thing)
            }
            guard let last else { throw StepFailure("no \(thing) has been shown on \"\(device)\"") }
            try world.happen(StepEvent(.tap, device: device, "seq", "\(last.original ?? last.seq)").text)
        }
    }

    // MARK: - Notifications that apps post and remove by themselves

    static let posts: Table = [
        "messages make the app post:": .given(
            """
            Rules like `posts` of the file for `run --mapping`; the first one that matches decides. The first row names the \
            columns: at (category, thread-id, collapse-id, topic, or a JSON Pointer), like, notifications and web (true or false), \
            title, body, tag and channel. A text that begins with / is a JSON Pointer, and {/data/sender} in it a value. An empty \
            cell counts as missing.
            """,
            below: """
                | at         | like | title                | body       | tag        |
                | /data/type | chat | {/data/sender} wrote | /data/text | /data/chat |
                """
        ) { world, step in
            let rules: [MessageRules.Post] = try rules(step)
            changeRules(of: &world) { $0.posts = rules }
        },
        "messages make the app remove:": .given(
            """
            Rules like `removals` of the file for `run --mapping`; the first one that matches decides. The columns are at, like \
            and notifications and web, as for `messages make the app post:`, and identifiers, which names those of the \
            notifications.
            """,
            below: """
                | at         | like | identifiers |
                | /data/type | read | /data/chats |
                """
        ) { world, step in
            let rules: [MessageRules.Removal] = try rules(step)
            changeRules(of: &world) { $0.removals = rules }
        },
        "the app on {string} posts a notification with:": .when(
            "The app shows a notification of its own. Each row is a member of the event and its value: app, title, body, tag or channel.",
            example: ["pixel"],
            below: """
                | title | Anna wrote  |
                | tag   | chat-7      |
                """
        ) { world, step in
            var event = StepEvent(.post, device: try step.text(0))
            for row in try step.rows() {
                guard row.count == 2 else { throw StepFailure("each row needs two cells: a member and its value") }
                event.add(row[0], row[1])
            }
            try world.happen(event.text)
        },
        "the app posts {string}": .then(
            "The identifier of a notification that the app showed by itself because of the last step.",
            example: ["chat-7"], expectReaction("posts") { $0.isOfOwnNotification }),
        "the app removes {string}": .then(
            "The identifier of a delivered notification that the app removed by itself because of the last step.",
            example: ["chat-7"], expectReaction("removes") { $0.reaction == .withdrawn }),
        "the app posts nothing": .then(
            "Because of the last step, the app showed no notification by itself."
        ) { world, _ in
            let found = identifiers(world) { $0.isOfOwnNotification }
            return found.isEmpty ? nil : "the app posts \(listed(found))"
        },
    ]

    private static func changeRules(of world: inout ScenarioWorld, _ change: (inout MessageRules) -> Void) {
        var rules = world.configuration.devicePolicy.messageRules ?? MessageRules()
        change(&rules)
        world.configuration.devicePolicy.messageRules = rules
    }

    /// Expects one of the identifiers in the lines of the last step about what the app did by itself.
    private static func expectReaction(
        _ verb: String, where isMeant: @escaping @Sendable (PushReport) -> Bool
    ) -> StepRow.Check {
        { world, step in
            let found = identifiers(world, where: isMeant)
            if try found.contains(step.text(0)) { return nil }
            return "the app \(verb) \(found.isEmpty ? "nothing" : listed(found))"
        }
    }

    private static func identifiers(_ world: ScenarioWorld, where isMeant: (PushReport) -> Bool) -> [String] {
        world.lines[world.latest].filter { isMeant($0) && $0.outcome == .applied }.compactMap(\.identifier)
    }

    private static func listed(_ identifiers: [String]) -> String {
        identifiers.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    // MARK: - Rows of rules

    private typealias NamedCell = (column: String, cell: String)

    /// The cells of each row of the step's table, with the columns that its first row names.
    private static func namedCells(_ step: StepInput) throws(StepFailure) -> [[NamedCell]] {
        let rows = try step.rows()
        guard let columns = rows.first else { throw StepFailure("the table's first row names no column") }
        return rows.dropFirst().map { row in zip(columns, row).map { ($0, $1) } }
    }

    /// The rules of a table whose first row names their members. An empty cell counts as missing.
    private static func rules<Rule: AppRule>(_ step: StepInput) throws -> [Rule] {
        try namedCells(step).map { cells in
            var rule = Rule()
            for (column, cell) in cells where !cell.isEmpty {
                guard Rule.members.contains(column) else {
                    let names = Rule.members.joined(separator: ", ")
                    throw StepFailure("unknown column \"\(column)\"; the columns are \(names)")
                }
                do throws(RuleMistake) { try rule.set(column, cell) } catch { throw StepFailure(error.message) }
            }
            if let mistake = rule.mistake { throw StepFailure(mistake) }
            return rule
        }
    }

    /// The place in a push that a text names.
    static func place(_ text: String) throws(StepFailure) -> PreferenceMapping.Place {
        do throws(RuleMistake) { return try PreferenceMapping.Place(parsing: text) } catch {
            throw StepFailure(error.message)
        }
    }
}
