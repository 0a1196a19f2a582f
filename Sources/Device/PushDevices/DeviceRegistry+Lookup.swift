package import PayloadJSON
import PushDecoding
package import PushModel

extension DeviceRegistry {
    /// The device; nil when it is unknown. Looked up in the store first when it is not in memory.
    func find(_ device: BorrowedText) throws -> UInt32? {
        if lastFound < table.loadedCount, table[device: lastFound].text == device { return lastFound }
        if let found = table.find(device) {
            lastFound = found
            return found
        }
        // Also while the store has no device: one that is added to those in memory is not loaded over them later.
        guard let rows else { return nil }
        try rows.touch(device)
        return table.find(device)
    }

    /// Adds a device that the store has. Its apps follow.
    package func restore(_ row: DeviceRow) -> UInt32 { table.restore(row) }

    /// Adds an app that the store has on a device, with what is queued for it.
    package func restore(_ row: AppRow, on device: UInt32, queued: [QueuedMessage]) {
        let app = table.restore(row, on: device, queued: queued)
        var storage = table[detailsOf: app].storage
        if let expiry = storage.nextExpiry() {
            // A device that is online and awake queues only delayed background pushes.
            expiries.insert(table.isReachable(device) ? .min : expiry, app)
        }
        noteTokenDue(app)
    }

    /// The lock of a device; an unknown one is not.
    package func lock(of device: BorrowedText) throws -> DeviceEvent.Lock {
        try find(device).map { table[conditionOf: $0].lock } ?? .unlocked
    }

    func find(named device: String) throws -> UInt32? {
        try BorrowedText.with(device) { try find($0) }
    }

    /// The platform of a device as set by an event; nil when none has.
    package func platform(of device: BorrowedText) throws -> Platform? {
        try find(device).flatMap { table[device: $0].platform }
    }

    func isKnown(_ device: String) throws -> Bool {
        try find(named: device).map { table[device: $0].isKnown } ?? false
    }

    /// The app that a message is for. An app entry without a name stands for all of them, and a message without an app
    /// goes to the first.
    func findApp(of message: borrowing DecodedMessage, on device: UInt32) -> UInt32? {
        findApp(message.namedApp, on: device)
    }

    /// Gives a message without an app the name of the one that it is for.
    func name(_ app: UInt32, for message: inout DecodedMessage) {
        let name = table.name(ofApp: app)
        // An entry without a name stands for all apps, and says nothing about this one.
        if name.isEmpty, message.isTopicOfTarget { return }
        message.topic = name
        message.isTopicOfTarget = false
    }

    func isKnown(_ device: UInt32?) -> Bool { device.map { table[device: $0].isKnown } ?? false }

    /// A known device whose name an event wrote in capitals: read as a token of APNs, as long as it did not say otherwise.
    func findInLowerCase(_ device: BorrowedText) throws -> UInt32? {
        guard DeviceToken.isFolded(device), let found = try find(named: DeviceToken.canonical(device.string)),
            isKnown(found)
        else { return nil }
        return found
    }

    /// Finds out whether a device's token is of the kind that a push needs. A token that an event has registered for an app is the app's
    /// own. One that is registered for a topic with a suffix, such as `org.example.phone.voip`, is for pushes of that type.
    ///
    /// Source: Pr0Ger/PyAPNs2, issue 134: a VoIP push to the app's own token is `DeviceTokenNotForTopic`. That it is alike for the other types
    /// with tokens of their own is UNCONFIRMED.
    ///
    /// - Parameter app: becomes the entry of the topic, if there is one.
    /// - Returns: false if the token is known to be of another kind.
    @inline(never)
    func findKind(of message: borrowing DecodedMessage, on device: UInt32, _ app: inout UInt32?) -> Bool {
        let name = message.namedApp
        guard !name.isEmpty else { return true }
        if message.headers.pushType?.hasOwnToken == true, message.topic.count > name.count {
            if let entry = table.find(message.topic, on: device) {
                app = entry
                return true
            }
            // A device that is registered without an app stands for every app, and every token.
            return table.find(name, on: device) == nil || table.find(.empty, on: device) != nil
        }
        if let only = table.onlyApp(of: device), !table.name(ofApp: only).hasPrefix(name) { return true }
        // The app is not on the device. It may have tokens of other kinds there.
        return app != nil
            || !PushType.allCases.contains { type in
                type.hasOwnToken
                    && BorrowedText.with(name.string + type.row.topicSuffix.description) {
                        table.find($0, on: device) != nil
                    }
            }
    }

