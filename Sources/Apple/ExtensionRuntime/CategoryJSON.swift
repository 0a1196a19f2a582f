#if os(Linux)
    import Foundation
    import UserNotifications

    /// Categories as JSON of the protocol, which has the form of those in events.
    enum CategoryJSON {
        /// In the order of identifiers. Without those that no payload can name.
        static func encoded(_ categories: Set<UNNotificationCategory>) -> [[String: Any]] {
            categories.filter { !$0.identifier.isEmpty }.sorted { $0.identifier < $1.identifier }.map(encoded)
        }

        private static func encoded(_ category: UNNotificationCategory) -> [String: Any] {
            var object: [String: Any] = ["id": category.identifier]
            let actions = category.actions.filter { !$0.identifier.isEmpty }.map(encoded)
            if !actions.isEmpty { object["actions"] = actions }
            for (name, option) in options where category.options.contains(option) { object[name] = true }
            let placeholder = category.hiddenPreviewsBodyPlaceholder
            if !placeholder.isEmpty { object["placeholder"] = placeholder }
            return object
        }

        private static let options: [(String, UNNotificationCategoryOptions)] = [
            ("dismissal", .customDismissAction), ("shows_title", .hiddenPreviewsShowTitle),
            ("shows_subtitle", .hiddenPreviewsShowSubtitle),
        ]

        private static func encoded(_ action: UNNotificationAction) -> [String: Any] {
            var object: [String: Any] = ["id": action.identifier]
            if action.title != action.identifier { object["title"] = action.title }
            if action.options.contains(.foreground) { object["foreground"] = true }
            if action is UNTextInputNotificationAction { object["text"] = true }
            return object
        }

        /// - Parameter own: categories of this process: the host does not keep all that they have.
        static func categories(
            _ objects: [[String: Any]], preferring own: Set<UNNotificationCategory>
        ) -> Set<UNNotificationCategory> {
            Set(
                objects.compactMap { object in
                    own.first { (encoded($0) as NSDictionary).isEqual(object as NSDictionary) } ?? category(object)
                })
        }

        private static func category(_ object: [String: Any]) -> UNNotificationCategory? {
            guard let identifier = object["id"] as? String else { return nil }
            let set = options.filter { object[$0.0] as? Bool == true }.map(\.1)
            return UNNotificationCategory(
                identifier: identifier, actions: (object["actions"] as? [[String: Any]] ?? []).compactMap(action),
                intentIdentifiers: [], hiddenPreviewsBodyPlaceholder: object["placeholder"] as? String,
                categorySummaryFormat: nil, options: UNNotificationCategoryOptions(set))
        }

        private static func action(_ object: [String: Any]) -> UNNotificationAction? {
            guard let identifier = object["id"] as? String else { return nil }
            let title = object["title"] as? String ?? identifier
            let options: UNNotificationActionOptions = object["foreground"] as? Bool == true ? .foreground : []
            guard object["text"] as? Bool == true else {
                return UNNotificationAction(identifier: identifier, title: title, options: options)
            }
            return UNTextInputNotificationAction(
                identifier: identifier, title: title, options: options, textInputButtonTitle: "",
                textInputPlaceholder: "")
        }
    }
#endif
