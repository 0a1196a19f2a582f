import ExtensionHosting
package import PushDevices
package import PushJSON
package import PushModel
package import PushPipeline
import PushSystem
package import PushText

/// Writes what happened to each message, stage by stage, as text, with an empty line after each message.
///
/// On a terminal, texts are shortened to its width.
package struct TraceReport {
    let style: TextStyle
    private let budget: Budget?

    /// - Parameter budget: the budget that every message is checked against; nil for the budget of its push type.
    package init(style: TextStyle, budget: Budget? = nil) {
        self.style = style
        self.budget = budget
    }

    /// Appends a message or an event. Appends nothing unless messages are traced.
    package func append(_ report: borrowing RecordReport, to out: inout ByteBuffer) {
        guard let trace = report.trace else { return appendAside(report, to: &out) }
        let target = report.message.target
        let place = report.source.map { style.dim("  \(SourceText.place(of: $0))") } ?? ""
        var lines = [heading("record \(report.seq)" + (target.map { ", target \($0)" } ?? "")) + place]
        if target ?? 0 == 0 { lines += recordLines(trace.record, report.decodeFailure) }
        let event = report.note?.event
        if let event {
            lines += eventLines(event, report)
        } else if report.decodeFailure == nil {
            lines += messageLines(report.message, trace)
            for step in trace.steps { lines += stepLines(step) }
            lines += budgetLines(report.message)
        }
        lines += findingLines(report)
        if report.decodeFailure == nil {
            if let serviceExtension = trace.serviceExtension, event == nil {
                lines += extensionLines(serviceExtension, report.message, trace)
            }
            lines += screenLines(trace, report.message.platform)
        }
        lines += [heading("outcome"), outcomeLine(report), ""]
        for line in lines { out.appendText(line + "\n") }
    }

    /// Appends the effect of an event, or of the time it took, on a queued message or a token.
    private func appendAside(_ report: borrowing RecordReport, to out: inout ByteBuffer) {
        guard let note = report.note else { return }
        var lines: [String] = []
        if let original = note.original {
            let target = report.message.target.map { ", target \($0)" } ?? ""
            lines = [heading("record \(report.seq)") + style.dim("  what was held of record \(original)\(target)")]
            if let event = note.event { lines.append(heading("event") + "  \(event)") }
        } else if let topic = note.sentTo {
            lines = [heading("record \(report.seq)") + style.dim("  sent to \(TextStyle.clean(topic))")]
            lines.append("  device \(TextStyle.clean(report.message.device.string))")
        } else if let event = note.event {
            lines = [heading("record \(report.seq)")] + eventLines(event, report)
        }
        lines += findingLines(report)
        lines += [heading("outcome"), outcomeLine(report), ""]
        for line in lines { out.appendText(line + "\n") }
    }

    private func findingLines(_ report: borrowing RecordReport) -> [String] {
        report.findings.isEmpty ? [] : [heading("findings")] + report.findings.map { style.line($0, indent: 2) }
    }

    func heading(_ text: String) -> String { style.bold(text) }

    /// Columns for a text after so many others; nil for no limit.
    func room(_ used: Int) -> Int? { style.columns.map { $0 - used } }

    // MARK: - Record

    private func recordLines(_ record: BorrowedText, _ decodeFailure: DecodeFailure?) -> [String] {
        // SOUND: the tape was just made of the record, which outlives the call.
        guard !record.isEmpty else {
            let isTooLong = decodeFailure?.rule == "record.too-long"
            return ["  " + style.dim(isTooLong ? "too long to be kept" : "not shown: broken, and redacted")]
        }
        var scanner = JSONScanner()
        var tape = JSONTape()
        let isJSON = unsafe scanner.scan(record.bytes, into: &tape) == nil
        if let decodeFailure, !isJSON || decodeFailure.rule.hasPrefix("json.") {
            let range = decodeFailure.offset..<decodeFailure.offset + 1
            let excerpt = unsafe SourceExcerpt(of: range, in: Array(record.buffer), width: style.columns ?? 100)
            return [excerpt.source, excerpt.blanks + style.removed(excerpt.marks)]
        }
        if isJSON, let root = unsafe tape.root(of: record.bytes) {
            return [JSONLayout.lines(root, indent: 2, columns: style.columns)]
        }
        // Relaxed JSON, as received.
        return record.string.split(separator: "\n").map {
            "  " + JSONLayout.shortened(TextStyle.clean(String($0)), room(2))
        }
    }

    // MARK: - Budget

    private func budgetLines(_ message: DecodedMessage) -> [String] {
        let size = "\(message.byteCount) of \(message.byteLimit) bytes"
        let isOver = message.byteCount > message.byteLimit
        let row = Budget(of: message, forced: budget)
        var line = FlowingLine(style, indent: 4, startingAt: 2)
        line.append(size) { isOver ? style.removed($0) : $0 }
        if let row { line.appendWords("\(row.name.map { "\($0): " } ?? "")\(row.source)", style.dim) }
        return [heading("budget"), line.text]
    }

    // MARK: - Mutations

    private func stepLines(_ step: MessageTrace.Step) -> [String] {
        let name = TextStyle.clean(step.stage)
        guard step.isChange else { return ["\(heading(name))  unchanged"] }
        guard let difference = JSONDifference(from: step.before, to: step.after) else {
            return ["\(heading(name))  changed"]
        }
        let bytes = style.dim("  \(step.before.count) bytes become \(step.after.count)")
        return ["\(heading(name))\(bytes)"] + difference.changes.map(line)
    }

    /// A change on one line: `~ pointer: old → new`, `- pointer: old`, `+ pointer: new`.
    func line(_ change: JSONDifference.Change) -> String {
        let pointer = TextStyle.clean(change.pointer)
        var line = FlowingLine(style, indent: 4, startingAt: 2)
        switch (change.old, change.new) {
        case (let old?, let new?):
            let (old, new) = JSONLayout.shortened(old, new, room(8))
            line.appendCell("~ \(pointer):", to: 0, style.changed)
            line.append(old)
            line.append("→ \(new)", gap: 1)
        case (let old?, nil):
            line.appendCell("- \(pointer):", to: 0, style.removed)
            line.append(JSONLayout.shortened(old, room(8)))
        case (nil, let new?):
            line.appendCell("+ \(pointer):", to: 0, style.added)
            line.append(JSONLayout.shortened(new, room(8)))
        case (nil, nil): line.append(pointer)
        }
        return line.text
    }

    // MARK: - Screen and outcome

    private func screenLines(_ trace: MessageTrace, _ platform: Platform) -> [String] {
        guard trace.screen != nil || !trace.events.isEmpty else { return [] }
        let events = trace.events.map { event in
            let later = event.at > trace.at ? style.dim("  +\(event.at - trace.at) ms") : ""
            return "  \(event.kind.name.description.padded(to: 10))\(TextStyle.clean(event.identifier))\(later)"
        }
        let count = trace.screen.map { screen in
            let badge = screen.badge.map { ", badge \($0)" } ?? ""
            return "  \(screen.count) \(screen.count == 1 ? "notification" : "notifications")\(badge)"
        }
        let miss = trace.nearMiss.map { nearMissLine($0, trace, platform) }
        return [heading("screen")] + events + [miss, count].compactMap(\.self)
    }

    /// Why an earlier notification was not replaced.
    private func nearMissLine(_ miss: MessageTrace.NearMiss, _ trace: MessageTrace, _ platform: Platform) -> String {
        let old = TextStyle.clean(miss.entry.identifier)
        let new = trace.events.last { $0.kind == .delivered }.map { TextStyle.clean($0.identifier) } ?? ""
        /// The provider's name of the identifier.
        let (article, name) = platform == .ios ? ("an", "apns-collapse-id") : ("a", "tag")
        let hasCollapseKey =
            platform != .ios && trace.decoded.tag == nil
            && facts(inPayload: trace.payload, .android).contains(where: { $0.0 == Self.collapseKey })
        /// An extension might have replaced it.
        let notStarted: StaticString? =
            if case .notStarted(let reason)? = trace.serviceExtension { reason } else { nil }
        let rest =
            hasCollapseKey
            ? "; a collapse_key replaces what waits for a device that is offline, and on the screen the same tag in both would"
            : ""
        let reason =
            switch miss.difference {
            case .gone: "off the screen since record \(miss.entry.seq), \(miss.entry.kind.name)"
            case .spelling:
                "its identifier is spelled \"\(old)\", and here \"\(new)\""
            case .app: "it is of another app, \(TextStyle.clean(miss.entry.app))"
            case .device: "it is on another device, \(TextStyle.clean(miss.entry.device))"
            case .thread: "thread-id only groups them; the same \(name) in both would replace it"
            case .missing: "it has no \(name)"
            case .missingHere where notStarted != nil, .neither where notStarted != nil:
                "the extension was not started: \(notStarted ?? "")"
            case .missingHere: "this message has no \(name)\(rest)"
            case .neither: "neither has \(article) \(name)\(rest)"
            case .other: "its identifier is another one"
            }
        var line = FlowingLine(style, indent: 4, startingAt: 2)
        let record = miss.difference == .gone ? "" : " of record \(miss.entry.seq)"
        line.appendWords("does not replace \(old)\(record): \(reason)")
        return line.text
    }

    private func outcomeLine(_ report: borrowing RecordReport) -> String {
        var line = FlowingLine(style, indent: 4, startingAt: 2)
        let replaces = report.replaces.map { " \($0)" } ?? ""
        line.append(report.outcome.name.description + replaces) { _ in
            style.outcome(report.outcome, report.outcome.name.description) + replaces
        }
        if let decodeFailure = report.decodeFailure {
            let place = SourceText.place(of: decodeFailure.position, in: report.source)
            line.appendWords("\(place): \(TextStyle.clean(decodeFailure.message))")
            line.append(decodeFailure.cause ?? decodeFailure.rule, style.dim)
            return line.text
        }
        let reason = report.reason.map { "\($0)" }
        if let answer = report.status.map({ "\($0)" + (reason.map { " \($0)" } ?? "") }) ?? reason {
            line.append(answer)
        }
        if report.outcome == .held, reason == nil { line.append("the device is offline") }
        if let identifier = report.identifier ?? report.note?.identifier { line.append(TextStyle.clean(identifier)) }
        if let quiet = report.quiet { line.append("quiet: \(quiet)") }
        if let steps = report.note?.steps, !steps.isEmpty {
            line.appendWords(steps.map(TextStyle.clean).joined(separator: " → "))
        }
        if let count = report.note?.recipients { line.append("\(count) \(count == 1 ? "subscriber" : "subscribers")") }
        if let total = report.note?.totalDeleted { line.append("\(total) dropped") }
        if let answer = report.differingAnswer { line.append("the sender got \(answer)") }
        return line.text
    }
}

