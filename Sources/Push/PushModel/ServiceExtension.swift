package import PushJSON

/// The result of a service extension for a push.
package enum ServiceExtensionOutcome: UInt8, Sendable, CaseIterable {
    /// The content from the extension is shown.
    case modified
    /// The original content is shown, because the extension failed. A finding says how.
    case original
    /// Nothing is shown, because the extension filtered the notification.
    case filtered

    /// The name in reports.
    package var name: StaticString { Self.names[Int(rawValue)] }

    private static let names: [StaticString] = ["modified", "original", "filtered"]
}

/// When the removal of delivered notifications takes effect.
///
/// Apple: `removeDeliveredNotifications` returns immediately, and removes in the background.
public enum RemovalTiming: Sendable, Equatable {
    /// Immediately.
    case immediate
    /// After a delay, whatever the extension does in the meantime.
    case delayed(Duration)
    /// After a delay, but not if the extension has called its content handler by then: its process is suspended.
    case lostAfterHandler(Duration)
}

/// The effect of a removal that an extension asks for.
package enum RemovalEffect: Sendable, Equatable {
    /// It is done when the content handler is called.
    case before
    /// It comes later.
    case after
    /// It never comes.
    case lost
}

extension RemovalTiming {
    /// Milliseconds from the request for a removal to the removal.
    package var delay: Int64 {
        switch self {
        case .immediate: 0
        case .delayed(let delay), .lostAfterHandler(let delay): delay.milliseconds
        }
    }

    /// The effect of a removal if the content handler is called so many milliseconds after the request.
    package func effect(waiting wait: Int64) -> RemovalEffect {
        if delay <= wait { return .before }
        if case .lostAfterHandler = self { return .lost }
        return .after
    }
}

extension Duration {
    /// Whole milliseconds, from 0 to those of a year.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(max(seconds, 0), 31_536_000) * 1000 + max(attoseconds, 0) / 1_000_000_000_000_000
    }
}

/// Detects removals that may come too late: the extension calls its content handler right after them, without checking
/// what is left.
package struct RemovalWatch: Sendable {
    /// How long apps are known to wait between a removal and the end of the extension. Observed; Apple gives no figure.
    private static let safeTime = Duration.milliseconds(200)

    private var removals: [(at: Duration, identifiers: [String]?)] = []
    private var lastListing: (at: Duration, identifiers: Set<String>)?

    package init() {}

    /// Records a removal. Nil stands for all notifications.
    package mutating func didRemove(_ identifiers: [String]?, at time: Duration) {
        guard identifiers?.isEmpty != true else { return }
        removals.append((time, identifiers))
    }

    /// Records that the extension read the list of delivered notifications.
    package mutating func didList(_ identifiers: Set<String>, at time: Duration) {
        lastListing = (time, identifiers)
    }

    /// The findings when the content handler is called.
    package func findings(handledAt: Duration) -> [Finding] {
        removals.filter { handledAt - $0.at < Self.safeTime && !isSeenDone($0) }.map { removal in
            let names = removal.identifiers.map { $0.joined(separator: ", ") } ?? "all"
            return Finding(
                rule: "extension.removal-race", severity: .warning, pointer: "",
                message: "the content handler was called right after the removal of \(names): a device removes in the "
                    + "background, and may not get to it before the extension is suspended")
        }
    }

    private func isSeenDone(_ removal: (at: Duration, identifiers: [String]?)) -> Bool {
        guard let lastListing, lastListing.at >= removal.at else { return false }
        return removal.identifiers.map(lastListing.identifiers.isDisjoint) ?? lastListing.identifiers.isEmpty
    }
}

/// Why the system would not start a service extension for a push that a provider has accepted. The names are a contract:
/// reports contain them.
///
/// Source: Apple, "Modifying content in newly delivered notifications": the payload has `mutable-content` 1 and an alert
/// with a title, subtitle or body, and the system is going to show that alert.
package enum ExtensionObstacle: UInt8, Sendable, CaseIterable {
    /// The device is an Android device.
    case android
    /// The device is a browser.
    case web
    /// The system never shows pushes of this type.
    case pushType
    /// There is no title, subtitle or body.
    case noAlert
    /// `mutable-content` is not the number 1.
    case notMutable
    /// The app may not show alerts, or no longer.
    case notAuthorized
    /// The provider holds the push until the device is back.
    case offline
    /// The push does not reach the screen for another reason, which is that of its outcome.
    case notDelivered

    /// The name in reports.
    package var name: StaticString { Self.table[Int(rawValue)].name }

    /// Half a sentence for people.
    package var description: StaticString { Self.table[Int(rawValue)].description }

    /// The change that lets the extension run.
    package var remedy: StaticString { Self.table[Int(rawValue)].remedy }

    /// The rows in the order of the cases.
    private static let table: [(name: StaticString, description: StaticString, remedy: StaticString)] = [
        ("android", "Android has no service extensions", "send the push to an Apple device"),
        ("web", "browsers have no service extensions", "send the push to an Apple device"),
        ("push-type", "the system shows no pushes of this type", "send it with apns-push-type alert"),
        ("no-alert", "there is no alert", "put a text into aps.alert"),
        (
            "not-mutable", "mutable-content is not 1", "put \"mutable-content\":1 into aps"
        ),
        ("not-authorized", "the app may not show alerts", "allow notifications in the system's settings"),
        ("offline", "the device is offline", "the extension runs when the push is delivered"),
        (
            "not-delivered", "the message is not delivered", "the reason of the outcome says why, and what to do"
        ),
    ]
}

