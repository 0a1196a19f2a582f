import PayloadJSON
import PushModel
import PushReports

/// The details of a notification that its user notices, beyond its texts, the thread and the badge.
struct NotificationDetails {
    private struct Place {
        /// As snapshots name it.
        let label: String
        /// Below Apple's `aps`; nil if Apple has no such thing.
        let aps: String?
        /// The names in a notification of GCM and FCM. Protocol Buffers' JSON has two spellings of a name.
        let google: [String]
        /// The member of the content that a service extension sets.
        var changed: StaticString?
    }

    /// Sources: Apple, "Generating a remote notification"; Firebase, "HTTP v1: projects.messages".
    private static let places = [
        Place(
            label: "title arguments", aps: "/alert/title-loc-args",
            google: ["title_loc_args", "titleLocArgs"]),
        Place(label: "subtitle arguments", aps: "/alert/subtitle-loc-args", google: []),
        Place(label: "body arguments", aps: "/alert/loc-args", google: ["body_loc_args", "bodyLocArgs"]),
        // Of a Live Activity.
        Place(label: "content", aps: "/content-state", google: []),
        Place(label: "image", aps: nil, google: ["image"]),
        Place(label: "sound", aps: "/sound", google: ["sound"], changed: "sound"),
        Place(
            label: "interruption level", aps: "/interruption-level", google: [], changed: "interruptionLevel"),
        Place(label: "relevance score", aps: "/relevance-score", google: [], changed: "relevanceScore"),
        Place(
            label: "category", aps: "/category", google: ["click_action", "clickAction"], changed: "categoryIdentifier"),
        Place(label: "channel", aps: nil, google: ["channel_id", "channelId", "android_channel_id"]),
        Place(label: "icon", aps: nil, google: ["icon"]),
        Place(label: "color", aps: nil, google: ["color"]),
        Place(label: "actions", aps: nil, google: ["actions"]),
    ]

    /// The details that are there, in the order of the table.
    private(set) var found: [(label: String, value: String)] = []

    /// - Parameters:
    ///   - payload: the payload as it was sent.
    ///   - changes: the changes by a service extension, as a JSON object; empty for none.
    init(provider: Provider, platform: Platform, payload: BorrowedText, changes: BorrowedText) {
        // SOUND: each tape was just made of its text, which outlives the call.
        var scanner = JSONScanner()
        var tape = JSONTape()
        var changedTape = JSONTape()
        let root =
            unsafe scanner.scan(payload.bytes, into: &tape) == nil ? unsafe tape.root(of: payload.bytes) : nil
        let changed =
            unsafe !changes.isEmpty && scanner.scan(changes.bytes, into: &changedTape) == nil
            ? unsafe changedTape.root(of: changes.bytes) : nil
        let (aps, google) = Self.prefixes(provider, platform)
        for place in Self.places {
            var pointers: [String] = []
            if let aps, let path = place.aps { pointers.append(aps + path) }
            for prefix in google { pointers += place.google.map { "\(prefix)/\($0)" } }
            let value =
                place.changed.flatMap { changed?[$0] }
                ?? pointers.lazy.compactMap { root?[pointer: $0] }.first { $0.kind != .null }
            if let text = value.flatMap(Self.text) { found.append((place.label, text)) }
        }
        // The path of an attachment, and an identifier that the extension did not choose, differ from run to run.
        let attachments = changed?["attachments"]?.elements.map { $0["type"]?.string?.string ?? "file" } ?? []
        found += attachments.map { ("attachment", $0) }
    }

    /// Where a payload has Apple's `aps`, and where Google's notifications, the one that counts more first.
    private static func prefixes(_ provider: Provider, _ platform: Platform) -> (aps: String?, google: [String]) {
        switch (provider, platform) {
        case (.apns, _): ("/aps", [])
        case (.gcm, _): (nil, ["/notification"])
        case (.fcm, .ios): ("/apns/payload/aps", ["/notification"])
        case (.fcm, .android): (nil, ["/android/notification", "/notification"])
        case (.fcm, .web): (nil, ["/webpush/notification", "/notification"])
        }
    }

    /// A string's contents, or the JSON text of another value on one line. Nil for null.
    private static func text(_ value: JSONView) -> String? {
        value.kind == .null ? nil : value.string?.string ?? JSONLayout.line(value)
    }
}
