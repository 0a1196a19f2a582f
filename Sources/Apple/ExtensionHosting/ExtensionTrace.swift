import PayloadJSON
import PushModel
import PushSystem

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

    /// In the order in which they happened.
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
            add(.event, "\(what) comes behind the notification")
        } else {
            add(.event, "\(what) is lost: the content handler was called before it was done")
        }
    }
}
