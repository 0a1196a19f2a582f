package import PushJSON
import PushModel
import PushSystem

/// The headers in `webpush.headers` that the push service of a browser reads. Source: RFC 8030, sections 5.2 to 5.4.
package struct WebHeaders {
    /// `TTL` in seconds; nil when it is missing or no number.
    package private(set) var timeToLive: Int64?
    /// `Topic`: a queued message replaces the one with the same topic. Nil when it is missing or malformed.
    package private(set) var topic: String?

    /// - Parameter headers: an object; names are case-insensitive.
    init(_ headers: JSONView?) {
        var members = headers?.members
        while let (key, value) = members?.next() {
            guard let name = Name(key), let text = value.string?.string else { continue }
            // A redacted topic is longer than RFC 8030 allows.
            guard Self.fault(value, of: name) == nil || (name == .topic && SecretDigest.isDigest(text.utf8)) else {
                continue
            }
            switch name {
            case .timeToLive: timeToLive = Int64(text) ?? .max
            case .topic: topic = text
            case .urgency: break
            }
        }
    }

    /// A header that RFC 8030 defines.
    package enum Name: String, CaseIterable, Sendable {
        case timeToLive = "ttl"
        case urgency
        case topic

        package init?(_ key: JSONString) { self.init(rawValue: key.string.lowercased()) }
    }

    /// The form that RFC 8030 requires of a header and that a value does not have; nil if it does.
    package static func fault(_ value: JSONView, of name: Name) -> StaticString? {
        let text = value.string?.string ?? ""
        switch name {
        case .timeToLive:
            let isNumber = !text.isEmpty && text.utf8.allSatisfy(\.isDigit)
            return isNumber ? nil : "TTL must be a number of seconds, in digits"
        case .urgency:
            let words = ["very-low", "low", "normal", "high"]
            return words.contains(text) ? nil : "Urgency must be very-low, low, normal or high"
        case .topic:
            let isShort = (1...32).contains(text.utf8.count)
            let isEncoded = text.utf8.allSatisfy { byte in
                byte.isDigit || byte.isLetter || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
            return isShort && isEncoded ? nil : "Topic must have 1 to 32 letters, digits, - and _"
        }
    }
}

/// The notification of web push, which Firebase's service worker passes to `showNotification`.
///
/// Sources: WHATWG, Notifications API; firebase-js-sdk, `sw-listeners.ts`.
package enum WebNotification {
    /// The rules of what `showNotification` does not take.
    package static let rules: Set = ["fcm.web-direction", "fcm.web-notification"]

    /// A member for which `showNotification` throws a `TypeError`, so that nothing is shown.
    package struct Fault {
        /// The member of `webpush.notification`.
        package var member: StaticString
        package var message: StaticString
        /// True if it is `dir`, which has a rule of its own.
        package var isDirection: Bool { member.description == "dir" }

        /// - Parameter place: JSON Pointer to the message.
        func finding(at place: String, isDerived: Bool) -> Finding {
            Finding(
                rule: isDirection ? "fcm.web-direction" : "fcm.web-notification", severity: .warning,
                pointer: isDerived ? place : "\(place)/webpush/notification/\(member)",
                message: "the site shows nothing: \(message)")
        }
    }

    /// The first member of a notification's options that a browser refuses.
    static func fault(_ options: JSONView) -> Fault? { faults(options).first }

    /// The members of a notification's options that a browser refuses. A null counts as absent.
    package static func faults(_ options: JSONView) -> [Fault] {
        func member(_ name: StaticString) -> JSONView? { options[name].flatMap { $0.kind == .null ? nil : $0 } }

        var faults: [Fault] = []
        func add(_ member: StaticString, _ message: StaticString) {
            faults.append(Fault(member: member, message: message))
        }
        let directions: [StaticString] = ["auto", "ltr", "rtl"]
        if let value = member("dir"), !directions.contains(where: { name in value.string.map { $0 == name } ?? false })
        {
            add("dir", "dir must be auto, ltr or rtl")
        }
        if isTrue(member("renotify")), !hasText(member("tag")) {
            add("renotify", "renotify needs a tag that is not empty")
        }
        if isTrue(member("silent")), member("vibrate") != nil {
            add("vibrate", "a silent notification must have no vibration")
        }
        func isAction(_ view: JSONView) -> Bool { view.isObject && view["action"] != nil && view["title"] != nil }
        if let actions = member("actions"), actions.kind != .array || !actions.elements.allSatisfy(isAction) {
            add("actions", "actions must be an array of objects with action and title")
        }
        return faults
    }

    /// True if JavaScript converts a value to true.
    static func isTrue(_ value: JSONView?) -> Bool {
        guard let value else { return false }
        return switch value.kind {
        case .null, .false: false
        case .number: value.double != 0
        case .string: value.string?.nonEmpty != nil
        default: true
        }
    }

    /// True if a value is a text that is not empty, or a number or a boolean.
    private static func hasText(_ value: JSONView?) -> Bool {
        guard let value else { return false }
        return switch value.kind {
        case .string: value.string?.nonEmpty != nil
        case .number, .true, .false: true
        default: false
        }
    }

    /// The text of the notification that Chrome shows in place of one that its site fails to show.
    static var defaultBody: JSONString { string(BorrowedText("This site has been updated in the background.")) }

    /// An origin without its scheme; nil if it is no plain text.
    static func host(of origin: BorrowedText) -> JSONString? {
        // SOUND: the bytes are read while the origin lives.
        let isPlain = unsafe origin.buffer.allSatisfy { byte in
            byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        }
        guard isPlain else { return nil }
        for scheme in ["https://", "http://"] as [StaticString] where origin.hasPrefix(scheme) {
            let count = scheme.utf8CodeUnitCount
            // SOUND: the origin begins with the scheme, and so has `count` bytes.
            return string(unsafe BorrowedText(start: origin.start + count, count: origin.count - count))
        }
        return string(origin)
    }

    /// A text without escapes as the contents of a JSON string.
    private static func string(_ text: BorrowedText) -> JSONString {
        // SOUND: the string borrows the bytes as the text does.
        unsafe JSONString(start: text.start, count: text.count, hasEscapes: false)
    }

    /// The text that is not empty; of a boolean its JSON text, and of a number the spelling that all equal numbers share.
    static func text(_ value: JSONView?, _ batch: inout MessageBatch) -> BorrowedText? {
        guard let value, hasText(value) else { return nil }
        if let string = value.string { return batch.scratch.text(string) }
        return value.kind == .number ? CustomID.number(value, &batch) : value.text
    }
}

extension NotificationContent {
    /// Reads what a browser shows: the common notification, with the members of `webpush.notification` in their place.
    /// Source: FCM v1, WebpushConfig.
    mutating func readWeb(
        _ notification: JSONView?, _ webNotification: JSONView?, _ batch: inout MessageBatch
    ) {
        func member(_ name: StaticString) -> JSONView? {
            let own = webNotification?[name].flatMap { $0.kind == .null ? nil : $0 }
            return own ?? notification?[name]
        }
        title = member("title")?.string
        body = member("body")?.string
        tag = WebNotification.text(member("tag"), &batch)
        isQuiet = WebNotification.isTrue(member("silent"))
        alertsAgain = WebNotification.isTrue(member("renotify"))
        let hasText = title?.nonEmpty != nil || body?.nonEmpty != nil
        // The service worker shows a notification without a title, too.
        var options = webNotification?.members
        isRefused = webNotification.flatMap(WebNotification.fault) != nil
        hasAlert = (hasText || options?.next() != nil) && !isRefused
        if isRefused { silence = .refusedOptions }
    }

    /// Becomes the notification that Chrome shows in place of one that its site fails to show. Source: Chromium,
    /// `push_messaging_notification_manager.cc`.
    ///
    /// - Parameter origin: the site; the content borrows its host.
    package mutating func becomeDefault(of origin: BorrowedText) {
        title = WebNotification.host(of: origin)
        body = WebNotification.defaultBody
        tag = BorrowedText("user_visible_auto_notification")
        isQuiet = true
        alertsAgain = false
        hasAlert = true
    }
}
