/// The apps that are subscribed to topics of GCM and FCM.
extension DeviceTable {
    /// True if something is known about the topics of an app in memory.
    var hasSubscribers: Bool { !allSubscribers.isEmpty }

    /// The apps that are subscribed to one of some topics, or with nil all about whose topics something is known.
    func subscribers(of topics: [String]?) -> Set<UInt32> {
        guard let topics else { return allSubscribers }
        return topics.reduce(into: Set()) { $0.formUnion(subscribers[$1] ?? []) }
    }

    mutating func setTopics(_ topics: Set<String>, of app: UInt32) {
        let old = self[detailsOf: app].topics ?? []
        changeDetails(of: app) { $0.topics = topics }
        for topic in old.subtracting(topics) {
            subscribers[topic]?.remove(app)
            if subscribers[topic]?.isEmpty == true { subscribers[topic] = nil }
        }
        indexTopics(topics, of: app)
        changedTopics.insert(app)
        noteChange(ofApp: app)
    }

    mutating func set(_ topic: String, isOn: Bool, of app: UInt32) {
        // In place: there may be thousands of topics.
        changeDetails(of: app) { details in
            if details.topics == nil { details.topics = [] }
            if isOn { details.topics?.insert(topic) } else { details.topics?.remove(topic) }
        }
        if isOn {
            subscribers[topic, default: []].insert(app)
        } else {
            subscribers[topic]?.remove(app)
            if subscribers[topic]?.isEmpty == true { subscribers[topic] = nil }
        }
        allSubscribers.insert(app)
        changedTopics.insert(app)
        noteChange(ofApp: app)
    }

    mutating func indexTopics(_ topics: Set<String>, of app: UInt32) {
        for topic in topics { subscribers[topic, default: []].insert(app) }
        allSubscribers.insert(app)
    }
}
