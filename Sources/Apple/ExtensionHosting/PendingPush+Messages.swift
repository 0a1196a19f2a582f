import PayloadJSON
import PushModel

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
