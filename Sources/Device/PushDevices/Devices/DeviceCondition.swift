package import AppSimulation
package import PushJSON
package import PushModel

/// The conditions of a device that apply to all of its apps. Few devices have any.
package struct DeviceCondition: Sendable, Equatable {
    /// Nil while none is on.
    package var focus: Focus?
    package var lock: DeviceEvent.Lock
    /// True for an Android device in Doze.
    package var isDozing: Bool

    package init(focus: Focus? = nil, lock: DeviceEvent.Lock = .unlocked, isDozing: Bool = false) {
        self.focus = focus
        self.lock = lock
        self.isDozing = isDozing
    }

    /// Reads the text of a store.
    package init(_ text: BorrowedText) {
        self.init()
        AppText.withJSON(text) { root in
            lock = root["locked"]?.string.flatMap { DeviceEvent.Lock(rawValue: $0.string) } ?? .unlocked
            isDozing = root["doze"]?.kind == .true
            guard let timeSensitive = root["time_sensitive"] else { return }
            let names = { (list: JSONView?) in Set(list.map(AppText.elements)?.compactMap { $0.string?.string } ?? []) }
            focus = Focus(
                allowedApps: names(root["apps"]), allowedPeople: names(root["people"]),
                allowsTimeSensitive: timeSensitive.kind != .false)
        }
    }

    /// The text for a store; nil for a device without conditions. A Focus stands first, and is the whole text if there is nothing else.
    package var text: String? {
        var out = ByteBuffer(capacity: 128)
        if let focus {
            out.appendMember("apps", focus.allowedApps.sorted())
            if !focus.allowedPeople.isEmpty { out.appendMember("people", focus.allowedPeople.sorted()) }
            out.appendMember("time_sensitive", focus.allowsTimeSensitive)
        }
        if lock != .unlocked { out.appendMember("locked", lock.rawValue) }
        if isDozing { out.appendMember("doze", true) }
        return out.object
    }

    /// The event that turns the Focus on again; nil without a Focus.
    package func focusEvent(of device: String?) -> DeviceEvent? {
        guard let focus else { return nil }
        var event = DeviceEvent(.focus, device: device)
        event.isOn = true
        event.allowsTimeSensitive = focus.allowsTimeSensitive
        event.rare.allowedApps = focus.allowedApps
        if !focus.allowedPeople.isEmpty { event.rare.allowedPeople = focus.allowedPeople }
        return event
    }
}

extension DeviceRegistry {
    /// The devices in memory that are locked.
    package func lockedDevices() -> Set<String> {
        Set(table.conditions.compactMap { $1.lock == .unlocked ? nil : table.name(ofDevice: $0).string })
    }
}

extension DeviceTable {
    subscript(conditionOf device: UInt32) -> DeviceCondition {
        get { conditions.isEmpty ? DeviceCondition() : conditions[device] ?? DeviceCondition() }
        set { conditions[device] = newValue == DeviceCondition() ? nil : newValue }
    }

    subscript(focusOf device: UInt32) -> Focus? { conditions.isEmpty ? nil : conditions[device]?.focus }

    typealias Waiting = (isDozing: Bool, isLocked: Bool)

    /// Why messages wait for an Android device that may be online. A device of an unknown kind may be in Doze, but not locked: iPhones are, too.
    func waiting(_ device: UInt32) -> Waiting {
        guard !conditions.isEmpty, let condition = conditions[device] else { return (false, false) }
        let platform = self[device: device].platform
        return (
            condition.isDozing && platform ?? .android == .android,
            condition.lock == .beforeFirstUnlock && platform == .android
        )
    }

    /// True if nothing but a device's own limits delays a message to it.
    func isReachable(_ device: UInt32) -> Bool { self[device: device].isOnline && waiting(device) == (false, false) }
}
