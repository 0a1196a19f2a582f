import AppSimulation
import ExtensionHosting
import ExtensionPrograms
import PushDecoding
import PushDevices
import PushFiles
import PushGherkinRunner
import PushJSON
import PushLint
import PushModel
import PushPipeline
import PushSystem

/// Devices: which can be reached, what time it is, what happened to queued messages, topics, and what silences
/// notifications.
extension StepVocabulary {
    static let policies: Table = [
        "unknown devices are rejected": .given(
            "Like `devices.unknown: reject`.", set(\.configuration.devicePolicy.rejectsUnknownDevices, true)),
        "at most {int} push(es) a minute to one device": .given(
            "Like `limits.pushes-per-minute`: from 0 to 1000000000.",
            example: "Given at most 2 pushes a minute to one device", limit { $0.pushesPerMinute = $1 }),
        "at most {int} push(es) a minute of one app": .given(
            "Like `limits.app-pushes-per-minute`: from 0 to 1000000000.",
            example: "Given at most 100 pushes a minute of one app", limit { $0.pushesPerMinuteOfSender = $1 }),
        "at most {int} background push(es) an hour": .given(
            "Like `limits.background-pushes-per-hour`: from 0 to 1000000000.",
            example: "Given at most 3 background pushes an hour", limit { $0.backgroundPushesPerHour = $1 }),
        "at most {int} update(s) of a Live Activity an hour": .given(
            "Like `limits.activity-updates-per-hour`: from 0 to 1000000000.",
            example: "Given at most 4 updates of a Live Activity an hour", limit { $0.activityUpdatesPerHour = $1 }),
        "at most {int} notification(s) of an Android app": .given(
            "Like `limits.android-notifications`: from 0 to 1000000000. It is 50 without this step.",
            example: "Given at most 25 notifications of an Android app", limit { $0.notificationsPerAndroidApp = $1 }),
        "a sender that keeps its tokens in order": .given(
            "Like `airnotifier.token-life-cycle`.",
            set(\.configuration.devicePolicy.tokenLifeCycle, TokenLifeCycle())),
        "the {string} of a push says its type": .given(
            "Where a push names its type: category, thread-id, collapse-id, topic, or a JSON Pointer into the payload.",
            example: ["category"]
        ) { world, step in
            let place = try place(try step.text(0))
            world.configuration.devicePolicy.typeMapping = PreferenceMapping([PreferenceMapping.Rule(at: place)])
        },
    ]

    /// Sets a limit of the device policy to the step's number.
    private static func limit(_ set: @escaping @Sendable (inout DevicePolicy, Int) -> Void) -> StepRow.Body {
        { world, step in
            let limit = try step.int(0)
            let limits = DevicePolicy.limits
            guard limits.contains(limit) else {
                throw StepFailure(
                    "\(limit) is not a valid limit; use a number from \(limits.lowerBound) to \(limits.upperBound)")
            }
            set(&world.configuration.devicePolicy, limit)
        }
    }

