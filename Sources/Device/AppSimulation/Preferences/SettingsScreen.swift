import PushModel

/// The settings screen of an app with a switch for each type of notification, and everything around it: the person, the system, the server
/// that sends pushes, and the sites that store the settings. All of them answer at once. It does no I/O and reads no clock.
///
/// A login first switches all types off at the site. A switch moves at once, and back when the site rejects the change. While nobody is
/// logged in, the screen is not offered and nothing happens on it.
package struct SettingsScreen: Sendable {
    /// What surrounds the app, and how it answers.
    package struct Surroundings: Sendable {
        /// The person's answer when the system asks for permission.
        package var allowsNotifications = true
        /// Why the system provides no token; nil when it does.
        package var registrationFailure: String?
        /// The answer of the server that sends pushes to the device's token.
        package var subscription = SettingsAnswer.success
        /// The types that are on, by site.
        package var sites: [String: Set<NotificationType>] = [:]
        /// The answer of a site that is asked for its settings.
        package var reads = SettingsAnswer.success
        /// The answers of sites to the next requests that change settings. The last one stays; without any, each request succeeds.
        package var writes: [SettingsAnswer] = []

        package init() {}
    }

    /// A request to a site to change settings, whatever the answer was.
    package struct Request: Sendable {
        package let site: String
        package let changes: [NotificationType: Bool]
    }

    private struct Session {
        let account: String
        /// Where settings are read and written.
        var site: String
        /// The types that are on at that site, as last read.
        var known: Set<NotificationType> = []
        /// True if `known` may differ from the site's settings: they were not read yet, or the last request failed.
        var isStale = true
        /// The types that the site has yet to switch off, because the person has logged in.
        var toSwitchOff: Set<NotificationType> = []
        var registration = PushRegistration.none
        /// The person's wish for the switch for pushes; nil until they move it.
        var wantsPush: Bool?

        /// Makes the next type that is switched on try a failed registration again.
        mutating func forgetFailure() { if registration.failure != nil { registration = .none } }
    }

    package let table: NotificationTypeTable
    package var surroundings: Surroundings
    /// The app's permission on this device.
    package private(set) var permission: NotificationPermission
    /// The switch for alerts in the system's settings.
    package private(set) var alertsAreOn: Bool
    /// The switches as the person sees them; none while nobody is logged in. After the server has ended the session they stay until the
    /// screen is left.
    package private(set) var switches: [NotificationType: Bool] = [:]
    /// True if the system has asked for permission.
    package private(set) var hasAsked = false
    /// Oldest first.
    package private(set) var requests: [Request] = []
    /// The errors that the person has seen since somebody emptied the list, oldest first.
    package var errors: [SettingsError] = []
    private var session: Session?

    /// Restores a device: its settings are up to date, and its registration is still valid.
    package init(
        _ table: NotificationTypeTable = NotificationTypeTable([]), _ device: DevicePreferences = DevicePreferences(),
        _ surroundings: Surroundings = Surroundings()
    ) {
        self.table = table
        self.surroundings = surroundings
        permission = device.permission
        alertsAreOn = device.alertsAreOn
        guard let account = device.account, let preferences = device.current else { return }
        var session = Session(account: account, site: preferences.primarySite)
        session.known = preferences.current.intersection(table.types)
        session.isStale = false
        // A request that was under way is lost.
        session.registration = device.registration == .underWay ? .none : device.registration
        self.session = session
        showSwitches()
    }

    // MARK: - What is seen

    /// The position of the switch for pushes: on if the person allows them, and the server can send them.
    package var pushIsOn: Bool { session?.registration == .registered && permission.allowsNotifications }

    /// True if the person has switched pushes off, which hides the switches of the types.
    package var hidesTypes: Bool { session?.wantsPush == false }

    /// The preferences that decide about pushes.
    package var device: DevicePreferences {
        var device = DevicePreferences()
        device.permission = permission
        device.alertsAreOn = alertsAreOn
        guard let session else { return device }
        device.account = session.account
        device.accounts[session.account] = NotificationPreferences(
            primarySite: session.site, typesOn: [session.site: session.known])
        device.registration = session.registration
        return device
    }

    // MARK: - What happens

    /// The person logs in.
    ///
    /// Source: Wikimedia's Phabricator, T271855: "If notification types are supposed to be toggled OFF by default, then upon login we MUST make
    /// a call to options API toggle them all off on the server."
    package mutating func logIn(_ account: String, at site: String) {
        if session?.account == account { return }
        session = Session(account: account, site: site, toSwitchOff: table.types)
        load()
    }

    package mutating func logOut() {
        session = nil
        switches = [:]
    }

    /// The person opens the screen, which reads the settings.
    package mutating func open() {
        session?.forgetFailure()
        load()
    }

    /// The person moves switches, all of which the site gets in one request.
    package mutating func toggle(_ changes: [(type: NotificationType, isOn: Bool)]) {
        guard session != nil, !hidesTypes else { return }
        var wanted: [NotificationType: Bool] = [:]
        for (type, isOn) in changes where table.types.contains(type) {
            if isOn, permission == .denied {
                errors.append(.permissionDenied)
                continue
            }
            wanted[type] = isOn
            // What the person decides after a failed login counts.
            session?.toSwitchOff.remove(type)
            if isOn { session?.forgetFailure() }
        }
        proceed(wanted)
    }

    /// The person moves the switch for pushes of any type.
    ///
    /// Source: Wikimedia's Phabricator, T288688, "Add primary toggle to enable and disable push notifications".
    package mutating func switchPush(_ isOn: Bool) {
        session?.wantsPush = isOn
        if isOn { session?.forgetFailure() } else { session?.registration = .none }
        proceed()
    }

    /// The person changes the system's settings.
    package mutating func changeSystem(permission: NotificationPermission, alertsAreOn: Bool) {
        self.permission = permission
        self.alertsAreOn = alertsAreOn
        proceed()
    }

    /// The app's primary language becomes that of another site, and the settings are copied there. If that fails nobody is told, and the
    /// screen, opened again, shows what the other site has.
    package mutating func move(to site: String) {
        guard let old = session, old.site != site else { return }
        // Settings that may be stale are not copied.
        if old.isStale { read() }
        guard let session else { return }
        var isCopied = false
        if !session.isStale, failure(surroundings.reads) == nil {
            let there = surroundings.sites[site] ?? []
            var changes: [NotificationType: Bool] = [:]
            for type in table.types where session.known.contains(type) != there.contains(type) {
                changes[type] = session.known.contains(type)
            }
            isCopied = changes.isEmpty || failure(write(changes, to: site)) == nil
        }
        self.session?.site = site
        if !isCopied { self.session?.isStale = true }
        proceed()
    }

    // MARK: - Requests

    /// Switches off what the login has to, and reads the settings.
    private mutating func load() {
        guard let session else { return }
        var warned: Set<NotificationType> = []
        if !session.toSwitchOff.isEmpty {
            let types = session.toSwitchOff
            let answer = write(Dictionary(types.map { ($0, false) }) { first, _ in first }, to: session.site)
            let reason = failure(answer)
            if reason == nil || answer == .warning { self.session?.toSwitchOff = [] }
            if answer == .warning { warned = types } else if let reason { tell(.cannotSwitchOff(reason: reason)) }
        }
        read()
        // Sites do not have all types, so only a type that is still on is an error.
        let on = warned.filter { self.session?.known.contains($0) ?? false }.sorted()
        if !on.isEmpty { tell(.cannotWrite(on, reason: SettingsAnswer.warningReason)) }
        proceed()
    }

    private mutating func read() {
        guard let site = session?.site else { return }
        if let reason = failure(surroundings.reads) {
            session?.isStale = true
            return tell(.cannotRead(reason: reason))
        }
        session?.known = (surroundings.sites[site] ?? []).intersection(table.types)
        session?.isStale = false
    }

    private mutating func write(_ changes: [NotificationType: Bool], to site: String) -> SettingsAnswer {
        requests.append(Request(site: site, changes: changes))
        let writes = surroundings.writes
        if writes.count > 1 { surroundings.writes.removeFirst() }
        let answer = writes.first ?? .success
        guard answer == .success else { return answer }
        for (type, isOn) in changes {
            if isOn {
                surroundings.sites[site, default: []].insert(type)
            } else {
                surroundings.sites[site]?.remove(type)
            }
        }
        return answer
    }

    /// The reason why a request failed; nil if it did not. The server may have ended the session, and would accept nothing more: switches that
    /// the site has not followed move back.
    private mutating func failure(_ answer: SettingsAnswer) -> String? {
        if answer == .sessionEnded, session != nil {
            tell(.sessionEnded)
            showSwitches()
            session = nil
        }
        return answer.failure
    }

    /// Shows the person an error, unless there is no session.
    private mutating func tell(_ error: SettingsError) { if session != nil { errors.append(error) } }

    // MARK: - Next steps

    /// Asks, registers and writes as far as these changes need it, and moves the switches that are in the wrong position.
    private mutating func proceed(_ changes: [NotificationType: Bool] = [:]) {
        guard let session else { return }
        // What the site already has needs no request. Settings that may be stale cannot be compared with.
        var wanted = session.isStale ? changes : changes.filter { session.known.contains($0.key) != $0.value }
        // Switching off needs no permission.
        if !isReady(toSwitchOn: wanted.values.contains(true)) { wanted = wanted.filter { !$0.value } }
        if !wanted.isEmpty { change(wanted) }
        if self.session != nil { showSwitches() }
    }

    private mutating func change(_ wanted: [NotificationType: Bool]) {
        guard let site = session?.site else { return }
        let answer = write(wanted, to: site)
        guard let reason = failure(answer) else {
            for (type, isOn) in wanted {
                if isOn { session?.known.insert(type) } else { session?.known.remove(type) }
            }
            return
        }
        tell(.cannotWrite(wanted.keys.sorted(), reason: reason))
        // Only the site knows what it has now.
        if answer == .warning || answer == .lost { read() }
    }

    /// Asks for permission and registers the device if something needs it.
    ///
    /// - Returns: false if types cannot be switched on.
    private mutating func isReady(toSwitchOn isWaiting: Bool) -> Bool {
        guard let session, session.wantsPush != false else { return false }
        let isNeeded = isWaiting || session.wantsPush == true
        if permission == .notDetermined, isNeeded {
            hasAsked = true
            permission = surroundings.allowsNotifications ? .authorized : .denied
        }
        guard permission.allowsNotifications else {
            if permission == .denied, isNeeded {
                self.session?.wantsPush = nil
                tell(.permissionDenied)
            }
            return false
        }
        // Even when nothing waits: types may have been switched on elsewhere.
        if session.registration == .none, isNeeded || !session.known.isEmpty { register() }
        return self.session?.registration == .registered
    }

    private mutating func register() {
        if let reason = surroundings.registrationFailure {
            session?.registration = .failed(reason: reason)
            tell(.registrationFailed(reason: reason))
        } else if let reason = failure(surroundings.subscription) {
            session?.registration = .subscriptionFailed(reason: reason)
            tell(.subscriptionFailed(reason: reason))
        } else {
            session?.registration = .registered
        }
    }

    private mutating func showSwitches() {
        switches = Dictionary(table.types.map { ($0, session?.known.contains($0) ?? false) }) { first, _ in first }
    }
}

