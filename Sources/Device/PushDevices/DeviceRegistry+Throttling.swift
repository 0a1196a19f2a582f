import AppSimulation
import PayloadJSON
import PushDecoding
import PushModel

/// Background pushes that a device delays. Source: Apple, "Pushing background updates to your App": the system may
/// throttle them, keeps only the newest one, and drops it when the user quits the app.
extension DeviceRegistry {
    /// Delays a background push over the limit until the hour is over or the app is opened. An app in the foreground
    /// gets it at once.
    ///
    /// - Parameter app: the app that it is for; called only when the push has to be kept.
    func throttle(
        _ message: inout DecodedMessage, _ app: () -> UInt32, seq: UInt64, at: Int64, _ answer: inout RegistryAnswer
    ) throws {
        guard let limit = policy.backgroundPushesPerHour else { return }
        let name = Self.rateName(message.device.string, message.topic.string)
        if backgroundRates.admits(name, at: at, limit: limit) { return }
        let app = app()
        let state = table[app: app].state.appState
        // Opening would not deliver it to an app that the user has quit; it is refused on arrival.
        if state == .foreground || state.isQuit { return }
        let (latest, overflowed) = at.addingReportingOverflow(TransitOptions.longestOfAPNs)
        let queued = QueuedMessage(message, seq: seq, at: at, expiresAt: overflowed ? .max : latest, collapseKey: nil)
        table.learn(table[app: app].device)
        try keep(queued, of: &message, app, until: backgroundRates.end(of: name))
        answer.delay = .throttled
    }

    /// Removes and returns the messages that an online device has delayed for an app and whose hour is over.
    func takeDelayed(of app: UInt32, at: Int64) -> [QueuedMessage] {
        let device = table[app: app].device
        guard table.isReachable(device), table[detailsOf: app].storage.count > 0 else {
            return []
        }
        guard let limit = policy.backgroundPushesPerHour else {
            return table.changeDetails(of: app) { $0.storage.takeAll() }.messages
        }
        // An app entry that stands for all apps of its device can have several, each with its own hour.
        var due: Set<String> = []
        for message in table[detailsOf: app].storage.messages {
            let name = Self.rateName(message.device, message.topic)
            if backgroundRates.admits(name, at: at, limit: limit) {
                due.insert(message.topic)
            } else {
                note(backgroundRates.end(of: name), app)
            }
        }
        return table.changeDetails(of: app) { $0.storage.take { due.contains($0.topic) } }
    }

    func releaseDelayed(of app: UInt32) throws {
        guard table.isReachable(table[app: app].device) else { return }
        try release(table.changeDetails(of: app) { $0.storage.takeAll() }.messages)
    }

    func release(_ messages: [QueuedMessage]) throws {
        for message in messages.sorted(by: { $0.wasAccepted(before: $1) }) { try drop(.release(message), message) }
    }

    private static func rateName(_ device: String, _ topic: String) -> String { "\(device)\u{0}\(topic)" }
}
