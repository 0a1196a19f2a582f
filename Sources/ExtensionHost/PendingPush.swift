import PayloadJSON
import PushModel

/// One push on its way through an extension: what the extension has asked for, and what it has answered.
///
/// The screen as the extension sees it is a copy, made when it first looks. What it changes there is kept as a list of actions, which
/// happen when it is the push's turn to be delivered. So pushes for several devices can be in the works at a time, and what comes out is
/// the same as if they had gone one by one.
final class PendingPush {
    /// A notification on the screen, in the protocol's words.
    struct Shown {
        var identifier: String
        /// A JSON object.
        var text: [UInt8]
    }

    /// A notification that an extension made up itself.
    struct Local {
        var identifier: String
        /// Its content in full, a JSON object.
        var content: [UInt8]
        /// Milliseconds since the epoch; nil for never.
        var due: Int64?
        /// Milliseconds from one time to the next; nil when it comes once.
        var interval: Int64?
    }

    enum Action {
        case remove([String]?)
        case show(Local, at: Int64)
        case setBadge(Int)
    }

    /// What the extension's work came to nothing by.
    enum Failure {
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
    /// Of the app on the device.
    let center: Int
    /// Valid as long as the chunk is.
    let message: PushMessage
    /// Time of delivery, milliseconds since the epoch.
    let at: Int64
    /// The message that makes an extension begin.
    let line: [UInt8]

    /// What the extension sees on the screen; nil as long as it has not looked.
    var screen: [Shown]?
    /// In the order of their times, which are nanoseconds of a clock that never goes back. 0 is before the extension began.
    var actions: [(due: Int64, action: Action)] = []
    var removalWatch = RemovalWatch()

    /// When the content handler was called.
    var handledAt: Int64?
    /// What it was given, as a JSON object of changes.
    var changes: [UInt8] = []
    var failure: Failure?
    var findings: [Finding] = []
    var isFinished = false
    var hasExpired = false
    /// Times that a process ended in peace without having answered.
    var retries = 0
    /// Lines that were none of the protocol's.
    var strayLines = 0
    /// Kept only when messages are traced.
    var trace: ExtensionTrace?

    init(id: UInt64, center: Int, message: PushMessage, at: Int64, line: [UInt8]) {
        self.id = id
        self.center = center
        self.message = message
        self.at = at
        self.line = line
    }

    func fail(_ reason: Failure) {
        if handledAt == nil { failure = reason }
        trace?.add(.event, reason.finding.message)
        // What the handler was given counts, whatever happens to the process afterwards.
        findings.append(reason.finding)
        isFinished = true
    }
}