    static let deviceEvents: Table = [
        "the device {string} with:": .given(
            """
            Registers a device or updates it. Each row is a member of the device event and its value; `pushpipe schema events` \
            lists the members. A text member takes its cell as is, even `123`. A list member takes words separated by commas or \
            spaces, or a JSON list. For other members, `null` means no change. An unknown member fails the step, and so does a \
            repeated one.
            """,
            below: """
                | app           | org.example.news |
                | online        | false            |
                | authorization | denied           |
                """, eventOfTable(.device)),
        "the device {string} goes away/offline": .when(
            "The device can no longer be reached.", example: #"When the device "anna" goes away"#,
            event(.device, ["online": "false"])),
        "the device {string} is back/online": .when(
            "The device can be reached again, and receives the messages that were held for it.",
            example: #"When the device "anna" is back"#,
            event(.device, ["online": "true"])),
        "the device {string} is locked": .when(
            "The user locks the device. A service extension then cannot read what the device protects.",
            event(.device, ["locked": "true"])),
        "the device {string} is unlocked": .when("The user unlocks the device.", event(.device, ["locked": "false"])),
        "the device {string} is restarted": .when(
            "Until the user unlocks the device, a service extension can read even less than on a locked device.",
            event(.device, ["locked": "before-first-unlock"])),
        "previews of the app on {string} are shown {string}": .given(
            "When an Apple device shows the texts of the app's notifications: always, when-unlocked or never.",
            example: ["anna", "when-unlocked"], event(.device, ["previews": .parameter(1)])),
        "the device {string} falls into Doze": .when(
            "From then on, messages of normal priority to an Android device wait.", event(.device, ["doze": "true"])),
        "the device {string} leaves Doze": .when("The waiting messages arrive.", event(.device, ["doze": "false"])),
        "the token of {string} dies": .when(
            "The push service knows that the token is no longer valid.", event(.device, ["unregistered": "true"])),
        "{word} pass(es)": .when(
            "Advances the emulated clock, for example by 90s, 1h30m or 30d.", example: "When 90s pass"
        ) { world, step in
            var event = StepEvent(.clock)
            event.add("advance", text: try step.text(0))
            try world.happen(event.text)
        },
        "the following event(s) happen(s):": .when(
            "Event records, one per line, as in a stream. An unknown member fails the step.",
            example: "When the following events happen:",
            below: """
                \"\"\"
                {"event":"device","device":"anna","online":false}
                {"event":"clock","advance":"90s"}
                \"\"\"
                """
        ) { world, step in try world.happen(try step.docStringContent()) },
    ]

    // MARK: - What the provider and the sender learn

    static let laterOutcomes: Table = [
        "record {int} is later {string}": .then(
            "The later outcome of a message that was held.", example: ["2", "delivered"], expectLater { _, _ in true }),
        "record {int} is later {string} because of {string}": .then(
            "The later outcome of a message that was held, with the reason in the report.",
            example: ["2", "discarded", "superseded"], expectLater { line, step in try line.reason == step.text(2) }),
        "nothing has come of record {int} yet": .then(
            "The message is still held.", example: ["2"]
        ) { world, step in
            let number = try step.int(0)
            let later = world.lines.first { $0.original.map { $0 == UInt64(exactly: number) } ?? false }
            return later.map { "a later outcome of record \(number): \($0)" }
        },
        "the reason is {string}": .then(
            "The reason in the report line of the last message or event.", example: ["denied"],
            last { line, step in try line.reason == step.text(0) ? nil : "record \(line.seq) is \(line)" }),
        "the token has been dead since {word}": .then(
            "The timestamp in the answer 410, as an RFC 3339 time.", example: ["2026-01-01T12:00:00Z"]
        ) { world, step in
            let text = try step.text(0)
            guard let wanted = EventTime.milliseconds(text) else { return "\"\(text)\" is not an RFC 3339 time" }
            _ = try world.last()
            if world.latestDeath == wanted { return nil }
            return "the timestamp of the answer is \(world.latestDeath.map(RFC3339.text) ?? "missing")"
        },
        "the provider is told to go on with {string}": .then(
            "The token that replaces the one of the last message: `registration_id` in GCM's answer.",
            example: ["bela"],
            last { line, step in
                if try line.canonical == step.text(0) { return nil }
                let found = line.canonical.map { "the token \"\($0)\"" } ?? "no other token"
                return "the answer to record \(line.seq) names \(found)"
            }),
        "the app is told of {int} dropped message(s)": .then(
            "The app's `onDeletedMessages` is called.", example: "Then the app is told of 101 dropped messages"
        ) { world, step in
            let found = world.lines[world.latest].compactMap(\.totalDeleted)
            if try found == [step.int(0)] { return nil }
            return "the app is told of \(found.isEmpty ? "none" : found.map(String.init).joined(separator: ", "))"
        },
        "the sender's token is {string} because of {string}": .then(
            "What the sender does with a token: token_disabled or token_deleted, with the reason in the report.",
            example: ["token_deleted", "unconfirmed"]
        ) { world, step in
            let event = try step.text(0)
            let reason = try step.text(1)
            let lines = world.lines[world.latest]
            if lines.contains(where: { $0.event == event && $0.reason == reason }) { return nil }
            return "the last step produced: \(lines.map(\.description).joined(separator: ", "))"
        },
    ]

