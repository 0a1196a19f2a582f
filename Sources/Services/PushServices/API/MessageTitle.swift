import PayloadJSON

/// The short text of a request, for lists of messages.
enum MessageTitle {
    /// Where titles and texts are, the best first: APNs, FCM v1, FCM's data, GCM, Airnotifier, SNS and Expo.
    private static let pointers = [
        "/aps/alert/title", "/aps/alert/body", "/aps/alert/title-loc-key", "/aps/alert/loc-key", "/aps/alert",
        "/message/notification/title", "/message/notification/body", "/message/webpush/notification/title",
        "/message/apns/payload/aps/alert/title", "/message/apns/payload/aps/alert", "/message/data/title",
        "/notification/title", "/notification/body", "/data/title", "/data/message", "/alert/title", "/alert/body",
        "/alert", "/title", "/message", "/body", "/0/title", "/0/body",
    ]
    /// In characters.
    static let mostCharacters = 120
    /// In bytes of UTF-8: a character can have any number of combining marks.
    static let mostBytes = 480

    /// - Returns: nil for a body that is not JSON, or has no such text.
    static func text(of body: [UInt8]) -> String? {
        body.withJSON { root in
            pointers.lazy.compactMap { root[pointer: $0]?.string?.string }.first { !$0.isEmpty }.map(shortened)
        } ?? nil
    }

    private static func shortened(_ text: String) -> String {
        guard text.utf8.count > mostBytes else { return String(text.prefix(mostCharacters)) }
        var bytes = 0
        let scalars = text.unicodeScalars.prefix { scalar in
            bytes += UTF8.width(scalar)
            return bytes <= mostBytes
        }
        let characters = Substring(scalars)
        // The cut may have been within the last character.
        return String((characters.count > 1 ? characters.dropLast() : characters).prefix(mostCharacters))
    }
}

/// The titles of the messages of a log, each read when it is first asked for, and then kept: lists and streams show a message again and
/// again, and a request that nobody looks at costs nothing.
struct MessageTitles {
    /// By the ids of messages; nil for those without a title.
    private var known: [UInt64: String?] = [:]
    /// How many bodies were read.
    private(set) var readCount = 0

    /// The title of a message; nil if it has none.
    ///
    /// - Parameter log: which the message is from. Titles of messages that it no longer has are forgotten, so there are at most twice as
    ///   many as messages.
    mutating func title(of message: LoggedMessage, in log: MessageLog) -> String? {
        if let title = known[message.id] { return title }
        if known.count / 2 >= log.maximumCount { known = known.filter { $0.key >= log.firstID } }
        let title = MessageTitle.text(of: message.request.body)
        readCount += 1
        known[message.id] = .some(title)
        return title
    }

    /// How many are known.
    var count: Int { known.count }

    /// Forgets all of them.
    mutating func removeAll() { known = [:] }
}
