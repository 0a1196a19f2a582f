public import PayloadJSON

/// A value of `apns-push-type`.
///
/// Source of the table: Apple, "Sending notification requests to APNs"; `widgets`: Apple, "Updating widgets with WidgetKit
/// push notifications".
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

    /// One row per push type.
    @usableFromInline package struct Row: Sendable {
        /// The push type.
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
    ]

    /// The row of this push type.
    @inlinable package var row: Row { Self.table[Int(rawValue)] }

    /// True if the tokens for pushes of this type are others than the app's own: PushKit's, those of Push to Talk, of location pushes, of
    /// widgets and of controls. Those of Live Activities are too, but the emulator files activities under their device.
    ///
    /// Source: Apple, "Sending notification requests to APNs" and the frameworks' pages on their tokens.
    @inlinable package var hasOwnToken: Bool {
        switch self {
        case .alert, .background, .mdm, .liveactivity: false
        case .complication, .controls, .widgets, .fileprovider, .location, .pushtotalk, .voip: true
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
