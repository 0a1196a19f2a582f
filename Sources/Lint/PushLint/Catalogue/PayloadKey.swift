import PushFraming
import PushJSON

/// Meanings of the keys of Apple's payloads and the headers of APNs, for an editor.
package struct PayloadKey: Sendable {
    /// The names of the object that it is in and its own, such as `aps.badge`.
    package let path: String
    /// The effect of its value, in sentences.
    package let text: String
    /// Who says so.
    package let source: Rule.Source

    /// The key that a path through a record leads to; nil if nothing is known about it.
    ///
    /// - Parameter path: the names of the members that lead to it, and its own.
    package static func named(_ path: [String]) -> PayloadKey? { byPath[path.suffix(2).joined(separator: ".")] }

    /// Its own name.
    package var name: String { path.split(separator: ".").last.map(String.init) ?? path }

    /// The key as Markdown.
    package var markdown: String {
        "**\(path)**: \(RuleMarkdown.escaped(text))\n\nSource: [\(RuleMarkdown.escaped(source.title))](\(source.url))"
    }

    /// The key as plain text.
    package var plainText: String { "\(path): \(text)\n\nSource: \(source.title), \(source.url)" }

    private static let byPath = Dictionary(all.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })

    private static func keys(_ source: Rule.Source, _ texts: KeyValuePairs<String, String>) -> [PayloadKey] {
        texts.map { PayloadKey(path: $0.key, text: $0.value, source: source) }
    }

    /// The first table of Apple's page, then the others.
    static let all =
        keys(
            .generating,
            [
                "aps.alert": "The text to show: a string is the body; an object has title, subtitle and body.",
                "aps.badge": "The number on the app icon. 0 removes it.",
                "aps.sound":
                    "The name of a sound file in the app's bundle or its Library/Sounds folder, or default. For a critical alert, an object with critical, name and volume.",
                "aps.thread-id": "Groups the app's notifications that have the same value.",
                "aps.category":
                    "The identifier of a category that the app registers. It selects the actions, and the content extension that shows the notification.",
                "aps.content-available":
                    "1 wakes the app in the background. A push that only does this has no alert, badge or sound.",
                "aps.mutable-content": "1 passes the notification to the app's service extension before it is shown.",
                "aps.target-content-id": "The identifier of the window to bring forward.",
                "aps.interruption-level":
                    "How urgent it is: passive (no sound, no lit screen), active (the default), time-sensitive (breaks through a Focus that permits it; needs an entitlement), critical (ignores Focus and the mute switch; needs an entitlement).",
                "aps.relevance-score":
                    "A number from 0 to 1. The notification with the highest score is featured in the summary. For a Live Activity, any number.",
                "aps.filter-criteria":
                    "A value that the app's Focus filter compares to decide whether to show the notification.",
                "aps.stale-date": "Seconds since 1970: when the Live Activity becomes out of date.",
                "aps.content-state": "The new content of the Live Activity. Its keys are those of the app's own type.",
                "aps.timestamp": "Seconds since 1970: when the content of the Live Activity was created.",
                "aps.event": "start, update or end: what happens to the Live Activity.",
                "aps.dismissal-date": "Seconds since 1970: when an ended Live Activity leaves the Lock Screen.",
                "aps.attributes-type": "The name of the attributes type of the Live Activity to start.",
                "aps.attributes": "The attributes of the Live Activity to start.",
                "alert.title": "The title.",
                "alert.subtitle": "The line below the title.",
                "alert.body": "The text.",
                "alert.launch-image": "The name of the launch image or storyboard to show while the app starts.",
                "alert.title-loc-key": "The key of the title in the app's localized strings.",
                "alert.title-loc-args": "Strings that replace the format specifiers in the title.",
                "alert.subtitle-loc-key": "The key of the subtitle in the app's localized strings.",
                "alert.subtitle-loc-args": "Strings that replace the format specifiers in the subtitle.",
                "alert.loc-key": "The key of the text in the app's localized strings.",
                "alert.loc-args": "Strings that replace the format specifiers in the text.",
                "sound.critical": "1 makes it a critical alert.",
                "sound.name": "The name of a sound file in the app's bundle or its Library/Sounds folder, or default.",
                "sound.volume": "The volume of a critical alert, from 0 (silent) to 1.",
            ])
        + keys(
            .sending,
            [
                "headers.apns-push-type":
                    "What kind of push it is: alert, background, voip, complication, fileprovider, mdm, liveactivity, pushtotalk, location, nowplaying, widgets or controls.",
                "headers.apns-topic": "The app's bundle identifier, with a suffix for some push types.",
                "headers.apns-id": "A UUID for the notification. APNs repeats it in its answer.",
                "headers.apns-expiration":
                    "Seconds since 1970 until which APNs stores a message that it cannot deliver. With 0, APNs tries once.",
                "headers.apns-priority":
                    "10 delivers at once, 5 considers the device's power, and 1 gives power priority over everything else.",
                "headers.apns-collapse-id":
                    "Notifications with the same value are shown as one. At most 64 bytes.",
            ])

    /// All keys of requests that the rules know; those without words say only where they stand.
    package static let known =
        all
        + [
            ("aps", APSRules.keys, .generating), ("alert", AlertRules.keys, .generating),
            ("headers", APNsHeader.names, Rule.Source.sending), ("gcm", GCMNameRules.keys, .legacy),
            ("gcm.notification", GCMNameRules.notificationKeys, .legacy), ("expo", ExpoRules.fields, .expo),
        ].flatMap { place, list, source in
            list.names.map { PayloadKey(path: "\(place).\($0)", text: "A key of \(place).", source: source) }
                .filter { byPath[$0.path] == nil }
        }
}

