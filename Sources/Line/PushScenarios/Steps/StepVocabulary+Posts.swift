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
            let rules: [MessageRules.Post] = try rules(step)
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
            let rules: [MessageRules.Removal] = try rules(step)
            changeRules(of: &world) { $0.removals = rules }
        }
    }

    private static func changeRules(of world: inout ScenarioWorld, _ change: (inout MessageRules) -> Void) {
        var rules = world.configuration.devicePolicy.messageRules ?? MessageRules()
        change(&rules)
        world.configuration.devicePolicy.messageRules = rules
    }

    /// The rules of a table whose first row names their members. An empty cell counts as missing.
    static func rules<Rule: AppRule>(_ step: StepInput) throws -> [Rule] {
        let rows = try step.rows()
        guard let columns = rows.first else { throw StepFailure("the table's first row names no column") }
        return try rows.dropFirst().map { row in
            var rule = Rule()
            for (column, cell) in zip(columns, row) where !cell.isEmpty {
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
