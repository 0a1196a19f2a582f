import PushJSON
import PushLanguageServer
import PushLint
import Testing

@testable import PushLint

/// What is shown at a place.
struct HoverTests {
    private static let markdown = #"{"textDocument":{"hover":{"contentFormat":["markdown","plaintext"]}}}"#

    private func hover(_ text: String, at character: Int, _ capabilities: String = markdown) -> JSONValue? {
        let session = Session(capabilities)
        _ = session.open(text)
        return session.request(
            "textDocument/hover",
            #"{"textDocument":{"uri":"file:///work/push.apns"},"position":{"line":0,"character":\#(character)}}"#)[
                "result"]
    }

    @Test func `a finding explains its rule`() throws {
        let found = hover(Text.misspelled, at: 25)
        #expect(found?[["contents", "kind"]] == "markdown")
        let text = found?[["contents", "value"]]?.string ?? ""
        #expect(text.hasPrefix("### aps.misspelled-key\n\n**error**, fixable with `--fix`: "))
        #expect(text.contains("```json\n"))
        #expect(found?["range"] == (try JSONValue(json: Session.range(0, 21, 38))))
        let plain = hover(Text.misspelled, at: 25, "{}")
        #expect(plain?[["contents", "kind"]] == "plaintext")
        #expect(plain?[["contents", "value"]]?.string?.hasPrefix("aps.misspelled-key: ") == true)
    }

    @Test(arguments: [
        (#"{"aps":{"alert":"Hi","interruption-level":"active"}}"#, 25, "**aps.interruption-level**"),
        (#"{"headers":{"apns-priority":"10"},"payload":{"aps":{"alert":"Hi"}}}"#, 15, "**headers.apns-priority**"),
        (#"{"message":{"token":"t","apns":{"payload":{"aps":{"alert":{"title":"Hi"}}}}}}"#, 61, "**alert.title**"),
        (#"{"default":"Hi","APNS":"{\"aps\":{\"alert\":\"Hi\",\"badge\":1}}"}"#, 54, "**aps.badge**"),
    ])
    func `a known key says what it means`(text: String, character: Int, beginning: String) {
        let shown = hover(text, at: character)?[["contents", "value"]]?.string
        #expect(shown?.hasPrefix(beginning) == true, "\(shown ?? "nothing")")
    }

    @Test(arguments: [0, 3, 18, 99]) func `elsewhere there is nothing`(character: Int) {
        #expect(hover(Text.good, at: character) == .null)
    }

    @Test func `keys of files without payloads are not Apple's`() {
        let session = Session()
        let text = #"{"dialogs":{"alert":{"title":"Sure?"}}}"#
        for (name, isShown) in [("en.json", false), ("en.apns", true)] {
            _ = session.open(text, uri: "file:///work/\(name)")
            let answer = session.request(
                "textDocument/hover",
                #"{"textDocument":{"uri":"file:///work/\#(name)"},"position":{"line":0,"character":22}}"#)
            #expect((answer["result"] != .null) == isShown, "\(name)")
        }
    }

    @Test func `every described key is found by its path, and its text ends in a full stop`() {
        for key in PayloadKey.all {
            #expect(key.text.hasSuffix("."), "\(key.path)")
            #expect(PayloadKey.named(key.path.split(separator: ".").map(String.init))?.path == key.path)
        }
    }
}
