package import PushJSON

/// An object in a list that is a member of an event. It has an identifier, `id`, and members of which `members` has a row each.
package protocol ListElement: Sendable {
    /// The name of the member with the list.
    static var listName: StaticString { get }
    static var members: [ElementMember<Self>] { get }
    var identifier: String { get }
    init(_ identifier: String)
}

/// A member of such an object: how it is read and written, and its JSON Schema.
package struct ElementMember<Element: Sendable>: Sendable {
    package let name: StaticString
    package let schema: String
    fileprivate let read: @Sendable (JSONView, _ place: String, inout Element) throws(DecodeFailure) -> Void
    fileprivate let append: @Sendable (Element, inout ByteBuffer) -> Void

    /// True or false; the usual value is not written.
    static func flag(
        _ name: StaticString, _ flag: any WritableKeyPath<Element, Bool> & Sendable, unless usual: Bool = false
    ) -> Self {
        Self(name: name, schema: #"{"type": "boolean"}"#) { view, place, element throws(DecodeFailure) in
            guard view.kind == .true || view.kind == .false else {
                throw DecodeFailure("\(place) must be true or false", view)
            }
            element[keyPath: flag] = view.kind == .true
        } append: { element, out in
            if element[keyPath: flag] != usual { out.appendMember(name, !usual) }
        }
    }

    /// A text; nil is not written.
    static func text(
        _ name: StaticString, get: @escaping @Sendable (Element) -> String?,
        set: @escaping @Sendable (inout Element, String) -> Void
    ) -> Self {
        Self(name: name, schema: #"{"type": "string"}"#) { view, place, element throws(DecodeFailure) in
            guard let text = view.string?.string else { throw DecodeFailure("\(place) must be a string", view) }
            set(&element, text)
        } append: { element, out in
            out.appendMember(name, get(element))
        }
    }

    /// A word of an enumeration.
    static func word<Word: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: StaticString, _ word: any WritableKeyPath<Element, Word> & Sendable
    ) -> Self {
        let words = Word.allCases.map(\.rawValue)
        let quoted = words.map { #""\#($0)""# }.joined(separator: ", ")
        return Self(name: name, schema: #"{"enum": [\#(quoted)]}"#) { view, place, element throws(DecodeFailure) in
            guard let found = view.string.flatMap({ Word(rawValue: $0.string) }) else {
                throw DecodeFailure("\(place) must be one of \(words.joined(separator: ", "))", view)
            }
            element[keyPath: word] = found
        } append: { element, out in
            out.appendMember(name, element[keyPath: word].rawValue)
        }
    }

    /// A list of objects; an empty one is not written.
    static func list<Inner: ListElement>(
        _ name: StaticString, _ list: any WritableKeyPath<Element, [Inner]> & Sendable
    ) -> Self {
        Self(name: name, schema: #"{"type": "array", "items": \#(Inner.schema)}"#) {
            view, place, element throws(DecodeFailure) in
            guard let found = try Inner.list(view, place) else {
                throw DecodeFailure("\(place) must be a list of \(Inner.listName)", view)
            }
            element[keyPath: list] = found
        } append: { element, out in
            guard !element[keyPath: list].isEmpty else { return }
            out.appendMemberName(name)
            Inner.append(element[keyPath: list], to: &out)
        }
    }
}

extension ListElement {
    /// The objects of a list; nil if it is not one.
    package static func list(_ view: JSONView) throws(DecodeFailure) -> [Self]? { try list(view, "\(listName)") }

    fileprivate static func list(_ view: JSONView, _ place: String) throws(DecodeFailure) -> [Self]? {
        guard view.kind == .array else { return nil }
        var found: [Self] = []
        for element in view.elements { found.append(try Self(element, "\(place)[\(found.count)]")) }
        return found
    }

    private init(_ view: JSONView, _ place: String) throws(DecodeFailure) {
        guard view.isObject else { throw DecodeFailure("\(place) must be an object", view) }
        guard let id = view["id"] else { throw DecodeFailure("\(place) needs an id", view) }
        guard let identifier = id.string?.string, !identifier.isEmpty else {
            throw DecodeFailure("\(place).id must be a string that is not empty", id)
        }
        self.init(identifier)
        for (key, value) in view.members where !(key == "id") {
            guard let member = Self.members.first(where: { key == $0.name }) else {
                let names = ["id"] + Self.members.map(\.name.description)
                throw DecodeFailure(
                    "\(place) has no member \"\(key.string.prefix(40))\"; it has \(names.joined(separator: ", "))",
                    value)
            }
            try member.read(value, "\(place).\(member.name)", &self)
        }
    }

