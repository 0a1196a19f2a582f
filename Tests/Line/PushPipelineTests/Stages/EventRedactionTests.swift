import PushDevices
import PushJSON
import PushPipeline
import PushRedaction
import PushReports
import PushSQLite
import PushText
import TestSupport
import Testing

/// Events refer to the same devices and notifications when the names are redacted.
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
            if let parts { configuration.recordStages.append(RedactionStage(Redaction(parts, key: Array("key".utf8)))) }
        }
    }

    @Test func `redaction does not change the outcomes of events`() throws {
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

    @Test func `an app's own notification is hidden like a push, and still replaces one`() throws {
        let push = push("Secret", to: Self.token, headers: #""apns-collapse-id":"secret-id""#)
        let post =
            #"{"event":"post","device":"\#(Self.token)","app":"org.example.news","title":"Secret","tag":"secret-id"}"#
        let records = [push, post, #"{"event":"post","device":"\#(Self.token)","body":"Secret","tag":"post-9"}"#]
        for parts in [Redaction.Parts.content, .all] {
            let store = MemoryStore()
            _ = try story(records, store: store) {
                $0.recordStages.append(RedactionStage(Redaction(parts, key: Array("key".utf8))))
            }
            let shown = try store.notifications()
            #expect(shown.map(\.seq) == [2, 3])
            #expect(shown.last?.identifier == "post-9")
            #expect(!shown.contains { "\($0.identifier)\($0.payload)".lowercased().contains("secret") })
            #expect(try !trace(records, parts).lowercased().contains("secret"))
        }
    }

    private func trace(_ records: [String], _ parts: Redaction.Parts) throws -> String {
        var configuration = PipelineConfiguration()
        configuration.traces = true
        configuration.recordStages.append(RedactionStage(Redaction(parts, key: Array("key".utf8))))
        let writer = TraceReport(style: TextStyle(hasColors: false))
        var out = ByteBuffer()
        try Pipeline(configuration).process(records.joined(separator: "\n")) { writer.append($0, to: &out) }
        return String(decoding: out.bytes, as: UTF8.self)
    }

    @Test func `a trace hides the replacement of a token, however short it is`() throws {
        let record = device(#""canonical":"new-456","platform":"android""#, of: "old-123")
        for parts in [Redaction.Parts.tokens, .all] {
            let trace = try trace([record], parts)
            #expect(!trace.contains("new-456") && !trace.contains("old-123"))
            #expect(trace.contains("android"))
        }
        let content = try trace([record], .content)
        #expect(content.contains("new-456") && content.contains("old-123"))
    }

    /// One run with redaction, and a run without it whose export is redacted.
    @Test(arguments: Redaction.Parts.allCases)
    func `a redacted export is that of a run with the same redaction`(parts: Redaction.Parts) throws {
        let redaction = Redaction(parts, key: Array("key".utf8))
        let folder = try TestFolder()
        let plain = try SQLiteStore(path: folder.path("plain.db"))
        _ = try story(Self.everything, store: plain)
        let redacted = try SQLiteStore(path: folder.path("redacted.db"))
        let steps = try story(Self.everything, store: redacted) {
            $0.recordStages.append(RedactionStage(redaction))
        }
        #expect(!steps.contains { $0.contains("malformed") || $0.contains("ignored") }, "\(steps)")
        let exported = try lines(of: plain, hiding: redaction)
        #expect(try exported == lines(of: redacted, hiding: nil))
        let text = exported.joined()
        #expect(text.contains("secret") == (parts == .tokens))
        for token in ["ExponentPushToken[q7]", "80b180b1", "c0ffc0ff"] {
            #expect(text.contains(token) == (parts == .content), "\(token)")
        }
        #expect(text.contains("\"posted\":true") && text.contains("handle-action") && text.contains("TALK"))
    }

    /// Without the first line, which says whether the store is redacted.
    private func lines(of store: SQLiteStore, hiding redaction: Redaction?) throws -> [String] {
        var out = ByteBuffer()
        try store.export(.stateAndJournal, isCSV: false, hiding: redaction) { $0(&out) }
        return String(decoding: out.bytes, as: UTF8.self).split(separator: "\n").dropFirst().map(String.init)
    }

    private static let everything = [
        device(
            #""app":"org.example.news","state":"foreground","toast":true,"bell":["main","secret screen"],"previews":"never","#
                + #""sounds":false,"categories":[{"id":"TALK","placeholder":"secret","shows_title":true,"#
                + #""actions":[{"id":"R","title":"secret","text":true},{"id":"Mute"}]}]"#),
        #"{"event":"focus","device":"ab54","on":true,"apps":["org.example.mail"],"people":["secret Ada","secret Bob"]}"#,
        push("secret").replacing(#""alert":"#, with: #""category":"TALK","alert":"#),
        #"{"event":"post","device":"ab54","app":"org.example.news","title":"secret"}"#,
        #"{"event":"tap","device":"ab54","identifier":"push-3","action":"R","text":"secret \"answer\""}"#,
        #"{"event":"open","device":"ab54","screen":"secret screen","modal":true}"#,
        #"{"event":"close","device":"ab54"}"#,
        #"{"event":"device","device":"cafe01","app":"org.example.news","platform":"android","#
            + #""channels":[{"id":"talk","importance":"high","sound":false,"default":true}],"activities":["secret"]}"#,
        #"{"event":"post","device":"cafe01","app":"org.example.news","title":"secret","channel":"talk"}"#,
        #"{"event":"device","device":"beef02","app":"org.example.news","expo":"ExponentPushToken[q7]","#
            + #""start_token":"80b180b1","activity_tokens":["c0ffc0ff"]}"#,
    ]

    private static let screens = [
        device(#""state":"foreground","types":["mention"]"#, of: token),
        #"{"event":"open","device":"\#(token)","screen":"Draft for \#(token)","kind":"editor","modal":true}"#,
        #"{"event":"edit","device":"\#(token)"}"#, push("Text", to: token),
        #"{"event":"tap","device":"\#(token)","identifier":"push-4"}"#,
    ]

    @Test func `the name of a screen is content and can repeat a token`() throws {
        for parts in [Redaction.Parts.tokens, .content, .all] {
            let store = MemoryStore()
            let steps = try story(Self.screens, store: store) {
                $0.recordStages.append(RedactionStage(Redaction(parts, key: Array("key".utf8))))
            }
            #expect(steps[4].hasPrefix("5 tap applied [ask-to-discard "))
            let known = try trace(Self.screens, parts) + steps.joined() + store.events().map(\.identifier).joined()
            // As a whole.
            #expect(!known.contains("Draft for"))
            #expect(known.contains(Self.token) == (parts == .content))
            // Values that identify nobody stay.
            #expect(known.contains("mention") && known.contains("push-4"))
        }
    }

    @Test func `a screen with the bell is the same one after redaction`() throws {
        let open = #"{"event":"open","device":"ab54","screen":"Mine"}"#
        let app = device(#""state":"foreground","will_present":[],"toast":true,"bell":["Mine"]"#)
        let lines = try story([app, open, push()]) {
            $0.recordStages.append(RedactionStage(Redaction(.content, key: Array("key".utf8))))
        }
        #expect(lines.last == "3 silent [not-presented] [mark-bell]")
    }

    @Test func `an identifier that repeats a token finds its notification`() throws {
        let records = [
            push("Text", to: "ab54ab5401", headers: #""apns-collapse-id":"of-ab54ab5401""#),
            #"{"event":"dismiss","device":"ab54ab5401","identifier":"of-ab54ab5401"}"#,
        ]
        let lines = try story(records) {
            $0.recordStages.append(RedactionStage(Redaction(.tokens, key: Array("key".utf8))))
        }
        #expect(lines == ["1 delivered", "2 dismiss applied"])
    }

    @Test(arguments: Redaction.Parts.allCases)
    func `an event can name the device of records without a token`(parts: Redaction.Parts) throws {
        let records = [device(#""online":false"#, of: "default"), #"{"aps":{"alert":"Text"}}"#]
        let lines = try story(records) {
            $0.recordStages.append(RedactionStage(Redaction(parts, key: Array("key".utf8))))
        }
        #expect(lines == ["1 device applied", "2 held"])
    }
}
