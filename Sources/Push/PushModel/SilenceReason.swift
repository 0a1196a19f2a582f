/// Why a push that reached its app shows nothing: the reason of the outcome `silent`. The names are a contract: reports contain them.
///
/// Sources: Apple, "Generating a remote notification" and "Pushing background updates to your App"; Firebase, "About FCM messages";
/// WHATWG, Notifications API, "Showing a notification".
package enum SilenceReason: UInt8, Sendable, CaseIterable {
    case noAlert, pushType, foreground, misspelledKey, badgeOnly, background, dataOnly, refusedOptions

    /// One row per reason.
    package struct Row: Sendable {
        /// The name in reports.
        package let name: StaticString
        /// The explanation in plain words.
        package let explanation: StaticString
        /// The remedy for a sender who wants it to be seen.
        package let remedy: StaticString
    }

    /// In the order of the cases.
    private static let table: [Row] = [
        Row(
            name: "no-alert", explanation: "the push has neither a title, nor a subtitle, nor a body",
            remedy: "put a text into aps.alert"),
        Row(
            name: "push-type", explanation: "the system shows no pushes of this type",
            remedy: "send what people are to see with apns-push-type alert"),
        Row(
            name: "foreground",
            explanation: "the app is in the foreground, gets the push itself, and does not present it",
            remedy: "have the app present it, or close the app"),
        Row(
            name: "misspelled-key",
            explanation: "the push has no alert, and a key that is nearly one of those that have the texts of an alert",
            remedy: "correct the key; the finding aps.misspelled-key says which one"),
        Row(
            name: "badge-only", explanation: "the push has a badge and no alert, so it changes the number on the icon",
            remedy: "put a text into aps.alert"),
        Row(
            name: "background", explanation: "a background push wakes the app and shows nothing",
            remedy: "put a text into aps.alert, and send it with apns-push-type alert"),
        Row(
            name: "data-only",
            explanation: "the message has no notification for this platform, so the app gets its data and decides",
            remedy: "put a title or a body into notification"),
        Row(
            name: "refused-options", explanation: "showNotification throws a TypeError for these options",
            remedy: "correct what the finding fcm.web-notification names"),
    ]

    /// The row of this reason.
    package var row: Row { Self.table[Int(rawValue)] }
}

extension DecodedMessage {
    /// Why it shows nothing. Meaningless for a message that is shown.
    package var silenceReason: SilenceReason {
        if platform == .ios, !(headers.pushType?.row.isShown ?? true) { return .pushType }
        if content.hasAlert { return .foreground }
        if content.silence == .misspelledKey { return .misspelledKey }
        if content.badge != nil, !content.keepsIcon { return .badgeOnly }
        return platform == .ios && headers.pushType == .background ? .background : content.silence
    }
}
