import AppSimulation
import PushDevices
import PushGherkinRunner
import PushModel
import PushPipeline

/// Notifications that apps post and remove by themselves.
extension StepVocabulary {
    static func addPosts(to library: inout Library) throws(PatternError) {
        try addRules(to: &library)
        try library.add(
            .when, "the app on {string} posts a notification with:", argument: .table,
            summary: """
                The app shows a notification of its own. Each row is a member of the event and its value: app, title, body, tag or channel.
                """,
            example: """
                When the app on "pixel" posts a notification with:
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
        }
        try library.add(
            .then, "the app posts {string}",
            summary: "The identifier of a notification that the app showed by itself because of the last step.",
            example: "Then the app posts \"chat-7\""
        ) { world, step in
            try expect(try step.text(0), among: identifiers(world) { $0.isOfOwnNotification }, "posts")
        }
        try library.add(
            .then, "the app removes {string}",
            summary:
                "The identifier of a delivered notification that the app removed by itself because of the last step.",
            example: "Then the app removes \"chat-7\""
        ) { world, step in
            try expect(try step.text(0), among: identifiers(world) { $0.reaction == .withdrawn }, "removes")
        }
        try library.add(
            .then, "the app posts nothing",
            summary: "Because of the last step, the app showed no notification by itself.",
            example: "Then the app posts nothing"
        ) { world, _ in
            let found = identifiers(world) { $0.isOfOwnNotification }
            guard found.isEmpty else { throw StepFailure("the app posts \(listed(found))") }
        }
    }

    private static func addRules(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "messages make the app post:", argument: .table,
            summary: """
                Rules like `posts` of the file for `run --mapping`; the first one that matches decides. The first row names the columns: at \
                (category, thread-id, collapse-id, topic, or a JSON Pointer), like, notifications and web (true or false), title, body, tag and channel. \
                A text that begins with / is a JSON Pointer, and {/data/sender} in it a value. An empty cell counts as missing.
                """,
            example: """
                Given messages make the app post:
                  | at         | like | title                | body       | tag        |
                  | /data/type | chat | {/data/sender} wrote | /data/text | /data/chat |
                """
        ) { world, step in
            var rules: [MessageRules.Post] = []
            try forEachRow(step) { cells in
                var rule = MessageRules.Post()
                for (column, cell) in cells {
                    switch column {
                    case "title": rule.title = try messageText(cell)
                    case "body": rule.body = try messageText(cell)
                    case "tag": rule.tag = try messageText(cell)
                    case "channel": rule.channel = try messageText(cell)
                    default: try set(&rule.condition, column, cell, others: "title, body, tag and channel")
                    }
                }
                if let mistake = rule.mistake { throw StepFailure(mistake) }
                rules.append(rule)
            }
            changeRules(of: &world) { $0.posts = rules }
        }
        try library.add(
            .given, "messages make the app remove:", argument: .table,
            summary: """
                Rules like `removals` of the file for `run --mapping`; the first one that matches decides. The columns are at, like and \
                notifications and web, as for `messages make the app post:`, and identifiers, which names those of the notifications.
                """,
            example: """
                Given messages make the app remove:
                  | at         | like | identifiers |
                  | /data/type | read | /data/chats |
                """
        ) { world, step in
            var rules: [MessageRules.Removal] = []
            try forEachRow(step) { cells in
                var rule = MessageRules.Removal()
                for (column, cell) in cells {
                    if column == "identifiers" {
                        rule.identifiers = try messageText(cell)
                    } else {
                        try set(&rule.condition, column, cell, others: "identifiers")
                    }
                }
                if let mistake = rule.mistake { throw StepFailure(mistake) }
                rules.append(rule)
            }
            changeRules(of: &world) { $0.removals = rules }
        }
    }

    private static func changeRules(of world: inout ScenarioWorld, _ change: (inout MessageRules) -> Void) {
        var rules = world.configuration.devicePolicy.messageRules ?? MessageRules()
        change(&rules)
        world.configuration.devicePolicy.messageRules = rules
    }

    /// Passes the cells of each row that are not empty, with their columns.
    private static func forEachRow(
        _ step: StepInput, _ body: ([(column: String, cell: String)]) throws -> Void
    ) throws {
        let rows = try step.rows()
        guard let columns = rows.first else { throw StepFailure("the table's first row names no column") }
        for row in rows.dropFirst() { try body(zip(columns, row).filter { !$1.isEmpty }.map { ($0, $1) }) }
    }

    private static func set(
        _ condition: inout MessageRules.Condition, _ column: String, _ cell: String, others: String
    ) throws(StepFailure) {
        switch column {
        case "at":
            guard let place = PreferenceMapping.Place(cell) else { throw notAPlace(cell) }
            condition.place = place
        case "like": condition.pattern = cell
        case "notifications", "web":
            guard cell == "true" || cell == "false" else { throw StepFailure("\(column) is true or false") }
            if column == "web" {
                condition.includesWeb = cell == "true"
            } else {
                condition.includesNotifications = cell == "true"
            }
        default:
            throw StepFailure(
                "unknown column \"\(column)\"; the columns are at, like, notifications, web, \(others)")
        }
    }

    private static func messageText(_ cell: String) throws(StepFailure) -> MessageText {
        guard let text = MessageText(cell) else {
            throw StepFailure(
                "\"\(cell)\" is not a JSON Pointer, such as /data/title, and has none in braces, such as {/data/title}")
        }
        return text
    }

    // MARK: - What it does

    /// The identifiers in lines of the last step about what the app could do.
    private static func identifiers(_ world: ScenarioWorld, where isMeant: (PushReport) -> Bool) -> [String] {
        world.lines[world.latest].filter { isMeant($0) && $0.outcome == .applied }.compactMap(\.identifier)
    }

    private static func expect(_ wanted: String, among found: [String], _ verb: String) throws(StepFailure) {
        guard !found.contains(wanted) else { return }
        throw StepFailure("the app \(verb) \(found.isEmpty ? "nothing" : listed(found))")
    }

    private static func listed(_ identifiers: [String]) -> String {
        identifiers.map { "\"\($0)\"" }.joined(separator: ", ")
    }
}
