import PushPipeline
import Testing

/// Events are about the same devices and notifications when what they name is hidden.
struct EventRedactionTests {
    private static let token = String(repeating: "ab54", count: 16)
    private static let newer = String(repeating: "c0de", count: 16)

    private func lines(_ parts: Redaction.Parts?, _ store: MemoryStore) throws -> [String] {
        let push = push("Secret", to: Self.token, headers: #""apns-collapse-id":"secret-id""#)
        return try story(
            [
                device(#""online":false,"canonical":"\#(Self.newer)""#, of: Self.token), push, back(Self.token),
                #"{"event":"dismiss","device":"\#(Self.token)","identifier":"secret-id"}"#,
                push, #"{"event":"tap","device":"\#(Self.token)"}"#,
            ], store: store
        ) { configuration in
            configuration.redaction = parts.map { Redaction($0, key: Array("key".utf8)) }
        }
    }

    @Test func `what comes of them is the same`() throws {
        let plain = try lines(nil, MemoryStore())
        #expect(plain[3] == "3<2 delivered")
        #expect(plain[4] == "4 dismiss applied")
        for parts in [Redaction.Parts.tokens, .content, .all] {
            let store = MemoryStore()
            #expect(try lines(parts, store) == plain)
            let journal = try store.events().map { "\($0.device) \($0.identifier)" }.joined()
            if parts != .content { #expect(!journal.contains(Self.token)) }
            if parts != .tokens { #expect(!journal.contains("secret-id")) }
        }
    }
}
