import PushJSON
import PushModel
import PushSystem

/// A push that an extension is working on: what the extension has asked for, and what it has answered.
///
/// The extension sees a copy of the screen, made when it first looks. Its changes are collected as actions, which are applied when the
/// push is delivered. So several devices' pushes can be in progress at a time, with the same result as one after another.
final class PendingPush {
    /// A notification on the screen, one that is pending, or a category, in the protocol's words.
    struct Shown {
        var identifier: String
        /// A JSON object.
        var text: [UInt8]
    }

    /// A local notification that an extension adds.
    struct Local {
        var identifier: String
        /// Its content in full, a JSON object.
        var content: [UInt8]
        /// Milliseconds since the epoch; nil for never.
        var due: Int64?
        /// Milliseconds between repetitions; nil if it does not repeat.
        var interval: Int64?
    }

    enum Action {
        case remove([String]?)
        case show(Local, at: Int64)
        case setBadge(Int)
        case setCategories([ActionCategory])
    }

    /// Why the extension's changes do not count.
    enum Failure: Equatable {
        case handlerNotCalled
        case ended(String)
        case memoryLimit(used: Int, limit: Int)
        case cannotStart(String)
        case unreadable

        var finding: Finding {
            switch self {
            case .handlerNotCalled:
                Self.error("handler-not-called", "the time limit passed before the content handler was called")
            case .ended(let how): Self.error("crashed", "the extension \(how)")
            case .memoryLimit(let used, let limit):
                Self.error("memory-limit", "the extension used \(used) bytes of memory, but \(limit) are allowed")
            case .cannotStart(let reason): Self.error("not-started", "the extension cannot be started: \(reason)")
            case .unreadable:
                Finding(
                    rule: "extension.unreadable-payload", severity: .warning, pointer: "",
                    message: "the extension's Foundation cannot read the payload")
            }
        }

        private static func error(_ name: String, _ message: String) -> Finding {
            Finding(rule: "extension.\(name)", severity: .error, pointer: "", message: message)
        }
    }

    let id: UInt64
    let center: Int
    /// Valid as long as the chunk is.
    let message: DecodedMessage
    /// Time of delivery, milliseconds since the epoch.
    let at: Int64
    /// The line that starts work on it.
    let line: [UInt8]

    /// The screen as the extension sees it; nil until it looks.
    var screen: Arrivals<Shown>?
    /// The app's categories as the extension sees them; nil when nothing is known of them.
    var categories: [ActionCategory]?
    /// Requested actions by their time, in nanoseconds of a monotonic clock. 0 is before the extension began.
    var actions: [(due: Int64, action: Action)] = []
    var removalWatch = RemovalWatch()

    var handledAt: Int64?
    /// The changed members of the content, as a JSON object.
    var changes: [UInt8] = []
    var failure: Failure?
    var findings: [Finding] = []
    var isFinished = false
    /// True once a line came that is no message.
    var hasStrayLine = false
    /// Nil unless messages are traced.
    var trace: ExtensionTrace?

    init(
        id: UInt64, center: Int, message: DecodedMessage, at: Int64, line: [UInt8],
        categories: [ActionCategory]? = nil
    ) {
        self.id = id
        self.center = center
        self.message = message
        self.at = at
        self.line = line
        self.categories = categories
    }

    func noteMemory(_ growth: Int) {
        warn(
            "extension.memory-limit",
            "the extension uses \(growth) bytes more than at its start: devices end extensions at about 24 MB")
    }

    func fail(_ reason: Failure) {
        if handledAt == nil { failure = reason }
        trace?.add(.event, reason.finding.message)
        // Once the handler has been called, its content counts, whatever happens to the process afterwards.
        findings.append(reason.finding)
        isFinished = true
    }
}

/// The messages of its extension, as far as a push keeps them.
extension PendingPush {
    /// Takes the content that the content handler was called with. Only the first call counts.
    func takeContent(_ content: JSONView?, at time: Int64, hasExpired: Bool) {
        // SOUND: the view's bytes are copied while it is valid.
        guard handledAt == nil else { return noteSecondCall() }
        handledAt = time
        trace?.add(.call, "contentHandler")
        if let content {
            findings += ContentCheck.findings(in: content)
            if content.isObject, content.text.count > 2 { changes = unsafe [UInt8](content.text.buffer) }
        }
        if hasExpired {
            warn(
                "extension.expired",
                "the content handler was called only after serviceExtensionTimeWillExpire")
        }
    }

