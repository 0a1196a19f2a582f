package import PushDecoding

/// Which parts have seen a channel of Live Activities. O(channels × parts) memory.
package struct BroadcastChannels {
    /// By channel and app.
    private var parts: [String: [String: Set<Int>]] = [:]
    /// Channels of pushes that are queued for their devices.
    private var queued: [Push: (channel: String, app: String, part: Int)] = [:]

    /// A push: the number of its record, and the index of its target.
    private struct Push: Hashable {
        var seq: UInt64
        var target: Int?
    }

    package init() {}

    /// The parts that a push concerns, in ascending order; notes its channel.
    ///
    /// - Parameters:
    ///   - devicePart: the part of the device that the request names.
    ///   - fate: the outcome of a push to a device; called for one that starts an activity with a channel.
    package mutating func parts(
        of push: LiveActivityPush, seq: UInt64, target: Int?, devicePart: Int, fate: () -> KnownDevices.Fate
    ) -> [Int] {
        guard let channel = push.channel else {
            if let channel = push.inputChannel, push.startsActivity {
                switch fate() {
                case .arrives: note(channel, push.app, devicePart)
                case .isQueued: queued[Push(seq: seq, target: target)] = (channel, push.app, devicePart)
                case .isRefused: break
                }
            }
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

    /// True if a push waits for its device.
    package var hasQueued: Bool { !queued.isEmpty }

    /// A push is no longer queued.
    package mutating func settle(_ seq: UInt64, target: Int?, hasArrived: Bool) {
        guard let (channel, app, part) = queued.removeValue(forKey: Push(seq: seq, target: target)), hasArrived else {
            return
        }
        note(channel, app, part)
    }

    private mutating func note(_ channel: String, _ app: String, _ part: Int) {
        parts[channel, default: [:]][app, default: []].insert(part)
    }
}

extension LiveActivityPush {
    /// True if it has all that a push must have to start an activity, as `LiveActivities` checks it.
    fileprivate var startsActivity: Bool {
        event == .start && attributesType != nil && attributes != nil && contentState != nil && alert != nil
    }
}
