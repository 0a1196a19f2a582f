import PayloadJSON
import PushDecoding
package import PushModel

/// Subscriptions to the topics of GCM and FCM, and whom a message to a topic is for.
extension DeviceRegistry {
    /// Topics that an app can be subscribed to. Source: Firebase, "Topic messaging": "One app instance can be subscribed to
    /// no more than 2000 topics".
    package static let mostTopics = 2000

    /// An app that a message to a topic is for.
    package struct Recipient: Equatable, Comparable, Sendable {
        package var device: String
        package var app: String

        package init(device: String, app: String) {
            self.device = device
            self.app = app
        }

        package static func < (left: Self, right: Self) -> Bool { (left.device, left.app) < (right.device, right.app) }
    }

    func changeTopics(_ event: DeviceEvent, _ name: String) throws -> EventAnswer {
        // Otherwise an event would make a rejected token acceptable.
        guard try !policy.rejectsUnknownDevices || isKnown(name) else { return EventAnswer(ignored: .unknownDevice) }
        guard let topic = event.topic.map(TopicAudience.name) else { return EventAnswer(ignored: .notPossible) }
        let device = try known(name)
        let app = try app(event.app, on: device)
        let isOn = event.name == .subscribe
        if isOn, let topics = table[detailsOf: app].topics, topics.count >= Self.mostTopics, !topics.contains(topic) {
            return EventAnswer(ignored: .tooManyTopics)
        }
        table.noteRow(ofDevice: device)
        table.set(topic, isOn: isOn, of: app)
        if let others = unnamedApps(besides: app, event, on: device) { table.set(topic, isOn: isOn, of: others) }
        return EventAnswer()
    }

    /// Whom a message to a topic or a condition is for: registered apps with the topics that events have given them, in
    /// the order of their names. Dead tokens are left out. Nil when no app is known to be subscribed.
    ///
    /// - Parameter at: milliseconds since the epoch.
    package func recipients(of message: DecodedMessage, at: Int64) throws -> [Recipient]? {
        guard table.hasSubscribers || rows?.hasSubscribers ?? false else { return nil }
        let audience = TopicAudience(message.device)
        let topics = audience.mayHaveOthers ? nil : audience.topics
        if let rows {
            for device in try rows.devices(subscribedTo: topics) { _ = try find(named: device) }
        }
        var isSubscribed = false
        var found: [Recipient] = []
        for app in table.subscribers(of: topics) {
            guard audience.contains(subscriberOf: table[detailsOf: app].topics ?? []) else { continue }
            let name = table.name(ofApp: app)
            // `restricted_package_name`.
            guard message.topic.isEmpty || name.isEmpty || name == message.topic else { continue }
            let device = table[app: app].device
            // An entry without a name stands for apps that have none of their own.
            if name.isEmpty, let own = findApp(message.topic, on: device), own != app { continue }
            isSubscribed = true
            if let since = table[app: app].state.unregisteredAt, since <= at { continue }
            found.append(
                Recipient(
                    device: table.name(ofDevice: device).string, app: (name.isEmpty ? message.topic : name).string))
        }
        return isSubscribed ? found.sorted() : nil
    }
}
