import AppSimulation
import PushDecoding
import PushDevices
import PushGherkinRunner
import PushModel
import PushPipeline
import PushStore
import PushSystem

/// Devices: which can be reached, what time it is, and what happened to queued messages.
extension StepVocabulary {
    static func addDevices(to library: inout Library) throws(PatternError) {
        try addPolicies(to: &library)
        try addDeviceEvents(to: &library)
        try addLaterOutcomes(to: &library)
        try addFeedback(to: &library)
    }

    private static func addFeedback(to library: inout Library) throws(PatternError) {
        try library.add(
            .then, "the feedback is:", argument: .table,
            summary: """
                The tokens that a provider must delete or replace, as `store feedback` lists them. The first row of the table names the columns \
                to compare: device, app, since (an RFC 3339 time), replacement.
                """,
            example: """
                Then the feedback is:
                  | device | since                |
                  | anna   | 2026-01-01T12:00:00Z |
                """
        ) { world, step in
            try compare(
                try step.rows(), with: world.store.registry.feedback(), columns: feedbackColumns, of: "the feedback")
        }
        try library.add(
            .then, "the feedback is empty",
            summary: "A provider has no token to delete or replace.", example: "Then the feedback is empty"
        ) { world, _ in
            let names = world.store.registry.feedback().map(\.device)
            if !names.isEmpty { throw StepFailure("the feedback names \(names.joined(separator: ", "))") }
        }
    }

    private static let feedbackColumns: [Column<DeviceRegistry.Feedback>] = [
        ("device", { $0.device }), ("app", { $0.app }),
        ("since", { $0.unregisteredAt.map(RFC3339.text)?.replacing(".000Z", with: "Z") ?? "" }),
        ("replacement", { $0.canonical ?? "" }),
    ]

