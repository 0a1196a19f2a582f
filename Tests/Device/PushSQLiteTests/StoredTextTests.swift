import PushDevices
import PushModel
import PushSQLite
import TestSupport
import Testing

/// Texts are read back from a file as they were stored.
struct StoredTextTests {
    /// JSON texts and their decoded values.
    private static let texts: [(json: String, text: String)] = [
        ("plain", "plain"), ("", ""), (" ", " "), ("it's", "it's"), (#"say \"hi\""#, #"say "hi""#),
        ("'; DROP TABLE notification; --", "'; DROP TABLE notification; --"), ("?1 :a @b $c", "?1 :a @b $c"),
        ("Nygård – 北西", "Nygård – 北西"), ("😀👩‍👩‍👧", "😀👩‍👩‍👧"), (#"\ud83d\ude00"#, "😀"),
        (#"a\nb\tc\\d\/e"#, "a\nb\tc\\d/e"),
        (#"\u00e9 e\u0301"#, "\u{E9} e\u{301}"), ("\u{FEFF}x", "\u{FEFF}x"), (#"\ud83d"#, "\u{FFFD}"),
    ]

    @Test func `titles, bodies, threads and payloads`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        let payloads = Self.texts.map { text in
            let alert = "{\"title\":\"\(text.json)\",\"subtitle\":\"\(text.json)\",\"body\":\"x\(text.json)\"}"
            return "{\"aps\":{\"alert\":\(alert),\"thread-id\":\"\(text.json)\"}}"
        }
        try store.run(payloads)
        let shown = try store.notifications()
        try #require(shown.count == Self.texts.count)
        for (notification, expected) in zip(shown, Self.texts) {
            #expect(notification.content.title.map { Array($0.utf8) } == Array(expected.text.utf8), "\(expected.json)")
            #expect(notification.content.subtitle == expected.text)
            #expect(notification.content.body == "x" + expected.text)
            #expect(notification.content.thread == expected.text)
        }
        #expect(shown.map(\.payload) == payloads)

        let memory = MemoryStore()
        try memory.run(payloads)
        #expect(try memory.notifications() == shown)

        // Byte for byte, through the tool.
        let hexadecimal = { (text: String) in
            "'" + text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined() + "'"
        }
        #expect(
            try folder.sqlite3(sql: "SELECT hex(title) FROM on_screen;") == Self.texts.map { hexadecimal($0.text) })
        #expect(try folder.sqlite3(sql: "SELECT hex(payload) FROM on_screen;") == payloads.map(hexadecimal))
    }

    @Test func `devices, apps and identifiers`() throws {
        let folder = try TemporaryFolder()
        let records = Self.texts.filter { !$0.text.isEmpty }.map { text in
            apns(device: text.json, app: text.json, collapseID: text.json)
        }
        let memory = MemoryStore()
        let expected = try memory.run(records)
        #expect(try SQLiteStore(path: folder()).run(records) == expected)
        let store = try SQLiteStore(path: folder())
        #expect(try store.notifications() == memory.notifications())
        #expect(try store.events() == memory.events())
        // They are also found in what was loaded.
        let again = try memory.run(records)
        #expect(again.allSatisfy { $0.outcome == .replaced })
        #expect(try store.run(records) == again)
        #expect(try store.notifications() == memory.notifications())
    }

    @Test func `a NUL is a character like any other`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        let nul = #"a\u0000b"#
        let alert = "{\"title\":\"\(nul)\",\"subtitle\":\"\(nul)\",\"body\":\"\(nul)\"}"
        try store.run(["{\"aps\":{\"alert\":\(alert),\"thread-id\":\"\(nul)\"}}"])
        #expect(try folder.sqlite3(sql: "SELECT hex(title), hex(body) FROM on_screen;") == ["'610062','610062'"])
        let content = try store.notifications().map(\.content)
        #expect(content == [ShownContent(title: "a\0b", subtitle: "a\0b", body: "a\0b", thread: "a\0b")])
    }

    @Test func `identifiers that differ only after a NUL are different`() throws {
        let folder = try TemporaryFolder()
        let record = { (end: String) in apns(device: #"ab\u0000"# + end, collapseID: #"c\u0000"# + end) }
        try SQLiteStore(path: folder()).run([record("1"), record("2")])
        let store = try SQLiteStore(path: folder())
        let expected = [Delivery(outcome: .replaced, replaces: 1), Delivery(outcome: .delivered)]
        #expect(try store.run([record("1"), record("3")]) == expected)
        #expect(try store.notifications().map(\.identifier) == ["c\u{0}2", "c\u{0}1", "c\u{0}3"])
        #expect(try store.notifications().map(\.device) == ["ab\u{0}2", "ab\u{0}1", "ab\u{0}3"])
        #expect(try store.events().map(\.identifier) == ["c\u{0}1", "c\u{0}2", "c\u{0}1", "c\u{0}3"])
        #expect(try store.notifications(device: "ab\u{0}2").map(\.seq) == [2])
    }
}
