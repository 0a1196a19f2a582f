import PushModel
package import PushSystem

/// A rule of an app that a file or a table states member by member.
package protocol AppRule {
    /// The names of the members, in the order in which messages list them.
    static var members: [String] { get }
    /// A rule without members.
    init()
    /// Sets one of the members from its text.
    ///
    /// - Throws: an error that names no place.
    mutating func set(_ member: String, _ text: String) throws(PlainError)
    /// The mistake in the rule as a whole, for a message; nil when it can match.
    var mistake: String? { get }
}

extension PreferenceMapping.Place {
    package init(parsing text: String) throws(PlainError) {
        guard let place = Self(text) else {
            throw PlainError("\"\(text)\" is neither a JSON Pointer nor one of \(Self.names.joined(separator: ", "))")
        }
        self = place
    }
}

extension MessageText {
    fileprivate init(parsing text: String) throws(PlainError) {
        guard let parsed = Self(text) else {
            throw PlainError(
                "\"\(text)\" is not a JSON Pointer, such as /data/title, and has none in braces, such as {/data/title}")
        }
        self = parsed
    }
}

extension Bool {
    fileprivate init(_ text: String, of member: String) throws(PlainError) {
        guard let flag = Bool(text) else { throw PlainError("\(member) is true or false") }
        self = flag
    }
}

// MARK: - Rules

/// `{at: category, like: TALK_*, type: edit-user-talk}`. Without `like` everything matches; without `type` the value is the type.
extension PreferenceMapping.Rule: AppRule {
    package static let members = ["at", "like", "type"]

    package init() { self.init(at: nil) }

    package mutating func set(_ member: String, _ text: String) throws(PlainError) {
        switch member {
        case "at": place = try PreferenceMapping.Place(parsing: text)
        case "like": pattern = text
        default: type = NotificationType(text)
        }
    }

    package var mistake: String? {
        place == nil ? "a rule needs a place: at" : type?.name == "" ? "a type needs a name" : nil
    }
}

/// `{at: /url, like: https://example.org/*, screen: article}`, with `action`, `kind` and `modal` if need be. Without `at` every notification
/// matches; without `screen` the value is the name of the screen.
extension TapRoutes.Rule: AppRule {
    package static let members = ["at", "like", "action", "screen", "kind", "modal"]

    package init() { self.init(at: nil, opens: AppScreen("")) }

    package mutating func set(_ member: String, _ text: String) throws(PlainError) {
        switch member {
        case "at": place = try PreferenceMapping.Place(parsing: text)
        case "like": pattern = text
        case "action": action = text
        case "screen": screen.name = text
        case "kind":
            guard let kind = AppScreen.Kind(rawValue: text) else {
                let names = AppScreen.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw PlainError("kind is one of \(names)")
            }
            screen.kind = kind
        default: screen.isModal = try Bool(text, of: member)
        }
    }
}

extension MessageRules.Condition {
    fileprivate static let members = ["at", "like", "notifications", "web"]

    fileprivate mutating func set(_ member: String, _ text: String) throws(PlainError) {
        switch member {
        case "at": place = try PreferenceMapping.Place(parsing: text)
        case "like": pattern = text
        case "web": includesWeb = try Bool(text, of: member)
        default: includesNotifications = try Bool(text, of: member)
        }
    }
}

/// `{at: /data/type, like: chat, title: "{/data/sender} wrote", body: /data/text, tag: /data/chat, channel: chats}`, with `notifications` and
/// `web` if need be. Without `at` every message matches.
extension MessageRules.Post: AppRule {
    package static let members =
        MessageRules.Condition.members + ["title", "body", "tag", "id", "group", "channel", "silent", "alert_once"]

    package mutating func set(_ member: String, _ text: String) throws(PlainError) {
        switch member {
        case "title": title = try MessageText(parsing: text)
        case "body": body = try MessageText(parsing: text)
        case "tag": tag = try MessageText(parsing: text)
        case "id": id = try MessageText(parsing: text)
        case "group": group = try MessageText(parsing: text)
        case "channel": channel = try MessageText(parsing: text)
        case "silent": isSilent = try Bool(text, of: member)
        case "alert_once": alertsOnce = try Bool(text, of: member)
        default: try condition.set(member, text)
        }
    }
}

/// `{identifiers: /data/read}`, with `at`, `like`, `notifications` and `web` as for posts.
extension MessageRules.Removal: AppRule {
    package static let members = MessageRules.Condition.members + ["identifiers"]

    package mutating func set(_ member: String, _ text: String) throws(PlainError) {
        if member == "identifiers" {
            identifiers = try MessageText(parsing: text)
        } else {
            try condition.set(member, text)
        }
    }
}
