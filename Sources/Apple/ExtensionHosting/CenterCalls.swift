import PushDevices
import PushJSON
import PushModel
import PushSystem

/// Carries out what an extension asks of `UNUserNotificationCenter`, and keeps local notifications until they are due.
///
/// Answers come from the push's own copy of the screen; changes become its actions.
final class CenterCalls {
    private let removal: RemovalTiming
    /// Pending local notifications, by device and app, oldest first.
    private var pending: [String: Arrivals<PendingPush.Local>] = [:]
    /// How many overdue repetitions of one notification a single push delivers at most: a clock may jump.
    private static let maximumRepeats = 64

    init(removal: RemovalTiming) { self.removal = removal }

    struct Answer {
        var name = ""
        /// Nil if the answer is empty.
        var list: [PendingPush.Shown]?

        /// Each with a comma before it.
        var members: [UInt8] {
            guard let list else { return [] }
            return Array(",\"\(name)\":[".utf8) + list.map(\.text).joined(separator: ",".utf8) + "]".utf8
        }
    }

    /// Carries out a call; nil when there is no such method.
    func perform(
        _ method: JSONString, _ message: JSONView, for push: PendingPush, _ session: any DeliverySession
    ) throws -> Answer? {
        let now = SystemClock.monotonicNanoseconds()
        if method == "getDeliveredNotifications" { return try list(push, now, session) }
        switch method {
        case "removeDeliveredNotifications": try remove(Self.identifiers(message), push, now, session)
        case "removeAllDeliveredNotifications": try remove(nil, push, now, session)
        case "add": try add(message, push, now, session)
        case "getPendingNotificationRequests":
            let pending = pending[Self.key(push.message)]?.values ?? []
            return Answer(name: "requests", list: pending.map { ExtensionMessages.shown($0) })
        case "removePendingNotificationRequests":
            let key = Self.key(push.message)
            pending[key]?.remove(Self.identifiers(message))
        case "removeAllPendingNotificationRequests": pending[Self.key(push.message)] = nil
        case "setBadgeCount":
            if let count = message["count"]?.int64.flatMap({ Int(exactly: $0) }), count >= 0 {
                push.actions.append((now, .setBadge(count)))
            }
        case "setNotificationCategories":
            push.takeCategories(message["categories"].flatMap { try? ActionCategory.list($0) }, at: now)
        case "getNotificationCategories":
            return Answer(name: "categories", list: (push.categories ?? []).map { ExtensionMessages.shown($0) })
        default: return nil
        }
        return Answer()
    }

    private static func identifiers(_ message: JSONView) -> [String] {
        message["identifiers"]?.elements.compactMap { $0.string?.string } ?? []
    }

    private static func key(_ message: DecodedMessage) -> String {
        "\(message.device.string)\u{0}\(message.app.string)"
    }

    // MARK: - Delivered notifications

    private func loadScreen(_ push: PendingPush, _ session: any DeliverySession) throws {
        guard push.screen == nil else { return }
        var screen = Arrivals<PendingPush.Shown>()
        try session.forEachShown(for: push.message) { notification in
            let shown = ExtensionMessages.shown(notification)
            screen.append(shown, as: shown.identifier)
        }
        push.screen = screen
        // Local notifications that are due come before what the extension does itself.
        for case .show(let local, let at) in push.actions.map(\.action) { Self.show(local, at: at, on: &push.screen) }
    }

    private static func show(_ local: PendingPush.Local, at: Int64, on screen: inout Arrivals<PendingPush.Shown>?) {
        screen?.append(ExtensionMessages.shown(local, at: at), as: local.identifier)
    }

    /// Applies to the copy the actions that are due.
    private func settle(_ push: PendingPush, _ now: Int64) {
        guard removal != .immediate else { return }
        for case (let due, .remove(let identifiers)) in push.actions where due <= now {
            push.screen?.remove(identifiers)
        }
    }

    private func list(_ push: PendingPush, _ now: Int64, _ session: any DeliverySession) throws -> Answer {
        try loadScreen(push, session)
        settle(push, now)
        push.removalWatch.didList(push.screen.map { Set($0.identifiers) } ?? [], at: .nanoseconds(now))
        return Answer(name: "notifications", list: push.screen?.values ?? [])
    }

    private func remove(
        _ identifiers: [String]?, _ push: PendingPush, _ now: Int64, _ session: any DeliverySession
    ) throws {
        push.removalWatch.didRemove(identifiers, at: .nanoseconds(now))
        switch removal {
        case .immediate:
            push.screen?.remove(identifiers)
            push.actions.append((now, .remove(identifiers)))
        case .delayed(let delay), .lostAfterHandler(let delay):
            // So that what is removed is told from what another call shows later.
            try loadScreen(push, session)
            push.actions.append((now &+ delay.nanoseconds, .remove(identifiers)))
        }
    }

    // MARK: - Local notifications

