import PushDecoding
import PushDevices
import PushFaults
public import PushGherkinRunner
package import PushJSON
import PushModel
import PushPipeline
import PushSystem
package import PushText

extension StepLibrary where World == ScenarioWorld {
    /// The steps of `pushpipe test`.
    ///
    /// - Throws: `ExpressionError` when a pattern is not a Cucumber Expression. The project's own tests make sure that
    ///   none is released.
    public static func pushes() throws(ExpressionError) -> StepLibrary {
        var library = StepLibrary()
        for table in StepVocabulary.tables {
            for (pattern, row) in table {
                try library.add(
                    row.keyword, pattern, argument: row.argument, summary: row.summary,
                    example: row.exampleText(pattern),
                    body: row.body)
            }
        }
        return library
    }
}

/// A step of `pushpipe test` without its pattern: its documentation, and what it does.
struct StepRow: Sendable {
    typealias Body = @Sendable (inout ScenarioWorld, StepInput) throws -> Void
    /// Returns what there is in place of what was expected; nil if the step holds.
    typealias Check = @Sendable (ScenarioWorld, StepInput) throws -> String?

    let keyword: StepKeyword
    /// A sentence for the documentation.
    let summary: String
    let example: Example
    /// A doc string or a table of the example; empty if the step takes neither.
    let below: String
    let body: Body

    /// The values of a step's parameters, or where letters or words of its pattern are optional, the line.
    enum Example: Sendable, ExpressibleByArrayLiteral, ExpressibleByStringLiteral {
        case values([String])
        case line(String)

        /// The values for most steps: their only parameter is a device, or there is none.
        static let anna = Example.values(["anna"])

        init(arrayLiteral values: String...) { self = .values(values) }

        init(stringLiteral line: String) { self = .line(line) }
    }

    static func given(
        _ summary: String, example: Example = .anna, below: String = "", _ body: @escaping Body
    ) -> StepRow {
        StepRow(keyword: .given, summary: summary, example: example, below: below, body: body)
    }

    static func when(
        _ summary: String, example: Example = .anna, below: String = "", _ body: @escaping Body
    ) -> StepRow {
        StepRow(keyword: .when, summary: summary, example: example, below: below, body: body)
    }

    static func then(
        _ summary: String, example: Example = .anna, below: String = "", _ check: @escaping Check
    ) -> StepRow {
        StepRow(keyword: .then, summary: summary, example: example, below: below) { world, step in
            if let found = try check(world, step) { throw StepFailure(found) }
        }
    }

    var argument: StepArgument { below.isEmpty ? .none : below.hasPrefix("|") ? .table : .docString }

    /// The example with its keyword and what stands below it.
    func exampleText(_ pattern: String) -> String {
        let line =
            switch example {
            case .line(let line): line
            case .values(let values): "\(keyword.rawValue) \(Self.filled(pattern, values))"
            }
        return line + below.split(separator: "\n").map { "\n  \($0)" }.joined()
    }

    /// A pattern with values in place of its parameters.
    private static func filled(_ pattern: String, _ values: [String]) -> String {
        var values = values[...]
        return pattern.split(separator: "}", omittingEmptySubsequences: false).map { text in
            let parts = text.split(separator: "{", omittingEmptySubsequences: false)
            guard parts.count == 2, let value = values.popFirst() else { return String(text) }
            let quote = parts[1] != "string" ? "" : value.contains("\"") ? "'" : "\""
            return "\(parts[0])\(quote)\(value)\(quote)"
        }.joined()
    }
}

/// The steps in tables by subject. Most rows send an event, or check a line of the report or a table.
enum StepVocabulary {
    /// Steps by their patterns, which are Cucumber Expressions.
    typealias Table = KeyValuePairs<String, StepRow>

    /// The tables in the order of the documentation.
    static let tables: [Table] = [
        pushSettings, pushes, faults, outcomes, screens, liveActivities, policies, deviceEvents, laterOutcomes,
        feedback, topics, focus, android, apps, appSights, userActions, systemSettings, logins, tapRoutes, actions,
        toasts, posts, settingsSurroundings, settingsActions, settingsSights, pushSwitch, budgets, fitting, findings,
        files,
    ]

