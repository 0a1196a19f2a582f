package import PushJSON
package import PushModel

/// The request of a push of type `liveactivity`.
///
/// Source of the members: Apple, "Starting and updating Live Activities with ActivityKit push notifications". Times are
/// milliseconds since the epoch. Owns its texts.
package struct LiveActivityPush: Sendable, Equatable {
    /// The change of the activity.
    package enum Event: String, Sendable {
        case start, update, end
    }

    /// The alert that lights up the screen.
    package struct Alert: Sendable, Equatable {
        /// The title, or the key that stands for it.
        package var title: String?
        /// The body, or the key that stands for it.
        package var body: String?

        package init(title: String? = nil, body: String? = nil) {
            self.title = title
            self.body = body
        }
    }

    /// Nil for a missing or unknown one.
    package var event: Event?
    /// The device that the request names.
    package var device: String
    /// The app that shows the activity; empty when the request names none.
    package var app: String
    /// The token of the activity, or the one that starts activities.
    package var token: String
    /// The channel of a broadcast; nil for a push to one token.
    package var channel: String?
    /// When the sender made the state.
    package var timestamp: Int64?
    /// The JSON object of the dynamic state, as sent.
    package var contentState: String?
    /// The name of the type of the attributes.
    package var attributesType: String?
    /// The JSON object of the static attributes, as sent.
    package var attributes: String?
    /// When the state is out of date.
    package var staleAt: Int64?
    /// When an ended activity leaves the lock screen.
    package var dismissAt: Int64?
    /// The number as sent.
    package var relevanceScore: String?
    /// The channel to subscribe a started activity to.
    package var inputChannel: String?
    package var alert: Alert?
    /// True if its priority is 10, which counts towards a budget.
    package var hasHighPriority = false
    /// How many pushes of that priority an activity gets within an hour; nil for no limit.
    package var prioritiesPerHour: Int?
    /// True if an event has said that the token starts activities.
    package var isForStartToken = false
    /// True if another token has replaced the one that it is sent to.
    package var isForOutdatedToken = false
    /// True if the token may be that of an activity on another device, because no event knows it as a device.
    package var mayBeOfOtherDevice = false

    package init(event: Event?, device: String, app: String = "", token: String? = nil) {
        self.event = event
        self.device = device
        self.app = app
        self.token = token ?? device
    }

    /// Reads a message.
    ///
    /// - Parameters:
    ///   - token: the activity's token, if it is not the device of the message.
    ///   - payload: the payload of the message; nil if it is not JSON.
    package init(_ message: DecodedMessage, token: BorrowedText?, payload: JSONView?) {
        self.init(
            event: nil, device: message.device.string, app: message.app.string,
            token: token.map { DeviceToken.canonical($0.string) })
        channel = message.headers.channelID?.string
        // FCM sets a priority of its own, which is not documented.
        hasHighPriority = message.headers.priority.map { $0 == "10" } ?? (message.provider == .apns)
        guard let aps = payload?["aps"] else { return }
        for (key, value) in aps.members { read(key, value) }
    }

    private mutating func read(_ key: JSONString, _ value: JSONView) {
        switch key {
        case "event": event = value.string.flatMap { Event(rawValue: $0.string) }
        case "timestamp": timestamp = Self.milliseconds(value)
        case "content-state": contentState = value.isObject ? value.text.string : nil
        case "attributes-type": attributesType = value.string?.nonEmpty?.string
        case "attributes": attributes = value.isObject ? value.text.string : nil
        case "stale-date": staleAt = Self.milliseconds(value)
        case "dismissal-date": dismissAt = Self.milliseconds(value)
        case "relevance-score": relevanceScore = value.kind == .number ? value.text.string : nil
        case "input-push-channel": inputChannel = value.string?.nonEmpty?.string
        case "alert": alert = Self.alert(value)
        default: break
        }
    }

    /// Seconds since the epoch as milliseconds, within the years that can be written. Milliseconds, a common mistake, are
    /// read as the seconds that they would be.
    private static func milliseconds(_ value: JSONView) -> Int64? {
        guard let seconds = value.double, seconds.isFinite else { return nil }
        let range = EventTime.writable
        let milliseconds = (seconds * 1000).rounded()
        if milliseconds >= Double(range.upperBound) { return range.upperBound }
        return milliseconds <= Double(range.lowerBound) ? range.lowerBound : Int64(milliseconds)
    }

    private static func alert(_ value: JSONView) -> Alert? {
        if let body = value.string { return body.count > 0 ? Alert(body: body.string) : nil }
        guard value.isObject else { return nil }
        return Alert(
            title: text(value["title"]) ?? text(value["title-loc-key"]),
            body: text(value["body"]) ?? text(value["loc-key"]))
    }

    /// A text, or the key that stands for it: in the alert of a Live Activity a text may be an object with such a key.
    private static func text(_ value: JSONView?) -> String? {
        let string = value?.string ?? value?["loc-key"]?.string
        return string?.nonEmpty?.string
    }
}

extension TransitReader {
    /// Reads the request of a push to a Live Activity.
    ///
    /// - Parameter token: the activity's token, if it is not the device of the message.
    package mutating func activityPush(_ message: DecodedMessage, token: BorrowedText?) -> LiveActivityPush {
        withPayload(of: message) { LiveActivityPush(message, token: token, payload: $0) }
    }
}