    /// Expects a later line of the record that has the outcome, and that the closure accepts.
    private static func expectLater(
        _ accepts: @escaping @Sendable (PushReport, StepInput) throws -> Bool
    ) -> StepRow.Check {
        { world, step in
            let number = try step.int(0)
            let wanted = try outcome(try step.text(1))
            let later = try world.laterLines(ofRecord: number)
            if try later.contains(where: { try $0.outcome == wanted && accepts($0, step) }) { return nil }
            return "the later outcomes of record \(number): \(later.map(\.description).joined(separator: ", "))"
        }
    }

    static let feedback: Table = [
        "the feedback is:": .then(
            """
            The tokens that a provider must delete or replace, as `store feedback` lists them. The first row of the table names \
            the columns to compare: device, app, since (an RFC 3339 time), replacement.
            """,
            below: """
                | device | since                |
                | anna   | 2026-01-01T12:00:00Z |
                """, table(of: "the feedback", feedbackColumns) { world, _ in world.store.registry.deadTokens() }),
        "the feedback is empty": .then(
            "A provider has no token to delete or replace."
        ) { world, _ in
            let names = world.store.registry.deadTokens().map(\.device)
            return names.isEmpty ? nil : "the feedback names \(names.joined(separator: ", "))"
        },
    ]

    private static let feedbackColumns: [Column<DeadToken>] = [
        ("device", { $0.device }), ("app", { $0.app }),
        ("since", { $0.unregisteredAt.map(RFC3339.text)?.replacing(".000Z", with: "Z") ?? "" }),
        ("replacement", { $0.canonical ?? "" }),
    ]

    // MARK: - Topics of FCM and GCM

    static let topics: Table = [
        "{string} is subscribed to the topic {string}": .given(
            "Messages to the topic reach the app on the device.", example: ["anna", "news"],
            event(.subscribe, ["topic": .parameter(1)])),
        "{string} unsubscribes from the topic {string}": .when(
            "The app leaves the topic.", example: ["anna", "news"], event(.unsubscribe, ["topic": .parameter(1)])),
        "record {int} reaches {int} subscriber(s)": .then(
            "For a message to a topic or a condition: the devices that it is sent to, whatever their state.",
            example: "Then record 3 reaches 2 subscribers"
        ) { world, step in
            let lines = try world.messages(ofRecord: try step.int(0))
            // The first line is about the message itself.
            let count = lines.first?.outcome == .fannedOut ? lines.count - 1 : 0
            if try count == step.int(1) { return nil }
            return "record \(try step.int(0)) reaches \(count == 0 ? "no subscriber" : String(count))"
        },
    ]

    // MARK: - A Focus and the scheduled summary