    // MARK: - Events

    /// The value of a member of an event.
    enum MemberValue: Sendable, ExpressibleByStringLiteral {
        case fixed(String)
        /// The step's parameter at this index.
        case parameter(Int)
        /// A list of the names in the step's parameter at this index, which are separated by commas.
        case names(Int)

        init(stringLiteral value: String) { self = .fixed(value) }

        func text(in step: StepInput) throws(StepFailure) -> String {
            switch self {
            case .fixed(let text): return text
            case .parameter(let index):
                if let number = try? step.int(index) { return String(number) }
                return try step.text(index)
            case .names(let index):
                let names = try step.text(index).split(separator: ",").map { words in
                    String(words.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
                }
                return "[\(names.map(\.jsonQuoted).joined(separator: ","))]"
            }
        }
    }

    /// Sends an event about the device that the parameter at this index names.
    static func event(
        _ name: DeviceEvent.Name, device: Int = 0, _ members: KeyValuePairs<String, MemberValue> = [:]
    ) -> StepRow.Body {
        { world, step in
            var event = StepEvent(name, device: try step.text(device))
            for (member, value) in members { event.add(member, try value.text(in: step)) }
            try world.happen(event.text)
        }
    }

    /// Sends an event about the device of the first parameter, with the members in the rows of the step's table.
    static func eventOfTable(_ name: DeviceEvent.Name) -> StepRow.Body {
        { world, step in
            var event = StepEvent(name, device: try step.text(0))
            var names: Set = ["device"]
            for row in try step.rows() {
                guard row.count == 2 else { throw StepFailure("each row needs two cells: a member and its value") }
                guard names.insert(row[0]).inserted else { throw StepFailure("\"\(row[0])\" is given twice") }
                event.add(row[0], row[1])
            }
            try world.happen(event.text)
        }
    }

    /// Sends an event about something that the user does in the app, which nothing may cover.
    static func eventInApp(
        _ name: DeviceEvent.Name, device: Int = 0, _ members: KeyValuePairs<String, MemberValue> = [:]
    ) -> StepRow.Body {
        let send = event(name, device: device, members)
        return { world, step in
            try world.requireAppUncovered(on: try step.text(device))
            try send(&world, step)
        }
    }

    // MARK: - Settings of the scenario

    /// Sets a value of the world.
    static func set<Value: Sendable>(
        _ place: any WritableKeyPath<ScenarioWorld, Value> & Sendable, _ value: Value
    ) -> StepRow.Body {
        { world, _ in world[keyPath: place] = value }
    }

    // MARK: - Checks

    /// Checks the report line that came last.
    static func last(_ check: @escaping @Sendable (PushReport, StepInput) throws -> String?) -> StepRow.Check {
        { world, step in try check(world.last(), step) }
    }

    /// Checks the report line of the last message.
    static func lastMessage(_ check: @escaping @Sendable (PushReport, StepInput) throws -> String?) -> StepRow.Check {
        { world, step in try check(world.lastMessage(), step) }
    }

    /// A column of a table, and its text for an element.
    typealias Column<Element> = (name: String, value: @Sendable (Element) -> String)