    /// Appends a list of objects as JSON.
    package static func append(_ elements: [Self], to out: inout ByteBuffer) {
        out.appendArray(elements) { $1.append(to: &$0) }
    }

    /// One object as JSON.
    package func append(to out: inout ByteBuffer) {
        out.append("{\"id\":")
        out.appendJSONString(identifier)
        for member in Self.members { member.append(self, &out) }
        out.append("}")
    }

    /// The JSON Schema of an object.
    package static var schema: String {
        let properties = members.map { #""\#($0.name)": \#($0.schema)"# }.joined(separator: ", ")
        return #"{"type": "object", "properties": {"id": {"type": "string", "minLength": 1}, \#(properties)}, "#
            + #""required": ["id"], "additionalProperties": false}"#
    }
}

extension DecodeFailure {
    /// A mistake in an element of a list that is a member of an event: `channels[0].importance must be one of none, min, low, default, high`.
    fileprivate init(_ message: String, _ value: JSONView) {
        self.init(rule: "event.value", message: message, offset: value.offset)
    }
}

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

        package init(_ identifier: String) { self.init(identifier, title: identifier) }
    }

    /// The name in payloads: `aps.category`.
    package var identifier: String
    /// The actions in the order of the buttons.
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

/// The JSON form: `{"id":"TALK","actions":[{"id":"REPLY","title":"Reply","text":true}],"dismissal":true}`.
extension ActionCategory: ListElement {
    package static let listName: StaticString = "categories"
    package static let members: [ElementMember<ActionCategory>] = [
        .list("actions", \.actions),
        .flag("dismissal", \.reportsDismissal),
        .text("placeholder", get: \.placeholder, set: { $0.placeholder = $1.isEmpty ? nil : $1 }),
        .flag("shows_title", \.showsTitle),
        .flag("shows_subtitle", \.showsSubtitle),
    ]
}

extension ActionCategory.Action: ListElement {
    package static let listName: StaticString = "actions"
    package static let members: [ElementMember<ActionCategory.Action>] = [
        .text("title", get: { $0.title == $0.identifier ? nil : $0.title }, set: { $0.title = $1 }),
        .flag("foreground", \.opensApp),
        .flag("text", \.takesText),
    ]
}

/// A notification channel of an app on an Android device, as the app created it and the user has set it since.
/// Source: Android, "Create and manage notification channels".
package struct NotificationChannel: Sendable, Equatable {
    /// How much a channel interrupts. Source: as above, "Set the importance level".
    package enum Importance: String, Sendable, CaseIterable {
        /// The user has switched it off: nothing is shown.
        case none
        /// In the shade, without a sound.
        case min, low
        /// With a sound, too.
        case `default`
        /// With a sound, and on top of whatever is on the screen.
        case high
    }

    /// The channel that FCM creates for a notification whose channel the app does not have.
    /// Source: firebase-android-sdk, `CommonNotificationBuilder`.
    package static let fallback = NotificationChannel("fcm_fallback_notification_channel")
    /// The channel that Expo's library creates for a notification that names none.
    /// Source: expo-notifications, `BaseNotificationBuilder`, whose importance is that of a heads-up notification.
    package static let fallbackOfExpo = NotificationChannel(
        "expo_notifications_fallback_notification_channel", importance: .high)

    /// The name in messages: `channel_id`.
    package var identifier: String
    package var importance = Importance.default
    /// False if it makes no sound, whatever its importance.
    package var hasSound = true
    /// True if its notifications put a dot on the app's icon.
    package var showsBadge = true
    /// True if the app's manifest names it for notifications without a channel.
    package var isDefault = false

    package init(_ identifier: String) { self.init(identifier, importance: .default) }

    private init(_ identifier: String, importance: Importance) {
        self.identifier = identifier
        self.importance = importance
    }
}

/// The JSON form: `{"id":"news","importance":"high","sound":false,"badge":false,"default":true}`.
extension NotificationChannel: ListElement {
    package static let listName: StaticString = "channels"
    package static let members: [ElementMember<NotificationChannel>] = [
        .word("importance", \.importance),
        .flag("sound", \.hasSound, unless: true),
        .flag("badge", \.showsBadge, unless: true),
        .flag("default", \.isDefault),
    ]
}