    private static func addPolicies(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "unknown devices are rejected",
            summary: "Like `run --unknown-devices reject`.", example: "Given unknown devices are rejected"
        ) { world, _ in world.configuration.devicePolicy.rejectsUnknownDevices = true }
        try library.add(
            .given, "at most {int} push(es) a minute to one device",
            summary: "Like `run --pushes-per-minute`: from 0 to 1000000000.",
            example: "Given at most 2 pushes a minute to one device"
        ) { world, step in world.configuration.devicePolicy.pushesPerMinute = try limit(step) }
        try library.add(
            .given, "at most {int} push(es) a minute of one app",
            summary: "Like `run --app-pushes-per-minute`: from 0 to 1000000000.",
            example: "Given at most 100 pushes a minute of one app"
        ) { world, step in world.configuration.devicePolicy.pushesPerMinuteOfSender = try limit(step) }
        try library.add(
            .given, "at most {int} background push(es) an hour",
            summary: "Like `run --background-pushes-per-hour`: from 0 to 1000000000.",
            example: "Given at most 3 background pushes an hour"
        ) { world, step in world.configuration.devicePolicy.backgroundPushesPerHour = try limit(step) }
        try library.add(
            .given, "at most {int} update(s) of a Live Activity an hour",
            summary: "Like `run --activity-updates-per-hour`: from 0 to 1000000000.",
            example: "Given at most 4 updates of a Live Activity an hour"
        ) { world, step in world.configuration.devicePolicy.activityUpdatesPerHour = try limit(step) }
        try library.add(
            .given, "at most {int} notification(s) of an Android app",
            summary: "Like `run --android-notifications`: from 0 to 1000000000. It is 50 without this step.",
            example: "Given at most 25 notifications of an Android app"
        ) { world, step in world.configuration.devicePolicy.notificationsPerAndroidApp = try limit(step) }
        try library.add(
            .given, "a sender that keeps its tokens in order",
            summary: "Like `airnotifier.token-life-cycle` of `run --config`.",
            example: "Given a sender that keeps its tokens in order"
        ) { world, _ in world.configuration.devicePolicy.tokenLifeCycle = TokenLifeCycle() }
        try library.add(
            .given, "the {string} of a push says its type",
            summary:
                "Where a push names its type: category, thread-id, collapse-id, topic, or a JSON Pointer into the payload.",
            example: "Given the \"category\" of a push says its type"
        ) { world, step in
            let name = try step.text(0)
            let place: PreferenceMapping.Place
            do throws(RuleMistake) { place = try PreferenceMapping.Place(parsing: name) } catch {
                throw StepFailure(error.message)
            }
            world.configuration.devicePolicy.typeMapping = PreferenceMapping([PreferenceMapping.Rule(at: place)])
        }
    }

    private static func limit(_ step: StepInput) throws(StepFailure) -> Int {
        let limit = try step.int(0)
        let limits = DevicePolicy.limits
        guard limits.contains(limit) else {
            throw StepFailure(
                "\(limit) is not a valid limit; use a number from \(limits.lowerBound) to \(limits.upperBound)")
        }
        return limit
    }

    private static func addDeviceEvents(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "the device {string} with:", argument: .table,
            summary: """
                Registers a device or updates it. Each row is a member of the device event and its value; `pushpipe schema events` lists the \
                members. A text member takes its cell as is, even `123`. A list member takes words separated by commas or spaces, or a JSON \
                list. For other members, `null` means no change. An unknown member fails the step, and so does a repeated one.
                """,
            example: """
                Given the device "anna" with:
                  | app           | org.example.news |
                  | online        | false            |
                  | authorization | denied           |
                """
        ) { world, step in
            var event = StepEvent(.device, device: try step.text(0))
            var names: Set = ["device"]
            for row in try step.rows() {
                guard row.count == 2 else { throw StepFailure("each row needs two cells: a member and its value") }
                guard names.insert(row[0]).inserted else { throw StepFailure("\"\(row[0])\" is given twice") }
                event.add(row[0], row[1])
            }
            try world.happen(event.text)
        }
        try library.add(
            .when, "the device {string} goes away",
            summary: "The device can no longer be reached.", example: "When the device \"anna\" goes away"
        ) { world, step in try world.happen(StepEvent(.device, device: try step.text(0), "online", "false").text) }
        try library.add(
            .when, "the device {string} is back",
            summary: "The device can be reached again, and gets the messages that were held for it.",
            example: "When the device \"anna\" is back"
        ) { world, step in try world.happen(StepEvent(.device, device: try step.text(0), "online", "true").text) }
        for (state, value, summary) in [
            ("locked", "true", "The user locks it. A service extension may not read then what the device protects."),
            ("unlocked", "false", "The user unlocks it."),
            (
                "restarted", DeviceEvent.Lock.beforeFirstUnlock.rawValue,
                "Until the user unlocks it, even less can be read than from a locked device."
            ),
        ] {
            try library.add(
                .when, "the device {string} is \(state)", summary: summary,
                example: "When the device \"anna\" is \(state)"
            ) { world, step in try world.happen(StepEvent(.device, device: try step.text(0), "locked", value).text) }
        }
        try library.add(
            .given, "previews of the app on {string} are shown {string}",
            summary: "When an Apple device shows the texts of the app's notifications: always, when-unlocked or never.",
            example: "Given previews of the app on \"anna\" are shown \"when-unlocked\""
        ) { world, step in
            try world.happen(StepEvent(.device, device: try step.text(0), "previews", try step.text(1)).text)
        }
        for (deed, value, summary) in [
            ("falls into", "true", "Messages of normal priority to an Android device wait then."),
            ("leaves", "false", "The device gets what has waited."),
        ] {
            try library.add(
                .when, "the device {string} \(deed) Doze", summary: summary,
                example: "When the device \"anna\" \(deed) Doze"
            ) { world, step in try world.happen(StepEvent(.device, device: try step.text(0), "doze", value).text) }
        }
        try library.add(
            .when, "the token of {string} dies",
            summary: "The push service knows that the token is no longer valid.",
            example: "When the token of \"anna\" dies"
        ) { world, step in try world.happen(StepEvent(.device, device: try step.text(0), "unregistered", "true").text)
        }
        try library.add(
            .when, "{word} pass(es)",
            summary: "Advances the emulated clock, for example by 90s, 1h30m or 30d.", example: "When 90s pass"
        ) { world, step in
            var event = StepEvent(.clock)
            event.add("advance", text: try step.text(0))
            try world.happen(event.text)
        }
        try library.add(
            .when, "the following event(s) happen(s):", argument: .docString,
            summary:
                "Event records, one per line, as in a stream. An unknown member fails the step.",
            example: """
                When the following events happen:
                  \"\"\"
                  {"event":"device","device":"anna","online":false}
                  {"event":"clock","advance":"90s"}
                  \"\"\"
                """
        ) { world, step in try world.happen(try step.docStringContent()) }
    }

    /// Checks that a later line of the record has the outcome, and matches.
    private static func expectLater(
        _ world: ScenarioWorld, _ step: StepInput, _ matches: (PushReport) -> Bool
    ) throws {
        let number = try step.int(0)
        let wanted = try outcome(try step.text(1))
        let later = try world.laterLines(ofRecord: number)
        guard later.contains(where: { $0.outcome == wanted && matches($0) }) else {
            let found = later.map(\.description).joined(separator: ", ")
            throw StepFailure("the later outcomes of record \(number): \(found)")
        }
    }

    private static func addLaterOutcomes(to library: inout Library) throws(PatternError) {
        try library.add(
            .then, "record {int} is later {string}",
            summary: "The later outcome of a message that was held.", example: "Then record 2 is later \"delivered\""
        ) { world, step in try expectLater(world, step) { _ in true } }
        try library.add(
            .then, "record {int} is later {string} because of {string}",
            summary: "The later outcome of a message that was held, with the reason in the report.",
            example: "Then record 2 is later \"discarded\" because of \"superseded\""
        ) { world, step in
            let reason = try step.text(2)
            try expectLater(world, step) { $0.reason == reason }
        }
        try library.add(
            .then, "nothing has come of record {int} yet",
            summary: "The message is still held.", example: "Then nothing has come of record 2 yet"
        ) { world, step in
            let number = try step.int(0)
            if let line = world.lines.first(where: { $0.original.map { $0 == UInt64(exactly: number) } ?? false }) {
                throw StepFailure("a later outcome of record \(number): \(line)")
            }
        }
        try library.add(
            .then, "the reason is {string}",
            summary: "The reason in the report line of the last message or event.",
            example: "Then the reason is \"denied\""
        ) { world, step in
            let wanted = try step.text(0)
            let last = try world.last()
            guard last.reason == wanted else { throw StepFailure("record \(last.seq) is \(last)") }
        }
        try library.add(
            .then, "the token has been dead since {word}",
            summary: "The timestamp in the answer 410, as an RFC 3339 time.",
            example: "Then the token has been dead since 2026-01-01T12:00:00Z"
        ) { world, step in
            let text = try step.text(0)
            guard let wanted = EventTime.milliseconds(text) else {
                throw StepFailure("\"\(text)\" is not an RFC 3339 time")
            }
            _ = try world.last()
            guard world.latestDeath == wanted else {
                throw StepFailure("the timestamp of the answer is \(world.latestDeath.map(RFC3339.text) ?? "missing")")
            }
        }
        try library.add(
            .then, "the provider is told to go on with {string}",
            summary:
                "The token that replaces the one of the last message: `registration_id` in GCM's answer.",
            example: "Then the provider is told to go on with \"bela\""
        ) { world, step in
            let wanted = try step.text(0)
            let last = try world.last()
            guard last.canonical == wanted else {
                let found = last.canonical.map { "the token \"\($0)\"" } ?? "no other token"
                throw StepFailure("the answer to record \(last.seq) names \(found)")
            }
        }
        try library.add(
            .then, "the app is told of {int} dropped message(s)",
            summary: "The app's `onDeletedMessages` is called.", example: "Then the app is told of 101 dropped messages"
        ) { world, step in
            let wanted = try step.int(0)
            let found = world.lines[world.latest].compactMap(\.totalDeleted)
            guard found == [wanted] else {
                throw StepFailure(
                    "the app is told of \(found.isEmpty ? "none" : found.map(String.init).joined(separator: ", "))")
            }
        }
        try library.add(
            .then, "the sender's token is {string} because of {string}",
            summary:
                "What the sender does with a token: token_disabled or token_deleted, with the reason in the report.",
            example: "Then the sender's token is \"token_deleted\" because of \"unconfirmed\""
        ) { world, step in
            let event = try step.text(0)
            let reason = try step.text(1)
            guard world.lines[world.latest].contains(where: { $0.event == event && $0.reason == reason }) else {
                throw StepFailure(
                    "the last step produced: \(world.lines[world.latest].map(\.description).joined(separator: ", "))")
            }
        }
    }
}