    /// Compares the table below the step with elements, row by row, in the columns that its first row names.
    static func table<Element: Sendable>(
        of noun: String, _ columns: [Column<Element>],
        _ elements: @escaping @Sendable (ScenarioWorld, StepInput) throws -> [Element]
    ) -> StepRow.Check {
        { world, step in
            let rows = try step.rows()
            let elements = try elements(world, step)
            var chosen: [Column<Element>] = []
            for name in rows.first ?? [] {
                guard let column = columns.first(where: { $0.name == name }) else {
                    let names = columns.map(\.name).joined(separator: ", ")
                    return "unknown column \"\(name)\"; the columns are \(names)"
                }
                chosen.append(column)
            }
            guard !chosen.isEmpty else { return "the table's first row names no column" }
            let found = elements.map { element in chosen.map { $0.value(element) } }
            if found == Array(rows.dropFirst()) { return nil }
            let list = found.map { "\n  | \($0.joined(separator: " | ")) |" }.joined()
            return found.isEmpty ? "\(noun) is empty" : "\(noun) has other rows:\(list)"
        }
    }
}

/// The list of steps, for a terminal and for programs.
package enum StepCatalogue {
    package static func text(_ library: StepLibrary<ScenarioWorld>, _ style: TextStyle) -> String {
        library.definitions.map { step in
            let example = step.example.split(separator: "\n").map { "      \($0)\n" }.joined()
            let summary = style.wrapped(step.summary, indent: 2).map { "  \($0)\n" }.joined()
            return "\(step.keyword.rawValue) \(style.bold(step.pattern.source))\n\(summary)\(style.dim(example))"
        }.joined(separator: "\n")
    }

    /// Appends a line of JSON for each step.
    package static func appendJSON(_ library: StepLibrary<ScenarioWorld>, to out: inout ByteBuffer) {
        for step in library.definitions {
            out.append("{\"keyword\":")
            out.appendJSONString(step.keyword.rawValue)
            out.appendMember("pattern", step.pattern.source)
            out.appendMember("summary", step.summary)
            out.appendMember("example", step.example)
            out.append("}\n")
        }
    }
}

/// Screens, journals, Live Activities, and the tray of an Android device.
extension StepVocabulary {
    static let screens: Table = [
        "the screen of {string} shows {int} notification(s)": .then(
            "The number of notifications of all apps on a device. The device has the name that the push gave it, or `default`.",
            example: #"Then the screen of "default" shows 2 notifications"#
        ) { world, step in
            let device = try step.text(0)
            let count = try step.int(1)
            let screen = try world.screen(of: device)
            if screen.count == count { return nil }
            return "the screen of \"\(device)\" shows \(screen.count), not \(count)\(listing(screen, world))"
        },
        "the screen of {string} is empty": .then(
            "No notification is on the device."
        ) { world, step in
            let device = try step.text(0)
            let screen = try world.screen(of: device)
            return screen.isEmpty ? nil : "the screen of \"\(device)\" shows \(screen.count)\(listing(screen, world))"
        },
        "the screen of {string} shows:": .then(
            """
            All notifications on a device, newest first. The first row of the table names the columns to compare: app, identifier, \
            title, subtitle, body, thread, badge, record. An empty cell means that the notification does not have it.
            """, example: ["default"],
            below: """
                | title  | body            |
                | Dinner | Dinner is ready |
                """, table(of: "the screen", screenColumns) { world, step in try world.screen(of: step.text(0)) }),
        "the user sees on the screen of {string}:": .then(
            """
            All notifications on a device as a person sees them, newest first: where previews are hidden, with the placeholder of \
            the category in place of the texts. The columns are those of `the screen of {string} shows:`.
            """,
            below: """
                | title | body         |
                |       | Notification |
                """,
            table(of: "the screen", screenColumns) { world, step in
                let device = try step.text(0)
                return HiddenPreviews(try world.store.registered(on: device)).seen(try world.screen(of: device))
            }),
        "the journal of {string} is:": .then(
            """
            All events on a device, oldest first. The first row of the table names the columns to compare: event (delivered, \
            replaced, removed, held, tapped and so on, and the steps of an app), identifier, app, record, at (a time in UTC, with \
            milliseconds).
            """, example: ["default"],
            below: """
                | event     | identifier |
                | delivered | match-17   |
                | replaced  | match-17   |
                """,
            table(of: "the journal", journalColumns) { world, step in try world.store.events(device: step.text(0)) }),
    ]

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

    // MARK: - Live Activities

