import DeviceScreens
import PayloadJSON
import PushModel
import PushStore

/// The notifications that events look for on the screens of devices.
extension SQLiteSession {
    func appsShowing(on device: BorrowedText) throws -> [String] {
        try loadAll(of: device)
        return centers.appsShowing(on: device) { recorder.rowID(center: $0) }
    }

    func newest(on device: BorrowedText, _ query: NotificationQuery) throws -> FoundNotification? {
        if let app = query.app {
            try loadKnown(device: device, app: app)
        } else {
            try loadAll(of: device)
        }
        return centers.newest(on: device, query)
    }

    /// Reads no row of an app that is in memory, so that the rows of the transaction stay together.
    func identifiers(for message: DecodedMessage) throws -> [String] {
        try loadKnown(device: message.device, app: message.app)
        var found: [String] = []
        centers.forEachShown(for: message) { found.append($0.identifier.string) }
        return found
    }

    func content(
        of identifier: String, for message: DecodedMessage
    ) throws -> (seq: UInt64, payload: String, changes: String)? {
        try loadKnown(device: message.device, app: message.app)
        guard let found = centers.content(of: identifier, device: message.device, app: message.app) else { return nil }
        if let (payload, changes) = recorder.pendingContent(order: found.order) {
            return (found.seq, payload.string, changes.string)
        }
        selectContent.bind(1, Int64(bitPattern: found.order))
        defer { selectContent.reset() }
        guard try selectContent.step() else { return nil }
        return (
            found.seq, selectContent.text(0).string, selectContent.isNull(1) ? "" : selectContent.text(1).string
        )
    }

    private func loadAll(of device: BorrowedText) throws {
        guard !isComplete, !completeDevices.contains(device.string) else { return }
        for app in try apps(of: device) { try BorrowedText.with(app) { _ = try loadKnown(device: device, app: $0) } }
        // Of an app that was in memory there may be newer notifications than these.
        centers.sortLists(of: device)
        completeDevices.insert(device.string)
    }
}
