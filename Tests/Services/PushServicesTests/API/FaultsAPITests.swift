import ServiceTestSupport
import Testing

@testable import PushServices

struct FaultsAPITests {
    private let path = "/api/v1/faults"

    @Test func `rules are set, counted and removed while the gateway runs`() throws {
        let trial = SessionTrial.withAPI()
        #expect(try trial.get(path).text == #"{"faults":[]}"# + "\n")
        let rules = #"[{"every":2,"status":503},{"device":"dead*","reason":"Unregistered"}]"#
        let set = try trial.send(rules, path, method: "PUT")
        #expect(set.status == 200)
        #expect(set.text.hasPrefix(#"{"faults":[{"uses":0},{"uses":0}],"text":"#))
        #expect(try set.parsed()["text"] as? String == rules)
        #expect(try trial.session.answers(to: [push(), push(), push()]).map(\.status) == [200, 503, 200])
        #expect(try trial.get(path).list("faults").map { $0["uses"] as? Int } == [1, 0])
        #expect(try trial.send("", path, method: "DELETE").text == #"{"faults":[]}"# + "\n")
        #expect(try trial.session.answers(to: [push(), push()]).map(\.status) == [200, 200])
    }

    /// A rule names the tokens that it is for, as a comment may.
    @Test func `with redaction the rules work, and their text is not shown`() throws {
        let trial = SessionTrial.withAPI(isRedacted: true)
        let rules = "# the phone ab12\n- {device: ab12, reason: Unregistered}\n- {path: /3/device/cd34, status: 503}"
        let hidden = #"{"faults":[{"uses":0},{"uses":0}]}"# + "\n"
        #expect(try trial.send(rules, path, method: "PUT").text == hidden)
        #expect(try trial.get(path).text == hidden)
        #expect(try trial.answer(push()).status == 410)
        #expect(try trial.get(path).text == #"{"faults":[{"uses":1},{"uses":0}]}"# + "\n")
    }

    @Test func `rules that cannot be read leave those that are set`() throws {
        let trial = SessionTrial.withAPI()
        _ = try trial.send("- {times: 1, status: 500}", path, method: "PUT")
        let answer = try trial.send("- {evry: 2, status: 503}", path, method: "PUT")
        #expect(answer.status == 400)
        #expect(try answer.error.contains("line 1: a rule has no key 'evry'"))
        // Nothing is not a list without rules.
        for nothing in ["", " \n\t"] {
            let answer = try trial.send(nothing, path, method: "PUT")
            #expect(answer.status == 400)
            #expect(try answer.error.contains("DELETE /api/v1/faults"))
        }
        #expect(try trial.get(path).parsed()["text"] as? String == "- {times: 1, status: 500}")
        #expect(try trial.answer(push()).status == 500)
    }
}