extension TraceReport {
    private static let collapseKey = "collapse key"
    /// Facts that a message does not store: the name, and the payload locations by platform.
    private static let places: [Platform: [(name: String, pointers: [String])]] = [
        .ios: [
            ("sound", ["/aps/sound", "/notification/sound"]), ("category", ["/aps/category"]),
            ("interruption", ["/aps/interruption-level"]),
        ],
        .android: [
            ("sound", ["/android/notification/sound", "/notification/sound"]),
            ("priority", ["/android/priority", "/priority"]),
            (collapseKey, ["/android/collapse_key", "/collapse_key"]),
            ("time to live", ["/android/ttl", "/time_to_live"]),
        ],
        .web: [
            ("icon", ["/webpush/notification/icon", "/notification/icon"]),
            ("actions", ["/webpush/notification/actions"]),
            ("renotify", ["/webpush/notification/renotify"]), ("silent", ["/webpush/notification/silent"]),
            ("stays", ["/webpush/notification/requireInteraction"]),
            ("link", ["/webpush/fcm_options/link", "/webpush/fcmOptions/link", "/notification/click_action"]),
            ("urgency", ["/webpush/headers/Urgency", "/webpush/headers/urgency"]),
            ("queue topic", ["/webpush/headers/Topic", "/webpush/headers/topic", "/collapse_key"]),
            ("time to live", ["/webpush/headers/TTL", "/webpush/headers/ttl", "/time_to_live"]),
        ],
    ]