    static let liveActivities: Table = [
        "the user swipes the Live Activity {string} off {string}": .when(
            "A Live Activity on the lock screen, by its identifier. Later pushes do not change it.",
            example: ["activity-1", "anna"], event(.dismiss, device: 1, ["identifier": .parameter(0)])),
        "the lock screen of {string} shows {int} Live Activity/Activities": .then(
            "The number of Live Activities of all apps on a device, including those that have ended and are still shown.",
            example: #"Then the lock screen of "default" shows 1 Live Activity"#
        ) { world, step in
            let device = try step.text(0)
            let count = try step.int(1)
            let shown = try lockScreen(of: device, world)
            if shown.count == count { return nil }
            let list = shown.map { "\n  \($0.identifier): \($0.state.rawValue) \($0.contentState ?? "")" }.joined()
            return "the lock screen of \"\(device)\" shows \(shown.count), not \(count)\(list)"
        },
        "the lock screen of {string} shows:": .then(
            """
            All Live Activities on a device, the greatest relevance score first. The first row of the table names the columns to \
            compare: activity, app, state (active, stale, ended), type, attributes, content, relevance, channel, alert, record. An \
            empty cell means that the activity does not have it.
            """, example: ["default"],
            below: """
                | type            | content              | state  |
                | MatchAttributes | {"home":1,"away":0} | active |
                """,
            table(of: "the lock screen", activityColumns) { world, step in try lockScreen(of: step.text(0), world) }),
    ]

    private static func lockScreen(of device: String, _ world: ScenarioWorld) throws -> [LiveActivity] {
        LiveActivity.inOrderOfRelevance(
            try world.store.liveActivities(device: device).filter { $0.state != .dismissed })
    }

    private static let activityColumns: [Column<LiveActivity>] = [
        ("activity", { $0.identifier }), ("app", { $0.app }), ("state", { $0.state.rawValue }),
        ("type", { $0.attributesType ?? "" }), ("attributes", { $0.attributes ?? "" }),
        ("content", { $0.contentState ?? "" }), ("relevance", { $0.relevanceScore ?? "" }),
        ("channel", { $0.channel ?? "" }), ("alert", { $0.alertTitle ?? $0.alertBody ?? "" }),
        ("record", { String($0.seq) }),
    ]

    // MARK: - Android

    static let android: Table = [
        "the app on {string} has the notification channels:": .given(
            """
            The notification channels of an app on an Android device, and no others. The first row of the table names the columns: \
            id, importance (none, min, low, default or high), sound and badge (true or false), default (true for the channel that \
            the manifest names). An empty cell says nothing.
            """, example: ["pixel"],
            below: """
                | id   | importance | sound |
                | news | high       |       |
                | chat | low        | false |
                """
        ) { world, step in
            let rows = try namedCells(step, of: ["id", "importance", "sound", "badge", "default"])
            let list = "[\(rows.map(channel).joined(separator: ","))]"
            try world.happen(StepEvent(.device, device: try step.text(0), "channels", list).text)
        },
        "the user stops the app in the system's settings of {string}": .when(
            "Force-stops an Android app: no message reaches it until the user opens it.", example: ["pixel"],
            event(.device, ["state": "force-stopped"])),
        "the user taps the bundle on {string}": .when(
            "The bundle that Android makes of two or more notifications of an app. Tapping it opens the app, and all notifications stay.",
            example: ["pixel"], event(.tap, ["bundle": "true"])),
        "the tray of {string} shows:": .then(
            """
            The notifications on an Android device as they are seen, newest event first, and on a locked device with what the lock \
            screen hides hidden: no title, and the body "New notification". The first row of the table names the columns to \
            compare: app, identifier, title, body, record, bundle (how many notifications the bundle has that it is in; empty for \
            none).
            """, example: ["pixel"],
            below: """
                | title       | bundle |
                | Late result |        |
                """,
            table(of: "the tray", trayColumns) { world, step in
                let device = try step.text(0)
                let screens = try AndroidScreens(world.store, device: device)
                let shown = try screens.seen(try world.screen(of: device), newestFirst: true)
                let bundles = try Dictionary(grouping: shown, by: \.app).filter { try screens.isBundle($0.value) }
                return shown.map { (notification: $0, bundle: bundles[$0.app]?.count) }
            }),
    ]