    static let focus: Table = [
        "a Focus is on at {string}": .given(
            "Silences all apps, except time-sensitive and critical notifications.", event(.focus, ["on": "true"])),
        "a Focus is on at {string} that allows {string}": .given(
            "The apps that the Focus does not silence, separated by commas.", example: ["anna", "org.example.chat"],
            event(.focus, ["on": "true", "apps": .parameter(1)])),
        "a Focus is on at {string} that allows the people {string}": .given(
            "The people whose communication notifications break through, separated by commas, by the names that these notifications show.",
            example: ["anna", "Ada, Grace"], event(.focus, ["on": "true", "people": .names(1)])),
        "a Focus is on at {string} that allows nothing time-sensitive": .given(
            "Only critical notifications break through.", event(.focus, ["on": "true", "time_sensitive": "false"])),
        "the user turns the Focus off at {string}": .when("Then no Focus is on.", event(.focus, ["on": "false"])),
        "the app on {string} is in the scheduled summary": .given(
            "In the scheduled summary, notifications that are neither time-sensitive nor critical are delivered only to the list.",
            event(.summary, ["on": "true"])),
        "the app on {string} is not in the scheduled summary": .given(
            "In the scheduled summary, notifications that are neither time-sensitive nor critical are delivered only to the list.",
            event(.summary, ["on": "false"])),
        "the push is quiet because of {string}": .then(
            "The notification is in the list, without a banner or sound, because of focus, summary, passive, provisional or channel.",
            example: ["focus"],
            last { line, step in
                if try line.quiet == step.text(0) { return nil }
                return line.quiet.map { "it is quiet because of \"\($0)\"" } ?? "it is not quiet"
            }),
        "the push is not quiet": .then(
            "Nothing on the device silences the notification.",
            last { line, _ in line.quiet.map { "it is quiet because of \"\($0)\"" } }),
    ]
}

/// The app's own rules: where taps lead, actions, toasts, and the notifications that it posts and removes by itself.
extension StepVocabulary {
    static let tapRoutes: Table = [
        "taps on notifications lead to:": .given(
            """
            Rules like those of `wikimedia.mapping`; the first one that matches decides, and a tap that none matches leads to the \
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
            let rows = try namedCells(step, of: ["category", "action", "title", "kind"])
            for cells in rows { try add(Dictionary(cells, uniquingKeysWith: { $1 }), to: &categories) }
            let list = String.composed { ActionCategory.append(categories, to: &$0) }
            let event = StepEvent(.device, device: try step.text(0), "categories", list)
            try world.happen(event.text)
        },
        "the user answers {string} with {string} of the notification on {string}": .when(
            "Types a text for an action of the newest notification.", example: ["On my way", "REPLY", "anna"],
            event(.tap, device: 2, ["action": .parameter(1), "text": .parameter(0)])),
    ]

    private static func add(
        _ cells: [String: String], to categories: inout [ActionCategory]
    ) throws(StepFailure) {
        guard let name = cells["category"] else { throw StepFailure("a row names no category") }
        let position = categories.firstIndex { $0.identifier == name } ?? categories.count
        if position == categories.count { categories.append(ActionCategory(name)) }
        let kind = cells["kind"] ?? "background"
        if kind == "dismissal" {
            if cells["action"] != nil { throw StepFailure("the dismissal of a category has no action") }
            categories[position].reportsDismissal = true
            return
        }
        guard let identifier = cells["action"] else {
            throw StepFailure("a row of category \"\(name)\" names no action")
        }
        var action = ActionCategory.Action(identifier, title: cells["title"] ?? identifier)
        switch kind {
        case "background": break
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
            "The screens with the bell, separated by commas. By default, only `main`.",
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
            Rules like `posts` of the file for `wikimedia.mapping`; the first one that matches decides. The first row names the \
            columns: at (category, thread-id, collapse-id, topic, or a JSON Pointer), like, notifications, web, silent and alert_once \
            (true or false), title, body, tag, id, group and channel. A text that begins with / is a JSON Pointer, and {/data/sender} in it a value. An empty \
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
            Rules like `removals` of the file for `wikimedia.mapping`; the first one that matches decides. The columns are at, like \
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
                """, eventOfTable(.post)),
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

    /// The cells of each row of the step's table that are not empty, after the names of their columns in its first row.
    ///
    /// - Parameter columns: those that the table may have.
    static func namedCells(
        _ step: StepInput, of columns: [String]
    ) throws(StepFailure) -> [[(String, String)]] {
        let rows = try step.rows()
        guard let names = rows.first else { throw StepFailure("the table's first row names no column") }
        if let name = names.first(where: { !columns.contains($0) }) {
            throw StepFailure("unknown column \"\(name)\"; the columns are \(columns.joined(separator: ", "))")
        }
        return rows.dropFirst().map { row in zip(names, row).filter { !$1.isEmpty }.map { ($0, $1) } }
    }

    /// The rules of a table whose first row names their members.
    private static func rules<Rule: AppRule>(_ step: StepInput) throws -> [Rule] {
        try namedCells(step, of: Rule.members).map { cells in
            var rule = Rule()
            for (column, cell) in cells {
                do throws(PlainError) { try rule.set(column, cell) } catch { throw StepFailure(error.message) }
            }
            if let mistake = rule.mistake { throw StepFailure(mistake) }
            return rule
        }
    }

    /// The place in a push that a text names.
    static func place(_ text: String) throws(StepFailure) -> PreferenceMapping.Place {
        do throws(PlainError) { return try PreferenceMapping.Place(parsing: text) } catch {
            throw StepFailure(error.message)
        }
    }
}

/// Bytes and budgets, shortened texts, the linter; files and service extensions.
extension StepVocabulary {
    static let budgets: Table = [
        "every push is checked against the budget {string}": .given(
            "Like `run --budget`: a name, such as `apns-256`, or a number of bytes.", example: ["apns-256"]
        ) { world, step in
            let text = try step.text(0)
            guard let budget = Budget(parsing: text) else {
                throw StepFailure("\"\(text)\" is neither a number of bytes nor the name of a budget")
            }
            world.configuration.decoding.budget = budget
        },
        "the push has {int} byte(s)": .then(
            "The bytes of the last message that count towards its budget, as in the report.",
            example: "Then the push has 38 bytes",
            lastMessage { line, step in
                try line.byteCount == step.int(0) ? nil : "record \(line.seq) has \(line.byteCount) bytes"
            }),
        "the budget is {int} byte(s)": .then(
            "The budget of the last message, as in the report.", example: "Then the budget is 4096 bytes",
            lastMessage { line, step in
                try line.byteLimit == step.int(0) ? nil : "the budget of record \(line.seq) is \(line.byteLimit) bytes"
            }),
        "the push is {int} byte(s) over its budget": .then(
            "The bytes by which the last message is over budget.", example: "Then the push is 12 bytes over its budget",
            lastMessage { line, step in
                let wanted = try step.int(0)
                return wanted > 0 && line.byteCount - line.byteLimit == wanted ? nil : size(line)
            }),
        "the push is within its budget": .then(
            "The last message has no more bytes than its budget.",
            lastMessage { line, _ in line.byteCount <= line.byteLimit ? nil : size(line) }),
    ]

