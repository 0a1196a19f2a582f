import AppSimulation
import PushDecoding
import PushDevices
import PushGherkinRunner
import PushModel
import PushPipeline
import PushStore

/// The visible parts of an app: the screen in front, the bell, the unread items, the badge.
extension StepVocabulary {
    static func addAppSights(to library: inout Library) throws(PatternError) {
        try addFront(to: &library)
        try addBell(to: &library)
        try addUnread(to: &library)
        try addBadges(to: &library)
    }

    // MARK: - Screens

    private static func addFront(to library: inout Library) throws(PatternError) {
        try library.add(
            .then, "the screen in front on {string} is {string}",
            summary: """
                The screen of the app that the user sees: `main` at first, `centre` for the app's own list of notifications. While the system's \
                notification center covers the app it is `notification center`.
                """,
            example: "Then the screen in front on \"anna\" is \"article\""
        ) { world, step in
            let device = try step.text(0)
            let wanted = try step.text(1)
            let found = try front(of: device, world)
            guard found == wanted else {
                throw StepFailure(found.map { "the screen in front is \"\($0)\"" } ?? noScreen(device))
            }
        }
        try library.add(
            .then, "no screen is in front on {string}",
            summary: "The app is not in the foreground.", example: "Then no screen is in front on \"anna\""
        ) { world, step in
            if let found = try front(of: try step.text(0), world) {
                throw StepFailure("the screen in front is \"\(found)\"")
            }
        }
    }

    private static func front(of device: String, _ world: ScenarioWorld) throws -> String? {
        if world.surroundings.raisedCenters.contains(device) { return "notification center" }
        return try world.store.registry.appInFront(on: device)?.top?.name
    }

    private static func noScreen(_ device: String) -> String { "no app is in the foreground on \"\(device)\"" }

    // MARK: - The bell

    private static func addBell(to library: inout Library) throws(PatternError) {
        for (word, isMarked) in [("marked", true), ("not marked", false)] {
            try library.add(
                .then, "the bell on {string} is \(word)",
                summary: isMarked
                    ? "A notification has arrived that the app's own list has not shown yet."
                    : "The app's own list has shown every notification.",
                example: "Then the bell on \"anna\" is \(word)"
            ) { world, step in
                let found = try world.app(on: try step.text(0))?.isBellUnread ?? false
                guard found == isMarked else { throw StepFailure("the bell is \(found ? "marked" : "not marked")") }
            }
        }
    }

    // MARK: - What is unread

    private static func addUnread(to library: inout Library) throws(PatternError) {
        try library.add(
            .then, "{int} notification(s) is/are unread on {string}",
            summary:
                "In the app's own list: what the user has neither read nor marked as read. To see it is not to read it.",
            example: "Then 2 notifications are unread on \"anna\""
        ) { world, step in
            let wanted = try step.int(0)
            let device = try step.text(1)
            let found = try world.app(on: device)?.notifications.filter { !$0.isRead } ?? []
            guard found.count == wanted else {
                let names = found.isEmpty ? "" : ": \(found.map(\.id).joined(separator: ", "))"
                throw StepFailure("\(found.count) unread on \"\(device)\", not \(wanted)\(names)")
            }
        }
        for (word, isRead) in [("unread", false), ("read", true)] {
            try library.add(
                .then, "the notification {string} on {string} is \(word)",
                summary: "A notification in the app's own list, by its identifier.",
                example: "Then the notification \"match-17\" on \"anna\" is \(word)"
            ) { world, step in
                let identifier = try step.text(0)
                let device = try step.text(1)
                let list = try world.app(on: device)?.notifications ?? []
                guard let found = list.first(where: { $0.id == identifier }) else {
                    let names =
                        list.isEmpty ? "the list is empty" : "it lists \(list.map(\.id).joined(separator: ", "))"
                    throw StepFailure("the app on \"\(device)\" does not list \"\(identifier)\"; \(names)")
                }
                guard found.isRead == isRead else { throw StepFailure("it is \(found.isRead ? "read" : "unread")") }
            }
        }
    }

    // MARK: - Badges

    private static func addBadges(to library: inout Library) throws(PatternError) {
        try library.add(
            .then, "the badge on {string} is {int}",
            summary: "The number on the icon of the only app with a number on the device.",
            example: "Then the badge on \"anna\" is 3"
        ) { world, step in try expectBadge(try step.int(1), try badges(on: try step.text(0), world)) }
        try library.add(
            .then, "the badge of {string} on {string} is {int}",
            summary: "The number on an app's icon; 0 for none.",
            example: "Then the badge of \"org.example.news\" on \"anna\" is 3"
        ) { world, step in
            let app = try step.text(0)
            let device = try step.text(1)
            try expectBadge(try step.int(2), world.store.badge(device: device, app: app).map { [(app, $0)] } ?? [])
        }
        try library.add(
            .then, "there is no badge on {string}",
            summary: "No app on the device has a number on its icon.", example: "Then there is no badge on \"anna\""
        ) { world, step in try expectBadge(0, try badges(on: try step.text(0), world)) }
    }

    /// The apps with a number on their icons.
    private static func badges(on device: String, _ world: ScenarioWorld) throws -> [(app: String, number: Int)] {
        var seen: Set<String> = [world.configuration.decoding.topic]
        seen.formUnion(try world.store.events(device: device).map(\.app))
        return seen.sorted().compactMap { app in
            world.store.badge(device: device, app: app).flatMap { $0 == 0 ? nil : (app, $0) }
        }
    }

    private static func expectBadge(_ wanted: Int, _ found: [(app: String, number: Int)]) throws(StepFailure) {
        if found.isEmpty && wanted == 0 || found.map(\.number) == [wanted] { return }
        let names = found.map { "\($0.number)\($0.app.isEmpty ? "" : " (\($0.app))")" }
        throw StepFailure(found.isEmpty ? "there is no badge" : "the badge is \(names.joined(separator: ", "))")
    }
}

extension ScenarioWorld {
    /// The app on a device that pushes without an app are for, or the device's first one; nil for a device that is not
    /// registered.
    func app(on device: String) throws -> AppStateMachine? {
        let name = configuration.decoding.topic
        let named = name.isEmpty ? nil : try store.registry.appOnDevice(device, named: name)
        return try named ?? store.registry.appOnDevice(device)
    }
}