    private static let trayColumns: [Column<(notification: DeliveredNotification, bundle: Int?)>] = [
        ("app", { $0.notification.app }), ("identifier", { $0.notification.identifier }),
        ("title", { $0.notification.content.title ?? "" }), ("body", { $0.notification.content.body ?? "" }),
        ("record", { String($0.notification.seq) }), ("bundle", { $0.bundle.map(String.init) ?? "" }),
    ]

    /// A channel as JSON.
    private static func channel(_ cells: [(String, String)]) -> String {
        let members = cells.map { name, value in
            let isFlag = name != "id" && (value == "true" || value == "false")
            return "\(name.jsonQuoted):\(isFlag ? value : value.jsonQuoted)"
        }
        return "{\(members.joined(separator: ","))}"
    }
}

/// Pushes, how they are read, a push service that refuses them, and what happened to them.
extension StepVocabulary {
    static let pushSettings: Table = [
        "pushes that name no device go to {string}": .given(
            """
            Like `run --device`; without this step the device is `default`. Any name is accepted here. A `device` in an APNs \
            record is a token and must be hexadecimal; otherwise the answer is `BadDeviceToken`.
            """
        ) { world, step in
            let device = try step.text(0)
            guard !device.isEmpty else { throw StepFailure("a device needs a name") }
            world.configuration.decoding.device = device
            try world.applySettings()
        },
        "pushes that name no app are for {string}": .given(
            "Like `run --topic`: a bundle identifier or package name.", example: ["org.example.news"]
        ) { world, step in world.configuration.decoding.topic = try step.text(0) },
        "an extension that replaces by {string}": .given(
            "Like `run --replace-by`: the extension removes earlier notifications with the same id.",
            example: ["custom-payload-id"]
        ) { world, step in world.configuration.decoding.replacement = try replacementRule(step) },
        "an extension that replaces by {string} as follows:": .given(
            """
            The same with `replace.match`, `replace.missing` and `replace.compare`: a table with a row for each of them that \
            is not the default.
            """, example: ["custom-payload-id"],
            below: """
                | match   | first  |
                | missing | equal  |
                | compare | string |
                """
        ) { world, step in
            var rule = try replacementRule(step)
            for row in try step.rows() {
                guard row.count == 2, rule.set(row[0], row[1]) else {
                    throw StepFailure(
                        "| \(row.joined(separator: " | ")) | is not a row of this table; its rows are "
                            + "| match | all or first |, | missing | never or equal | and | compare | text, typed or string |"
                    )
                }
            }
            world.configuration.decoding.replacement = rule
        },
        "the extension gets pushes without mutable-content, too": .given(
            "Like `extension.assume-mutable`: pushes with an alert go through the extension as if they had mutable-content.",
            set(\.configuration.decoding.assumesMutable, true)),
    ]

    private static func replacementRule(_ step: StepInput) throws(StepFailure) -> ReplacementRule {
        let key = try step.text(0)
        guard !key.isEmpty else { throw StepFailure("the payload member needs a name") }
        return ReplacementRule(key: key)
    }

