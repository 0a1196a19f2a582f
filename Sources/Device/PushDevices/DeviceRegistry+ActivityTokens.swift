package import PayloadJSON
import PushDecoding
package import PushModel

/// The other tokens of devices, as far as events name them. APNs names a device by one token; a Live Activity has others: one that
/// starts activities, and one for each of them. A token of Expo's push service stands for an app on a device.
///
/// Sources: Apple, "Starting and updating Live Activities with ActivityKit push notifications"; Expo, "Send notifications with Expo's Push API".
extension DeviceRegistry {
    /// Tokens of activities that are kept of an app on a device, the newest ones. A phone shows far fewer at once; this bounds the work per
    /// event.
    package static let mostActivityTokens = 256

    func setTokens(_ said: AppSettings, of app: UInt32) {
        table.changeTokens(of: app) { settings in
            if let token = said.expoToken { settings.expoToken = token.isEmpty ? nil : token }
            if let token = said.startToken { settings.startToken = token.isEmpty ? nil : DeviceToken.canonical(token) }
            guard let said = said.activityTokens?.map(DeviceToken.canonical) else { return }
            var tokens = said.isEmpty ? [] : settings.activityTokens ?? []
            for token in said where !token.isEmpty && !tokens.contains(token) { tokens.append(token) }
            settings.activityTokens = tokens.isEmpty ? nil : Array(tokens.suffix(Self.mostActivityTokens))
        }
    }

    /// The device that a token of Live Activities belongs to; nil when no event has named one. Valid as long as the registry's devices.
    ///
    /// Of several devices that events give one token it is the first one by name: a store, and a part of the input, know no other order.
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
        guard let token, !token.isEmpty, table[detailsOf: app].settings.expoToken != token else { return }
        // Loads the apps in the store.
        _ = try self.app(ofToken: token)
        for other in table.appsOfTokens[token] ?? []
        where other != app && table[detailsOf: other].settings.expoToken == token {
            table.changeTokens(of: other) { $0.expoToken = nil }
        }
    }

    private func app(ofToken token: String) throws -> UInt32? {
        let isInStore = rows?.hasSubscribers ?? false
        guard !table.appsOfTokens.isEmpty || isInStore else { return nil }
        let token = DeviceToken.canonical(token)
        if isInStore { try rows?.touchDevices(subscribedTo: [InstallationDetails.name(ofToken: token)]) }
        guard let apps = table.appsOfTokens[token] else { return nil }
        func name(_ app: UInt32) -> (String, String) {
            (table.name(ofDevice: table[app: app].device).string, table.name(ofApp: app).string)
        }
        return apps.count == 1 ? apps.first : apps.min { name($0) < name($1) }
    }

    /// True if a token of an app on the device only starts Live Activities.
    package func startsActivities(_ token: String, on device: BorrowedText) throws -> Bool {
        guard !table.appsOfTokens.isEmpty || rows?.hasSubscribers ?? false, let device = try find(device) else {
            return false
        }
        let token = DeviceToken.canonical(token)
        return table.apps(of: device).contains { table[detailsOf: $0].settings.startToken == token }
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
    mutating func changeTokens(of app: UInt32, _ change: (inout AppSettings) -> Void) {
        for token in self[detailsOf: app].otherTokens {
            appsOfTokens[token]?.remove(app)
            if appsOfTokens[token]?.isEmpty == true { appsOfTokens[token] = nil }
        }
        changeDetails(of: app) { change(&$0.settings) }
        indexTokens(self[detailsOf: app].otherTokens, of: app)
        changedTopics.insert(app)
        noteChange(ofApp: app)
    }

    mutating func indexTokens(_ tokens: [String], of app: UInt32) {
        for token in tokens { appsOfTokens[token, default: []].insert(app) }
    }
}

extension AppText {
    /// The topics and tokens by which an app with a stored text is found.
    package static func names(in text: BorrowedText) -> Set<String>? {
        var details = InstallationDetails()
        read(text, state: .terminated, into: &details)
        return details.names
    }
}

extension InstallationDetails {
    /// The start token, the tokens of activities, and that of Expo's.
    var otherTokens: [String] {
        (settings.activityTokens ?? []) + [settings.startToken, settings.expoToken].compactMap(\.self)
    }

    /// A token of Live Activities, or of Expo's, among the names of topics.
    static func name(ofToken token: String) -> String {
        "\(ExpoToken.isToken(token) ? "expo" : "activity")-token \(token)"
    }

    /// The names by which a store finds the app: its topics, and its other tokens. Nil when it has neither.
    var names: Set<String>? {
        let tokens = Set(otherTokens.map(Self.name))
        return settings.topics?.union(tokens) ?? (tokens.isEmpty ? nil : tokens)
    }
}
