public import PushJSON

/// A value of `apns-push-type`.
///
/// Source of the table: Apple, "Sending notification requests to APNs"; `widgets`: Apple, "Updating widgets with WidgetKit
/// push notifications"; `nowplaying`: Apple, "Publishing remote media sessions".
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PushType: UInt8, Sendable, CaseIterable {
    /// Shows an alert, plays a sound or sets the badge.
    case alert
    /// Wakes the app for a moment and shows nothing.
    case background
    /// Updates a complication of an app on a watch.
    case complication
    /// Tells that a control has a new state.
    case controls
    /// Updates the app's widgets.
    case widgets
    /// Tells a File Provider extension of changes.
    case fileprovider
    /// Starts, updates or ends a Live Activity.
    case liveactivity
    /// Asks for the user's location, through a Location Push Service Extension.
    case location
    /// Tells a managed device to ask its server.
    case mdm
    /// Starts a Push to Talk session.
    case pushtotalk
    /// Announces a call.
    case voip
    /// Starts, updates or ends a remote media session. From iOS 27 on.
    case nowplaying

    @usableFromInline package struct Row: Sendable {
        package let type: PushType
        /// The header's value. Lower case; APNs rejects any other spelling.
        package let wireName: StaticString
        /// The part of `apns-topic` after the bundle identifier.
        package let topicSuffix: StaticString
        /// True if the system shows an alert of this type.
        @usableFromInline package let isShown: Bool
    }

    /// Every push type, in the order of the cases.
    @usableFromInline package static let table: [Row] = [
        Row(type: .alert, wireName: "alert", topicSuffix: "", isShown: true),
        Row(type: .background, wireName: "background", topicSuffix: "", isShown: true),
        Row(type: .complication, wireName: "complication", topicSuffix: ".complication", isShown: false),
        Row(type: .controls, wireName: "controls", topicSuffix: ".push-type.controls", isShown: false),
        Row(type: .widgets, wireName: "widgets", topicSuffix: ".push-type.widgets", isShown: false),
        Row(type: .fileprovider, wireName: "fileprovider", topicSuffix: ".pushkit.fileprovider", isShown: false),
        Row(type: .liveactivity, wireName: "liveactivity", topicSuffix: ".push-type.liveactivity", isShown: false),
        Row(type: .location, wireName: "location", topicSuffix: ".location-query", isShown: false),
        Row(type: .mdm, wireName: "mdm", topicSuffix: "", isShown: false),
        Row(type: .pushtotalk, wireName: "pushtotalk", topicSuffix: ".voip-ptt", isShown: false),
        Row(type: .voip, wireName: "voip", topicSuffix: ".voip", isShown: false),
        Row(type: .nowplaying, wireName: "nowplaying", topicSuffix: ".push-type.nowplaying", isShown: false),
    ]

    @inlinable package var row: Row { Self.table[Int(rawValue)] }

    /// True if the tokens for pushes of this type are others than the app's own: PushKit's, those of Push to Talk, of location pushes, of
    /// widgets, of controls and of remote media sessions. Those of Live Activities are too, but the emulator files activities under their device.
    ///
    /// Source: Apple, "Sending notification requests to APNs" and the frameworks' pages on their tokens.
    @inlinable package var hasOwnToken: Bool {
        switch self {
        case .alert, .background, .mdm, .liveactivity: false
        case .complication, .controls, .widgets, .fileprovider, .location, .pushtotalk, .voip, .nowplaying: true
        }
    }

    /// True if a device shows pushes of this type. Alerts come first: they are nearly all messages of most streams.
    @inlinable
    @inline(__always)
    var isShown: Bool { self == .alert || row.isShown }

    /// The app of a topic: the topic without this type's suffix. Alerts have none.
    @inlinable
    @inline(__always)
    func app(of topic: BorrowedText) -> BorrowedText { self == .alert ? topic : appWithoutSuffix(of: topic) }

    @usableFromInline
    func appWithoutSuffix(of topic: BorrowedText) -> BorrowedText {
        // SOUND: the topic ends with the suffix, so it has at least as many bytes.
        let suffix = row.topicSuffix
        guard suffix.utf8CodeUnitCount > 0, topic.hasSuffix(suffix) else { return topic }
        return unsafe BorrowedText(start: topic.start, count: topic.count - suffix.utf8CodeUnitCount)
    }

    /// The type with this header value, compared exactly.
    package init?(wireName: BorrowedText) {
        guard let row = Self.table.first(where: { wireName == $0.wireName }) else { return nil }
        self = row.type
    }
}

/// A header of a request to APNs. Its row has what senders, gateways and the linter know of it.
///
/// Sources: Apple, "Sending notification requests to APNs", "Sending broadcast push notification requests to APNs"; Amazon SNS developer guide,
/// "Reserved message attributes for mobile push notifications".
@usableFromInline
package enum APNsHeader: UInt8, CaseIterable, Sendable {
    /// The headers that an envelope has, in its order. FCM hands the first six on to APNs.
    case topic, pushType, priority, expiration, collapseID, id, channelID
    /// Names a broadcast, and comes back in the answer to it. Nothing else depends on it.
    case requestID
    /// The path, which has the token of a device, or names the app of a broadcast.
    case path

    @frozen
    @usableFromInline package struct Row: Sendable {
        /// The name in lower case, as HTTP/2 writes it.
        @usableFromInline package let name: StaticString
        /// The attribute of Amazon SNS that sets it, after the name of the platform; empty if there is none.
        @usableFromInline package let attribute: StaticString
        /// The values that it takes, in words; empty if any text may be one.
        @usableFromInline package let values: StaticString
        /// True if FCM hands it on from `apns.headers`.
        @usableFromInline package let isHandedOn: Bool

        @inlinable @inline(__always)
        package init(
            _ name: StaticString, sns attribute: StaticString = "", values: StaticString = "", isHandedOn: Bool = true
        ) {
            self.name = name
            self.attribute = attribute
            self.values = values
            self.isHandedOn = isHandedOn
        }
    }

    /// The table of headers: inlined, so that a name costs a record no more than a literal.
    @inlinable @inline(__always)
    package var row: Row {
        switch self {
        case .topic: Row("apns-topic", sns: "TOPIC")
        case .pushType: Row("apns-push-type", sns: "PUSH_TYPE", values: "a push type such as alert")
        case .priority: Row("apns-priority", sns: "PRIORITY", values: "10, 5 or 1")
        case .expiration: Row("apns-expiration", values: "seconds since 1970")
        case .collapseID: Row("apns-collapse-id", sns: "COLLAPSE_ID")
        case .id: Row("apns-id")
        case .channelID: Row("apns-channel-id", isHandedOn: false)
        case .requestID: Row("apns-request-id", isHandedOn: false)
        case .path: Row(":path", isHandedOn: false)
        }
    }

    /// The name in lower case, as HTTP/2 writes it.
    @inlinable @inline(__always)
    package var name: StaticString { row.name }
}