    private func add(_ message: JSONView, _ push: PendingPush, _ now: Int64, _ session: any DeliverySession) throws {
        // SOUND: the view's bytes are copied while it is valid.
        guard let request = message["request"], let identifier = request["identifier"]?.string?.string else { return }
        let content =
            request["content"].flatMap { unsafe $0.isObject ? [UInt8]($0.text.buffer) : nil } ?? Array("{}".utf8)
        var local = PendingPush.Local(identifier: identifier, content: content)
        let key = Self.key(push.message)
        pending[key]?.remove([identifier])
        guard let due = message["due"] else {
            try loadScreen(push, session)
            Self.show(local, at: push.at, on: &push.screen)
            push.actions.append((now, .show(local, at: push.at)))
            return
        }
        local.due = due.double.flatMap { Int64(exactly: ($0 * 1000).rounded()) }
        // Apple allows no repetition more often than once a minute.
        local.interval = message["every"]?.double.flatMap { Int64(exactly: ($0 * 1000).rounded()) }.flatMap {
            $0 >= 60_000 ? $0 : nil
        }
        pending[key, default: Arrivals()].append(local, as: identifier)
    }

    /// Due local notifications of the app that a message is for, in the order of their times.
    func takeDue(for message: DecodedMessage, at now: Int64) -> [(at: Int64, local: PendingPush.Local)] {
        guard !pending.isEmpty else { return [] }
        let key = Self.key(message)
        guard let waiting = pending[key] else { return [] }
        var due: [(at: Int64, local: PendingPush.Local)] = []
        var rest = Arrivals<PendingPush.Local>()
        for var local in waiting.values {
            var count = 0
            while let time = local.due, time <= now {
                count += 1
                // Only the last of many counts: each replaces the one before.
                due.append((time, local))
                local.due = local.interval.map { count < Self.maximumRepeats ? time &+ $0 : now &+ $0 }
                if local.interval == nil { break }
            }
            if local.due != nil || count == 0 { rest.append(local, as: local.identifier) }
        }
        pending[key] = rest.isEmpty ? nil : rest
        return due.sorted { $0.at < $1.at }
    }
}

/// The messages that the host writes. `Documentation/reference/extension-protocol.md` describes the protocol.
enum ExtensionMessages {
    static func didReceive(
        _ message: DecodedMessage, id: UInt64, seq: UInt64, at: Int64, on device: ExtensionDevice = ExtensionDevice()
    ) -> [UInt8] {
        // SOUND: copies what the buffer holds.
        var line = ByteBuffer(capacity: message.payload.count + 160)
        line.append("{\"method\":\"didReceive\",\"id\":")
        line.append(id)
        line.append(",\"request\":{\"identifier\":")
        if let identifier = message.identifier {
            line.appendJSONString(identifier)
        } else {
            GeneratedIdentifier(seq: seq, target: message.target).withBorrowedText { line.appendJSONString($0) }
        }
        line.append(",\"date\":")
        append(seconds: at, to: &line)
        line.append(",\"payload\":")
        appendOnOneLine(message.payload, to: &line)
        line.append("}")
        switch device.lock {
        case .unlocked: break
        case .locked: line.append(",\"locked\":true")
        case .beforeFirstUnlock: line.append(",\"locked\":\"before-first-unlock\"")
        }
        if device.previews != .always { line.appendMember("previews", device.previews.rawValue) }
        line.append("}\n")
        return unsafe Array(line.bytes)
    }

    static func shown(_ notification: ShownNotification) -> PendingPush.Shown {
        // SOUND: copies what the buffer holds.
        var text = ByteBuffer(capacity: notification.payload.count + notification.changes.count + 120)
        text.append("{\"identifier\":")
        text.appendJSONString(notification.identifier)
        text.append(",\"date\":")
        append(seconds: notification.deliveredAt, to: &text)
        text.append(",\"payload\":")
        appendOnOneLine(notification.payload, to: &text)
        if !notification.changes.isEmpty {
            text.append(",\"content\":")
            text.append(notification.changes)
        }
        text.append("}")
        return unsafe PendingPush.Shown(identifier: notification.identifier.string, text: Array(text.bytes))
    }

    /// A local notification.
    ///
    /// - Parameter at: since when it is on the screen; nil for a pending one.
    static func shown(_ local: PendingPush.Local, at: Int64? = nil) -> PendingPush.Shown {
        // SOUND: copies what the buffer holds.
        var text = ByteBuffer(capacity: local.content.count + 120)
        text.append("{\"identifier\":")
        text.appendJSONString(local.identifier)
        if let at {
            text.append(",\"date\":")
            append(seconds: at, to: &text)
        }
        text.append(",\"payload\":{},\"content\":")
        for byte in local.content { text.append(byte) }
        text.append("}")
        return unsafe PendingPush.Shown(identifier: local.identifier, text: Array(text.bytes))
    }

    /// A category of the app, as events have it.
    static func shown(_ category: ActionCategory) -> PendingPush.Shown {
        PendingPush.Shown(identifier: category.identifier, text: .composed { category.append(to: &$0) })
    }

    private static func append(seconds milliseconds: Int64, to out: inout ByteBuffer) {
        if milliseconds < 0 { out.append("-") }
        let (seconds, fraction) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        out.append(seconds)
        out.append(".")
        if fraction < 100 { out.append("0") }
        if fraction < 10 { out.append("0") }
        out.append(fraction)
    }

    /// JSON on one line: line breaks from pretty-printing become spaces. There are none inside JSON strings.
    private static func appendOnOneLine(_ json: BorrowedText, to out: inout ByteBuffer) {
        // SOUND: the indices are those of the text's own bytes.
        guard unsafe json.buffer.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
            out.append(json)
            return
        }
        let bytes = unsafe json.buffer
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            out.append(byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") ? 0x20 : byte)
        }
    }
}