    func takeFinding(_ message: JSONView) {
        let text = message["message"]?.string?.string
        let rule = message["rule"]?.string
        if let text, let rule, rule == "extension.stand-in" {
            findings.append(Finding(rule: "extension.stand-in", severity: .info, pointer: "", message: text))
        } else if let text, let rule, rule == "extension.unfinished-work" {
            warn(
                "extension.unfinished-work",
                "a request was still in progress after the content handler was called, and the system may suspend it: \(text)"
            )
        } else if let text {
            warn("extension.reported", text)
        } else if let rule, rule == "extension.handler-called-twice" {
            noteSecondCall()
        }
    }

    /// Notes the first line that is no message: what a program prints that does not know that its output is read.
    func noteStrayLine(_ text: String) {
        if !hasStrayLine { warn("extension.stray-output", "the extension wrote a line that is not a message: \(text)") }
        hasStrayLine = true
    }

    /// Registers the categories of a call; nil for a list that cannot be read, which leaves those from before.
    func takeCategories(_ list: [ActionCategory]?, at time: Int64) {
        guard let list else {
            return warn(
                "extension.content",
                "setNotificationCategories has no effect: its categories are not a list such as [{\"id\":\"TALK\"}]")
        }
        categories = list
        actions.append((time, .setCategories(list)))
    }

    private func noteSecondCall() {
        trace?.add(.call, "contentHandler", ["again"])
        warn("extension.handler-called-twice", "the content handler was called again; only the first call counts")
    }

    private func warn(_ rule: String, _ message: String) {
        findings.append(Finding(rule: rule, severity: .warning, pointer: "", message: message))
    }
}

/// Finds members of changed content that have no effect, because of their name or their value.
/// `Documentation/reference/extension-protocol.md` has the table.
enum ContentCheck {
    private static let maximumFindings = 4
    private static let texts: [StaticString] = [
        "title", "subtitle", "body", "threadIdentifier", "categoryIdentifier", "launchImageName", "summaryArgument",
    ]
    private static let levels: [StaticString] = ["passive", "active", "time-sensitive", "critical"]

    static func findings(in content: JSONView) -> [Finding] {
        guard content.isObject else { return [finding("", "content is not an object")] }
        var findings: [Finding] = []
        var members = content.members
        while let (key, value) = members.next(), findings.count < maximumFindings {
            guard let problem = problem(key, value) else { continue }
            findings.append(finding("/\(key.string)", problem))
        }
        return findings
    }

    /// Takes the sender out of changed content, for an app without the communication entitlement.
    static func withoutSender(_ changes: [UInt8], _ findings: inout [Finding]) -> [UInt8] {
        // SOUND: the tape was just made of these bytes, and the output is copied while it lives.
        unsafe changes.withUnsafeBytes { bytes in
            var scanner = JSONScanner()
            var tape = JSONTape()
            guard unsafe scanner.scan(bytes, into: &tape) == nil, let root = unsafe tape.root(of: bytes),
                let sender = root["sender"]?.string
            else { return changes }
            findings.append(
                Finding(
                    rule: "extension.communication", severity: .warning, pointer: "",
                    message: "the sender \(sender.string) is not shown: the extension's entitlements lack "
                        + "com.apple.developer.usernotifications.communication"))
            var out = ByteBuffer()
            for (key, value) in root.members where !(key == "sender" || key == "senderImage") {
                out.append(out.count == 0 ? "{" : ",")
                out.appendJSONString(key.string)
                out.append(":")
                out.append(value.text)
            }
            out.append(out.count == 0 ? "{}" : "}")
            return unsafe Array(out.bytes)
        }
    }

    private static func finding(_ place: String, _ problem: String) -> Finding {
        Finding(
            rule: "extension.content", severity: .warning, pointer: "",
            message: "only part of the returned content is used: content\(place): \(problem)")
    }

