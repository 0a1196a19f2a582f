import AppSimulation
package import PushDecoding
package import PushJSON
package import PushModel

/// The other tokens of devices, as far as events name them. APNs names a device by one token; a Live Activity has others: one that
/// starts activities, and one for each of them. A token of Expo's push service stands for an app on a device.
///
/// Sources: Apple, "Starting and updating Live Activities with ActivityKit push notifications"; Expo, "Send notifications with Expo's Push API".
extension DeviceRegistry {
    /// The tokens of Live Activities that an app on a device has or had, oldest first.
    package func activityTokens(of app: String, on device: String) throws -> [String] {
        try entry(of: app, on: device).flatMap { table[detailsOf: $0].settings.tokens.activities } ?? []
    }

    /// Other tokens have replaced those of an app's Live Activities.
    package func retire(_ tokens: [String], of app: String, on device: String) throws {
        guard let app = try entry(of: app, on: device) else { return }
        table.changeTokens(of: app) { $0.retire(tokens) }
    }

    func entry(of app: String, on device: String) throws -> UInt32? {
        try find(named: device).flatMap { device in BorrowedText.with(app) { findApp($0, on: device) } }
    }

    /// The device that a token of Live Activities belongs to; nil when no event has named one. Valid as long as the registry's devices.
    ///
    /// If events give several devices the same token, the first one by name has it: a store, and a part of the input, know no other order. A
    /// device for which the token is outdated comes last.
    package func owner(ofActivityToken token: String) throws -> BorrowedText? {
        try app(ofToken: token).map { table.name(ofDevice: table[app: $0].device) }
    }

    /// An app on a device, and the platform that events or its own token say it has.
    package struct ExpoTarget {
        /// Valid as long as the registry's devices.
        package let device: BorrowedText
        /// Empty for one that stands for every app.
        package let app: BorrowedText
        /// Nil when nothing says it.
        package let platform: Platform?
    }

    /// The app that a token of Expo's push service leads to; nil when no event has named it.
    package func target(ofExpoToken token: BorrowedText) throws -> ExpoTarget? {
        guard !table.appsOfTokens.isEmpty || rows?.hasSubscribers ?? false, let app = try app(ofToken: token.string)
        else { return nil }
        let device = table[app: app].device
        let name = table.name(ofDevice: device)
        return ExpoTarget(
            device: name, app: table.name(ofApp: app),
            // Of the tokens that apps have, only those of APNs are hexadecimal.
            platform: table[device: device].platform ?? (DeviceToken.isHexadecimalBytes(name) ? .ios : nil))
    }

    /// Takes a token of Expo's from the app that has it: a token leads to one app, the one that an event has named last. That does not depend
    /// on names, which redaction replaces.
    ///
    /// - Parameter app: the app that gets it.
    func takeExpoToken(_ token: String?, for app: UInt32) throws {
        guard let token, !token.isEmpty, table[detailsOf: app].settings.tokens.expo != token else { return }
        // Loads the apps in the store.
        _ = try self.app(ofToken: token)
        for other in table.appsOfTokens[token] ?? []
        where other != app && table[detailsOf: other].settings.tokens.expo == token {
            table.changeTokens(of: other) { $0.expo = nil }
        }
    }

    private func app(ofToken token: String) throws -> UInt32? {
        let isInStore = rows?.hasSubscribers ?? false
        guard !table.appsOfTokens.isEmpty || isInStore else { return nil }
        let token = DeviceToken.canonical(token)
        if isInStore { try rows?.touchDevices(subscribedTo: [AppSettings.name(ofToken: token)]) }
        guard let apps = table.appsOfTokens[token] else { return nil }
        func name(_ app: UInt32) -> (Int, String, String) {
            let isOutdated = table[detailsOf: app].settings.tokens.outdated?.contains(token) == true
            return (
                isOutdated ? 1 : 0, table.name(ofDevice: table[app: app].device).string,
                table.name(ofApp: app).string
            )
        }
        return apps.count == 1 ? apps.first : apps.min { name($0) < name($1) }
    }

    /// Notes whether the token that a push was sent to only starts Live Activities of an app on the device, or none any more.
    package func markToken(of push: inout LiveActivityPush, on device: BorrowedText) throws {
        guard !table.appsOfTokens.isEmpty || rows?.hasSubscribers ?? false, let device = try find(device) else {
            return
        }
        let token = DeviceToken.canonical(push.token)
        for app in table.apps(of: device) {
            let tokens = table[detailsOf: app].settings.tokens
            if tokens.starting.contains(token) { push.isForStartToken = true }
            if tokens.outdated?.contains(token) == true { push.isForOutdatedToken = true }
        }
    }