    private static func size(_ line: PushReport) -> String {
        "record \(line.seq) has \(line.byteCount) bytes, and its budget is \(line.byteLimit) bytes"
    }

    static let fitting: Table = [
        "texts that are too long are shortened": .given(
            "Like `run --fit`."
        ) { world, _ in shorten(AlertText.allCases, &world) },
        "texts that are too long are shortened in the order {string}": .given(
            "Like `fit.order`: body, subtitle, title, separated by commas.", example: ["title, body"]
        ) { world, step in
            let names = try step.text(0).split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
            let order = names.compactMap { AlertText(rawValue: $0) }
            guard !order.isEmpty, order.count == names.count else {
                let known = AlertText.allCases.map(\.rawValue).joined(separator: ", ")
                throw StepFailure("the texts that can be shortened are \(known)")
            }
            shorten(order, &world)
        },
        "the push has been shortened": .then(
            "A text of the last message was cut (`fit.cut`).",
            lastMessage { line, _ in isShortened(line) ? nil : "record \(line.seq) has not been shortened" }),
        "the push has not been shortened": .then(
            "No text of the last message was cut.",
            lastMessage { line, _ in isShortened(line) ? "record \(line.seq) has been shortened" : nil }),
    ]

    private static func shorten(_ order: [AlertText], _ world: inout ScenarioWorld) {
        world.configuration.recordStages.removeAll { $0 is FitToBudget }
        world.configuration.recordStages.insert(FitToBudget(order: order), at: 0)
    }

