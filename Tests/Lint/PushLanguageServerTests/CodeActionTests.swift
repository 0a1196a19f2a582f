import PushJSON
import PushLanguageServer
import Testing

/// Quick fixes, and the fix of a whole document.
struct CodeActionTests {
    private func actions(
        _ text: String, _ range: String, only: String? = nil, _ capabilities: String = "{}"
    ) -> [JSONValue] {
        let session = Session(capabilities)
        let found = session.open(text)
        let context = only.map { #"{"diagnostics":[],"only":["\#($0)"]}"# } ?? #"{"diagnostics":[]}"#
        let answer = session.request(
            "textDocument/codeAction",
            #"{"textDocument":{"uri":"file:///work/push.apns"},"range":\#(range),"context":\#(context)}"#)
        let actions = answer["result"]?.elements ?? []
        for action in actions where action["kind"] == "quickfix" {
            for diagnostic in action["diagnostics"]?.elements ?? [] { #expect(found.contains(diagnostic)) }
        }
        return actions
    }

    /// The text after the edits of an action, which are in UTF-16.
    private func apply(_ action: JSONValue?, to text: String) -> String {
        var document = TextDocument(
            uri: "file:///work/push.apns", languageID: "json", version: 1, text: text, encoding: .utf16)
        let edits = action?[["edit", "changes", "file:///work/push.apns"]]?.elements ?? []
        func position(_ value: JSONValue?) -> DocumentPosition {
            DocumentPosition(line: value?["line"]?.uinteger ?? -1, character: value?["character"]?.uinteger ?? -1)
        }
        // From the last to the first, so that none moves another.
        for edit in edits.reversed() {
            let range = (position(edit[["range", "start"]]), position(edit[["range", "end"]]))
            document.apply([.init(range: range, text: edit["newText"]?.string ?? "")], version: 2)
        }
        return String(decoding: document.text, as: UTF8.self)
    }

    @Test func `a finding with edits has a preferred quick fix`() {
        let found = actions(Text.misspelled, Session.range(0, 30, 30))
        #expect(found.map { $0["kind"] } == ["quickfix", "source.fixAll.pushpipe"])
        #expect(found.first?["title"] == #"Replace with "mutable-content""#)
        #expect(found.first?["isPreferred"] == true)
        for action in found {
            #expect(apply(action, to: Text.misspelled) == #"{"aps":{"alert":"Hi","mutable-content":1}}"#)
        }
    }

    @Test func `broken JSON has its repair`() {
        let text = #"{"aps":{"alert":"Hi 👍",}}"#
        let found = actions(text, Session.range(0, 0, 30))
        for action in found { #expect(apply(action, to: text) == #"{"aps":{"alert":"Hi 👍"}}"#) }
        #expect(found.count == 2)
    }

    @Test func `everything is fixed at once, on all lines`() {
        let line = #"{"aps":{"alert":"Hi","mutable_content":1,"badge":"3"}}"#
        let fixed = #"{"aps":{"alert":"Hi","mutable-content":1,"badge":3}}"#
        let text = "\(line)\n\(Text.good)\n\(line)\n"
        let found = actions(text, Session.range(1, 0, 0), only: "source.fixAll")
        #expect(found.map { $0["kind"] } == ["source.fixAll.pushpipe"])
        #expect(apply(found.first, to: text) == "\(fixed)\n\(Text.good)\n\(fixed)\n")
    }

    @Test func `only what is asked for, where it is asked for`() {
        #expect(actions(Text.misspelled, Session.range(0, 0, 3), only: "quickfix").isEmpty)
        #expect(actions(Text.misspelled, Session.range(0, 30, 30), only: "quickfix").count == 1)
        #expect(actions(Text.misspelled, Session.range(0, 30, 30), only: "refactor").isEmpty)
        #expect(actions(Text.good, Session.range(0, 0, 3)).isEmpty)
        // CodeActionKind.Empty, the root of all kinds.
        #expect(actions(Text.misspelled, Session.range(0, 30, 30), only: "").count == 2)
    }

    @Test func `a client that knows versions gets them`() {
        let found = actions(
            Text.misspelled, Session.range(0, 30, 30), #"{"workspace":{"workspaceEdit":{"documentChanges":true}}}"#)
        let change = found.first?[["edit", "documentChanges"]]?.elements.first
        #expect(change?[["textDocument", "version"]] == 1)
        #expect(change?["edits"]?.elements.map { $0["newText"] } == [#""mutable-content""#])
    }
}