    static let pushes: Table = [
        "the following push(es) arrive(s):": .when(
            "Delivers the text below, in any form that `run` reads: a payload, a request, or several, one per line.",
            example: "When the following push arrives:",
            below: """
                \"\"\"json
                {"aps":{"alert":"Dinner is ready"}}
                \"\"\"
                """
        ) { world, step in try world.receive(try step.docStringContent()) },
        "a push {string} arrives": .when(
            "Delivers one short record. In single quotes, JSON needs no escapes.",
            example: [#"{"aps":{"alert":"Dinner is ready"}}"#]
        ) { world, step in try world.receive(try step.text(0)) },
    ]

    // MARK: - A push service that refuses what it would accept

    static let faults: Table = [
        "pushes to {string} are refused with {string}": .given(
            """
            A rule of `serve --faults` with `device` and `reason`, added after existing rules: `*` and `?` stand for other \
            characters. Refuses what would be accepted otherwise. `Unregistered` is also the word for FCM and GCM, whose own it \
            becomes.
            """, example: ["ab*", "TooManyRequests"]
        ) { world, step in
            var rule = FaultRule()
            guard let pattern = FaultFile.pattern(try step.text(0)) else {
                throw StepFailure("the device is a text with * and ?, such as \"ab*\"")
            }
            rule.device = pattern
            let reason = try step.text(1)
            guard FaultFile.isReason(reason) else {
                throw StepFailure(
                    "\"\(reason)\" is not a reason of APNs, FCM or GCM, such as TooManyRequests or UNAVAILABLE")
            }
            rule.effect.reason = reason
            world.addFaults([rule])
        },
        "the provider follows these rules:": .given(
            """
            Rules as in `serve --faults`, in YAML; replaces existing rules. A scenario has no transport, so a rule says which \
            pushes, and a `reason` or `status`. `after`, `for` and `rate` count the scenario's time.
            """,
            below: """
                \"\"\"yaml
                - every: 3
                  status: 503
                \"\"\"
                """
        ) { world, step in
            let text = Array(try step.docStringContent().utf8)
            let rules: [FaultRule]
            do throws(PlainError) {
                rules = try FaultFile.rules(text)
            } catch {
                throw StepFailure("the text below the step\(error.place): \(error.message)")
            }
            for (index, rule) in rules.enumerated() {
                if let problem = problem(with: rule) { throw StepFailure("rule \(index + 1) \(problem)") }
            }
            world.removeFaults()
            world.addFaults(rules)
        },
        "the provider refuses nothing more": .given("Removes the rules.") { world, _ in world.removeFaults() },
    ]

    /// Why a rule would do nothing in a scenario; nil if it would.
    private static func problem(with rule: FaultRule) -> String? {
        if rule.path != nil { return "names a path, and pushes of a scenario have none" }
        if rule.effect.transport != TransportFault() {
            return "is about a connection, and a scenario has none; serve --faults has"
        }
        return nil
    }

    // MARK: - What happened to pushes

    static let outcomes: Table = [
        "the outcome is {string}": .then(
            "The outcome of the last message, as in the report.", example: ["delivered"],
            expectOutcome { world, _ in [try world.last()] }),
        "every outcome is {string}": .then(
            "The outcome of each message that the last delivering step sent.", example: ["rejected"],
            expectOutcome { world, _ in
                _ = try world.last()
                return world.lines[world.latest].filter { $0.reaction == nil }
            }),
        "the outcome of record {int} is {string}": .then(
            "The outcome of every message of a record. Records are numbered from 1 in each scenario.",
            example: ["2", "replaced"],
            expectOutcome(parameter: 1) { world, step in try world.messages(ofRecord: step.int(0)) }),
        "the provider answers {int} {word}": .then(
            "HTTP status and reason of the provider's answer to the last message.",
            example: ["413", "PayloadTooLarge"],
            last { line, step in
                let status = try step.int(0)
                let reason = try step.text(1)
                if line.status == status, line.reason == reason { return nil }
                return "record \(line.seq) is \(line), not \(status) \(reason)"
            }),
        "the provider answers {int}": .then(
            "HTTP status of the provider's answer to the last message.", example: ["200"],
            last { line, step in
                let status = try step.int(0)
                if line.status == status { return nil }
                return "the status of record \(line.seq) is \(line.status.map(String.init) ?? "none"), not \(status)"
            }),
        "the notification replaces record {int}": .then(
            "The last notification replaced the one of that record, or an extension removed that one for it.",
            example: ["1"],
            last { line, step in
                let number = try step.int(0)
                guard let replaced = line.replaces else { return "record \(line.seq) replaces nothing; it is \(line)" }
                if replaced == UInt64(exactly: number) { return nil }
                return "record \(line.seq) replaces record \(replaced), not \(number)"
            }),
        "the notification replaces nothing": .then(
            "The last notification is on the screen, next to the earlier ones.",
            last { line, _ in
                if line.identifier == nil { return "record \(line.seq) is not shown; it is \(line)" }
                return line.replaces.map { "record \(line.seq) replaces record \($0)" }
            }),
        "the identifier is {string}": .then(
            "Identifier of the last notification: its collapse id, its tag, or a generated one.", example: ["match-17"],
            last { line, step in
                let wanted = try step.text(0)
                if line.identifier == wanted { return nil }
                let found = line.identifier.map { "\"\($0)\"" } ?? "missing, because it is \(line)"
                return "the identifier of record \(line.seq) is \(found), not \"\(wanted)\""
            }),
    ]

    /// Compares the outcome of each of these report lines with a parameter of the step.
    private static func expectOutcome(
        parameter: Int = 0, of lines: @escaping @Sendable (ScenarioWorld, StepInput) throws -> [PushReport]
    ) -> StepRow.Check {
        { world, step in
            let wanted = try outcome(try step.text(parameter))
            let other = try lines(world, step).first { $0.outcome != wanted }
            return other.map { "record \($0.seq) is \($0), not \(wanted.name)" }
        }
    }

    static func outcome(_ name: String) throws(StepFailure) -> Outcome {
        guard let outcome = Outcome.allCases.first(where: { "\($0.name)" == name }) else {
            let names = Outcome.allCases.map { "\($0.name)" }.joined(separator: ", ")
            throw StepFailure("unknown outcome \"\(name)\"; the outcomes are \(names)")
        }
        return outcome
    }
}

extension ReplacementRule {
    /// Sets an option by its name. False if there is no such option or value.
    fileprivate mutating func set(_ name: String, _ value: String) -> Bool {
        switch name {
        case "match": Self.set(&match, value)
        case "missing": Self.set(&missing, value)
        case "compare": Self.set(&comparison, value)
        default: false
        }
    }