    func messageLines(_ message: DecodedMessage, _ trace: MessageTrace) -> [String] {
        let content = trace.decoded
        let headers = message.headers
        var facts: [(String, String)] = []
        func add(_ name: String, _ value: String?) {
            if let value { facts.append((name, value)) }
        }
        add("provider", "\(message.provider.name)" + (message.gateway.map { ", via \($0.name)" } ?? ""))
        add("push type", headers.pushTypeText?.string)
        add("device", "\(message.device.string) (\(message.platform.rawValue))")
        add("app", message.app.isEmpty ? nil : message.app.string)
        add("topic", message.topic == message.app ? nil : message.topic.string)
        add("collapse id", headers.collapseID?.string)
        add("priority", headers.priority?.string)
        add("expiration", headers.expiration?.string)
        add("channel", headers.channelID?.string)
        add("apns-id", headers.id?.string)
        add("dry run", message.isDryRun ? "yes" : nil)
        add("title", content.title?.string)
        add("subtitle", content.subtitle?.string)
        add("body", content.body?.string)
        add("badge", content.badge.map(String.init))
        add("thread", content.thread?.string)
        add("tag", content.tag?.string)
        add("custom id", content.customID.map { $0 == ReplacementRule.missingID ? "none" : $0.string })
        add("mutable", content.isMutable ? "yes" : nil)
        facts += self.facts(inPayload: trace.payload, message.platform)
        return [heading("message")] + lines(facts)
    }