    private static func isShortened(_ line: PushReport) -> Bool {
        line.findings.contains { $0.rule == "fit.cut" }
    }

    // MARK: - The linter

    static let findings: Table = [
        "the linter finds {string}": .then(
            "`pushpipe lint` reports this rule for the records of the last step that sent any.",
            example: ["aps.misspelled-key"]
        ) { world, step in
            let id = try step.text(0)
            guard Rule.named(id) != nil else {
                let near = NameSuggestion.nearest(to: id, among: Rule.all.map(\.id.text))
                return "there is no rule \"\(id)\"" + (near.map { "; did you mean \"\($0)\"?" } ?? "")
            }
            let found = try diagnostics(world)
            return found.contains { $0.rule.id.text == id } ? nil : listing(found)
        },
        "the linter finds nothing": .then(
            "`pushpipe lint` reports no warning and no error for the records of the last step that sent any."
        ) { world, _ in
            let found = try diagnostics(world).filter { $0.severity >= .warning }
            return found.isEmpty ? nil : listing(found)
        },
        "the report has the finding {string}": .then(
            """
            The report line of the last message, or one after it, has a finding of this rule. Lines of events and of what apps do \
            come after it.
            Some rules, such as those about extensions, are only in reports.
            """, example: ["fit.cut"]
        ) { world, step in
            let lines = try world.linesSinceLastMessage()
            let last = lines[lines.startIndex]
            let rules = lines.flatMap { $0.findings.map(\.rule) }
            if try rules.contains(step.text(0)) { return nil }
            return rules.isEmpty
                ? "record \(last.seq) has no finding"
                : "the findings of record \(last.seq) are \(rules.joined(separator: ", "))"
        },
    ]

    private static func diagnostics(_ world: ScenarioWorld) throws(StepFailure) -> [Diagnostic] {
        guard !world.latestInput.isEmpty else { throw StepFailure("no push has arrived yet") }
        var configuration = LintConfiguration()
        configuration.severity = .info
        return TextLinter(configuration, decoding: world.configuration.decoding).lint(world.latestInput).diagnostics
    }

    private static func listing(_ found: [Diagnostic]) -> String {
        if found.isEmpty { return "the linter finds nothing" }
        let lines = found.prefix(10).map { "\n  \($0.rule.id): \($0.message)" }
        return "the linter finds:" + lines.joined() + (found.count > 10 ? "\n  and \(found.count - 10) more" : "")
    }

    // MARK: - Files next to the feature file: pushes, and service extensions

