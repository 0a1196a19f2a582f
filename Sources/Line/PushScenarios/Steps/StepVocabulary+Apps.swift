import AppSimulation
import PushDecoding
import PushDevices
import PushGherkinRunner
import PushModel
import PushPipeline
import PushPreferences
import PushSystem

/// Apps and their users: what the user does with notifications, in the app and in the system's settings, and what is
/// visible then.
extension StepVocabulary {
    static let apps: Table = [
        "the app on {string} is {string}": .given(
            "The state of the app: foreground, background, terminated, force-quit or force-stopped.",
            example: ["anna", "foreground"], event(.device, ["state": .parameter(1)])),
        "the app on {string} presents {string} in the foreground": .given(
            "The presentation options that the app's delegate returns: banner, list, sound and badge. An empty text means none.",
            example: ["anna", "banner, list"], event(.device, ["will_present": .parameter(1)])),
        "the user taps the notification on {string}": .when("The newest notification on the device.", event(.tap)),
        "the user wipes the notification off {string}": .when(
            "The newest notification on the device.", event(.dismiss)),
        "the user clears the screen of {string}": .when("Removes all notifications.", event(.clear)),
        "the user goes back on {string}": .when("Pops the top screen.", eventInApp(.back)),
        "the user closes the modal screen on {string}": .when("Dismisses the modal screen on top.", eventInApp(.close)),
        "the user writes in the editor on {string}": .when(
            "Edits in the editor on top, which then has unsaved work.", eventInApp(.edit)),
        "the user saves on {string}": .when("Saves the work in the editor on top.", eventInApp(.save)),
        "the user discards the unsaved work on {string}": .when(
            "Chooses to discard when the app asks about unsaved work.", eventInApp(.confirm, ["answer": "discard"])),
        "the user keeps the unsaved work on {string}": .when(
            "Chooses to keep editing when the app asks about unsaved work.", eventInApp(.confirm, ["answer": "cancel"])),
        "the user reads everything on {string}": .when(
            "Marks all notifications as read in the app's own list.", eventInApp(.read)),
        "the user opens the screen {string} on {string}": .when(
            "Pushes a screen.", example: ["article", "anna"], eventInApp(.open, device: 1, ["screen": .parameter(0)])),
        "the user reads the article {string} on {string}": .when(
            "Pushes a screen with an article. If the system terminates the app, it later returns to the article that was read most recently.",
            example: ["Ant", "anna"], eventInApp(.open, device: 1, ["screen": .parameter(0), "kind": "article"])),
        "the user opens the modal screen {string} on {string}": .when(
            "Opens the screen modally, on top of the others.", example: ["search", "anna"],
            eventInApp(.open, device: 1, ["screen": .parameter(0), "modal": "true"])),
        "the user opens the editor {string} on {string}": .when(
            "Opens the editor modally, on top of the others.", example: ["note", "anna"],
            eventInApp(.open, device: 1, ["screen": .parameter(0), "kind": "editor", "modal": "true"])),
        "the user opens the pushed editor {string} on {string}": .when(
            "Pushes an editor. The user leaves it by going back.", example: ["note", "anna"],
            eventInApp(.open, device: 1, ["screen": .parameter(0), "kind": "editor"])),
        "the user opens the centre on {string}": .when(
            "Opens the app's own list of notifications.", eventInApp(.open, ["screen": "centre", "kind": "centre"])),
        "the app does {string}": .then(
            "The steps in the last report line, in order. An empty text means none.",
            example: ["dismiss-modal search, push-centre"],
            last { line, step in
                let found = line.steps.joined(separator: ", ")
                return try found == step.text(0) ? nil : "the app does \"\(found)\""
            }),
        "the app is not disturbed": .then(
            "The last message may be presented, but nothing else happens in the app.",
            last { line, _ in
                let harmless = ["banner", "list", "sound", "badge", "toast", "not-presented", "mark-bell"]
                return line.steps.first { !harmless.contains($0) }.map { "the app does \"\($0)\"" }
            }),
        "there is nothing to do": .then(
            "The last event has no effect.",
            last { line, _ in line.outcome == .ignored ? nil : "the event is \(line)" }),
    ]

    // MARK: - The visible parts of an app