    private static func set<Value: RawRepresentable<String>>(_ option: inout Value, _ text: String) -> Bool {
        guard let value = Value(rawValue: text) else { return false }
        option = value
        return true
    }
}

/// Builds an event record from the texts of a step. The type of a member decides what its text becomes in JSON.
struct StepEvent {
    private let name: DeviceEvent.Name
    private var members: String

    init(_ name: DeviceEvent.Name, device: String? = nil) {
        self.name = name
        members = "\"event\":\(name.rawValue.jsonQuoted)"
        if let device { add("device", device) }
    }

    init(_ name: DeviceEvent.Name, device: String, _ member: String, _ value: String) {
        self.init(name, device: device)
        add(member, value)
    }

    /// Adds a member. A value that its type cannot take stays a string, and the decoder reports what it expected; the
    /// same goes for a member that the event does not have.
    mutating func add(_ member: String, _ value: String) {
        let form = EventMember.table.first { $0.name.description == member && $0.events.contains(name) }?.form
        members += ",\(member.jsonQuoted):\(Self.json(value, form))"
    }

    /// Adds a member as a string, even if the text looks like a number.
    mutating func add(_ member: String, text: String) {
        members += ",\(member.jsonQuoted):\(text.jsonQuoted)"
    }

    /// Adds a member that is a list of strings.
    mutating func add(_ member: String, texts: [String]) {
        members += ",\(member.jsonQuoted):[\(texts.map(\.jsonQuoted).joined(separator: ","))]"
    }

    var text: String { "{\(members)}" }

    private static func json(_ value: String, _ form: EventMember.Form?) -> String {
        switch form?.kind {
        case nil, .text: return value.jsonQuoted
        case .word: return ["true", "false", "null"].contains(value) ? value : value.jsonQuoted
        case .number: return value == "null" || (Double(value) != nil && isJSON(value)) ? value : value.jsonQuoted
        case .objects: return isJSON(value) ? value : value.jsonQuoted
        case .texts:
            if value == "null" || (value.hasPrefix("[") && isJSON(value)) { return value }
            return value.hasPrefix("[")
                ? value.jsonQuoted : "[\(words(value).map(\.jsonQuoted).joined(separator: ","))]"
        }
    }

    private static func words(_ value: String) -> [String] {
        value.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init)
    }

    private static func isJSON(_ value: String) -> Bool { (try? JSONValue(parsing: value)) != nil }
}