    static let files: Table = [
        "the push(es) in the file {string} arrive(s)": .when(
            "Delivers a file of up to 16 MiB, in any form that `run` reads. Its path is relative to the feature file.",
            example: #"When the pushes in the file "../quickstart.ndjson" arrive"#
        ) { world, step in
            let path = try world.readablePath(try step.text(0))
            let bytes: [UInt8]
            do throws(SystemError) {
                bytes = try FileBytes.read(path, limit: FileBytes.maximumDocumentBytes)
            } catch {
                let reason = FileBytes.message(for: error, limit: FileBytes.maximumDocumentBytes)
                throw StepFailure("\(path): \(reason)")
            }
            try world.receive(bytes)
        },
        "the extension {string}": .given(
            """
            Like `run --extension`: a service extension, which runs for pushes with `mutable-content`. A program or an `.appex`, \
            relative to the feature file, or `builtin:attachment=KEY` or `builtin:localize=FILE`.
            """, example: ["../Extensions/mention.py"]
        ) { world, step in
            guard world.confinement == nil else {
                throw StepFailure(
                    "a service extension is a program, and none is started here; run it with pushpipe test")
            }
            let path = try step.text(0)
            world.serviceExtension.options.path = builtin(path, world) ?? world.path(path)
        },
        "the extension's keychain begins with the items in {string}": .given(
            "Like `extension.keychain`: a JSON array or a property list, relative to the feature file.",
            example: ["keychain.json"]
        ) { world, step in
            let path = try world.readablePath(try step.text(0))
            do throws(PlainError) {
                world.serviceExtension.options.keychain = try KeychainSeed.read(path)
            } catch {
                throw StepFailure(error.message)
            }
        },
        "the extension's removals are {string}": .given(
            "Like `extension.removal`, for your own extension and for one that replaces by an id: immediate, delayed:MS, or lost-after-handler[:MS].",
            example: ["delayed:100"],
            configure { (options, text) throws(PlainError) in
                options.removal = try RemovalTiming(text, option: "the timing of removals")
            }),
        "the extension waits {string} after a removal": .given(
            "Like `extension.removal-wait`: the journal has the removal and the new notification at their own times.",
            example: ["200ms"],
            configure { (options, text) throws(PlainError) in
                options.removalWait = try .extensionTimeLimit(
                    text, option: "the extension's wait", allowsZero: true)
            }),
        "the extension has {string} to change a push": .given(
            "Like `extension.timeout`: a time up to a day, such as 500ms, 1.5s or 30.", example: ["500ms"],
            configure { (options, text) throws(PlainError) in
                options.timeLimit = try .extensionTimeLimit(text, option: "the extension's time")
            }),
        "the extension of record {int} is not started because of {string}": .then(
            """
            Why the system would not start the service extension for a push: `android`, `web`, `push-type`, `no-alert`, \
            `not-mutable`, `not-authorized`, `offline` or `not-delivered`. It needs a step that gives the app an extension.
            """, example: ["2", "not-mutable"]
        ) { world, step in
            let wanted = try step.text(1)
            let names = ExtensionObstacle.allCases.map { "\($0.name)" }
            guard names.contains(wanted) else {
                return "unknown obstacle \"\(wanted)\"; the obstacles are \(names.joined(separator: ", "))"
            }
            let other = try world.messages(ofRecord: step.int(0)).first { $0.extensionObstacle != wanted }
            return other.map { line in
                let found =
                    line.extensionObstacle.map { "not started because of \"\($0)\"" } ?? "not kept from starting"
                return "the extension of record \(line.seq) is \(found); the record is \(line)"
            }
        },
    ]

    /// Sets up the service extension from the step's text.
    private static func configure(
        _ set: @escaping @Sendable (inout ScenarioExtension.Options, String) throws(PlainError) -> Void
    ) -> StepRow.Body {
        { world, step in
            let text = try step.text(0)
            do throws(PlainError) {
                try set(&world.serviceExtension.options, text)
            } catch {
                throw StepFailure(error.message)
            }
        }
    }

    /// A built-in extension, with the path of its file; nil for any other extension.
    private static func builtin(_ path: String, _ world: ScenarioWorld) -> String? {
        let localize = "builtin:localize="
        guard path.hasPrefix("builtin:") else { return nil }
        return path.hasPrefix(localize) ? localize + world.path(String(path.dropFirst(localize.count))) : path
    }
}

extension ScenarioWorld {
    /// A path of a step, which is relative to the feature file.
    func path(_ text: String) -> String { text.hasPrefix("/") ? text : FilePaths.joined(folder, text) }

    /// The path of a file that the scenario may read.
    func readablePath(_ text: String) throws(StepFailure) -> String {
        let path = path(text)
        guard let confinement else { return path }
        // A link to somewhere else does not help.
        guard let resolved = try? FileSystem.resolved(path),
            confinement.contains(where: { $0 == "/" || resolved.hasPrefix($0 + "/") })
        else { throw StepFailure("\(path) is not a file below \(confinement.joined(separator: " or "))") }
        return resolved
    }
}
