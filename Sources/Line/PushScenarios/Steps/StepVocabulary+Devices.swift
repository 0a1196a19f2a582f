import AppSimulation
import PushDecoding
import PushDevices
import PushGherkinRunner
import PushModel
import PushPipeline
import PushStore
import PushSystem

/// Devices: which can be reached, what time it is, what happened to queued messages, topics, and what silences
/// notifications.
extension StepVocabulary {
    static let policies: Table = [
        "unknown devices are rejected": .given(
            "Like `run --unknown-devices reject`."
        ) { world, _ in world.configuration.devicePolicy.rejectsUnknownDevices = true },
        "at most {int} push(es) a minute to one device": .given(
            "Like `run --pushes-per-minute`: from 0 to 1000000000.",
            example: "Given at most 2 pushes a minute to one device", limit { $0.pushesPerMinute = $1 }),
        "at most {int} push(es) a minute of one app": .given(
            "Like `run --app-pushes-per-minute`: from 0 to 1000000000.",
            example: "Given at most 100 pushes a minute of one app", limit { $0.pushesPerMinuteOfSender = $1 }),
        "at most {int} background push(es) an hour": .given(
            "Like `run --background-pushes-per-hour`: from 0 to 1000000000.",
            example: "Given at most 3 background pushes an hour", limit { $0.backgroundPushesPerHour = $1 }),
        "at most {int} update(s) of a Live Activity an hour": .given(
            "Like `run --activity-updates-per-hour`: from 0 to 1000000000.",
            example: "Given at most 4 updates of a Live Activity an hour", limit { $0.activityUpdatesPerHour = $1 }),
        "at most {int} notification(s) of an Android app": .given(
            "Like `run --android-notifications`: from 0 to 1000000000. It is 50 without this step.",
            example: "Given at most 25 notifications of an Android app", limit { $0.notificationsPerAndroidApp = $1 }),
        "a sender that keeps its tokens in order": .given(
            "Like `airnotifier.token-life-cycle` of `run --config`."
        ) { world, _ in world.configuration.devicePolicy.tokenLifeCycle = TokenLifeCycle() },
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
        },
        "the device {string} goes away": .when(
            "The device can no longer be reached.", event(.device, ["online": "false"])),
        "the device {string} is back": .when(
            "The device can be reached again, and gets the messages that were held for it.",
            event(.device, ["online": "true"])),
        "the device {string} is locked": .when(
            "The user locks it. A service extension may not read then what the device protects.",
            event(.device, ["locked": "true"])),
        "the device {string} is unlocked": .when("The user unlocks it.", event(.device, ["locked": "false"])),
        "the device {string} is restarted": .when(
            "Until the user unlocks it, even less can be read than from a locked device.",
            event(.device, ["locked": "before-first-unlock"])),
        "previews of the app on {string} are shown {string}": .given(
            "When an Apple device shows the texts of the app's notifications: always, when-unlocked or never.",
            example: ["anna", "when-unlocked"], event(.device, ["previews": .parameter(1)])),
        "the device {string} falls into Doze": .when(
            "Messages of normal priority to an Android device wait then.", event(.device, ["doze": "true"])),
        "the device {string} leaves Doze": .when("The device gets what has waited.", event(.device, ["doze": "false"])),
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
                """, table(of: "the feedback", feedbackColumns) { world, _ in world.store.registry.feedback() }),
        "the feedback is empty": .then(
            "A provider has no token to delete or replace."
        ) { world, _ in
            let names = world.store.registry.feedback().map(\.device)
            return names.isEmpty ? nil : "the feedback names \(names.joined(separator: ", "))"
        },
    ]

    private static let feedbackColumns: [Column<DeviceRegistry.Feedback>] = [
        ("device", { $0.device }), ("app", { $0.app }),
        ("since", { $0.unregisteredAt.map(RFC3339.text)?.replacing(".000Z", with: "Z") ?? "" }),
        ("replacement", { $0.canonical ?? "" }),
    ]

    // MARK: - Topics of FCM and GCM

    static let topics: Table = [
        "{string} is subscribed to the topic {string}": .given(
            "The app on the device; messages to the topic reach it.", example: ["anna", "news"],
            event(.subscribe, ["topic": .parameter(1)])),
        "{string} unsubscribes from the topic {string}": .when(
            "The app on the device.", example: ["anna", "news"], event(.unsubscribe, ["topic": .parameter(1)])),
        "record {int} reaches {int} subscriber(s)": .then(
            "Of a message to a topic or a condition: the devices that it is sent to, whatever their state.",
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
            "It silences all apps; time-sensitive and critical notifications pass.", event(.focus, ["on": "true"])),
        "a Focus is on at {string} that allows {string}": .given(
            "The apps that it does not silence, separated by commas.", example: ["anna", "org.example.chat"],
            event(.focus, ["on": "true", "apps": .parameter(1)])),
        "a Focus is on at {string} that allows the people {string}": .given(
            "The people whose communication notifications pass, separated by commas, by the names that these notifications show.",
            example: ["anna", "Ada, Grace"]
        ) { world, step in
            let people = try step.text(1).split(separator: ",").map { words in
                String(words.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            var event = StepEvent(.focus, device: try step.text(0))
            event.add("on", "true")
            event.add("people", texts: people)
            try world.happen(event.text)
        },
        "a Focus is on at {string} that allows nothing time-sensitive": .given(
            "Only critical notifications pass.", event(.focus, ["on": "true", "time_sensitive": "false"])),
        "the user turns the Focus off at {string}": .when("No Focus is on then.", event(.focus, ["on": "false"])),
        "the app on {string} is in the scheduled summary": .given(
            "What is neither time-sensitive nor critical goes to the list alone while it is.",
            event(.summary, ["on": "true"])),
        "the app on {string} is not in the scheduled summary": .given(
            "What is neither time-sensitive nor critical goes to the list alone while it is.",
            event(.summary, ["on": "false"])),
        "the push is quiet because of {string}": .then(
            "It is in the list, without banner and sound: focus, summary, passive, provisional or channel.",
            example: ["focus"],
            last { line, step in
                if try line.quiet == step.text(0) { return nil }
                return line.quiet.map { "it is quiet because of \"\($0)\"" } ?? "it is not quiet"
            }),
        "the push is not quiet": .then(
            "Nothing at the device silences it.",
            last { line, _ in line.quiet.map { "it is quiet because of \"\($0)\"" } }),
    ]
}
