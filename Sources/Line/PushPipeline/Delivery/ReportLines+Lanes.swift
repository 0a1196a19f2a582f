import PushDecoding
import PushModel
import PushStore

extension ReportLines {
    /// An additional line, about a queued message or a token.
    struct Consequence {
        /// That of the chunk's message whose line it follows, or before whose line it stands; then it may be one more than the last.
        var index: Int
        /// True if time has brought it about, and not the message.
        var isBefore = false
        var result: Delivered
        var message: DecodedMessage
        var findings: [Finding]
        var note: ReportNote
    }
}

extension ReportLines.Consequence {
    /// The place of a line among those that time brings about at one record: messages by record, device and app, then tokens by device and app.
    struct OrderInTime: Comparable {
        var isToken: Bool
        var seq: UInt64
        var device: String
        var app: String
        var target: Int

        static func < (left: Self, right: Self) -> Bool {
            if left.isToken != right.isToken { return right.isToken }
            return (left.seq, left.device, left.app, left.target) < (right.seq, right.device, right.app, right.target)
        }
    }

    var orderInTime: OrderInTime {
        OrderInTime(
            isToken: note.original == nil, seq: note.original ?? 0, device: message.device.string,
            app: message.topic.string, target: message.target ?? 0)
    }

    /// True if the line stands before one of another lane. Both are about the same message only if time has brought both about: at a record
    /// before it, or by the event that it is.
    fileprivate func precedes(_ other: Self) -> Bool {
        if index != other.index { return index < other.index }
        if isBefore != other.isBefore { return isBefore }
        if result.seq != other.result.seq { return result.seq < other.result.seq }
        return orderInTime < other.orderInTime
    }
}

extension ReportLines {
    /// Takes the notes and the additional lines of all lanes, in the order that they would have had without lanes.
    func take(_ lanes: [ReportLines]) {
        for lane in lanes { lane.forEachNote { index, note in updateNote(of: index) { $0.takeFromLane(note) } } }
        var next = lanes.map { _ in 0 }
        while true {
            var first: Int?
            for lane in lanes.indices where next[lane] < lanes[lane].consequences.count {
                guard let earlier = first else {
                    first = lane
                    continue
                }
                if lanes[lane].consequences[next[lane]].precedes(lanes[earlier].consequences[next[earlier]]) {
                    first = lane
                }
            }
            guard let first else { return }
            append(lanes[first].consequences[next[first]])
            next[first] += 1
        }
    }
}

extension DecodedMessage {
    /// True for a message that may concern devices in several lanes, or that is found by a name of its device that is not the device's own.
    var concernsSeveralDevices: Bool {
        if gateway == .expo || headers.channelID != nil || headers.pushType == .liveactivity { return true }
        // An event may have written it in capitals.
        return provider != .apns && DeviceToken.isFolded(device)
    }
}

extension DeviceEvent {
    /// True for an event that may concern devices in several lanes: a topic has subscribers in all of them, and a token of Expo's or of a Live
    /// Activity says nothing about the device that it leads to.
    var concernsSeveralDevices: Bool {
        switch name {
        case .subscribe, .unsubscribe: return true
        case .clock: return false
        case .device, .preference, .focus, .summary, .tap, .dismiss, .clear, .open, .back, .close, .edit, .save,
            .confirm, .read, .post:
            return device == nil || topics != nil || expoToken != nil || startToken != nil || activityTokens != nil
                || isOfOtherPart
        }
    }
}