    /// True if events have made a device known.
    package func knows(_ device: BorrowedText) throws -> Bool { isKnown(try find(device)) }

    /// The name of the app that an event of a device is about.
    package func appName(of event: DeviceEvent) throws -> String? {
        if let app = event.app { return app }
        guard let device = try event.device.flatMap({ try find(named: $0) }) else { return nil }
        return table.firstApp(of: device).map { table.name(ofApp: $0).string }
    }
}

extension DeviceTable {
    mutating func changeTokens(of app: UInt32, _ change: (inout OtherTokens) -> Void) {
        for token in self[detailsOf: app].settings.tokens.all {
            appsOfTokens[token]?.remove(app)
            if appsOfTokens[token]?.isEmpty == true { appsOfTokens[token] = nil }
        }
        changeDetails(of: app) { change(&$0.settings.tokens) }
        indexTokens(self[detailsOf: app].settings.tokens.all, of: app)
        changedTopics.insert(app)
        noteChange(ofApp: app)
    }

    mutating func indexTokens(_ tokens: [String], of app: UInt32) {
        for token in tokens { appsOfTokens[token, default: []].insert(app) }
    }
}

extension AppText {
    /// The topics and tokens by which an app with a stored text is found.
    package static func names(in text: BorrowedText) -> Set<String>? { settings(in: text).names }
}

extension OtherTokens {
    /// Tokens of activities, and outdated ones, that are kept of an app on a device, the newest ones, and types of attributes with a token that
    /// starts them, the first ones. A phone has far fewer at once; this bounds the work per event.
    package static let mostOfKind = 256

    /// Those that start Live Activities.
    var starting: [String] { [start].compactMap(\.self) + (starts ?? [:]).values }

    var all: [String] { (activities ?? []) + (outdated ?? []) + starting + [expo].compactMap(\.self) }

    /// Takes over what an event says. An empty value takes away what it is about; what Live Activities had is outdated then.
    ///
    /// A token that starts activities takes the place of the one for the same type. Source: Apple, `Activity.pushToStartTokenUpdates`.
    mutating func merge(_ said: OtherTokens) {
        var replaced: [String] = []
        func take(_ token: String, _ kept: inout String?) {
            let token = DeviceToken.canonical(token)
            if let kept { replaced.append(kept) }
            kept = token.isEmpty ? nil : token
        }
        if let token = said.expo { expo = token.isEmpty ? nil : token }
        if let token = said.start { take(token, &start) }
        if let said = said.starts {
            if said.isEmpty { replaced += (starts ?? [:]).values }
            var all = said.isEmpty ? [:] : starts ?? [:]
            for (type, token) in said.sorted(by: { $0.key < $1.key })
            where all[type] != nil || all.count < Self.mostOfKind {
                take(token, &all[type])
            }
            starts = all.isEmpty ? nil : all
        }
        if said.activities == [] { replaced += activities ?? [] }
        Self.add(said.activities, to: &activities)
        Self.add(said.outdated, to: &outdated)
        noteOutdated(replaced)
    }

    /// Others have replaced tokens of activities.
    mutating func retire(_ tokens: [String]) {
        let retired = Set(tokens)
        activities?.removeAll { retired.contains($0) }
        noteOutdated(tokens)
    }

    /// Their app is gone: those of Live Activities are outdated, and nothing else is left.
    mutating func retireAll() {
        var rest = OtherTokens()
        rest.outdated = outdated
        rest.noteOutdated(starting + (activities ?? []))
        self = rest
    }

    /// Notes tokens as outdated, and forgets that of those in use.
    private mutating func noteOutdated(_ tokens: [String]) {
        if !tokens.isEmpty { Self.add(tokens.sorted(), to: &outdated) }
        let current = Set(starting + (activities ?? []))
        outdated?.removeAll { current.contains($0) }
        if outdated?.isEmpty == true { outdated = nil }
    }

    /// Those of the tokens that an event says which are kept: the last ones.
    package static func newest(_ said: [String]) -> [String] {
        said.filter { !$0.isEmpty }.suffix(mostOfKind).map(DeviceToken.canonical)
    }

    private static func add(_ said: [String]?, to tokens: inout [String]?) {
        guard let said else { return }
        var all = said.isEmpty ? [] : tokens ?? []
        var known = Set(all)
        for token in newest(said) where known.insert(token).inserted { all.append(token) }
        tokens = all.isEmpty ? nil : Array(all.suffix(mostOfKind))
    }
}

extension AppSettings {
    /// A token of Live Activities, or of Expo's, among the names of topics.
    static func name(ofToken token: String) -> String {
        "\(ExpoToken.isToken(token) ? "expo" : "activity")-token \(token)"
    }

