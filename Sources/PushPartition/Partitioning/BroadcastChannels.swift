package import PushDecoding

/// Which parts have seen a channel of Live Activities. O(channels × parts) memory.
package struct BroadcastChannels {
    /// By channel and app.
    private var parts: [String: [String: Set<Int>]] = [:]

    package init() {}

    /// The parts that a push concerns, in ascending order; notes its channel.
    ///
    /// - Parameter devicePart: the part of the device that the request names.
    package mutating func parts(of push: LiveActivityPush, devicePart: Int) -> [Int] {
        guard let channel = push.channel else {
            if let channel = push.inputChannel, push.startsActivity { note(channel, push.app, devicePart) }
            return [devicePart]
        }
        let apps = parts[channel] ?? [:]
        let known = push.app.isEmpty ? Set(apps.values.joined()) : (apps[push.app] ?? []).union(apps[""] ?? [])
        if !known.isEmpty { return known.sorted() }
        // It begins an activity on the device of the request.
        if push.event == .end || (push.event == .update && push.contentState != nil) {
            note(channel, push.app, devicePart)
        }
        return [devicePart]
    }

    private mutating func note(_ channel: String, _ app: String, _ part: Int) {
        parts[channel, default: [:]][app, default: []].insert(part)
    }
}

extension LiveActivityPush {
    /// Whether it has all that a push must have to start an activity, as `LiveActivities` checks it.
    fileprivate var startsActivity: Bool {
        event == .start && attributesType != nil && attributes != nil && contentState != nil && alert != nil
    }
}
