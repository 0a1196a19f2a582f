import PushGherkinRunner
import PushModel
import PushStore

/// Checks of Live Activities.
extension StepVocabulary {
    static func addLiveActivities(to library: inout Library) throws(PatternError) {
        try library.add(
            .when, "the user swipes the Live Activity {string} off {string}",
            summary: "A Live Activity on the lock screen, by its identifier. Later pushes do not change it.",
            example: "When the user swipes the Live Activity \"activity-1\" off \"anna\""
        ) { world, step in
            var event = StepEvent(.dismiss, device: try step.text(1))
            event.add("identifier", text: try step.text(0))
            try world.happen(event.text)
        }
        try library.add(
            .then, "the lock screen of {string} shows {int} Live Activity/Activities",
            summary:
                "Number of Live Activities of all apps on a device, with those that have ended and are still shown.",
            example: "Then the lock screen of \"default\" shows 1 Live Activity"
        ) { world, step in
            let device = try step.text(0)
            let count = try step.int(1)
            let shown = try lockScreen(of: device, world)
            guard shown.count == count else {
                let list = shown.map { "\n  \($0.identifier): \($0.state.rawValue) \($0.contentState ?? "")" }.joined()
                throw StepFailure("the lock screen of \"\(device)\" shows \(shown.count), not \(count)\(list)")
            }
        }
        try library.add(
            .then, "the lock screen of {string} shows:", argument: .table,
            summary: """
                All Live Activities on a device, the greatest relevance score first. The first row of the table names the columns to \
                compare: activity, app, state (active, stale, ended), type, attributes, content, relevance, channel, alert, record. An \
                empty cell means that the activity does not have it.
                """,
            example: """
                Then the lock screen of "default" shows:
                  | type            | content              | state  |
                  | MatchAttributes | {"home":1,"away":0} | active |
                """
        ) { world, step in
            try compare(
                try step.rows(), with: try lockScreen(of: try step.text(0), world), columns: activityColumns,
                of: "the lock screen")
        }
    }

    private static func lockScreen(of device: String, _ world: ScenarioWorld) throws -> [LiveActivity] {
        LiveActivity.inOrderOfRelevance(
            try world.store.liveActivities(device: device).filter { $0.state != .dismissed })
    }

    private static let activityColumns: [(name: String, value: @Sendable (LiveActivity) -> String)] = [
        ("activity", { $0.identifier }), ("app", { $0.app }), ("state", { $0.state.rawValue }),
        ("type", { $0.attributesType ?? "" }), ("attributes", { $0.attributes ?? "" }),
        ("content", { $0.contentState ?? "" }), ("relevance", { $0.relevanceScore ?? "" }),
        ("channel", { $0.channel ?? "" }), ("alert", { $0.alertTitle ?? $0.alertBody ?? "" }),
        ("record", { String($0.seq) }),
    ]
}
