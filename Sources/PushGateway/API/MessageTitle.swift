import PayloadJSON

/// What a request says to a person, in short: for lists of messages.
enum MessageTitle {
    /// Where titles and texts are, the best first: APNs, FCM v1, FCM's data, GCM, Airnotifier and SNS.
    private static let pointers = [
        "/aps/alert/title", "/aps/alert/body", "/aps/alert/title-loc-key", "/aps/alert/loc-key", "/aps/alert",
        "/message/notification/title", "/message/notification/body", "/message/webpush/notification/title",
        "/message/apns/payload/aps/alert/title", "/message/apns/payload/aps/alert", "/message/data/title",
        "/notification/title", "/notification/body", "/data/title", "/data/message", "/alert/title", "/alert/body",
        "/alert", "/title", "/message",
    ]
    /// In characters.
    private static let longest = 120

    /// - Returns: nil for a body that is not JSON, or has no such text.
    static func text(of body: [UInt8]) -> String? {
        body.withJSON { root in
            pointers.lazy.compactMap { root[pointer: $0]?.string?.string }.first { !$0.isEmpty }.map { text in
                String(text.prefix(longest))
            }
        } ?? nil
    }
}