    static let appSights: Table = [
        "the screen in front on {string} is {string}": .then(
            """
            The screen of the app that the user sees: `main` at first, `centre` for the app's own list of notifications. While the \
            system's notification center covers the app it is `notification center`.
            """, example: ["anna", "article"]
        ) { world, step in
            let device = try step.text(0)
            let found = try front(of: device, world)
            if try found == step.text(1) { return nil }
            return found.map { "the screen in front is \"\($0)\"" } ?? "no app is in the foreground on \"\(device)\""
        },
        "no screen is in front on {string}": .then(
            "The app is not in the foreground."
        ) { world, step in try front(of: step.text(0), world).map { "the screen in front is \"\($0)\"" } },
        "the bell on {string} is marked": .then(
            "A notification has arrived that the app's own list has not shown yet.", bell(isMarked: true)),
        "the bell on {string} is not marked": .then(
            "The app's own list has shown every notification.", bell(isMarked: false)),
        "{int} notification(s) is/are unread on {string}": .then(
            "The notifications in the app's own list that the user has not read or marked as read. Seeing a notification in the list does not mark it as read.",
            example: #"Then 2 notifications are unread on "anna""#
        ) { world, step in
            let wanted = try step.int(0)
            let device = try step.text(1)
            let found = try world.app(on: device)?.notifications.filter { !$0.isRead } ?? []
            if found.count == wanted { return nil }
            let names = found.isEmpty ? "" : ": \(found.map(\.id).joined(separator: ", "))"
            return "\(found.count) unread on \"\(device)\", not \(wanted)\(names)"
        },
        "the notification {string} on {string} is unread": .then(
            "A notification in the app's own list, by its identifier.", example: ["match-17", "anna"],
            notification(isRead: false)),
        "the notification {string} on {string} is read": .then(
            "A notification in the app's own list, by its identifier.", example: ["match-17", "anna"],
            notification(isRead: true)),
        "the badge on {string} is {int}": .then(
            "The number on the icon of the only app with a number on the device.", example: ["anna", "3"],
            badge(parameter: 1) { world, step in try badges(on: step.text(0), world) }),
        "the badge of {string} on {string} is {int}": .then(
            "The number on an app's icon. 0 means none.", example: ["org.example.news", "anna", "3"],
            badge(parameter: 2) { world, step in
                let app = try step.text(0)
                return world.store.badge(device: try step.text(1), app: app).map { [(app, $0)] } ?? []
            }),
        "there is no badge on {string}": .then(
            "No app on the device has a number on its icon.",
            badge { world, step in try badges(on: step.text(0), world) }),
    ]

    private static func front(of device: String, _ world: ScenarioWorld) throws -> String? {
        if world.raisedCenters.contains(device) { return "notification center" }
        return try world.store.registry.appInFront(on: device)?.top?.name
    }

    private static func bell(isMarked: Bool) -> StepRow.Check {
        { world, step in
            let found = try world.app(on: try step.text(0))?.isBellUnread ?? false
            return found == isMarked ? nil : "the bell is \(found ? "marked" : "not marked")"
        }
    }

    private static func notification(isRead: Bool) -> StepRow.Check {
        { world, step in
            let identifier = try step.text(0)
            let device = try step.text(1)
            let list = try world.app(on: device)?.notifications ?? []
            guard let found = list.first(where: { $0.id == identifier }) else {
                let names = list.isEmpty ? "the list is empty" : "it lists \(list.map(\.id).joined(separator: ", "))"
                return "the app on \"\(device)\" does not list \"\(identifier)\"; \(names)"
            }
            return found.isRead == isRead ? nil : "it is \(found.isRead ? "read" : "unread")"
        }
    }

    /// Compares the numbers on icons with a parameter of the step; nil stands for no number.
    private static func badge(
        parameter: Int? = nil,
        _ badges: @escaping @Sendable (ScenarioWorld, StepInput) throws -> [(app: String, number: Int)]
    ) -> StepRow.Check {
        { world, step in
            let wanted = try parameter.map { try step.int($0) } ?? 0
            let found = try badges(world, step)
            if found.isEmpty && wanted == 0 || found.map(\.number) == [wanted] { return nil }
            let names = found.map { "\($0.number)\($0.app.isEmpty ? "" : " (\($0.app))")" }
            return found.isEmpty ? "there is no badge" : "the badge is \(names.joined(separator: ", "))"
        }
    }