    /// The device and app of an event; the record shows the rest.
    func eventLines(_ event: String, _ report: borrowing RecordReport) -> [String] {
        let facts = [("device", report.message.device.string), ("app", report.message.topic.string)]
        return [heading("event") + "  \(event)"] + lines(facts.filter { !$0.1.isEmpty })
    }

    func lines(_ facts: [(name: String, value: String)]) -> [String] {
        facts.flatMap { name, value in
            // A text of several lines continues below its first line.
            value.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, part in
                let label = style.dim((index == 0 ? name : "").padded(to: 13))
                return "  \(label)\(JSONLayout.shortened(TextStyle.clean(String(part)), room(15)))"
            }
        }
    }

    private func facts(inPayload payload: BorrowedText, _ platform: Platform) -> [(String, String)] {
        payload.withJSON { root in
            (Self.places[platform] ?? []).compactMap { name, pointers in
                let value = pointers.lazy.compactMap { root[pointer: $0] }.first
                return value.map { (name, $0.string?.string ?? JSONLayout.line($0)) }
            }
        } ?? []
    }
}

extension TraceReport {
    /// The work of a service extension: its steps with their times, its changes, and its result.
    func extensionLines(
        _ serviceExtension: MessageTrace.Extension, _ message: DecodedMessage, _ trace: MessageTrace
    ) -> [String] {
        switch serviceExtension {
        case .notStarted(let reason): return ["\(heading("extension"))  not started: \(reason)"]
        case .started(let steps):
            let result = message.serviceExtension.map { "  \($0.name)" } ?? ""
            let changes = ContentDifference.changes(steps.changes, over: trace.sent, of: message.payload)
            let unchanged = steps.wasHandled && changes.isEmpty ? ["  " + style.dim("handed over unchanged")] : []
            return [heading("extension") + result] + steps.steps.map(line) + changes.map(line) + unchanged
        }
    }

    private func line(_ step: ExtensionTrace.Step) -> String {
        let details = step.details.map { $0.isEmpty ? ": none" : ": \($0.joined(separator: ", "))" } ?? ""
        let arrow =
            switch step.kind {
            case .told: "→ "
            case .call, .question: "← "
            case .event: ""
            }
        var line = FlowingLine(style, indent: 16, startingAt: 2)
        line.appendCell(Self.time(step.after).padded(to: 12, right: true), to: 14, style.dim)
        line.appendWords(arrow + TextStyle.clean(step.name + details))
        return line.text
    }

    /// Such as `+12.3 ms`.
    private static func time(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let tenths = max(seconds * 10_000 + attoseconds / 100_000_000_000_000, 0)
        return "+\(tenths / 10).\(tenths % 10) ms"
    }
}

/// The trace of a record from what a store has kept.
extension TraceReport {
    private struct Subject: Hashable {
        let device: String
        let app: String
        let identifier: String

        init(_ entry: JournalEntry) {
            device = entry.device
            app = entry.app
            identifier = entry.identifier
        }
    }

    /// Kinds of lines that end the life of a notification: later lines with its identifier are about another one.
    private static let ends: Set<JournalKind> = [
        .replaced, .removed, .cleared, .withdrawn, .tapped, .dismissed, .expired, .discarded,
    ]

