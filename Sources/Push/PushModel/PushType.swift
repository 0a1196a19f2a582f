public import PayloadJSON

/// A value of `apns-push-type`.
///
/// Source of the table: Apple, "Sending notification requests to APNs"; `widgets`: Apple, "Updating widgets with WidgetKit
/// push notifications".
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PushType: UInt8, Sendable, CaseIterable {
    case alert, background, complication, controls, widgets, fileprovider, liveactivity, location, mdm, pushtotalk, voip

    /// One row per push type.
    public struct Row: Sendable {
        /// The push type.
        public let type: PushType
        /// The header's value. Lower case; APNs rejects any other spelling.
        public let wireName: StaticString
        /// The part of `apns-topic` after the bundle identifier.
        public let topicSuffix: StaticString
        /// True if the system shows an alert of this type.
        public let isShown: Bool
    }

    /// Every push type, in the order of the cases.
    public static let table: [Row] = [
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
    public var row: Row { Self.table[Int(rawValue)] }

    /// True if a device shows pushes of this type.
    @usableFromInline var isShown: Bool { row.isShown }

    /// The app of a topic: the topic without this type's suffix.
    @usableFromInline func app(of topic: BorrowedText) -> BorrowedText {
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