extension DecodedMessage {
    /// Why the system would not start a service extension for the push, whether the app has one or not: the first obstacle
    /// that applies, in the order of the cases. Nil if it would, and for what no provider has accepted.
    package var extensionObstacle: ExtensionObstacle? {
        switch verdict {
        case .malformed, .rejected, .refused, .event, .fannedOut: return nil
        case .accepted, .suppressed, .withheld, .held, .expired, .discarded: break
        }
        if serviceExtension != nil { return nil }
        switch platform {
        case .android: return .android
        case .web: return .web
        case .ios: break
        }
        if !(headers.pushType?.row.isShown ?? true) { return .pushType }
        if !content.hasAlert { return .noAlert }
        if !content.isMutable { return .notMutable }
        switch verdict {
        case .held: return .offline
        case .suppressed(let reason):
            return Self.permissionReasons.contains("\(reason)") ? .notAuthorized : .notDelivered
        case .expired, .discarded, .withheld: return .notDelivered
        case .accepted, .malformed, .rejected, .refused, .event, .fannedOut: return nil
        }
    }

    /// The reasons for `suppressed` that say what the app may show.
    private static let permissionReasons: Set<String> = ["denied", "not-determined", "alerts-off"]
}

/// Values in the order in which they came, one for each identifier. A value that comes again is the newest one.
///
/// Adding and removing take expected O(1): an extension chooses how many there are.
package struct Arrivals<Value> {
    /// The values in order; nil where one was removed.
    private var places: [(identifier: String, value: Value)?] = []
    private var index: [String: Int] = [:]

    /// How many removed values may stay besides as many as there are others.
    private static var spare: Int { 16 }

    package init() {}

    package var isEmpty: Bool { index.isEmpty }
    package var identifiers: Dictionary<String, Int>.Keys { index.keys }
    /// Oldest first.
    package var values: [Value] { places.compactMap { $0?.value } }

    package subscript(identifier: String) -> Value? { index[identifier].flatMap { places[$0]?.value } }

    /// Adds the newest value. Returns true if it replaces an older one.
    @discardableResult
    package mutating func append(_ value: Value, as identifier: String) -> Bool {
        let earlier = index.updateValue(places.count, forKey: identifier)
        if let earlier { places[earlier] = nil }
        places.append((identifier, value))
        compact()
        return earlier != nil
    }

    /// Removes these values, or all. Returns the identifiers that were there, oldest first.
    @discardableResult
    package mutating func remove(_ identifiers: [String]?) -> [String] {
        guard let identifiers else {
            defer { self = Self() }
            return places.compactMap { $0?.identifier }
        }
        let gone = identifiers.compactMap { index.removeValue(forKey: $0) }.sorted()
        let removed = gone.compactMap { places[$0]?.identifier }
        for place in gone { places[place] = nil }
        compact()
        return removed
    }

    private mutating func compact() {
        guard places.count > 2 * index.count + Self.spare else { return }
        places.removeAll { $0 == nil }
        for (place, entry) in places.enumerated() {
            if let entry { index[entry.identifier] = place }
        }
    }
}

/// How an emulated extension finds what it removes: the notifications of its app whose payloads have
/// the same id as the new one.
///
/// The defaults are those of an extension that compares ids with care. `first`, `equal` and `string` together are one that
/// calls `first(where:)` on the delivered notifications, with `userInfo[key] as? String` of both on either side of `==`.
package struct ReplacementRule: Sendable, Equatable {
    /// Which of the notifications with the same id are removed.
    package enum Match: String, Sendable, CaseIterable {
        /// All of them, as with `filter`.
        case all
        /// The first one, as with `first(where:)`: the oldest. Apple does not document the order of the delivered
        /// notifications; here it is that of delivery, as your own extension sees it.
        case first
    }

    /// The comparison of two notifications without an id.
    package enum Missing: String, Sendable, CaseIterable {
        /// No: the extension looks for nothing when there is no id.
        case never
        /// Yes, as `nil == nil` in Swift.
        case equal
    }

    /// When two ids are the same.
    package enum Comparison: String, Sendable, CaseIterable {
        /// Strings, numbers and booleans by their text: `17` is `"17"`, and not `17.0`.
        case text
        /// By type and value: `17` is `17.0`, and not `"17"`.
        case typed
        /// Strings only, as with `as? String`: any other value counts as missing.
        case string
    }

    /// The member of the payload that has the id: a name, or a JSON Pointer if it begins with `/`.
    package var key: String
    /// Which of the notifications with the same id are removed.
    package var match: Match
    /// The comparison of missing ids.
    package var missing: Missing
    /// When two ids are the same.
    package var comparison: Comparison
    /// When removals take effect, by the run's clock.
    package var removal = RemovalTiming.immediate
    /// How long the extension waits after a removal before it calls its content handler, by the run's clock: the longest
    /// time that neither notification is on the screen.
    package var wait = Duration.zero

    /// By default, the rule that removes all notifications with the same text as id.
    package init(
        key: String, match: Match = .all, missing: Missing = .never, comparison: Comparison = .text
    ) {
        self.key = key
        self.match = match
        self.missing = missing
        self.comparison = comparison
    }
}

extension ReplacementRule {
    /// The id of a payload that has none, under a rule by which those are equal: a byte that no UTF-8 text contains, so that
    /// it equals no other id.
    package static var missingID: BorrowedText {
        // SOUND: the text is never changed or freed.
        unsafe missingText
    }

    // SOUND: one byte, initialized once, and never changed or freed.
    private nonisolated(unsafe) static let missingText: BorrowedText = {
        let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
        unsafe byte.initialize(to: 0xFF)
        return unsafe BorrowedText(start: byte, count: 1)
    }()
}
