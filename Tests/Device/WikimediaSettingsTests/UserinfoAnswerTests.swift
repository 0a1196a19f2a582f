import AppSimulation
import PayloadJSON
import PushModel
import Testing
import WikimediaSettings

private struct NoOptions: Error {}

/// Answers of wikis.
struct UserinfoAnswerTests {
    private func parsed<Result>(_ text: String, _ body: (JSONView) throws -> Result) throws -> Result {
        try Array(text.utf8).withUnsafeBytes { bytes in
            var scanner = JSONScanner()
            var tape = JSONTape()
            #expect(scanner.scan(bytes, into: &tape) == nil)
            guard let root = tape.root(of: bytes) else { throw NoOptions() }
            return try body(root)
        }
    }

    private func options(_ value: String) throws -> UserinfoAnswer.UserOptions {
        let text = #"""
            {"batchcomplete":"","query":{"userinfo":{"id":7,"name":"Anna","options":{"echo-subscriptions-push-mention":\#(value)}}}}
            """#
        guard case .options(let options) = try parsed(text, UserinfoAnswer.init) else {
            throw NoOptions()
        }
        return options
    }

    @Test(arguments: ["true", "1", #""1""#, "1.0", #""\u0031""#])
    func `on has several forms`(value: String) throws {
        let found = try options(value)
        #expect(found.on == ["mention"])
        #expect(found.findings.isEmpty)
    }

    @Test(arguments: ["false", "0", #""0""#, #""""#, "null", "-0", "0.0"])
    func `off has several forms`(value: String) throws {
        let found = try options(value)
        #expect(found.on.isEmpty)
        #expect(found.mentioned == ["mention"])
        #expect(found.findings.isEmpty)
    }

    @Test(arguments: ["2", #""yes""#, #""true""#, "[]", "{}", "-1", "1e400"])
    func `anything else is off, and told`(value: String) throws {
        let found = try options(value)
        #expect(found.on.isEmpty)
        #expect(found.findings.map(\.pointer) == ["/query/userinfo/options/echo-subscriptions-push-mention"])
        #expect(found.findings.map(\.rule) == ["preferences.option-value"])
    }

    @Test(arguments: [#""batchcomplete":"","#, #""batchcomplete":true,"#])
    func `both format versions are read, and other options passed over`(head: String) throws {
        let text = #"""
            {\#(head)"query":{"userinfo":{"id":7,"name":"Anna","options":{"skin":"vector","echo-subscriptions-web-cx":1,
            "echo-subscriptions-push-system":true,"echo-subscriptions-push-cx":"1","echo-subscriptions-push-":1}}}}
            """#
        guard case .options(let options) = try parsed(text, UserinfoAnswer.init) else {
            Issue.record("no options")
            return
        }
        #expect(options.user == "Anna")
        #expect(options.on == ["system", "cx"])
    }

    @Test func `of an option that is there twice the last value counts`() throws {
        let text = #"""
            {"query":{"userinfo":{"options":{"echo-subscriptions-push-cx":1,"echo-subscriptions-push-cx":0}}}}
            """#
        guard case .options(let options) = try parsed(text, UserinfoAnswer.init) else {
            Issue.record("no options")
            return
        }
        #expect(options.on.isEmpty)
        #expect(options.user == nil)
    }

    @Test(arguments: [
        #"{"query":{"userinfo":{"id":0,"name":"127.0.0.1","anon":""}}}"#, #"{"query":{"userinfo":{"anon":true}}}"#,
    ])
    func `nobody is logged in`(text: String) throws {
        guard case .anonymous = try parsed(text, UserinfoAnswer.init) else {
            Issue.record("not anonymous")
            return
        }
        #expect(try parsed(text, Machine.Answer.init) == .error(code: "notloggedin"))
    }

    @Test func `an error is an error, whatever else there is`() throws {
        let text = #"{"error":{"code":"badtoken","info":"Invalid CSRF token."},"options":"success"}"#
        guard case .error("badtoken", "Invalid CSRF token.") = try parsed(text, UserinfoAnswer.init) else {
            Issue.record("no error")
            return
        }
        #expect(try parsed(text, Machine.Answer.init) == .error(code: "badtoken"))
    }

    @Test(arguments: [
        "[]", "{}", "1", #"{"query":[]}"#, #"{"query":{"userinfo":{}}}"#, #"{"query":{"userinfo":{"options":[]}}}"#,
    ])
    func `what is no answer is told`(text: String) throws {
        guard case .unreadable(let reason) = try parsed(text, UserinfoAnswer.init) else {
            Issue.record("read")
            return
        }
        #expect(!reason.isEmpty)
        #expect(try parsed(text, Machine.Answer.init) == .lost)
    }

    @Test(arguments: [
        (#"{"options":"success"}"#, Machine.Answer.success(warnings: [])),
        (#"{"options":"success","warnings":{"options":{"warnings":"W"}}}"#, .success(warnings: ["W"])),
        (#"{"options":"success","warnings":{"options":{"*":"W"}}}"#, .success(warnings: ["W"])),
        (#"{"options":"success","warnings":{"main":{"*":"W"}}}"#, .success(warnings: [])),
        (#"{"options":"success","warnings":{"options":["W"]}}"#, .success(warnings: [#"["W"]"#])),
        (#"{"options":"failure"}"#, .lost), (#"{"options":true}"#, .lost), (#""success""#, .lost),
        (#"{"error":{"info":"no code"}}"#, .error(code: "unknown")),
        (#"{"query":{"tokens":{"csrftoken":"ab+\\"}}}"#, .token(#"ab+\"#)),
        (#"{"query":{"userinfo":{"options":{"echo-subscriptions-push-cx":1}}}}"#, .userOptions(on: ["cx"])),
    ])
    func `answers to requests are read`(text: String, expected: Machine.Answer) throws {
        #expect(try parsed(text, Machine.Answer.init) == expected)
    }
}
