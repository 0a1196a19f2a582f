import PayloadJSON
import PushModel
import PushSystem

/// An object that is none of the known formats.
enum UnknownShape {
    /// The failure, with advice for what is often sent by mistake.
    static func failure(_ root: JSONView, _ wording: Advice.Wording) -> DecodeFailure {
        failure(root, advice(root, TopLevelKeys(of: root), wording))
    }

    /// The failure of an envelope whose payload, a text, is for Google.
    static func failureOfPayload(_ payload: JSONView, _ wording: Advice.Wording) -> DecodeFailure {
        failure(payload, wording(.readPlace("payload")))
    }

    private static func failure(_ view: JSONView, _ advice: String) -> DecodeFailure {
        DecodeFailure(
            rule: "record.unknown-shape", message: "an object, but none of the known formats\(advice)",
            offset: view.offset)
    }

    private static func advice(_ root: JSONView, _ keys: TopLevelKeys, _ wording: Advice.Wording) -> String {
        if let payload = keys.payload, TopLevelKeys.isForGoogle(payload) { return wording(.readPlace("payload")) }
        var members = 0
        var hasMessage = false
        for (key, value) in root.members {
            members += 1
            hasMessage = hasMessage || key == "message"
            guard value.isObject, TopLevelKeys(of: value).hasAps else { continue }
            let name = key.string
            return wording(.readPlace(isPlain(name) ? name : nil))
        }
        return wording(hasMessage && members == 1 ? .readAsFCM : .forceFormat)
    }

    /// In bytes.
    private static let longestName = 32

    /// True if a name may stand in a message and in a shell: it is anybody's text. In quotes, because redaction hides what stands in them.
    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= longestName
            && name.utf8.allSatisfy {
                $0.isDigit || $0.isLetter || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F
            }
    }

    /// True if a text that is no JSON has an object after something else, as a line of a log has. O(bytes).
    static func isObjectAfterText(_ text: UnsafeRawBufferPointer) -> Bool {
        // SOUND: the caller keeps the text alive during the call, and the slice is within it.
        let blanks = Array(" \t\r\n".utf8)
        guard let first = unsafe text.first(where: { !blanks.contains($0) }), !Array("{['\"".utf8).contains(first),
            let brace = unsafe text.firstIndex(of: UInt8(ascii: "{"))
        else { return false }
        return unsafe text[(brace + 1)...].first { !blanks.contains($0) } == UInt8(ascii: "\"")
    }
}
