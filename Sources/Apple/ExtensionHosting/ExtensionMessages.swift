import DeviceScreens
import PayloadJSON
import PushModel

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
        // SOUND: copies what the buffer holds.
        var text = ByteBuffer()
        category.append(to: &text)
        return unsafe PendingPush.Shown(identifier: category.identifier, text: Array(text.bytes))
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
