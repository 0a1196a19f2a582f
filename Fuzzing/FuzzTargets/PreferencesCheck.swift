import AppSimulation
import PayloadJSON
import PushModel
import WikimediaSettings

/// A file of preferences is refused or read, and survives a round trip when it is read; any response of a wiki is read
/// or refused.
enum PreferencesCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            if let trouble = withJSON(bytes, readAnswer) { return trouble }
            guard var book = try? PreferenceBook(parsing: Array(bytes)) else { return nil }
            for (name, preferences) in book.devices { book.set(preferences, of: name) }
            guard let written = try? book.serialized() else { return "what was read cannot be written" }
            guard let again = try? PreferenceBook(parsing: written) else {
                return "what was written cannot be read: \(readable(written))"
            }
            return again.devices == book.devices ? nil : "what was written reads otherwise: \(readable(written))"
        }
    }

    private static func withJSON(_ bytes: UnsafeRawBufferPointer, _ check: (JSONView) -> String?) -> String? {
        var scanner = JSONScanner()
        var tape = JSONTape()
        guard scanner.scan(bytes, into: &tape) == nil, let root = tape.root(of: bytes) else { return nil }
        return check(root)
    }

    private static func readAnswer(_ root: JSONView) -> String? {
        _ = PreferencesStateMachine.Answer(root)
        guard case .options(let options) = UserinfoAnswer(root) else { return nil }
        if !options.on.isSubset(of: options.mentioned) { return "an option is on that the response does not mention" }
        for finding in options.findings {
            if finding.message.contains(where: \.isNewline) { return "no line: \(finding.message)" }
            if JSONPointer.tokens(finding.pointer) == nil { return "no pointer: \(finding.pointer)" }
        }
        return nil
    }
}