    private static func problem(_ key: JSONString, _ value: JSONView) -> String? {
        if texts.contains(where: { key == $0 }) { return value.isString ? nil : "not a string" }
        if key == "badge" {
            let isNumber = value.int64.map { $0 >= 0 } ?? false
            return isNumber || value.kind == .null ? nil : "neither a whole number from 0 nor null"
        }
        if key == "sound" {
            return value.isString || value.isObject || value.kind == .null ? nil : "neither a name, an object nor null"
        }
        if key == "attachments" { return value.kind == .array ? nil : "not an array" }
        if key == "userInfo" { return value.isObject ? nil : "not an object" }
        if key == "interruptionLevel" {
            let isKnown = value.string.map { level in levels.contains { level == $0 } } ?? false
            return isKnown ? nil : "neither passive, active, time-sensitive nor critical"
        }
        if key == "relevanceScore" {
            return value.double.map { (0...1).contains($0) } ?? false ? nil : "not a number from 0 to 1"
        }
        if key == "summaryArgumentCount" { return value.int64 == nil ? "not a whole number" : nil }
        if key == "targetContentIdentifier" || key == "filterCriteria" || key == "sender" {
            return value.isString || value.kind == .null ? nil : "neither a string nor null"
        }
        if key == "senderImage" {
            if value.kind == .null { return nil }
            guard let text = value.string, text.string.hasPrefix("data:image/") else {
                return "neither a data URL of a picture nor null"
            }
            return nil
        }
        return "no such member"
    }
}

/// The steps of a service extension with one push, for people to read.
package struct ExtensionTrace: Sendable {
    /// A call, an answer or an event.
    package struct Step: Sendable, Equatable {
        /// The kinds of steps.
        package enum Kind: Sendable, Equatable {
            case told
            /// A call that changes something; its details name what.
            case call
            /// A call with an answer, which is in its details.
            case question
            /// Something that happened; its name is a sentence.
            case event
        }

        /// Time since the push was handed to the extension.
        package var after: Duration
        /// The kind of step.
        package var kind: Kind
        /// A method of `Documentation/reference/extension-protocol.md`, or a sentence.
        package var name: String
        /// Identifiers and other arguments; nil if there are none.
        package var details: [String]?
    }

    /// The steps in the order in which they happened.
    package internal(set) var steps: [Step] = []
    /// The changed members of the content, as a JSON object; empty if nothing changed.
    package internal(set) var changes: [UInt8] = []
    /// True if the content handler was called in time.
    package internal(set) var wasHandled = false

    /// When the push was handed over, in nanoseconds of a monotonic clock.
    private var begin: Int64?

    /// The extension has begun with the push, or begins again because its process exited before it answered.
    mutating func begin(at now: Int64) {
        if begin == nil { begin = now }
        add(.told, "didReceive", at: now)
    }

    mutating func add(
        _ kind: Step.Kind, _ name: String, _ details: [String]? = nil,
        at now: Int64 = SystemClock.monotonicNanoseconds()
    ) {
        let time = Duration.nanoseconds(now - (begin ?? now))
        steps.append(Step(after: time, kind: kind, name: name, details: details))
    }

    /// A call of Notification Center that was carried out.
    ///
    /// - Parameter answered: the identifiers that its answer lists; nil for an answer without a list.
    mutating func add(_ method: JSONString, _ message: JSONView, answered: [String]?) {
        if let answered { return add(.question, method.string, answered) }
        var details: [String]?
        if let list = message["identifiers"] {
            details = list.elements.map { $0.string?.string ?? $0.text.string }
        } else if let list = message["categories"] {
            details = list.elements.compactMap { $0["id"]?.string?.string }
        } else if let count = message["count"] {
            details = [count.text.string]
        } else if let identifier = message["request"]?["identifier"]?.string {
            details = [identifier.string]
            if let due = message["due"] { details?.append(due.kind == .null ? "never due" : "due \(due.text.string)") }
        }
        add(.call, method.string, details)
    }

    /// A removal or other action that was not done yet when the content handler was called.
    mutating func addLate(_ action: PendingPush.Action, _ timing: RemovalTiming) {
        let what =
            switch action {
            case .remove(let identifiers?): "the removal of \(identifiers.joined(separator: ", "))"
            case .remove(nil): "the removal of all notifications"
            case .show(let local, _): "the notification \(local.identifier)"
            case .setBadge: "the badge"
            case .setCategories: "the registration of categories"
            }
        if case .delayed = timing {
            add(.event, "\(what) comes after the notification")
        } else {
            add(.event, "\(what) is lost: the content handler was called before it was done")
        }
    }
}
