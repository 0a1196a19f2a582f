import PayloadJSON
import PushModel

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
                Self.error("handler-not-called", "the time was up, and the content handler had not been called")
            case .ended(let how): Self.error("crashed", "the extension \(how)")
            case .memoryLimit(let used, let limit):
                Self.error("memory-limit", "the extension used \(used) bytes of memory, \(limit) are allowed")
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
    /// In order of time, in nanoseconds of a monotonic clock. 0 is before the extension began.
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
                "the content handler was called only when serviceExtensionTimeWillExpire had been")
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