/// The name of a member at a place in a text.
package struct KeyPlace: Equatable {
    /// The names of the members that lead to it, and its own.
    package let path: [String]
    /// Its bytes in the text, with the quotes.
    package let range: Range<Int>

    /// The name at a byte of a text, which may be in JSON inside a string. Nil if there is none, or if its record is not JSON.
    package init?(at offset: Int, in text: [UInt8]) {
        // SOUND: the ranges are of these bytes, which live until the closure returns; a `LintText` copies its record.
        let found: (path: [String], range: Range<Int>)? = unsafe text.withUnsafeBytes { bytes in
            let cutter = RecordCutter(framing: .auto, maximumRecordBytes: TextLinter.defaultMaximumRecordBytes)
            for piece in unsafe cutter.pieces(of: bytes) {
                guard let range = piece.record, range.contains(offset) else { continue }
                let record = unsafe LintText(record: UnsafeRawBufferPointer(rebasing: bytes[range]))
                guard let (path, place) = record.root?.key(at: offset - range.lowerBound) else { return nil }
                return (path, place.moved(by: range.lowerBound))
            }
            return nil
        }
        guard let found else { return nil }
        (path, range) = found
    }
}

extension LintNode {
    /// The name at a byte of the node's text, and its bytes in the record. O(bytes), for each string that it is in.
    fileprivate func key(at offset: Int) -> (path: [String], range: Range<Int>)? {
        if isString {
            let place = offset - range.lowerBound - 1
            guard let string, (0..<string.count).contains(place) else { return nil }
            return inner?.root?.key(at: string.decodedOffset(ofRaw: place))
        }
        var found: (path: [String], range: Range<Int>)?
        forEachMember { member in
            if member.keyRange.contains(offset) {
                found = ([member.name], text.recordRange(member.keyRange))
            } else if member.value.range.contains(offset), let inner = member.value.key(at: offset) {
                found = ([member.name] + inner.path, inner.range)
            }
        }
        forEachElement { element in
            if element.range.contains(offset) { found = element.key(at: offset) }
        }
        return found
    }
}
