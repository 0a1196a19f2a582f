import AppSimulation
import Foundation
import PushModel
import PushPreferences
import PushSystem
import TestSupport
import Testing

/// Files of preferences, and mappings of an app's notification types.
struct PreferenceFileTests {
    @Test func `a file is created on the first change, and only its owner can read it`() throws {
        let folder = try TestFolder()
        let file = PreferenceFile(path: folder.path("phone.json"))
        #expect(!file.exists)
        let missing = #expect(throws: PlainError.self) { try file.read() }
        let advice = "No such file or directory; pushpipe preferences set TYPE on --account NAME creates it"
        #expect(missing?.description.hasSuffix(advice) == true)
        try file.update { $0.set(DevicePreferences(), of: "phone") }
        #expect(file.exists)
        #expect(try file.read()["phone"] == DevicePreferences())
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["phone.json"])
    }

    @Test func `a failed change leaves the file unchanged`() throws {
        struct Refused: Error {}
        let folder = try TestFolder()
        let file = PreferenceFile(path: folder.path("phone.json"))
        #expect(throws: Refused.self) { try file.update { _ in throw Refused() } }
        #expect(!file.exists)
        try file.update { $0.set(DevicePreferences(), of: "phone") }
        let before = try Data(contentsOf: URL(filePath: file.path))
        #expect(throws: Refused.self) {
            try file.update { book in
                book.set(DevicePreferences(), of: "other")
                throw Refused()
            }
        }
        #expect(try Data(contentsOf: URL(filePath: file.path)) == before)
    }

    @Test(arguments: [
        ("{\n  \"devices\": 7\n}\n", "2:14"), ("", "1:1"), ("{\"devices\":{}", "1:14"),
    ])
    func `a malformed file is refused by line and column, and left unchanged`(text: String, place: String) throws {
        let folder = try TestFolder()
        let file = PreferenceFile(path: try folder.write(text, to: "phone.json"))
        for attempt in [{ _ = try file.read() }, { try file.update { _ in } }] {
            let error = #expect(throws: PlainError.self) { try attempt() }
            #expect(error?.description.contains("phone.json:\(place): ") == true, "\(String(describing: error))")
        }
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == text)
    }

    @Test func `an app of another kind has its own types and rules`() throws {
        let text = """
            preferences:
              types:
                - {name: sport, title: Sport}
                - breaking-news
              mapping:
                - {at: category, like: SPORT_*, type: sport}
                - at: /kind
              site: "{language}.example.org"
              languages: {nb: "no"}
            """
        let folder = try TestFolder()
        let configuration = try PreferenceConfiguration.read(try folder.write(text, to: "app.yml"))
        #expect(configuration.table.rows.map(\.type) == ["sport", "breaking-news"])
        #expect(configuration.table.rows.map(\.title) == ["Sport", "breaking-news"])
        #expect(
            configuration.mapping.rules == [
                .init(at: .category, like: "SPORT_*", type: "sport"), .init(at: .pointer("/kind")),
            ])
        #expect(["nb-NO", "de"].map(configuration.sites.site) == ["no.example.org", "de.example.org"])
    }

    @Test func `the sample of Wikipedia's app has its types with titles, and a wiki for each language`() throws {
        let sample = packageFolder.appendingPathComponent("Samples/Preferences/wikipedia.yml").path
        let configuration = try PreferenceConfiguration.read(sample)
        let expected = """
            edit-user-talk edit-thank dt-subscription cx mention mention-failure mention-success article-linked \
            wikibase-action login-fail login-success page-review user-rights reverted emailuser thank-you-edit
            """.split(separator: " ").map(String.init)
        #expect(configuration.table.rows.map(\.type.name) == expected)
        #expect(configuration.table.rows.allSatisfy { $0.title != $0.type.name })
        let wikis = ["de-AT", "yue-HK", "lzh", "nan", "gsw-CH", "fil", "nb"].map(configuration.sites.site)
        #expect(
            wikis == ["de", "zh-yue", "zh-classical", "zh-min-nan", "als", "tl", "no"].map { "\($0).wikipedia.org" })
    }

    @Test func `an app says where taps lead`() throws {
        let text = """
            taps:
              - {at: category, like: TALK, action: REPLY, screen: reply, kind: editor, modal: true}
              - {at: /url, like: https://example.org/live/*, screen: live}
              - at: /url
              - {kind: centre}
            """
        let folder = try TestFolder()
        let taps = try PreferenceConfiguration.read(try folder.write(text, to: "app.yml")).taps
        #expect(
            taps?.rules == [
                .init(
                    at: .category, like: "TALK", action: "REPLY",
                    opens: AppScreen("reply", kind: .editor, isModal: true)),
                .init(at: .pointer("/url"), like: "https://example.org/live/*", opens: AppScreen("live")),
                .init(at: .pointer("/url"), opens: AppScreen("")), .init(at: nil, opens: AppScreen("", kind: .center)),
            ])
    }

    @Test func `an app says which messages it posts, and which remove notifications`() throws {
        let text = """
            posts:
              - {at: /data/type, like: chat, title: "{/data/sender} wrote", body: /data/text, tag: /data/chat, channel: chats}
              - {body: Something happened, notifications: true}
            removals:
              - {at: category, like: read, identifiers: /chats}
              - identifiers: /data/read
            """
        let folder = try TestFolder()
        let messages = try PreferenceConfiguration.read(try folder.write(text, to: "app.yml")).messages
        var chat = MessageRules.Post()
        chat.condition = .init(at: .pointer("/data/type"), like: "chat")
        chat.title = MessageText("{/data/sender} wrote")
        chat.body = MessageText("/data/text")
        chat.tag = MessageText("/data/chat")
        chat.channel = MessageText("chats")
        var any = MessageRules.Post()
        any.condition.includesNotifications = true
        any.body = MessageText("Something happened")
        #expect(messages.posts == [chat, any])
        var read = MessageRules.Removal()
        read.condition = .init(at: .category, like: "read")
        read.identifiers = MessageText("/chats")
        var other = MessageRules.Removal()
        other.identifiers = MessageText("/data/read")
        #expect(messages.removals == [read, other])
        #expect(try PreferenceConfiguration.read(try folder.write("taps: []", to: "b.yml")).messages.isEmpty)
    }

    @Test(arguments: [
        ("posts: [{tag: a}]", "1:9"), ("posts: [{title: /a~2}]", "1:17"), ("posts: [{like: a, title: b}]", "1:9"),
        ("posts: [{title: a, notifications: 7}]", "1:35"), ("posts: [{title: a, identifiers: b}]", "1:20"),
        ("removals: [{at: /a}]", "1:12"), ("removals: [{identifiers: /a, title: b}]", "1:30"),
        ("posts: [{title: null, body: ~}]", "1:9"), ("posts: [{title: '{data/a} x'}]", "1:17"),
        ("posts: [{title: '{/data/a'}]", "1:17"), ("posts: [{title: a, web: 7}]", "1:25"),
        ("removals: [{identifiers: null}]", "1:12"),
        ("taps: [{like: x, screen: a}]", "1:8"), ("taps: [{action: REPLY}]", "1:8"), ("taps: [{at: nowhere}]", "1:13"),
        ("taps: [{screen: a, kind: door}]", "1:26"), ("taps: [{screen: a, modal: 7}]", "1:27"),
        ("taps: [{screen: a, opens: b}]", "1:20"),
        ("preferences: {types: [\"\"]}", "1:23"), ("preferences: {languages: 7}", "1:26"),
        ("preferences: {site: [a]}", "1:21"), ("preferences: {mapping: [{at: nowhere}]}", "1:30"),
        ("preferences: {mapping: [{like: x}]}", "1:25"), ("preferences:\n  rules: []", "2:3"), ("- x", "1:1"),
    ])
    func `a mistake in a mapping is reported by line and column`(text: String, place: String) throws {
        let folder = try TestFolder()
        let path = try folder.write(text, to: "app.yml")
        let error = #expect(throws: PlainError.self) { try PreferenceConfiguration.read(path) }
        #expect(error?.description.contains("app.yml:\(place): ") == true, "\(String(describing: error))")
    }
}
