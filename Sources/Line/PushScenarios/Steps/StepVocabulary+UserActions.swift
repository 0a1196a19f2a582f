import AppSimulation
import PushDecoding
import PushGherkinRunner
import PushModel
import PushPipeline

/// The user's actions: notifications, the system's settings, logins and languages.
extension StepVocabulary {
    static func addUserActions(to library: inout Library) throws(PatternError) {
        try addTaps(to: &library)
        try addNotificationCenter(to: &library)
        try addSystemSettings(to: &library)
        try addLogins(to: &library)
        try addLanguages(to: &library)
    }

    // MARK: - Notifications

    private static func addTaps(to library: inout Library) throws(PatternError) {
        let deeds: [(pattern: String, summary: String, example: String, event: DeviceEvent.Name)] = [
            (
                "the user taps the notification {string} on {string}",
                "A notification on the screen, by its identifier.",
                "When the user taps the notification \"match-17\" on \"anna\"", .tap
            ),
            (
                "the user wipes the notification {string} off {string}",
                "A notification on the screen, by its identifier.",
                "When the user wipes the notification \"match-17\" off \"anna\"", .dismiss
            ),
            (
                "the user reads the notification {string} on {string}",
                "A notification in the app's own list, which is in front.",
                "When the user reads the notification \"match-17\" on \"anna\"", .read
            ),
        ]
        for deed in deeds {
            try library.add(.when, deed.pattern, summary: deed.summary, example: deed.example) { world, step in
                var event = StepEvent(deed.event, device: try step.text(1))
                event.add("identifier", text: try step.text(0))
                try world.happen(event.text)
            }
        }
        try library.add(
            .when, "the user taps the notification of record {int} on {string}",
            summary: "A notification on the screen, by the number of its record.",
            example: "When the user taps the notification of record 1 on \"anna\""
        ) { world, step in
            var event = StepEvent(.tap, device: try step.text(1))
            event.add("seq", "\(try step.int(0))")
            try world.happen(event.text)
        }
    }

    private static func addNotificationCenter(to library: inout Library) throws(PatternError) {
        try library.add(
            .when, "the user raises the notification center on {string}",
            summary: """
                The system's notification center covers the screen until it is lowered or a notification is tapped. The app stays as it is, and \
                nothing can be done in it.
                """,
            example: "When the user raises the notification center on \"anna\""
        ) { world, step in world.surroundings.raisedCenters.insert(try step.text(0)) }
        try library.add(
            .when, "the user lowers the notification center on {string}",
            summary: "The user sees again what was on the screen before.",
            example: "When the user lowers the notification center on \"anna\""
        ) { world, step in
            guard world.surroundings.raisedCenters.remove(try step.text(0)) != nil else {
                throw StepFailure("the notification center has not been raised")
            }
        }
    }

    // MARK: - Settings

    private static func addSystemSettings(to library: inout Library) throws(PatternError) {
        let switches = [
            ("alerts", "alerts"), ("badges", "badges"), ("sounds", "sounds"), ("the lock screen", "lock_screen"),
            ("Notification Center", "notification_center"),
        ]
        let deeds =
            [
                ("allows notifications", "authorization", "authorized"),
                ("forbids notifications", "authorization", "denied"),
            ]
            + switches.flatMap { words, member in
                [("switches \(words) on", member, "true"), ("switches \(words) off", member, "false")]
            }
        for (words, member, value) in deeds {
            try library.add(
                .when, "the user \(words) in the system's settings of {string}",
                summary: """
                    The user leaves the app for the system's settings, changes them and comes back. An app that is not in the foreground stays as it \
                    is.
                    """,
                example: "When the user \(words) in the system's settings of \"anna\""
            ) { world, step in
                let device = try step.text(0)
                let isInFront = try world.app(on: device)?.state == .foreground
                var events = [StepEvent(.device, device: device, member, value)]
                if isInFront {
                    events.insert(StepEvent(.device, device: device, "state", "background"), at: 0)
                    events.append(StepEvent(.device, device: device, "state", "foreground"))
                }
                try world.happen(events.map(\.text).joined(separator: "\n"))
            }
        }
        try library.add(
            .when, "the user opens the settings on {string}",
            summary: """
                Pushes the app's settings screen, `settings`, which reads the settings from the wiki on the device that pushes without a device go \
                to. `the user goes back on {string}` leaves it.
                """,
            example: "When the user opens the settings on \"anna\""
        ) { world, step in
            let device = try step.text(0)
            try world.happenInApp(StepEvent(.open, device: device, "screen", "settings"), on: device)
            if device == world.deviceOfSettings { try world.useSettings { $0.screen.open() } }
        }
    }

    private static func addLogins(to library: inout Library) throws(PatternError) {
        for (word, isLoggedIn, words) in [
            ("in", true, "No type is switched on then."), ("out", false, "Nothing is shown from then on."),
        ] {
            try library.add(
                .when, "the user logs \(word) on {string}",
                summary: "Logs \(word) to the app on a device. \(words)",
                example: "When the user logs \(word) on \"bela\""
            ) { world, step in
                try world.happen(StepEvent(.device, device: try step.text(0), "logged_in", "\(isLoggedIn)").text)
            }
        }
    }

    private static func addLanguages(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "the language of the device is {string}",
            summary: """
                A language tag, such as `de-AT`. It is the language of a service extension, and chooses the wiki of the app's primary language, \
                such as `de.wikipedia.org`, if the app has one for each language. The settings of a user who is logged in move there.
                """,
            example: "Given the language of the device is \"de-AT\""
        ) { world, step in
            let language = try step.text(0)
            world.surroundings.language = language
            try world.useSettings { $0.screen.move(to: $0.sites.site(for: language)) }
        }
        try library.add(
            .when, "the user logs in as {string}",
            summary:
                "Logs in at the wiki in the language of the device, which is English unless a step says otherwise.",
            example: "When the user logs in as \"Anna\""
        ) { world, step in
            let language = world.surroundings.language ?? "en"
            let account = try step.text(0)
            try world.useSettings { $0.logIn(account, at: $0.sites.site(for: language)) }
        }
        try library.add(
            .then, "the settings are those of {string}",
            summary: "The wiki whose settings count.", example: "Then the settings are those of \"de.wikipedia.org\""
        ) { world, step in
            let found = world.settings.screen.device.current?.primarySite
            guard found == (try step.text(0)) else {
                throw StepFailure(found.map { "they are those of \"\($0)\"" } ?? notOffered)
            }
        }
    }
}

extension ScenarioWorld {
    /// Lets the user do something in the app, which nothing may cover.
    mutating func happenInApp(_ event: StepEvent, on device: String) throws {
        guard !surroundings.raisedCenters.contains(device) else {
            throw StepFailure("the notification center covers the app; lower it first")
        }
        try happen(event.text)
    }
}