    /// How a record was delivered, and what became of it; nil if the store has nothing about it. Reads the whole journal, and the screens
    /// of the record's devices.
    ///
    /// - Parameter device: the only device to look at; nil for all devices.
    package func text(
        ofRecord seq: UInt64, on device: String? = nil, in store: any NotificationStore, _ advice: Advice.Wording
    ) throws -> String? {
        var entries: [JournalEntry] = []
        var subjects: Set<Subject> = []
        try store.forEachEvent(device: device) { entry in
            let subject = Subject(entry)
            if entry.seq == seq {
                entries.append(entry)
                if !entry.identifier.isEmpty { subjects.insert(subject) }
            } else if entry.seq > seq, subjects.contains(subject) {
                entries.append(entry)
                if Self.ends.contains(entry.kind) { subjects.remove(subject) }
            }
        }
        // Lines of the journal may have been pruned.
        let devices: [String?] = entries.isEmpty ? [device] : Set(entries.map(\.device)).sorted()
        var shown: [DeliveredNotification] = []
        var activities: [LiveActivity] = []
        for device in devices {
            try store.forEachNotification(device: device, app: nil) { if $0.seq == seq { shown.append($0) } }
            try store.forEachLiveActivity(device: device, app: nil) { if $0.seq == seq { activities.append($0) } }
        }
        if entries.isEmpty, shown.isEmpty, activities.isEmpty { return nil }
        var lines = [heading("record \(seq)") + style.dim("  as the store has it")]
        for notification in shown { lines += storedLines(notification) }
        if !entries.isEmpty { lines.append(heading("journal")) }
        lines += entries.map { journalLine($0, of: seq) }
        lines += [heading("now")] + now(shown, activities, entries, advice).map { "  " + $0 } + [""]
        return lines.map { $0 + "\n" }.joined()
    }

    /// Lines that say where the record's notifications and Live Activities are.
    private func now(
        _ shown: [DeliveredNotification], _ activities: [LiveActivity], _ entries: [JournalEntry],
        _ advice: Advice.Wording
    ) -> [String] {
        var lines: [String] = []
        if !shown.isEmpty { lines.append(shown.count == 1 ? "on the screen" : "on \(shown.count) screens") }
        for activity in activities where activity.state != .dismissed {
            lines.append("on the lock screen: \(TextStyle.clean(activity.identifier)), \(activity.state.rawValue)")
        }
        let reasons: Set<JournalKind> = [.suppressed, .expired, .discarded]
        if shown.isEmpty, activities.isEmpty, entries.contains(where: { reasons.contains($0.kind) }) {
            lines.append(
                "not on a screen; a store keeps no reasons, which the report of the run has"
                    + (entries.last.map { advice(.askDevice($0.device)) } ?? ""))
        }
        // What was held has another line once it is not.
        let last = Dictionary(entries.map { ([$0.device, $0.app], $0.kind) }) { $1 }
        let held = last.values.count { $0 == .held }
        if held > 0 { lines.append(held == 1 ? "held for its device" : "held for \(held) devices") }
        return lines.isEmpty ? ["not on a screen"] : lines
    }

    private func storedLines(_ notification: DeliveredNotification) -> [String] {
        let content = notification.content
        let facts: [(String, String?)] = [
            ("device", notification.device), ("app", notification.app), ("identifier", notification.identifier),
            ("delivered", RFC3339.text(notification.deliveredAt)), ("title", content.title),
            ("subtitle", content.subtitle), ("body", content.body), ("badge", content.badge.map(String.init)),
            ("thread", content.thread), ("extension", notification.changes.map { "changed \($0)" }),
        ]
        let payload = Array(notification.payload.utf8).withJSON {
            JSONLayout.lines($0, indent: 2, columns: style.columns)
        }
        return [payload].compactMap(\.self) + [heading("notification")]
            + self.lines(facts.compactMap { name, value in value.map { (name, $0) } }.filter { !$0.1.isEmpty })
    }

    private func journalLine(_ entry: JournalEntry, of seq: UInt64) -> String {
        var line = FlowingLine(style, indent: 4, startingAt: 2)
        line.appendCell(RFC3339.text(entry.at), to: 26, style.dim)
        line.appendCell(entry.kind.name.description, to: 12)
        line.append(TextStyle.shortened(entry.device))
        if !entry.identifier.isEmpty { line.append(TextStyle.clean(entry.identifier)) }
        if entry.seq != seq { line.append("by record \(entry.seq)", style.dim) }
        return "  " + line.text
    }
}

