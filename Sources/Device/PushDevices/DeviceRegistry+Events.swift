import AppSimulation
import PayloadJSON
import PushDecoding
package import PushModel

extension DeviceRegistry {
    /// Applies an event of a device or an app on it, and releases or discards queued messages as needed.
    ///
    /// - Parameter at: milliseconds since the epoch; what is due then has happened (`advance`).
    /// - Returns: the steps that the app takes.
    /// - Parameter listed: see `applyToApp`.
    @discardableResult
    package func apply(
        _ event: DeviceEvent, at: Int64, listed: (_ app: String) throws -> [String] = { _ in [] }
    ) throws -> EventAnswer {
        guard let name = event.device else { return EventAnswer(ignored: .notPossible) }
        if event.name == .preference {
            // Otherwise an event would make a rejected token acceptable.
            guard try !policy.rejectsUnknownDevices || isKnown(name) else {
                return EventAnswer(ignored: .unknownDevice)
            }
            try switchType(event, known(name))
            return EventAnswer()
        }
        if event.name == .focus || event.name == .summary { return try quieten(event, name) }
        if event.name == .subscribe || event.name == .unsubscribe { return try changeTopics(event, name) }
        let device = try known(name)
        let app = try app(event.app, on: device)
        if event.hasRareMembers { try takeExpoToken(event.settings.expoToken, for: app) }
        let wasOnline = table[device: device].isOnline
        let wasDozing = table.isDozing(device)
        change(device, event)
        if let others = unnamedApps(besides: app, event, on: device) {
            var event = event
            // Only one app is in front, and each has its own tokens.
            if event.appState == .foreground { event.appState = nil }
            if event.hasRareMembers {
                var said = event.settings
                (said.startToken, said.activityTokens, said.expoToken) = (nil, nil, nil)
                event.settings = said
            }
            _ = try change(others, event, at: at, listed)
        }
        let answer = try change(app, event, at: at, listed)
        if table[device: device].isOnline, !wasOnline || (wasDozing && !table.isDozing(device)) {
            try release(device, at: at)
        } else if event.appState == .foreground {
            try releaseDelayed(of: app)
        }
        return answer
    }

    /// Changes a device as an event says.
    private func change(_ device: UInt32, _ event: DeviceEvent) {
        let before = (table[device: device].platform, table[device: device].isOnline, table[conditionOf: device])
        if let platform = event.platform { table[device: device].platform = platform }
        if let isOnline = event.isOnline { table[device: device].isOnline = isOnline }
        if let isDozing = event.isDozing { table[conditionOf: device].isDozing = isDozing }
        if let lock = event.lock { table[conditionOf: device].lock = lock }
        if before == (table[device: device].platform, table[device: device].isOnline, table[conditionOf: device]) {
            table.noteRow(ofDevice: device)
        } else {
            table.noteChange(ofDevice: device)
        }
    }

    /// Changes an app as an event says, and discards what is queued for it in vain.
    private func change(
        _ app: UInt32, _ event: DeviceEvent, at: Int64, _ listed: (_ app: String) throws -> [String]
    ) throws -> EventAnswer {
        // Much of a stream: devices go online and offline.
        let isUnchanged = event.isAboutDeviceAlone
        let answer = try isUnchanged ? EventAnswer() : set(event, of: app, at: at, listed)
        if isUnchanged { table.noteRow(ofApp: app) } else { table.noteChange(ofApp: app) }
        noteTokenDue(app)

        let state = table[app: app].state
        if let since = state.unregisteredAt, since <= at {
            try discard(of: app, .unregistered) { _ in true }
        } else if event.appState?.isQuit == true {
            // Source: Apple, "Pushing background updates to your App".
            try discard(of: app, .forceQuit) { $0.isBackground }
        }
        return answer
    }

    private func set(
        _ event: DeviceEvent, of app: UInt32, at: Int64, _ listed: (_ app: String) throws -> [String]
    ) throws -> EventAnswer {
        // A user who has just logged in has no types switched on yet.
        if event.isLoggedIn == true, table[app: app].state.isLoggedIn != true {
            table[app: app].state.hasTypes = true
            table.changeDetails(of: app) { $0.settings.types = [] }
        }
        let said = event.hasRareMembers ? event.settings : nil
        if let said {
            for member in event.rare.forgotten ?? [] { forget(member, of: app) }
            if said.types != nil { table[app: app].state.hasTypes = true }
            if let topics = said.topics { table.setTopics(Set(topics.map(TopicAudience.name)), of: app) }
            if said.startToken != nil || said.activityTokens != nil || said.expoToken != nil {
                setTokens(said, of: app)
            }
        }
        change(&table[app: app].state, event, at: at)
        var answer = EventAnswer()
        if let appState = event.appState {
            if appState == .foreground { try beginList(of: app, listed) }
            answer.steps = setAppState(appState, of: app, at: at)
            answer.app = table.name(ofApp: app).string
        }
        guard said != nil || event.authorization != nil else { return answer }
        table.changeDetails(of: app) { details in
            if event.authorization != nil { details.settings.silentPushes = nil }
            guard let said else { return }
            for setting in AppSetting.table where !setting.isIndexed { setting.merge(said, &details.settings) }
            // A delegate that answers has the method, and one without it does not answer.
            if said.willPresent != nil {
                details.settings.delegate = nil
            } else if said.delegate != nil {
                details.settings.willPresent = nil
            }
            if said.categories != nil { details.indexCategories() }
        }
        return answer
    }