    func findApp(_ app: BorrowedText, on device: UInt32) -> UInt32? {
        // Most devices have one app, so there is nothing to search.
        if let only = table.onlyApp(of: device) {
            let name = table.name(ofApp: only)
            return name.isEmpty || app.isEmpty || name == app ? only : nil
        }
        if app.isEmpty { return table.firstApp(of: device) }
        return table.find(app, on: device) ?? table.find(.empty, on: device)
    }

    /// An app that no event has named, on a device with a Focus, which silences it, too. A store has a row for it from then on.
    func silencedApp(_ name: BorrowedText, on device: UInt32) -> UInt32? {
        guard table[focusOf: device] != nil else { return nil }
        let app = table.app(name, on: device)
        table.noteRow(ofApp: app)
        return app
    }

    func known(_ device: String) throws -> UInt32 {
        try BorrowedText.with(device) { name in
            let device = try find(name) ?? table.device(name)
            table.learn(device)
            return device
        }
    }

    /// The app on the device that an event is about, registered if it was unknown. Without a name it is the device's first one.
    ///
    /// A new one begins with what has been known of every app of its device.
    func app(_ name: String?, on device: UInt32) throws -> UInt32 {
        if name == nil, let first = table.firstApp(of: device) { return first }
        return try BorrowedText.with(name ?? "") { name in
            if let found = table.find(name, on: device) { return found }
            let everyApp = table.find(.empty, on: device)
            let app = table.app(name, on: device)
            if let everyApp { try inherit(app, from: everyApp) }
            return app
        }
    }

    /// The entry that stands for the apps of a device that no event has named, if an event that names no app is about more than the first app
    /// of the device.
    func unnamedApps(besides app: UInt32, _ event: DeviceEvent, on device: UInt32) -> UInt32? {
        guard event.app == nil, table.onlyApp(of: device) == nil else { return nil }
        return table.find(.empty, on: device).flatMap { $0 == app ? nil : $0 }
    }

    /// Gives an app that an event has named what was known of every app of its device, and what is queued for it there. A banner stays what it
    /// is, and tokens of Live Activities are found by themselves.
    private func inherit(_ app: UInt32, from everyApp: UInt32) throws {
        let device = table[app: app].device
        table[app: app].state = table[app: everyApp].state
        noteTokenDue(app)
        guard table[app: everyApp].hasDetails else { return table.noteState(of: app) }
        var details = table[detailsOf: everyApp]
        let topics = details.settings.topics
        details.storage = OfflineStorage()
        details.settings.topics = nil
        details.banner = nil
        details.settings.startToken = nil
        details.settings.activityTokens = nil
        details.settings.expoToken = nil
        // What names no app is for the first one.
        let name = table.name(ofApp: app).string
        let isFirst = table.firstApp(of: device) == app
        let taken = table.changeDetails(of: everyApp) { every in
            every.storage.take { $0.topic == name || isFirst && $0.topic.isEmpty }
        }
        let queued = taken.map { $0.topic == name ? $0 : $0.renamed(to: name) }
        details.storage = OfflineStorage(messages: queued)
        table.changeDetails(of: app) { $0 = details }
        if let topics { table.setTopics(topics, of: app) }
        let isOnline = table[device: device].isOnline
        for (old, message) in zip(taken, queued) {
            note(isOnline ? .min : message.expiresAt, app)
            try rows?.delete(old)
            try rows?.insert(message, app: table.name(ofApp: app))
        }
    }

    /// The app on the device that a tap is about: the entry that stands for all apps when this one has not been named before.
    func tappedApp(_ name: String?, on device: UInt32) throws -> UInt32 {
        guard let name else { return try app(nil, on: device) }
        let known = BorrowedText.with(name) { table.find($0, on: device) }
        return try known ?? table.find(.empty, on: device) ?? app(name, on: device)
    }

    /// The app of that name on a device; adds placeholders for either if needed.
    func knownApp(_ name: BorrowedText, of device: BorrowedText) -> UInt32 {
        let device = table.device(device)
        return findApp(name, on: device) ?? table.app(name, on: device)
    }
}