/// The differences between two JSON values. Objects are compared by member, in any order; arrays of the same length by element. Numbers are
/// equal if they are spelled the same, strings if they decode to the same text.
package struct JSONDifference {
    package struct Change: Equatable {
        /// JSON Pointer (RFC 6901).
        package var pointer: String
        /// The old value on one line; nil if there was none.
        package var old: String?
        /// The new value on one line; nil if there is none.
        package var new: String?
    }

    /// Differences in the order of the old value; new members of an object come after its other members.
    package private(set) var changes: [Change] = []

    /// Compares two values. O(bytes).
    package init(from old: JSONView, to new: JSONView) { compare(old, new, at: "") }

    /// Compares two texts; nil if one of them is not JSON.
    package init?(from old: BorrowedText, to new: BorrowedText) {
        let difference = old.withJSON { old in new.withJSON { JSONDifference(from: old, to: $0) } }
        guard let difference = difference ?? nil else { return nil }
        self = difference
    }

    /// Recurses as deep as the nesting limit of the scanner.
    private mutating func compare(_ old: JSONView, _ new: JSONView, at pointer: String) {
        switch (old.kind, new.kind) {
        case (.object, .object): compareMembers(old, new, at: pointer)
        case (.array, .array): compareElements(old, new, at: pointer)
        case (.string, .string):
            if let left = old.string, let right = new.string, !(left == right) { add(old, new, pointer) }
        default:
            if !(old.text == new.text) { add(old, new, pointer) }
        }
    }

    private mutating func add(_ old: JSONView?, _ new: JSONView?, _ pointer: String) {
        changes.append(
            Change(pointer: pointer, old: old.map { JSONLayout.line($0) }, new: new.map { JSONLayout.line($0) }))
    }

    private mutating func compareMembers(_ old: JSONView, _ new: JSONView, at pointer: String) {
        // Compared by bytes, because Swift strings ignore normalization. The last of several duplicates counts.
        let (oldNames, oldValues) = Self.members(of: old)
        let (newNames, newValues) = Self.members(of: new)
        for name in oldNames {
            guard let value = oldValues[name] else { continue }
            let place = Self.place(of: name, below: pointer)
            if let other = newValues[name] { compare(value, other, at: place) } else { add(value, nil, place) }
        }
        for name in newNames where oldValues[name] == nil {
            add(nil, newValues[name], Self.place(of: name, below: pointer))
        }
    }

    /// Names in the order of their first occurrence, and their values.
    private static func members(of object: JSONView) -> (names: [[UInt8]], values: [[UInt8]: JSONView]) {
        var names: [[UInt8]] = []
        var values: [[UInt8]: JSONView] = [:]
        for (key, value) in object.members {
            let name = key.decodedBytes
            if values.updateValue(value, forKey: name) == nil { names.append(name) }
        }
        return (names, values)
    }

    private static func place(of name: [UInt8], below pointer: String) -> String {
        "\(pointer)/\(JSONPointer.escape(String(decoding: name, as: UTF8.self)))"
    }

    private mutating func compareElements(_ old: JSONView, _ new: JSONView, at pointer: String) {
        let left = Array(old.elements)
        let right = Array(new.elements)
        guard left.count == right.count else { return add(old, new, pointer) }
        for (index, pair) in zip(left, right).enumerated() { compare(pair.0, pair.1, at: "\(pointer)/\(index)") }
    }
}

/// The changes that a service extension made to its content.
enum ContentDifference {
    /// Payload locations of the `UNNotificationContent` members that `NotificationContent` does not store.
    private static let places: [(member: String, pointer: String)] = [
        ("sound", "/aps/sound"), ("categoryIdentifier", "/aps/category"),
        ("interruptionLevel", "/aps/interruption-level"), ("relevanceScore", "/aps/relevance-score"),
        ("targetContentIdentifier", "/aps/target-content-id"), ("filterCriteria", "/aps/filter-criteria"),
        ("launchImageName", "/aps/alert/launch-image"), ("summaryArgument", "/aps/alert/summary-arg"),
        ("summaryArgumentCount", "/aps/alert/summary-arg-count"), ("userInfo", ""),
    ]

    /// Pointers refer to content in the format of `Documentation/reference/extension-protocol.md`.
    ///
    /// - Parameters:
    ///   - changes: the members that the extension returned.
    ///   - content: the content of the payload.
    static func changes(
        _ changes: [UInt8], over content: NotificationContent, of payload: BorrowedText
    ) -> [JSONDifference.Change] {
        var original: [String: String] = [:]
        original["title"] = content.title?.string.jsonQuoted
        original["subtitle"] = content.subtitle?.string.jsonQuoted
        original["body"] = content.body?.string.jsonQuoted
        original["threadIdentifier"] = content.thread?.string.jsonQuoted
        original["badge"] = content.badge.map(String.init)
        _ = payload.withJSON { root in
            for (member, pointer) in places { original[member] = root[pointer: pointer]?.text.string }
        }
        let found = changes.withJSON { root in
            // Members that the extension did not return have not changed.
            let old = original.filter { root[named: $0.key] != nil }.map { "\"\($0.key)\":\($0.value)" }.sorted()
            return Array("{\(old.joined(separator: ","))}".utf8)
                .withJSON { JSONDifference(from: $0, to: root).changes }
        }
        return (found ?? nil) ?? []
    }
}
