package import PayloadJSON

/// The actions that notifications of a category offer, as an app registers it. Source: Apple, `UNNotificationCategory`.
package struct ActionCategory: Sendable, Equatable {
    /// A button below a notification. Source: Apple, `UNNotificationAction`, `UNTextInputNotificationAction`.
    package struct Action: Sendable, Equatable {
        /// The identifier that the app gets.
        package var identifier: String
        /// The text on the button.
        package var title: String
        /// True if it brings the app to the front (`foreground`); otherwise the app carries it out in the background.
        package var opensApp = false
        /// True if the user types a text.
        package var takesText = false

        /// An action that the app carries out in the background.
        package init(_ identifier: String, title: String) {
            self.identifier = identifier
            self.title = title
        }
    }

    /// The name in payloads: `aps.category`.
    package var identifier: String
    /// In the order of the buttons.
    package var actions: [Action] = []
    /// True if the app learns that a notification was dismissed (`customDismissAction`).
    package var reportsDismissal = false
    /// The text in place of the body where previews are hidden (`hiddenPreviewsBodyPlaceholder`); nil for the system's own.
    package var placeholder: String?
    /// True if the title or the subtitle is shown all the same (`hiddenPreviewsShowTitle`, `hiddenPreviewsShowSubtitle`).
    package var showsTitle = false
    package var showsSubtitle = false

    /// A category without actions.
    package init(_ identifier: String) { self.identifier = identifier }

    /// The action that an app gets for a notification that was dismissed. Source: Apple,
    /// `UNNotificationDismissActionIdentifier`; Apple does not document the text.
    package static let dismissal = "com.apple.UNNotificationDismissActionIdentifier"
}

extension ActionCategory {
    /// Reads `{"id":"TALK","actions":[{"id":"REPLY","title":"Reply","text":true}],"dismissal":true}`.
    ///
    /// - Returns: nil if the value does not have this form.
    package init?(_ view: JSONView) {
        guard let category = try? ActionCategory(view, "category") else { return nil }
        self = category
    }

    /// The same, with what is wrong.
    private init(_ view: JSONView, _ place: String) throws(ListMistake) {
        self.init(try ListMistake.identifier(of: view, place))
        for (key, value) in view.members {
            let name = key.string
            let inner = "\(place).\(name)"
            switch name {
            case "id": break
            case "placeholder":
                let text = try ListMistake.text(value, inner)
                placeholder = text.isEmpty ? nil : text
            case "dismissal": reportsDismissal = try ListMistake.flag(value, inner)
            case "shows_title": showsTitle = try ListMistake.flag(value, inner)
            case "shows_subtitle": showsSubtitle = try ListMistake.flag(value, inner)
            case "actions":
                guard value.kind == .array else { throw ListMistake("\(inner) must be a list of actions", value) }
                for element in value.elements { actions.append(try Action(element, "\(inner)[\(actions.count)]")) }
            default:
                let names = ["id", "actions", "dismissal", "placeholder", "shows_title", "shows_subtitle"]
                throw ListMistake(unknown: name, among: names, place, value)
            }
        }
    }

    /// The categories of a list; nil if it is not one.
    package static func list(_ view: JSONView) throws(ListMistake) -> [ActionCategory]? {
        guard view.kind == .array else { return nil }
        var found: [ActionCategory] = []
        for element in view.elements { found.append(try ActionCategory(element, "categories[\(found.count)]")) }
        return found
    }

    /// The same as JSON.
    package static func append(_ categories: [ActionCategory], to out: inout ByteBuffer) {
        out.append("[")
        for (position, category) in categories.enumerated() {
            if position > 0 { out.append(",") }
            category.append(to: &out)
        }
        out.append("]")
    }

    /// One category as JSON.
    package func append(to out: inout ByteBuffer) {
        out.append("{\"id\":")
        out.appendJSONString(identifier)
        if !actions.isEmpty {
            out.append(",\"actions\":[")
            for (position, action) in actions.enumerated() {
                if position > 0 { out.append(",") }
                action.append(to: &out)
            }
            out.append("]")
        }
        if reportsDismissal { out.append(",\"dismissal\":true") }
        out.appendMember("placeholder", placeholder)
        if showsTitle { out.append(",\"shows_title\":true") }
        if showsSubtitle { out.append(",\"shows_subtitle\":true") }
        out.append("}")
    }
}

extension ActionCategory.Action {
    fileprivate init(_ view: JSONView, _ place: String) throws(ListMistake) {
        let identifier = try ListMistake.identifier(of: view, place)
        self.init(identifier, title: identifier)
        for (key, value) in view.members {
            let name = key.string
            switch name {
            case "id": break
            case "title": title = try ListMistake.text(value, "\(place).title")
            case "foreground": opensApp = try ListMistake.flag(value, "\(place).foreground")
            case "text": takesText = try ListMistake.flag(value, "\(place).text")
            default: throw ListMistake(unknown: name, among: ["id", "title", "foreground", "text"], place, value)
            }
        }
    }

    fileprivate func append(to out: inout ByteBuffer) {
        out.append("{\"id\":")
        out.appendJSONString(identifier)
        if title != identifier {
            out.append(",\"title\":")
            out.appendJSONString(title)
        }
        if opensApp { out.append(",\"foreground\":true") }
        if takesText { out.append(",\"text\":true") }
        out.append("}")
    }
}