    private func forget(_ member: DeviceEvent.Unknown, of app: UInt32) {
        if member == .loggedIn { table[app: app].state.isLoggedIn = nil }
        if member == .types { table[app: app].state.hasTypes = false }
        guard let setting = AppSetting.named(member) else { return }
        table.changeDetails(of: app) { setting.forget(&$0.settings) }
        if member == .categories { table.changeDetails(of: app) { $0.indexCategories() } }
    }

    private func change(_ state: inout Installation, _ event: DeviceEvent, at: Int64) {
        if let authorization = event.authorization { state.authorization = authorization }
        if let showsAlerts = event.showsAlerts { state.showsAlerts = showsAlerts }
        if let isLoggedIn = event.isLoggedIn { state.isLoggedIn = isLoggedIn }
        if let registration = event.registration { state.registration = registration }
        if let since = event.unregisteredAt { state.unregisteredAt = since }
        switch event.isUnregistered {
        case true?: state.unregisteredAt = event.unregisteredAt ?? at
        case false?: state.unregisteredAt = nil
        case nil: break
        }
        switch event.isConfirmed {
        case true?:
            state.standing = .confirmed
            state.standingSince = at
        case false? where state.standing != .unconfirmed:
            state.standing = .unconfirmed
            state.standingSince = at
        case false?, nil: break
        }
        if let token = event.token {
            state.standing = token
            state.standingSince = at
        }
        if let since = event.tokenSince { state.standingSince = since }
    }

    private func switchType(_ event: DeviceEvent, _ device: UInt32) throws {
        guard let type = event.type else { return }
        let app = try app(event.app, on: device)
        table.noteRow(ofDevice: device)
        switchType(type, isOn: event.isOn == true, of: app)
        if let others = unnamedApps(besides: app, event, on: device) {
            switchType(type, isOn: event.isOn == true, of: others)
        }
    }

    private func switchType(_ type: String, isOn: Bool, of app: UInt32) {
        table[app: app].state.hasTypes = true
        // In place: there may be thousands of types.
        table.changeDetails(of: app) { details in
            if details.settings.types == nil { details.settings.types = [] }
            if isOn { details.settings.types?.insert(type) } else { details.settings.types?.remove(type) }
        }
        table.noteChange(ofApp: app)
    }

    /// Turns a Focus on or off, or adds an app to the scheduled summary or removes it.
    private func quieten(_ event: DeviceEvent, _ name: String) throws -> EventAnswer {
        guard try !policy.rejectsUnknownDevices || isKnown(name) else { return EventAnswer(ignored: .unknownDevice) }
        let device = try known(name)
        // A device without an app on it gets an entry for all of them.
        let app = try app(event.name == .summary ? event.app : nil, on: device)
        table.noteChange(ofDevice: device)
        table.noteChange(ofApp: app)
        if event.name == .summary {
            table.changeDetails(of: app) { $0.settings.isInSummary = event.isOn == true ? true : nil }
            if let others = unnamedApps(besides: app, event, on: device) {
                table.changeDetails(of: others) { $0.settings.isInSummary = event.isOn == true ? true : nil }
                table.noteChange(ofApp: others)
            }
        } else {
            let focus = Focus(
                allowedApps: event.rare.allowedApps ?? [], allowedPeople: event.rare.allowedPeople ?? [],
                allowsTimeSensitive: event.allowsTimeSensitive ?? true)
            table[conditionOf: device].focus = event.isOn == true ? focus : nil
        }
        return EventAnswer()
    }

    /// The device is online again, or leaves Doze: delivers what was queued for it and does not wait for the end of Doze, in the order in
    /// which it was accepted.
    private func release(_ device: UInt32, at: Int64) throws {
        var messages: [QueuedMessage] = []
        for app in table.appsWithQueue(of: device) {
            // The token was unregistered in the meantime.
            if let since = table[app: app].state.unregisteredAt, since <= at {
                try discard(of: app, .unregistered) { _ in true }
            }
            let (queued, deletedCount) = takeQueued(of: app)
            messages += queued
            if deletedCount > 0 {
                table.noteChange(ofApp: app)
                append(
                    .deletedMessages(
                        device: table.name(ofDevice: device).string, app: table.name(ofApp: app).string,
                        count: deletedCount))
            }
        }
        try release(messages)
    }

    private func discard(
        of app: UInt32, _ reason: OfflineStorage.Reason, where isDiscarded: (QueuedMessage) -> Bool
    ) throws {
        let discarded = table.changeDetails(of: app) { $0.storage.take(where: isDiscarded) }
        for message in discarded { try drop(.discarded(message, reason), message) }
    }
}

extension DeviceEvent {
    /// True if it says something of its device and nothing of an app.
    fileprivate var isAboutDeviceAlone: Bool {
        guard isOnline != nil || isDozing != nil || lock != nil else { return false }
        var rest = self
        (rest.platform, rest.isOnline, rest.isDozing, rest.lock) = (nil, nil, nil, nil)
        return rest == DeviceEvent(name, device: device, app: app)
    }
}
