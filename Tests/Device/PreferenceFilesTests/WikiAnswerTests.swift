import Foundation
import PreferenceFiles
import Testing
import WikimediaSettings

/// Answers of API:Options, given as text or as a file. Source of the forms: mediawiki.org, API:Options and API:Errors.
struct WikiAnswerTests {
    @Test(arguments: [
        (#"{"options":"success"}"#, PreferencesStateMachine.Answer.success(warnings: [])),
        (#"{"options":"success","warnings":{"options":{"*":"old"}}}"#, .success(warnings: ["old"])),
        (#"{"warnings":{"options":{"warnings":"new"}},"options":"success"}"#, .success(warnings: ["new"])),
        (#"{"error":{"code":"notloggedin","info":"You must be logged in."}}"#, .error(code: "notloggedin")),
        (#"{"error":{}}"#, .error(code: "unknown")), ("", .lost), ("{}", .lost),
    ])
    func `a text is an answer, and so is a file with it`(text: String, answer: PreferencesStateMachine.Answer) throws {
        #expect(try WikiAnswer.read(text) == answer)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("answer-\(UUID().uuidString)")
        try text.write(to: file, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try WikiAnswer.read(file.path) == answer)
    }

    @Test func `what cannot be read is refused, with the place`() {
        let text = #expect(throws: PreferenceFileError.self) { try WikiAnswer.read("{\n  \"error\" 1}") }
        #expect(text?.description.hasPrefix("the answer:2:11: ") == true)
        let file = #expect(throws: PreferenceFileError.self) { try WikiAnswer.read("/missing/answer.json") }
        #expect(file?.description == "/missing/answer.json: No such file or directory")
    }
}
