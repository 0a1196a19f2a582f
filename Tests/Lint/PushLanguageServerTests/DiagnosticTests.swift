import PushJSON
import PushLanguageServer
import PushLint
import TestSupport
import Testing

/// Diagnostics, published and pulled.
struct DiagnosticTests {
    @Test func `a finding is a diagnostic with its rule, and a link to the rule's page`() throws {
        let found = Session().open(Text.misspelled)
        let page = try RuleID("aps.misspelled-key").rule.page
        let message = try #require(Linter().lint(Text.misspelled).first).message
        let expected = try JSONValue(
            json: """
                {"range":\(Session.range(0, 21, 38)),"severity":1,"code":"aps.misspelled-key",
                "codeDescription":{"href":"\(page)"},"source":"pushpipe","message":\(Session.json(message))}
                """)
        #expect(found == [expected])
    }

    @Test func `what is published names the version of the document`() {
        let session = Session()
        _ = session.open(Text.good)
        let messages = session.notify(
            "textDocument/didChange",
            #"{"textDocument":{"uri":"file:///work/push.apns","version":9},"contentChanges":[{"text":"{}"}]}"#)
        #expect(messages.map { $0[["params", "version"]] } == [9])
    }

    @Test func `an edit is linted, and what is fixed disappears`() {
        let session = Session()
        #expect(session.open(Text.misspelled).count == 1)
        #expect(session.change(#"{"range":\#(Session.range(0, 29, 30)),"text":"-"}"#).isEmpty)
    }

    @Test(arguments: ["2147483647", "4294967295", "18446744073709551615"])
    func `a position beyond every document is its end`(number: String) {
        let session = Session()
        _ = session.open(Text.good)
        let position = #"{"line":\#(number),"character":\#(number)}"#
        let range = #"{"start":{"line":0,"character":0},"end":\#(position)}"#
        let found = session.change(#"{"range":\#(range),"text":\#(Session.json(Text.misspelled))}"#)
        #expect(found.map(\.code) == ["aps.misspelled-key"])
    }

    /// What is known of the text is not what the user sees, so nothing is said about it.
    @Test(arguments: [
        #"{"range":{"start":{"line":0},"end":{"line":0,"character":1}},"text":"x"}"#, #"{"range":7,"text":"x"}"#,
        #"{"text":7}"#, "7", #"{"text":"{}"},{"range":[],"text":""}"#,
    ])
    func `a change that cannot be read leaves no diagnostics until the whole text comes`(change: String) {
        let session = Session()
        #expect(session.open(Text.misspelled).count == 1)
        let messages = session.notify(
            "textDocument/didChange",
            #"{"textDocument":{"uri":"file:///work/push.apns","version":2},"contentChanges":[\#(change)]}"#)
        let published = messages.last { $0["method"] == "textDocument/publishDiagnostics" }
        #expect(published?[["params", "diagnostics"]] == [])
        #expect(published?[["params", "version"]] == 2)
        #expect(messages.count { $0["method"] == "window/showMessage" } == 1)
        // A change of a part changes an unknown text.
        let later = session.change(#"{"range":\#(Session.range(0, 0, 0)),"text":" "}"#, version: 3)
        #expect(later.isEmpty)
        #expect(session.change(#"{"text":\#(Session.json(Text.misspelled))}"#, version: 4).count == 1)
    }

    @Test func `edits that come at once are linted once`() {
        let session = Session()
        _ = session.open(Text.good)
        func change(_ text: String, _ version: Int) -> String {
            """
            {"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///work/push.apns",\
            "version":\(version)},"contentChanges":[{"text":\(Session.json(text))}]}}
            """
        }
        #expect(session.send(change("{", 2), hasMore: true).isEmpty)
        let messages = session.send(change("{\"aps\":", 3), change(Text.misspelled, 4))
        #expect(messages.map { $0[["params", "version"]] } == [4])
        #expect(session.diagnostics(messages).map(\.code) == ["aps.misspelled-key"])
    }

    @Test func `positions count as the client does`() throws {
        let text = #"{"aps":{"alert":"👍é","mutable_content":1}}"#
        let utf8 = Session(#"{"general":{"positionEncodings":["utf-8"]}}"#).open(text)
        #expect(utf8.first?["range"] == (try JSONValue(json: Session.range(0, 25, 42))))
        #expect(Session().open(text).first?["range"] == (try JSONValue(json: Session.range(0, 22, 39))))
    }

    @Test func `each line of NDJSON is linted as a record`() {
        let text = Text.good + "\r\n" + Text.misspelled + "\r\n"
        let found = Session().open(text, uri: "file:///a.ndjson", language: "")
        #expect(found.map { $0[["range", "start", "line"]] } == [1])
    }

    @Test func `broken JSON is reported as on the command line`() {
        #expect(Session().open(#"{"aps":{"alert":"Hi",}}"#).map(\.code) == ["json.trailing-comma"])
    }

    @Test(arguments: [
        #"{"name":"app","version":"1.0.0","dependencies":{}}"#, #"{"name":"app","version":"1.0.0",}"#, "", "[1]",
        "\u{FEFF}",
    ])
    func `a file that is no payload has no diagnostics`(text: String) {
        #expect(Session().open(text, uri: "file:///work/package.json").isEmpty)
    }

    @Test func `payloads in JSON are recognized, also when they are broken`() {
        for text in [Text.misspelled, #"{"aps":{"alert":"Hi",}}"#, #"{"message":{"token":"t","notifications":{}}}"#] {
            #expect(!Session().open(text, uri: "file:///work/a.json").isEmpty, "\(text)")
            #expect(!Session().open(text, uri: "untitled:Untitled-1").isEmpty, "\(text)")
        }
    }

    @Test func `a language that is not JSON is left alone`() {
        #expect(Session().open(Text.misspelled, uri: "file:///work/notes.txt", language: "plaintext").isEmpty)
    }

    @Test func `closing a document removes its diagnostics`() {
        let session = Session()
        _ = session.open(Text.misspelled)
        let messages = session.notify("textDocument/didClose", #"{"textDocument":{"uri":"file:///work/push.apns"}}"#)
        #expect(messages.map { $0[["params", "diagnostics"]] } == [[]])
        #expect(session.change(#"{"text":"{"}"#).isEmpty)
    }

    @Test func `a client that pulls gets what it asks for, and nothing is published`() throws {
        let session = Session(#"{"textDocument":{"diagnostic":{}}}"#)
        #expect(session.open(Text.misspelled).isEmpty)
        let answer = session.request(
            "textDocument/diagnostic", #"{"textDocument":{"uri":"file:///work/push.apns"}}"#)
        #expect(answer[["result", "kind"]] == "full")
        #expect(answer[["result", "items"]]?.elements.map(\.code) == ["aps.misspelled-key"])
    }

    // MARK: - Configuration

    @Test func `the nearest configuration applies, and is read again when it has changed`() throws {
        let workspace = try TestFolder([".pushpipe.yml": "lint:\n  ignore: [aps.misspelled-key]\n"])
        let session = Session(#"{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true}}}"#)
        let uri = workspace.uri("not saved.apns")
        #expect(session.open(Text.misspelled, uri: uri).isEmpty)
        try workspace.write("lint:\n  rules:\n    aps.misspelled-key: warning\n", to: ".pushpipe.yml")
        let changed = session.notify("workspace/didChangeWatchedFiles", #"{"changes":[]}"#)
        #expect(session.diagnostics(changed).map { $0["severity"] } == [2])
        try workspace.write("lint:\n  exclude: ['*.apns']\n", to: ".pushpipe.yml")
        let saved = session.notify("textDocument/didSave", #"{"textDocument":{"uri":"\#(uri)"}}"#)
        #expect(saved.count == 1 && session.diagnostics(saved).isEmpty)
    }

    @Test func `a file next to the document says what to ignore in it`() throws {
        let workspace = try TestFolder(["a.json.pushpipe.yml": "ignore: aps.misspelled-key\n"])
        let session = Session()
        #expect(session.open(Text.misspelled, uri: workspace.uri("a.json")).isEmpty)
        #expect(session.open(Text.misspelled, uri: workspace.uri("b.json")).count == 1)
    }

    @Test func `the server asks for changes of configurations`() {
        let session = Session(nil)
        _ = session.request(
            "initialize", #"{"capabilities":{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true}}}}"#)
        let asked = session.notify("initialized", "{}").first
        #expect(asked?["method"] == "client/registerCapability")
        let watchers = asked?[["params", "registrations"]]?.elements.first?[["registerOptions", "watchers"]]
        #expect(watchers?.elements.first?["globPattern"] == "**/.pushpipe.yml")
    }

    @Test func `a broken configuration is shown once, and documents are linted without it`() throws {
        let workspace = try TestFolder([".pushpipe.yml": "lint:\n  severty: info\n"])
        let session = Session()
        let messages = session.notify(
            "textDocument/didOpen",
            #"{"textDocument":{"uri":"\#(workspace.uri("a.apns"))","version":1,"text":\#(Session.json(Text.misspelled))}}"#
        )
        #expect(messages.map { $0["method"] } == ["window/showMessage", "textDocument/publishDiagnostics"])
        #expect(messages.first?[["params", "message"]]?.string?.contains(".pushpipe.yml:2:3: ") == true)
        #expect(session.diagnostics(messages).map(\.code) == ["aps.misspelled-key"])
        let later = session.notify(
            "textDocument/didChange",
            #"{"textDocument":{"uri":"\#(workspace.uri("a.apns"))","version":2},"contentChanges":[{"text":"{"}]}"#)
        #expect(later.map { $0["method"] } == ["textDocument/publishDiagnostics"])
        let saving = #"{"textDocument":{"uri":"\#(workspace.uri("a.apns"))"}}"#
        for _ in 0..<2 {
            let saved = session.notify("textDocument/didSave", saving)
            #expect(saved.map { $0["method"] } == ["textDocument/publishDiagnostics"])
        }
        let changed = session.notify("workspace/didChangeWatchedFiles", #"{"changes":[]}"#)
        #expect(changed.map { $0["method"] } == ["window/showMessage", "textDocument/publishDiagnostics"])
    }
}