/// The answer to a request of the settings screen.
package enum SettingsAnswer: Sendable, Equatable {
    case success
    /// Success with a warning: nothing is changed.
    case warning
    /// There is no answer, or an unreadable one. Here, nothing is changed.
    case lost
    /// The site reports an error and changes nothing.
    case error(code: String)

    /// The error code for a session that the server has ended.
    static let sessionEnded = SettingsAnswer.error(code: "notloggedin")

    static let warningReason = "the answer is a warning"

    /// The answer by its word: `success`, `warning`, `nothing` or an error code. Nil for an empty text.
    package init?(_ word: String) {
        switch word {
        case "": return nil
        case "success": self = .success
        case "warning": self = .warning
        case "nothing": self = .lost
        default: self = .error(code: word)
        }
    }

    /// Why the request failed; nil if it did not.
    var failure: String? {
        switch self {
        case .success: nil
        case .warning: Self.warningReason
        case .lost: "there was no answer that could be read"
        case .error(let code): code
        }
    }
}

/// An error to show to the user.
package enum SettingsError: Sendable, Equatable {
    /// The user does not allow the app to send notifications; only they can change that, in the system's settings.
    case permissionDenied
    case registrationFailed(reason: String)
    /// The server that sends pushes did not take the token.
    case subscriptionFailed(reason: String)
    /// The settings could not be read; what is shown may be out of date.
    case cannotRead(reason: String)
    /// These types could not be changed, and their switches were moved back. Sorted.
    case cannotWrite([NotificationType], reason: String)
    /// The types could not be switched off after the login; some may be on.
    case cannotSwitchOff(reason: String)
    /// The server says that no user is logged in.
    case sessionEnded

    /// One line of plain text.
    package var message: String {
        switch self {
        case .permissionDenied: "notifications are not allowed for the app; the system's settings can allow them"
        case .registrationFailed(let reason): "the device could not be registered for pushes: \(reason)"
        case .subscriptionFailed(let reason):
            "the device could not be subscribed at the server that sends pushes: \(reason)"
        case .cannotRead(let reason): "the settings could not be read: \(reason)"
        case .cannotWrite(let types, let reason):
            "\(types.map(\.name).joined(separator: ", ")) could not be changed: \(reason)"
        case .cannotSwitchOff(let reason): "the types could not be switched off after the login: \(reason)"
        case .sessionEnded: "the server says that nobody is logged in"
        }
    }
}

/// The sites that store an app's settings, one for each language.
package struct SettingsSites: Sendable, Equatable {
    /// The site of an app that has one for all languages.
    package static let only = "default"

    /// A name in which `{language}` stands for the language's: `{language}.example.org`.
    package var pattern = only
    /// The names of languages that are not the codes of their language tags.
    package var languages: [String: String] = [:]

    package init() {}

    /// The site for a language tag (BCP 47; `_` separates its parts as well as `-`), such as `de.example.org` for `de-AT`. Script and region do
    /// not matter. A text that is not a language tag stands for English.
    package func site(for tag: String) -> String {
        let language = (tag.split { $0 == "-" || $0 == "_" }.first ?? "").lowercased()
        let isCode = (2...3).contains(language.utf8.count) && language.utf8.allSatisfy { $0 &- UInt8(ascii: "a") < 26 }
        return pattern.replacing("{language}", with: isCode ? languages[language] ?? language : "en")
    }
}