    /// The names by which a store finds the app: its topics, and its other tokens. Nil when it has neither.
    var names: Set<String>? {
        let tokens = Set(tokens.all.map(Self.name))
        return topics?.union(tokens) ?? (tokens.isEmpty ? nil : tokens)
    }
}

/// Apps that are deleted, installed again, or restored on another device.
extension DeviceRegistry {
    /// The time for which APNs accepts pushes to the token of a deleted app, in milliseconds. Apple says no number; apns2, issue 77, saw 16 hours.
    static let deadAfter: Int64 = 16 * 3_600_000

    /// The user deletes an app, or installs it anew: nothing is left of it on the device but the number on its icon, which the system remembers.
    ///
    /// Sources: quickstart-ios, issue 332 (the permission is asked for anew); deltachat-ios, issue 627 (the badge comes back).
    func reset(_ app: UInt32, to install: DeviceEvent.Install, at: Int64) {
        var state = Installation()
        state.authorization = .notDetermined
        state.appState = .terminated
        state.standing = table[app: app].state.standing
        state.standingSince = table[app: app].state.standingSince
        if install == .deleted { state.unregisteredAt = at &+ Self.deadAfter }
        table[app: app].state = state
        table.changeTokens(of: app) { $0.retireAll() }
        table.changeDetails(of: app) { details in
            var kept = AppSettings()
            kept.keptBadge = details.settings.keptBadge
            kept.topics = details.settings.topics
            kept.tokens = details.settings.tokens
            let storage = details.storage
            details = InstallationDetails()
            details.storage = storage
            details.settings = kept
        }
        noteChange(of: app)
    }

    /// Gives an app the state of the one on another device from whose backup it comes. Its token is its own, and so is what is sent to it.
    func restore(_ app: UInt32, from name: String) throws {
        guard let device = try find(named: DeviceToken.canonical(name)),
            let other = findApp(table.name(ofApp: app), on: device), other != app
        else { return }
        let canonical = table[detailsOf: app].settings.canonical
        copyState(of: other, to: app)
        table[app: app].state.unregisteredAt = nil
        table[app: app].state.standing = .confirmed
        table.changeDetails(of: app) { details in
            details.settings.canonical = canonical
            details.settings.install = nil
            details.app?.state = .terminated
            details.app?.screens = []
        }
        table.setState(.terminated, of: app)
        noteChange(of: app)
    }

    /// Gives an app what is known of another one. Its tokens and topics, and what is queued for it, stay its own.
    func copyState(of other: UInt32, to app: UInt32) {
        table[app: app].state = table[app: other].state
        noteTokenDue(app)
        guard table[app: other].hasDetails else { return table.noteState(of: app) }
        var details = table[detailsOf: other]
        details.banner = nil
        table.changeDetails(of: app) { own in
            details.storage = own.storage
            details.settings.topics = own.settings.topics
            details.settings.tokens = own.settings.tokens
            own = details
        }
    }

    /// The settings that events have given an app on a device; none for an unknown app.
    package func settings(of app: String, on device: String) throws -> AppSettings {
        try entry(of: app, on: device).map { table[detailsOf: $0].settings } ?? AppSettings()
    }

    /// The system remembers the number on the icon of a deleted app; nil for none.
    package func keepBadge(_ badge: Int?, of app: String, on device: String) throws {
        guard let app = try entry(of: app, on: device) else { return }
        table.changeDetails(of: app) { $0.settings.keptBadge = badge == 0 ? nil : badge }
        noteChange(of: app)
    }

    /// The findings about members of an event, and events, that have no effect on a device of its kind. None if no event has said the kind.
    package func findings(about event: DeviceEvent) throws -> [Finding] {
        guard let device = try event.device.flatMap({ try find(named: $0) }),
            let platform = table[device: device].platform
        else { return [] }
        let settings = event.settings
        var names = EventMember.ofOnePlatform.filter {
            $0.platform != platform && $0.events.contains(event.name) && $0.isSaid(event, settings)
        }.map(\.name.description)
        let isSilencing = event.name == .focus || event.name == .summary
        if isSilencing, platform != .ios { names = ["on"] }
        return names.map { name in
            Finding(
                rule: "event.other-device", severity: .info, pointer: "/\(name)",
                message: "\(isSilencing ? event.name.rawValue : name) has no effect on \(platform.words)")
        }
    }
}

extension Platform {
    fileprivate var words: String {
        switch self {
        case .ios: "an Apple device"
        case .android: "an Android device"
        case .web: "a browser"
        }
    }
}
