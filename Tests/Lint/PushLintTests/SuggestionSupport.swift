import PushDecoding
import PushJSON
import PushModel
import Testing

@testable import PushLint

/// A wrong record, the linter's suggestion, the record that follows it, and the effect that it gains.
struct SuggestionCase: Sendable, CustomTestStringConvertible {
    var wrong: String
    /// The end of the finding's message, or a part of it.
    var says: String
    var right: String
    /// The effect that the wrong message does not have, as `Effects` writes it; with a slash, a value of the record.
    var gains: [String]

    var testDescription: String { wrong }

    init(_ wrong: String, says: String, _ right: String, gains: String...) {
        self.wrong = wrong
        self.says = says
        self.right = right
        self.gains = gains
    }
}

/// The effects of a record on a device of each platform, in words.
struct Effects {
    private(set) var words: Set<String> = []
    /// True if no service refuses a message of it, and it can be read.
    private(set) var isAccepted = true

    init(_ record: String) {
        for platform in [nil, Platform.ios, .android, .web] { read(record, on: platform) }
    }

    private mutating func read(_ record: String, on platform: Platform?) {
        var options = DecodingOptions()
        options.platform = platform
        // SOUND: the record and the decoder live until the closure returns.
        var decoder = RecordDecoder(options: options)
        var batch = MessageBatch()
        var reader = TransitReader()
        let acceptance = Acceptance(budget: nil)
        Array(record.utf8).withUnsafeBytes { bytes in
            decoder.decode(bytes, record: 0, into: &batch)
            for index in 0..<batch.messageCount {
                acceptance.check(index, in: &batch)
                let message = batch.messages[index]
                switch message.verdict {
                // What a request becomes on another platform may be longer.
                case .malformed, .rejected: if platform == nil { isAccepted = false }
                default: add(message, &reader)
                }
            }
        }
    }

    private mutating func add(_ message: DecodedMessage, _ reader: inout TransitReader) {
        let content = message.content
        let platform = message.platform.rawValue
        func text(_ name: String, _ value: String?) -> String? { value.map { "\(name) \($0) on \(platform)" } }
        let transit = reader.options(of: message, at: 0)
        let manner = reader.manner(of: message)
        words.formUnion(
            [
                text("title", content.title?.string), text("subtitle", content.subtitle?.string),
                text("body", content.body?.string), text("thread", content.thread?.string),
                text("tag", content.tag?.string), text("badge", message.badge.map(String.init)),
                text("level", manner.interruptionLevel), text("collapse", transit.collapseKey),
                text("kept", transit.expiresAt.map { String($0 / 1000) }),
                text("identifier", message.identifier?.string), text("priority", message.headers.priority?.string),
                text("type", message.headers.pushTypeText?.string),
                content.isMutable ? "mutable" : nil, manner.wakesApp ? "wakes" : nil, manner.hasSound ? "sound" : nil,
                message.startsServiceExtension ? "extension" : nil, message.isDryRun ? "dry run" : nil,
                "for \(message.device.string)", "app \(message.app.string)",
            ].compactMap { $0 })
    }

    /// True if a record has an effect, or a value at a pointer.
    static func has(_ gain: String, _ record: String) -> Bool {
        guard gain.hasPrefix("/") else { return Self(record).words.contains(gain) }
        let tokens = (JSONPointer.tokens(gain) ?? [])[...]
        return Array(record.utf8).withUnsafeBytes { LintText(record: $0).root?.find(tokens) } != nil
    }
}

extension Linter {
    /// Findings that a record should not have, as lines.
    func faults(_ record: String) -> [String] {
        lint(record).filter { $0.severity > .info && $0.rule.id.text != "gcm.switched-off" }.map(\.description)
    }
}
