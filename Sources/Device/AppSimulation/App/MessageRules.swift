package import PayloadJSON
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
        package var channel: MessageText?

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
            reaction.post = LocalNotification(
                title: rule.title?.text(in: payload), body: rule.body?.text(in: payload),
                tag: rule.tag?.text(in: payload), channel: rule.channel?.text(in: payload))
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