    /// The apps with a number on their icons.
    private static func badges(on device: String, _ world: ScenarioWorld) throws -> [(app: String, number: Int)] {
        var seen: Set<String> = [world.configuration.decoding.topic]
        seen.formUnion(try world.store.events(device: device).map(\.app))
        return seen.sorted().compactMap { app in
            world.store.badge(device: device, app: app).flatMap { $0 == 0 ? nil : (app, $0) }
        }
    }

    // MARK: - The user's actions

    static let userActions: Table = [
        "the user taps the notification {string} on {string}": .when(
            "A notification on the screen, by its identifier.", example: ["match-17", "anna"],
            event(.tap, device: 1, ["identifier": .parameter(0)])),
        "the user wipes the notification {string} off {string}": .when(
            "A notification on the screen, by its identifier.", example: ["match-17", "anna"],
            event(.dismiss, device: 1, ["identifier": .parameter(0)])),
        "the user reads the notification {string} on {string}": .when(
            "A notification in the app's own list, which is in front.", example: ["match-17", "anna"],
            event(.read, device: 1, ["identifier": .parameter(0)])),
        "the user taps the notification of record {int} on {string}": .when(
            "A notification on the screen, by the number of its record.", example: ["1", "anna"],
            event(.tap, device: 1, ["seq": .parameter(0)])),
        "the user raises the notification center on {string}": .when(
            """
            The system's notification center covers the screen until it is lowered or a notification is tapped. The app stays as \
            it is, and nothing can be done in it.
            """
        ) { world, step in world.raisedCenters.insert(try step.text(0)) },
        "the user lowers the notification center on {string}": .when(
            "The user sees again what was on the screen before."
        ) { world, step in
            guard world.raisedCenters.remove(try step.text(0)) != nil else {
                throw StepFailure("the notification center has not been raised")
            }
        },
    ]

    static let systemSettings: Table = [
        "the user allows notifications in the system's settings of {string}":
            inSystemSettings("authorization", "authorized"),
        "the user forbids notifications in the system's settings of {string}":
            inSystemSettings("authorization", "denied"),
        "the user switches alerts on in the system's settings of {string}": inSystemSettings("alerts", "true"),
        "the user switches alerts off in the system's settings of {string}": inSystemSettings("alerts", "false"),
        "the user switches badges on in the system's settings of {string}": inSystemSettings("badges", "true"),
        "the user switches badges off in the system's settings of {string}": inSystemSettings("badges", "false"),
        "the user switches sounds on in the system's settings of {string}": inSystemSettings("sounds", "true"),
        "the user switches sounds off in the system's settings of {string}": inSystemSettings("sounds", "false"),
        "the user switches the lock screen on in the system's settings of {string}": inSystemSettings(
            "lock_screen", "true"),
        "the user switches the lock screen off in the system's settings of {string}": inSystemSettings(
            "lock_screen", "false"),
        "the user switches Notification Center on in the system's settings of {string}": inSystemSettings(
            "notification_center", "true"),
        "the user switches Notification Center off in the system's settings of {string}": inSystemSettings(
            "notification_center", "false"),
    ]

