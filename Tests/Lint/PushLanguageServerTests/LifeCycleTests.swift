import PushJSON
import PushLanguageServer
import Testing

/// The life of a session, and the errors of JSON-RPC (Language Server Protocol 3.17, Lifecycle Messages and Base Protocol).
struct LifeCycleTests {
    private func code(_ answer: JSONValue?) -> JSONValue? { answer?[["error", "code"]] }

    @Test func `the server says what it does`() {
        let session = Session(nil)
        let result = session.request("initialize", #"{"capabilities":{}}"#)["result"]
        #expect(result?[["capabilities", "positionEncoding"]] == "utf-16")
        #expect(result?[["capabilities", "textDocumentSync", "change"]] == 2)
        #expect(result?[["capabilities", "hoverProvider"]] == true)
        #expect(result?[["serverInfo", "name"]] == "pushpipe")
    }

    @Test(arguments: [
        (#"["utf-8","utf-16"]"#, "utf-8"), (#"["utf-16","utf-8"]"#, "utf-16"), (#"["utf-32","utf-8"]"#, "utf-8"),
        (#"["utf-32"]"#, "utf-16"), ("7", "utf-16"),
    ])
    func `the first encoding that both know is used`(offered: String, chosen: String) {
        let session = Session(nil)
        let answer = session.request(
            "initialize", #"{"capabilities":{"general":{"positionEncodings":\#(offered)}}}"#)
        #expect(answer[["result", "capabilities", "positionEncoding"]] == .string(chosen))
    }

    @Test func `initialize comes first, and once`() {
        let session = Session(nil)
        #expect(code(session.request("textDocument/hover", "{}")) == -32_002)
        #expect(session.notify("textDocument/didOpen", "{}").isEmpty)
        #expect(code(session.request("initialize", "{}")) == nil)
        #expect(code(session.request("initialize", "{}")) == -32_600)
    }

    @Test func `shutdown and exit end with status 0`() {
        let session = Session()
        #expect(session.request("shutdown")["result"] == .null)
        #expect(code(session.request("textDocument/hover", "{}")) == -32_600)
        #expect(session.exitStatus == nil)
        session.notify("exit", "null")
        #expect(session.exitStatus == 0)
    }

    @Test func `after shutdown nothing is published`() {
        let session = Session()
        let open =
            #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.apns","text":"{"}}}"#
        let messages = session.send(open, #"{"jsonrpc":"2.0","id":"end","method":"shutdown"}"#)
        #expect(messages.map { $0["id"] } == ["end"])
    }

    @Test func `kinds of code actions are offered to a client that knows them`() {
        func provider(_ capabilities: String) -> JSONValue? {
            Session(nil).request("initialize", #"{"capabilities":\#(capabilities)}"#)[
                ["result", "capabilities", "codeActionProvider"]]
        }
        #expect(provider("{}") == true)
        let literals = #"{"textDocument":{"codeAction":{"codeActionLiteralSupport":{}}}}"#
        #expect(provider(literals)?["codeActionKinds"] == ["quickfix", "source.fixAll.pushpipe"])
    }

    @Test func `exit alone ends with status 1, also before initialize`() {
        for capabilities in ["{}", nil] {
            let session = Session(capabilities)
            session.notify("exit", "null")
            #expect(session.exitStatus == 1)
        }
    }

    @Test func `an unknown request is answered, and unknown notifications are not`() {
        let session = Session()
        #expect(code(session.request("textDocument/rename", "{}")) == -32_601)
        #expect(code(session.request("$/unknown", "{}")) == -32_601)
        #expect(session.notify("$/setTrace", #"{"value":"off"}"#).isEmpty)
        #expect(session.notify("workspace/unknown", "{}").isEmpty)
        #expect(session.send(#"{"jsonrpc":"2.0","id":"x","result":null}"#).isEmpty)
    }

    @Test(
        arguments: [
            ("{", -32_700), ("[]", -32_600), (#"[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]"#, -32_600),
            (#"{"id":1,"method":"shutdown"}"#, -32_600), (#"{"jsonrpc":"2.0","id":{},"method":"shutdown"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1.5,"method":"shutdown"}"#, -32_600), (#"{"jsonrpc":"2.0","id":1}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover"}"#, -32_602),
            (
                #"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///no"}}}"#,
                -32_602
            ),
        ] as [(String, Int64)])
    func `a message that makes no sense is answered with its error`(content: String, expected: Int64) {
        let session = Session()
        let answers = session.send(content)
        #expect(answers.map { code($0) } == [.integer(expected)])
        #expect(session.request("shutdown")["result"] == .null)
    }

    @Test func `bytes that are no message are answered, and the session goes on`() {
        let session = Session()
        let answers = session.send(bytes: Array("GET / HTTP/1.1\r\n\r\n".utf8))
        #expect(answers.map { code($0) } == [-32_700])
        #expect(session.request("shutdown")["result"] == .null)
    }

    @Test func `a request that is cancelled before its turn is answered with that`() {
        let session = Session()
        let answers = session.send(
            #"{"jsonrpc":"2.0","id":"a","method":"shutdown"}"#,
            #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"a"}}"#)
        #expect(answers.map { code($0) } == [-32_800])
        #expect(code(session.request("initialize", "{}")) == -32_600)
    }
}
