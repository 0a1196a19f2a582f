import PayloadJSON
import PushDecoding
import PushModel

/// Android devices in Doze: messages of normal priority wait until it ends, those of high priority are delivered at once.
/// Source: Firebase, "Set and manage message priority". Maintenance windows, in which a device gets what has waited, are not emulated.
extension DeviceRegistry {
    /// True if a message waits until its device leaves Doze.
    func isDelayedByDoze(_ message: DecodedMessage, on device: UInt32) -> Bool {
        table.isDozing(device) && message.platform == .android
            && !transit.androidOptions(of: message).hasHighPriority
    }

    /// Removes and returns the messages queued for an app that its device gets now, and the number of dropped ones.
    func takeQueued(of app: UInt32) -> (messages: [QueuedMessage], deletedCount: Int) {
        guard table.isDozing(table[app: app].device) else {
            return table.changeDetails(of: app) { $0.storage.takeAll() }
        }
        return (table.changeDetails(of: app) { $0.storage.take { !Self.isDelayedByDoze($0) } }, 0)
    }

    private static func isDelayedByDoze(_ message: QueuedMessage) -> Bool {
        guard message.platform == .android else { return false }
        return AppText.withRoot(of: message.payload) { payload in
            !(payload.map { AndroidOptions($0, of: message.provider).hasHighPriority } ?? false)
        }
    }
}