    private static func inSystemSettings(_ member: String, _ value: String) -> StepRow {
        .when(
            """
            The user leaves the app for the system's settings, changes them and comes back. An app that is not in the \
            foreground stays as it is.
            """
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

    static let logins: Table = [
        "the user opens the settings on {string}": .when(
            """
            Pushes the app's settings screen, `settings`, which reads the settings from the wiki on the device that pushes without \
            a device go to. `the user goes back on {string}` leaves it.
            """
        ) { world, step in
            let device = try step.text(0)
            try world.requireAppUncovered(on: device)
            try world.happen(StepEvent(.open, device: device, "screen", "settings").text)
            if device == world.deviceOfSettings { try world.useSettings { $0.screen.open() } }
        },
        "the user logs in on {string}": .when(
            "Logs in to the app on a device. This turns no type on.", example: ["bela"],
            event(.device, ["logged_in": "true"])),
        "the user logs out on {string}": .when(
            "Logs out of the app on a device. Nothing is shown from then on.", example: ["bela"],
            event(.device, ["logged_in": "false"])),
        "the language of the device is {string}": .given(
            """
            A language tag, such as `de-AT`. It is the language of a service extension, and chooses the wiki of the app's primary \
            language, such as `de.wikipedia.org`, if the app has one for each language. The settings of a user who is logged in \
            move there.
            """, example: ["de-AT"]
        ) { world, step in
            let language = try step.text(0)
            world.language = language
            try world.useSettings { $0.screen.move(to: $0.sites.site(for: language)) }
        },
        "the user logs in as {string}": .when(
            "Logs in at the wiki in the language of the device, which is English by default.",
            example: ["Anna"]
        ) { world, step in
            let language = world.language ?? "en"
            let account = try step.text(0)
            try world.useSettings { $0.logIn(account, at: $0.sites.site(for: language)) }
        },
        "the settings are those of {string}": .then(
            "The wiki whose settings apply.", example: ["de.wikipedia.org"]
        ) { world, step in
            let found = world.settings.screen.device.current?.primarySite
            if try found == step.text(0) { return nil }
            return found.map { "they are those of \"\($0)\"" } ?? notOffered
        },
    ]
}

extension ScenarioWorld {
    /// Fails the step if the user cannot do anything in the app.
    func requireAppUncovered(on device: String) throws(StepFailure) {
        guard !raisedCenters.contains(device) else {
            throw StepFailure("the notification center covers the app; lower it first")
        }
    }

    /// The app on a device that pushes without an app are for, or the device's first one; nil for a device that is not
    /// registered.
    func app(on device: String) throws -> AppStateMachine? {
        let name = configuration.decoding.topic
        let named = name.isEmpty ? nil : try store.registry.appOnDevice(device, named: name)
        return try named ?? store.registry.appOnDevice(device)
    }
}

/// The settings screen of an app that stores its settings at a wiki, or another site. Its settings are those of the
/// device that pushes without a device go to.
extension StepVocabulary {
    static let settingsSurroundings: Table = [
        "the app has the settings in {string}": .given(
            """
            The file for `wikimedia.mapping`, relative to the feature file: the types with a switch, the wikis that store them, the \
            rules that give a push its type, where taps lead, and what the app posts and removes.
            """, example: ["../Preferences/wikipedia.yml"]
        ) { world, step in
            let path = try world.readablePath(try step.text(0))
            let app: PreferenceConfiguration
            do throws(PlainError) { app = try PreferenceConfiguration.read(path) } catch {
                throw StepFailure("\(error)")
            }
            let screen = world.settings.screen
            world.settings.screen = SettingsScreen(app.table, screen.device, screen.surroundings)
            world.settings.sites = app.sites
            if !app.mapping.rules.isEmpty { world.configuration.devicePolicy.typeMapping = app.mapping }
            if let taps = app.taps { world.configuration.devicePolicy.tapRoutes = taps }
            if !app.messages.isEmpty { world.configuration.devicePolicy.messageRules = app.messages }
        },
        "the wiki {string} has {string} on": .given(
            "The types that are on at that wiki, separated by commas.",
            example: ["en.wikipedia.org", "mention, edit-thank"]
        ) { world, step in
            world.settings.screen.surroundings.sites[try step.text(0)] = types(try step.text(1))
        },
        "the user will not allow notifications": .given(
            "The answer to the system's permission prompt.",
            set(\.settings.screen.surroundings.allowsNotifications, false)),
        "the device cannot be registered": .given(
            "The system provides no token.", set(\.settings.screen.surroundings.registrationFailure, "no connection")),
        "the device can be registered again": .given(
            "The system provides a token. The app asks for the token when the next type is switched on.",
            set(\.settings.screen.surroundings.registrationFailure, nil)),
        "the wiki answers writes with {string}": .given(
            "success, warning (success, but nothing is changed), nothing (the answer is lost), or an error code. `notloggedin` ends the session.",
            example: ["warning"], answer { $0.writes = [$1] }),
        "the wiki answers reads with {string}": .given(
            "success, nothing (the answer is lost), or an error code.", example: ["nothing"], answer { $0.reads = $1 }),
        "the push infrastructure answers subscriptions with {string}": .given(
            "The answer to the device's token: success, nothing (the answer is lost), or an error code.",
            example: ["echo-push-topic-required"], answer { $0.subscription = $1 }),
    ]

    /// Sets an answer of what surrounds the settings screen to the step's text.
    private static func answer(
        _ set: @escaping @Sendable (inout SettingsScreen.Surroundings, SettingsAnswer) -> Void
    ) -> StepRow.Body {
        { world, step in
            guard let answer = SettingsAnswer(try step.text(0)) else {
                throw StepFailure("an answer must be success, nothing or an error code")
            }
            set(&world.settings.screen.surroundings, answer)
        }
    }

    private static func types(_ text: String) -> Set<NotificationType> {
        Set(text.split(whereSeparator: { $0 == "," || $0 == " " }).map { NotificationType(String($0)) })
    }

    // MARK: - What the user does

    static let settingsActions: Table = [
        "the user logs in as {string} at {string}": .when(
            """
            Logs in at the wiki of the app's primary language, where every type is switched off. From then on, a push whose \
            category is the name of a type with a switch is of that type, unless `the {string} of a push says its type` says \
            otherwise.
            """, example: ["Anna", "en.wikipedia.org"]
        ) { world, step in
            let account = try step.text(0)
            let wiki = try step.text(1)
            try world.useSettings { $0.logIn(account, at: wiki) }
        },
        "the user logs out": .when(
            "Logs out. Nothing is delivered from then on."
        ) { world, _ in try world.useSettings { $0.screen.logOut() } },
        "the user opens the settings screen": .when(
            "Opens the screen, which reads the settings from the wiki."
        ) { world, _ in try world.useSettings { $0.screen.open() } },
        "the user switches {string} on": .when(
            "Flips a switch on the settings screen.", example: ["mention"], switchType(isOn: true)),
        "the user switches {string} off": .when(
            "Flips a switch on the settings screen.", example: ["mention"], switchType(isOn: false)),
        "the app's primary language changes to {string}": .when(
            "Changes to the language of another wiki.", example: ["de.wikipedia.org"]
        ) { world, step in
            let wiki = try step.text(0)
            try world.useSettings { $0.screen.move(to: wiki) }
        },
    ]

    private static func switchType(isOn: Bool) -> StepRow.Body {
        { world, step in
            let type = NotificationType(try step.text(0))
            guard world.settings.isOffered else { throw StepFailure(notOffered) }
            _ = try position(of: type, world.settings.screen)
            try world.useSettings { $0.screen.toggle([(type: type, isOn: isOn)]) }
        }
    }

    // MARK: - What there is

    static let settingsSights: Table = [
        "the switch {string} is on": .then(
            "The switch as the user sees it.", example: ["mention"], typeSwitch(isOn: true)),
        "the switch {string} is off": .then(
            "The switch as the user sees it.", example: ["mention"], typeSwitch(isOn: false)),
        "the wiki {string} keeps {string}": .then(
            "All types that are on at that wiki, separated by commas. An empty text means none.",
            example: ["en.wikipedia.org", "mention"]
        ) { world, step in
            let found = world.settings.screen.surroundings.sites[try step.text(0)] ?? []
            if try found == types(step.text(1)) { return nil }
            return "the wiki keeps \"\(found.sorted().map(\.name).joined(separator: ", "))\""
        },
        "the user has been asked for permission": .then(
            "Passes if the system has asked for permission."
        ) { world, _ in world.settings.screen.hasAsked ? nil : "the system has not asked" },
        "the user has not been asked for permission": .then(
            "Passes if the system has not asked for permission."
        ) { world, _ in world.settings.screen.hasAsked ? "the system has asked" : nil },
        "the user is told {string}": .then(
            "The app's message in the last step contains this text.", example: ["could not be changed"]
        ) { world, step in
            let wanted = try step.text(0)
            let messages = world.settings.screen.errors.map(\.message)
            if messages.contains(where: { $0.contains(wanted) }) { return nil }
            return messages.isEmpty
                ? "the user is told nothing" : "the user is told \"\(messages.joined(separator: "; "))\""
        },
        "the settings are offered": .then(
            "Passes if a user is logged in, so that the app shows the switches."
        ) { world, _ in world.settings.isOffered ? nil : notOffered },
        "the settings are not offered": .then(
            "Passes if no user is logged in, so that the app shows no switches."
        ) { world, _ in world.settings.screen.device.account.map { "\($0) is logged in" } },
        "a request to {string} switches every type off": .then(
            "Requests to that wiki have switched off every type that has a switch, as after a login.",
            example: ["en.wikipedia.org"]
        ) { world, step in
            let sent = changes(sentTo: try step.text(0), world)
            let off = Set(sent.flatMap { $0.filter { !$0.value }.keys })
            return !sent.isEmpty && world.settings.screen.table.types.isSubset(of: off) ? nil : listing(sent)
        },
        "a request to {string} switches {string} on": .then(
            "One of the requests to that wiki so far, accepted or not, contains this change.",
            example: ["en.wikipedia.org", "mention"], request(switchesOn: true)),
        "a request to {string} switches {string} off": .then(
            "One of the requests to that wiki so far, accepted or not, contains this change.",
            example: ["en.wikipedia.org", "mention"], request(switchesOn: false)),
    ]

    static let notOffered = "nobody is logged in, so the app offers no settings"

    private static func typeSwitch(isOn: Bool) -> StepRow.Check {
        { world, step in
            let found = try position(of: NotificationType(try step.text(0)), world.settings.screen)
            return found == isOn ? nil : "the switch is \(found ? "on" : "off")"
        }
    }

    /// True if the switch of a type is on, as the user sees it.
    private static func position(of type: NotificationType, _ screen: SettingsScreen) throws(StepFailure) -> Bool {
        if screen.hidesTypes { throw StepFailure("the push switch is off, so the screen hides the types") }
        if let found = screen.switches[type] { return found }
        if screen.device.account == nil { throw StepFailure(notOffered) }
        let advice =
            screen.table.rows.isEmpty ? "; name the app's types with: the app has the settings in {string}" : ""
        throw StepFailure("the screen has no switch \"\(type)\"\(advice)")
    }

    private static func request(switchesOn isOn: Bool) -> StepRow.Check {
        { world, step in
            let sent = changes(sentTo: try step.text(0), world)
            let type = NotificationType(try step.text(1))
            return sent.contains { $0[type] == isOn } ? nil : listing(sent)
        }
    }

    private static func changes(sentTo wiki: String, _ world: ScenarioWorld) -> [[NotificationType: Bool]] {
        world.settings.screen.requests.filter { $0.site == wiki }.map(\.changes)
    }

    private static func listing(_ sent: [[NotificationType: Bool]]) -> String {
        if sent.isEmpty { return "no request was sent to that wiki" }
        let requests = sent.map { changes in
            changes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value ? 1 : 0)" }.joined(separator: " ")
        }
        return "the requests to that wiki are:" + requests.map { "\n  \($0)" }.joined()
    }

    // MARK: - The switch for pushes as a whole, and the bell, in an app such as Wikipedia's

    static let pushSwitch: Table = [
        "the user switches pushes on": .when(
            "The switch above the types. When it is turned on, the app asks for permission and registers the device.",
            switchPushes(isOn: true)),
        "the push switch is on": .then(
            "The switch above the types. It is on while the user allows pushes and the server has the token.",
            expectPushSwitch(isOn: true)),
        "the user switches pushes off": .when(
            "The switch above the types. When it is turned off, the server no longer has the token, and the types are hidden.",
            switchPushes(isOn: false)),
        "the push switch is off": .then(
            "The switch above the types. It is on while the user allows pushes and the server has the token.",
            expectPushSwitch(isOn: false)),
        "the feed is on": .given("The app's first tab is its feed.", set(\.settings.showsFeed, true)),
        "the feed is off": .given(
            "The app has no feed. Its settings are a tab instead.", set(\.settings.showsFeed, false)),
        "the bell is in the feed": .then(
            "Where the app has its bell when a user is logged in: in the feed or, without a feed, in the settings.",
            bell(in: "feed")),
        "the bell is in the settings": .then(
            "Where the app has its bell when a user is logged in: in the feed or, without a feed, in the settings.",
            bell(in: "settings")),
        "there is no bell": .then(
            "No user is logged in, so the app has no bell."
        ) { world, _ in world.settings.bell.map { "the bell is in the \($0)" } },
    ]

    private static func switchPushes(isOn: Bool) -> StepRow.Body {
        { world, _ in
            guard world.settings.isOffered else { throw StepFailure(notOffered) }
            try world.useSettings { $0.screen.switchPush(isOn) }
        }
    }

    private static func expectPushSwitch(isOn: Bool) -> StepRow.Check {
        { world, _ in
            guard world.settings.isOffered else { return notOffered }
            let found = world.settings.screen.pushIsOn
            return found == isOn ? nil : "the push switch is \(found ? "on" : "off")"
        }
    }

    private static func bell(in place: String) -> StepRow.Check {
        { world, _ in
            let found = world.settings.bell
            if found == place { return nil }
            return found.map { "the bell is in the \($0)" } ?? "there is no bell"
        }
    }
}
