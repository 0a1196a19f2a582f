package import PayloadJSON
import PushDecoding
import PushModel

/// Dividing the devices of a store in memory among lanes, each with a registry of its own, and putting them together again.
extension DeviceRegistry {
    /// True if nothing is known that is about devices in several lanes: a topic has subscribers in all of them, and a token of Expo's or of a
    /// Live Activity says nothing about the device that it leads to.
    package var isDivisible: Bool {
        guard rows == nil, !table.hasSubscribers, table.appsOfTokens.isEmpty, policy.isForDevicesAlone else {
            return false
        }
        var isDivisible = true
        table.forEachDetails { _, details in
            if details.storage.messages.contains(where: { $0.pushType == .liveactivity }) { isDivisible = false }
        }
        return isDivisible
    }

    /// Moves all devices to the registries of their lanes. O(devices).
    package func divide(among lanes: [DeviceRegistry], _ lane: (_ device: BorrowedText) -> Int) {
        for device in 0..<UInt32(table.loadedCount) {
            let target = lanes[lane(table.name(ofDevice: device))]
            target.table.nextOrder = UInt64(device)
            target.add(device, of: self)
        }
        for target in lanes { target.firstOrder = UInt64(table.loadedCount) }
        forgetDevices()
    }

    /// Takes all devices from the registries of lanes, in the order in which they became known. O(n log n) in the devices.
    package func join(_ lanes: [DeviceRegistry]) {
        var all: [(order: UInt64, lane: Int, device: UInt32)] = []
        for (number, lane) in lanes.enumerated() {
            for device in 0..<UInt32(lane.table.loadedCount) {
                all.append((lane.table[device: device].order, number, device))
            }
        }
        all.sort { ($0.order, $0.lane, $0.device) < ($1.order, $1.lane, $1.device) }
        for entry in all { add(entry.device, of: lanes[entry.lane]) }
        for lane in lanes { lane.forgetDevices() }
    }

    /// Says which record has its turn, by its number: devices that it makes known come after those of earlier ones.
    package func setOrder(_ seq: UInt64) { table.nextOrder = firstOrder &+ seq }

    private func add(_ device: UInt32, of other: DeviceRegistry) {
        for app in table.add(device, of: other.table) {
            var storage = table[detailsOf: app].storage
            if let expiry = storage.nextExpiry() { note(expiry, app) }
        }
    }

    private func forgetDevices() {
        table.removeAll()
        expiries.removeAll()
        lastFound = 0
    }
}

extension DevicePolicy {
    /// True if what becomes of a message depends on earlier ones only as far as these were for the same device.
    var isForDevicesAlone: Bool {
        var other = self
        other.typeMapping = nil
        other.tapRoutes = nil
        return other.isPlain
    }
}

extension DeviceTable {
    /// Adds a device of another table with its apps.
    ///
    /// - Returns: the positions of the apps.
    fileprivate mutating func add(_ device: UInt32, of other: borrowing DeviceTable) -> [UInt32] {
        let row = other[device: device]
        let position = self.device(row.text)
        if row.isKnown { learn(position) }
        self[device: position].platform = row.platform
        self[device: position].isOnline = row.isOnline
        let condition = other[conditionOf: device]
        if condition != DeviceCondition() { self[conditionOf: position] = condition }
        return other.apps(of: device).map { app in
            let added = self.app(other.name(ofApp: app), on: position)
            self[app: added].state = other[app: app].state
            if other[app: app].hasDetails {
                let details = other[detailsOf: app]
                changeDetails(of: added) { $0 = details }
            }
            noteState(of: added)
            return added
        }
    }
}
