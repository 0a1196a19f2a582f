package import PushJSON
package import PushModel

/// Rules for what an app does by itself with messages that it gets, by what is in them: which it shows as a notification of its own, and
/// for which it removes delivered ones. Of each kind, the first rule that matches decides.
///
/// It stands for what an app does in `onMessageReceived` or `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`, often
/// with a library such as notifee or flutter_local_notifications.
package struct MessageRules: Sendable, Equatable {
    /// Which messages a rule is for.
    package struct Condition: Sendable, Equatable {
        /// Where to look; nil matches every message.
        package var place: PreferenceMapping.Place?
        /// The value to match, where `*` matches any run of characters. Nil matches anything that is not empty.
        package var pattern: String?
        /// True if messages count, too, whose notification an Android system shows while the app is in the background. Sources: notifee, issue
        /// 767; react-native-firebase, issue 4768; flutter_local_notifications, issue 1023.
        package var includesNotifications = false

        /// True if messages to web sites count, too, which a site's service worker gets.
        package var includesWeb = false

        package init(
            at place: PreferenceMapping.Place? = nil, like pattern: String? = nil, includesNotifications: Bool = false
        ) {
            self.place = place
            self.pattern = pattern
            self.includesNotifications = includesNotifications
        }

        /// True if the rule is for a message.
        ///
        /// - Parameter isHanded: true if the app gets it in any case.
        func matches(_ message: DecodedMessage, _ payload: JSONView?, isHanded: Bool) -> Bool {
            if message.platform == .web, !includesWeb { return false }
            guard isHanded || (includesNotifications && message.platform == .android) else { return false }
            guard let place else { return true }
            guard let found = place.value(of: message, payload), !found.isEmpty else { return false }
            return pattern.map { Wildcard.matches(found, $0) } ?? true
        }

        fileprivate var mistake: String? {
            place == nil && pattern != nil ? "a rule with like needs a place: at" : nil
        }
    }

    /// `condition → notification`.
    package struct Post: Sendable, Equatable {
        package var condition = Condition()
        package var title: MessageText?
        package var body: MessageText?
        package var tag: MessageText?
        package var id: MessageText?
        package var group: MessageText?
        package var channel: MessageText?
        package var isSilent: Bool?
        package var alertsOnce: Bool?

        package init() {}

        /// The mistake in the rule, for a message; nil when it can post something.
        package var mistake: String? {
            condition.mistake ?? (title == nil && body == nil ? "a rule for posts needs a title or a body" : nil)
        }
    }

    /// `condition → identifiers of the notifications that the app removes`.
    package struct Removal: Sendable, Equatable {
        package var condition = Condition()
        package var identifiers: MessageText?

        package init() {}

        /// The mistake in the rule, for a message; nil when it can remove something.
        package var mistake: String? {
            condition.mistake ?? (identifiers == nil ? "a rule for removals needs identifiers" : nil)
        }
    }

    package var posts: [Post] = []
    package var removals: [Removal] = []

    package init() {}

    package var isEmpty: Bool { posts.isEmpty && removals.isEmpty }

    /// The app's reaction to a message. O(rules × members on the path).
    ///
    /// - Parameters:
    ///   - payload: its payload, if it is JSON.
    ///   - isHanded: true if the app gets it in any case.
    package func reaction(to message: DecodedMessage, _ payload: JSONView?, isHanded: Bool) -> AppReaction {
        var reaction = AppReaction()
        if let rule = removals.first(where: { rule in
            // A rule about a member that the message does not have is for other messages.
            rule.condition.matches(message, payload, isHanded: isHanded)
                && !(rule.identifiers?.texts(in: payload).isEmpty ?? true)
        }) {
            reaction.withdrawn = rule.identifiers?.texts(in: payload) ?? []
        }
        if let rule = posts.first(where: { $0.condition.matches(message, payload, isHanded: isHanded) }) {
            var post = LocalNotification()
            post.title = rule.title?.text(in: payload)
            post.body = rule.body?.text(in: payload)
            post.tag = rule.tag?.text(in: payload)
            post.id = rule.id?.text(in: payload).flatMap { Int($0) }
            post.group = rule.group?.text(in: payload)
            post.channel = rule.channel?.text(in: payload)
            (post.isSilent, post.alertsOnce) = (rule.isSilent, rule.alertsOnce)
            reaction.post = post
        }
        return reaction
    }
}

/// The reaction of an app to a message that it gets.
package struct AppReaction: Sendable, Equatable {
    /// The identifiers of the notifications that it removes, before it posts one.
    package var withdrawn: [String] = []
    package var post: LocalNotification?
    /// The data of the message, which the notification takes along: members of its payload, each after a comma.
    package var data = ""

    package init() {}

    package var isEmpty: Bool { withdrawn.isEmpty && post == nil }
}

/// A text that an app makes of a message: `/data/title` is the value at a JSON Pointer into the payload, `{/data/sender} wrote` has one in it,
/// and anything else is the text itself.
package struct MessageText: Sendable, Equatable {
    private enum Part: Sendable, Equatable {
        case text(String)
        case pointer(String)
    }

    private let parts: [Part]

    /// Nil for a JSON Pointer that cannot be one, and for braces that look as if there were one in them: `{data/type}`, `{/data/type`.
    package init?(_ text: String) {
        if text.hasPrefix("/") {
            guard JSONPointer.tokens(text) != nil else { return nil }
            parts = [.pointer(text)]
            return
        }
        var parts: [Part] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "{/") {
            guard let end = rest[start.upperBound...].firstIndex(of: "}") else { return nil }
            let pointer = "/" + rest[start.upperBound..<end]
            guard JSONPointer.tokens(pointer) != nil else { return nil }
            if Self.lacksSlash(rest[..<start.lowerBound]) { return nil }
            if start.lowerBound > rest.startIndex { parts.append(.text(String(rest[..<start.lowerBound]))) }
            parts.append(.pointer(pointer))
            rest = rest[rest.index(after: end)...]
        }
        if Self.lacksSlash(rest) { return nil }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
    }

    /// True if braces in a text hold a path, as in `{data/type}`, which lacks the slash of a JSON Pointer.
    private static func lacksSlash(_ text: Substring) -> Bool {
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().contains { part in
            guard let end = part.firstIndex(of: "}") else { return false }
            let inner = part[..<end]
            return inner.contains("/") && !inner.contains(where: \.isWhitespace)
        }
    }

    /// The text; nil if a value in it is missing, or is an object or a list.
    func text(in payload: JSONView?) -> String? {
        var text = ""
        for part in parts {
            switch part {
            case .text(let words): text += words
            case .pointer(let pointer):
                guard let value = payload?[pointer: pointer].flatMap(PreferenceMapping.text) else { return nil }
                text += value
            }
        }
        return text
    }

    /// The texts of a list, which GCM and FCM can only send as JSON in a string; or one text. Empty ones are left out.
    func texts(in payload: JSONView?) -> [String] {
        if parts.count == 1, case .pointer(let pointer) = parts[0], let value = payload?[pointer: pointer] {
            if value.kind == .array { return Self.elements(value) }
            if let string = value.string?.string, string.hasPrefix("["),
                let list = Array(string.utf8).withJSON({ $0.kind == .array ? Self.elements($0) : nil }) ?? nil
            {
                return list
            }
        }
        return text(in: payload).flatMap { $0.isEmpty ? nil : [$0] } ?? []
    }

    private static func elements(_ list: JSONView) -> [String] {
        var texts: [String] = []
        for element in list.elements {
            if let text = PreferenceMapping.text(element), !text.isEmpty { texts.append(text) }
        }
        return texts
    }
}
