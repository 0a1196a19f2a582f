package import PushJSON
import PushModel

/// Where taps on notifications lead in an app, by what is in the notification: the first rule that matches decides. A tap
/// that no rule matches leads to the app's own list of notifications.
///
/// It stands for what an app does in `userNotificationCenter(_:didReceive:withCompletionHandler:)`, or with the intent of
/// a `click_action` on Android.
package struct TapRoutes: Sendable, Equatable {
    /// `place + value + action → screen`.
    package struct Rule: Sendable, Equatable {
        /// Where to look; nil matches every notification.
        package var place: PreferenceMapping.Place?
        /// The value to match, where `*` matches any run of characters. Nil matches anything that is not empty.
        package var pattern: String?
        /// The action that the user chose; nil for a tap on the notification itself.
        package var action: String?
        /// The screen that opens. Without a name, the value is its name.
        package var screen: AppScreen

        package init(
            at place: PreferenceMapping.Place?, like pattern: String? = nil, action: String? = nil,
            opens screen: AppScreen
        ) {
            self.place = place
            self.pattern = pattern
            self.action = action
            self.screen = screen
        }

        /// The mistake in the rule, for a message; nil when it can match.
        package var mistake: String? {
            if place == nil, pattern != nil { return "a rule with like needs a place: at" }
            if place == nil, screen.name.isEmpty, screen.kind != .center {
                return "a rule for taps needs a screen, or a place whose value names it: at"
            }
            return nil
        }
    }

    /// The rules, in the order in which they are tried.
    package let rules: [Rule]

    package init(_ rules: [Rule]) { self.rules = rules }

    /// The screen that a tap opens; nil when no rule matches. O(rules × members on the path).
    ///
    /// - Parameter action: the action that the user chose; nil for a tap on the notification itself.
    package func screen(for action: String?, _ values: TappedValues) -> AppScreen? {
        for rule in rules where rule.action == action {
            var screen = rule.screen.kind == .center ? .center : rule.screen
            if let place = rule.place {
                guard let found = values[place], !found.isEmpty else { continue }
                if let pattern = rule.pattern, !Wildcard.matches(found, pattern) { continue }
                if screen.name.isEmpty { screen.name = found }
            }
            if !screen.name.isEmpty { return screen }
        }
        return nil
    }
}

/// The values of a notification that a rule can look at. Valid only as long as the texts of its views.
package struct TappedValues {
    let app: String
    /// Collapse id or tag; nil for a notification whose sender chose none.
    let collapseID: String?
    /// The payload as it was sent, if it is JSON.
    let payload: JSONView?
    /// The service extension's changes to the content, if there are any.
    let changes: JSONView?

    package init(app: String, collapseID: String?, payload: JSONView?, changes: JSONView?) {
        self.app = app
        self.collapseID = collapseID
        self.payload = payload
        self.changes = changes
    }

    /// Where messages of GCM and FCM for Android name what a tap opens, which is a category for Apple devices. Source: FCM
    /// v1, `AndroidNotification.click_action`; GCM, `notification.click_action`.
    private static let clickActions = [
        "/notification/click_action", "/android/notification/click_action",
    ]

    package subscript(place: PreferenceMapping.Place) -> String? {
        switch place {
        case .topic: app
        case .collapseID: collapseID
        case .category:
            changed("categoryIdentifier") ?? value("/aps/category")
                ?? Self.clickActions.lazy.compactMap { value($0) }.first
        case .threadID: changed("threadIdentifier") ?? value("/aps/thread-id")
        case .pointer(let pointer):
            // The app sees the `userInfo` that the extension left.
            if let userInfo = changes?["userInfo"] {
                userInfo[pointer: pointer].flatMap(PreferenceMapping.text)
            } else {
                value(pointer)
            }
        }
    }

    private func changed(_ member: StaticString) -> String? { changes?[member].flatMap(PreferenceMapping.text) }

    private func value(_ pointer: String) -> String? { payload?[pointer: pointer].flatMap(PreferenceMapping.text) }
}
