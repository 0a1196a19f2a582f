import PushModel

/// What a provider keeps for one app on a device that is away. Pure state.
///
/// For an Apple device one message is kept, the newest, whatever its collapse id. Source: Apple, "Sending notification requests to APNs";
/// `Documentation/explanation/devices.md` says what is open about it. For an Android device one is kept for each of four collapse keys, and a hundred
/// without a key; one more of the latter, and all are dropped. A token may stand for several apps here, each of which goes by itself.
package struct OfflineStorage: Sendable, Equatable {
    /// Keys that are kept for an app at a time. Source: Firebase Cloud Messaging HTTP protocol, `collapse_key`.
    package static let maximumCollapseKeys = 4
    /// Messages without a key. Source: Google Cloud Messaging, "Advanced Topics"; Firebase, "Lifetime of a message".
    package static let maximumWithoutKey = 100

    /// Oldest first.
    package private(set) var messages: [QueuedMessage]
    /// Messages that were dropped because there were too many, which the app is told when it is back.
    package private(set) var deletedCount: Int

    package init(messages: [QueuedMessage] = [], deletedCount: Int = 0) {
        self.messages = messages
        self.deletedCount = deletedCount
    }

    package var isEmpty: Bool { messages.isEmpty && deletedCount == 0 }

    /// What became of a message, and of others because of it.
    package struct Change: Equatable {
        /// Nil when the message is kept; else why it is not.
        package var refusal: Reason?
        /// Messages that are no longer kept, oldest first.
        package var discarded: [QueuedMessage] = []
        /// Why.
        package var reason = Reason.superseded
    }

    /// Why a message is not kept any longer.
    package enum Reason: Sendable, CaseIterable {
        /// A newer one took its place.
        case superseded
        /// There are more than four collapse keys.
        case collapseKeys
        /// There are more than a hundred without a key.
        case tooMany
        /// The user has quit the app.
        case forceQuit
        /// The token is dead.
        case unregistered

        /// As in reports.
        package var name: StaticString {
            switch self {
            case .superseded: "superseded"
            case .collapseKeys: "too-many-collapse-keys"
            case .tooMany: "too-many-pending"
            case .forceQuit: "force-quit"
            case .unregistered: "unregistered"
            }
        }
    }

    /// Keeps a message.
    package mutating func keep(_ message: QueuedMessage) -> Change {
        switch message.platform {
        case .ios: return keepNewest(message)
        case .android: return message.collapseKey == nil ? keepBeside(message) : keepByKey(message)
        }
    }

    private mutating func keepNewest(_ message: QueuedMessage) -> Change {
        let change = Change(discarded: messages.filter { $0.topic == message.topic })
        messages.removeAll { $0.topic == message.topic }
        messages.append(message)
        return change
    }

    private mutating func keepByKey(_ message: QueuedMessage) -> Change {
        var change = Change()
        func hasKey(_ other: QueuedMessage) -> Bool { other.topic == message.topic && other.collapseKey != nil }
        if let position = messages.firstIndex(where: { hasKey($0) && $0.collapseKey == message.collapseKey }) {
            change.discarded = [messages.remove(at: position)]
        } else if messages.count(where: hasKey) == Self.maximumCollapseKeys,
            // Which of them goes is not defined; here it is the one that was used the longest time ago.
            let position = messages.firstIndex(where: hasKey)
        {
            change.discarded = [messages.remove(at: position)]
            change.reason = .collapseKeys
        }
        messages.append(message)
        return change
    }

    private mutating func keepBeside(_ message: QueuedMessage) -> Change {
        func isOfApp(_ other: QueuedMessage) -> Bool { other.topic == message.topic }
        let count = messages.count { isOfApp($0) && $0.collapseKey == nil }
        guard count == Self.maximumWithoutKey else {
            messages.append(message)
            return Change()
        }
        let change = Change(refusal: .tooMany, discarded: messages.filter(isOfApp), reason: .tooMany)
        deletedCount += change.discarded.count + 1
        messages.removeAll(where: isOfApp)
        return change
    }

    /// Takes out what is no longer kept at a time, oldest first.
    package mutating func takeExpired(at: Int64) -> [QueuedMessage] {
        let expired = messages.filter { $0.expiresAt <= at }
        if !expired.isEmpty { messages.removeAll { $0.expiresAt <= at } }
        return expired
    }

    /// Takes out everything, oldest first, and the number of those that were dropped.
    package mutating func takeAll() -> (messages: [QueuedMessage], deletedCount: Int) {
        defer { self = OfflineStorage() }
        return (messages, deletedCount)
    }

    /// Takes out some of the messages, oldest first.
    package mutating func take(where isWanted: (QueuedMessage) -> Bool) -> [QueuedMessage] {
        let taken = messages.filter(isWanted)
        if !taken.isEmpty { messages.removeAll(where: isWanted) }
        return taken
    }

    /// When the next one expires.
    package var nextExpiry: Int64? { messages.lazy.map(\.expiresAt).min() }
}
