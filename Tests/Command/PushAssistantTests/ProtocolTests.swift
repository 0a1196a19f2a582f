import PushAssistant
import PushJSON
import PushRPC
import Testing

/// Model Context Protocol, revisions 2025-06-18, 2025-11-25 and 2026-07-28: Lifecycle, Versioning, Discovery, Caching, stdio.
struct ProtocolTests {
    @Test(arguments: [
        ("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"), ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2026-07-28", "2025-11-25"), ("tomorrow", "2025-11-25"),
    ])
    func `a session is of the revision that the client asks for, or of the newest that has sessions`(
        asked: String, given: String
    ) {
        let result = Assistant().initialize(asked)["result"]
        #expect(result?["protocolVersion"]?.string == given)
        #expect(result?[["serverInfo", "name"]] == "pushpipe")
        #expect(result?[["serverInfo", "version"]] == "1.2.3")
        #expect(result?[["capabilities", "tools"]]?.isObject == true)
        #expect(result?[["capabilities", "resources"]]?.isObject == true)
    }

    @Test func `results in a session have none of the members of the revision without sessions`() {
        let assistant = Assistant()
        _ = assistant.initialize("2025-06-18")
        let result = assistant.send(#"{"jsonrpc":"2.0","id":"a","method":"tools/list"}"#).first?["result"]
        #expect(result?["tools"]?.elements.isEmpty == false)
        #expect(result?["resultType"] == nil)
        #expect(result?["ttlMs"] == nil)
        #expect(result?["_meta"] == nil)
    }

    @Test func `a server is discovered without a session`() {
        let result = Assistant().request("server/discover")["result"]
        #expect(result?["supportedVersions"]?.elements.first == "2026-07-28")
        #expect(result?["resultType"] == "complete")
        #expect(result?["cacheScope"] == "public")
        #expect((result?["ttlMs"]?.integer ?? -1) >= 0)
        #expect(result?["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == "pushpipe")
    }

    @Test func `each request without a session says its revision and the client's capabilities`() {
        let assistant = Assistant()
        let bare = assistant.send(#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#)
        #expect(bare.first?[["error", "code"]] == -32_602)
        let half = assistant.send(
            #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#
        )
        #expect(half.first?[["error", "code"]] == -32_602)
        #expect(assistant.request("tools/list")["result"]?["resultType"] == "complete")
    }

    @Test func `an unknown revision is refused with those that are known`() {
        let error = Assistant().request("tools/list", revision: "1900-01-01")["error"]
        #expect(error?["code"] == -32_022)
        #expect(error?[["data", "requested"]] == "1900-01-01")
        #expect(error?[["data", "supported"]]?.elements.contains("2026-07-28") == true)
    }

    @Test func `what was removed is not there`() {
        #expect(Assistant().request("ping")["error"]?["code"] == -32_601)
        #expect(Assistant().request("initialize")["error"]?["code"] == -32_601)
        let assistant = Assistant()
        _ = assistant.initialize("2025-06-18")
        #expect(assistant.send(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).first?["result"] == .object([]))
        let discover = assistant.send(#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#)
        #expect(discover.first?[["error", "code"]] == -32_601)
    }

    @Test func `a subscription is acknowledged, and nothing can be subscribed to`() {
        let message = Assistant().request(
            "subscriptions/listen", #""notifications":{"toolsListChanged":true}"#)
        #expect(message["method"] == "notifications/subscriptions/acknowledged")
        #expect(message[["params", "notifications"]] == .object([]))
        #expect(message["params"]?["_meta"]?["io.modelcontextprotocol/subscriptionId"] == 1)
    }

    @Test(arguments: ["tools/list", "resources/list", "resources/templates/list"])
    func `a list has one page`(method: String) {
        #expect(Assistant().request(method)["result"]?["nextCursor"] == nil)
        #expect(Assistant().request(method, #""cursor":"2""#)["error"]?["code"] == -32_602)
    }

    @Test func `what is not a message is an error without an id, and the next one is answered`() {
        let assistant = Assistant()
        let answers = assistant.send(
            "no JSON", "[]", #"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            #"{"jsonrpc":"2.0","id":7,"method":"ping"}"#)
        #expect(answers.map { $0[["error", "code"]]?.integer } == [-32_700, -32_600, -32_600, nil])
        #expect(answers.map { $0["id"] } == [nil, nil, nil, 7])
    }

    @Test func `notifications are not answered`() {
        #expect(Assistant().send(#"{"jsonrpc":"2.0","method":"tools/list"}"#).isEmpty)
        #expect(Assistant().send(#"{"jsonrpc":"2.0","method":"anything","params":3}"#).isEmpty)
    }

    @Test func `a request that is cancelled before its turn is neither worked on nor answered`() {
        let assistant = Assistant()
        _ = assistant.initialize("2025-11-25")
        let answers = assistant.send(
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"explain","arguments":{"word":"a"}}}"#,
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)
        #expect(answers.map { $0["id"] } == [2])
        #expect(assistant.commands.isEmpty)
    }

    /// 2026-07-28, stdio, Cancellation: no further messages for it.
    @Test func `a request that is cancelled while it is worked on is not answered, and the next one is`() {
        let assistant = Assistant()
        _ = assistant.initialize("2025-11-25")
        let lines = [
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
        ]
        assistant.arrives = lines.flatMap { Array("\($0)\n".utf8) }
        let answers = assistant.send(
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"explain","arguments":{"word":"a"}}}"#)
        #expect(answers.map { $0["id"] } == [2])
        #expect(assistant.commands.count == 1)
    }

    /// 2025-06-18, Ping: the receiver responds promptly.
    @Test func `a ping is answered while a call runs, and other messages wait for their turn`() {
        let assistant = Assistant()
        _ = assistant.initialize("2025-06-18")
        let lines = [
            #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#, #"{"jsonrpc":"2.0","id":3,"method":"ping"}"#,
            #"{"jsonrpc":"2.0","id":4,"method":"ping"}"#,
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}"#,
        ]
        assistant.arrives = lines.flatMap { Array("\($0)\n".utf8) }
        assistant.hears = true
        let answers = assistant.send(
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"explain","arguments":{"word":"a"}}}"#)
        #expect(assistant.heard == .other)
        #expect(answers.map { $0["id"] } == [3, 1, 2])
    }

    private static func call(_ id: Int, _ tool: String, _ arguments: String = "{}") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
    }

    @Test func `other calls are answered while one waits for a message`() {
        let assistant = Assistant()
        _ = assistant.initialize("2025-11-25")
        let explain = Self.call(3, "explain", #"{"word":"a"}"#)
        assistant.arrives = Array((explain + "\n" + Self.call(4, "wait_for_message") + "\n").utf8)
        assistant.hears = true
        let answers = assistant.send(
            Self.call(1, "wait_for_message"), Self.call(2, "explain", #"{"word":"b"}"#))
        #expect(answers.map { $0["id"] } == [2, 3, 1, 4])
    }

    /// JSON-RPC 2.0, Batch: an array with the answers, in any order, and nothing to notifications alone.
    @Test func `a batch of a revision that has them is answered by an array`() {
        let list = #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#
        let notification = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
        let assistant = Assistant()
        _ = assistant.initialize("2025-03-26")
        let answers = assistant.send(#"[{"jsonrpc":"2.0","id":1,"method":"ping"},\#(notification),7,\#(list)]"#)
        guard case .array(let batch)? = answers.first, answers.count == 1 else {
            Issue.record("\(answers)")
            return
        }
        #expect(Set(batch.map { $0["id"]?.integer }) == [1, 2, nil] && batch.count == 3)
        #expect(batch.first { $0["id"] == nil }?[["error", "code"]] == -32_600)
        #expect(assistant.send("[\(notification)]").isEmpty)
        // A cancelled request has no answer in it.
        let cancelled = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#
        #expect(assistant.send("[\(cancelled),\(list)]").isEmpty)
        for revision in ["2025-06-18", nil] {
            let newer = Assistant()
            if let revision { _ = newer.initialize(revision) }
            let refused = newer.send("[\(list)]")
            #expect(refused.map { $0[["error", "code"]]?.integer } == [-32_600])
            #expect(refused.first?[["error", "message"]]?.string?.contains("no batches; send each message") == true)
        }
    }

    @Test func `a call that is cancelled while its command runs is told to end`() {
        let assistant = Assistant()
        _ = assistant.initialize("2025-06-18")
        assistant.arrives = Array(
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#.utf8 + [0x0A])
        assistant.hears = true
        let answers = assistant.send(
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"explain","arguments":{"word":"a"}}}"#)
        #expect(assistant.heard == .cancellation)
        #expect(answers.isEmpty)
    }

    @Test func `a resource that does not exist is an error by the revision's code`() {
        #expect(Assistant().request("resources/read", #""uri":"pushpipe://nothing""#)["error"]?["code"] == -32_602)
        let assistant = Assistant()
        _ = assistant.initialize("2025-06-18")
        let old = assistant.send(
            #"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}"#)
        #expect(old.first?[["error", "code"]] == -32_002)
    }

    @Test func `a page of the documentation is read`() {
        let result = Assistant().request("resources/read", #""uri":"pushpipe://reference/formats""#)["result"]
        let page = result?["contents"]?.elements.first
        #expect(page?["mimeType"] == "text/markdown")
        #expect(page?["text"]?.string?.hasPrefix("# ") == true)
    }

    @Test func `rules, steps and answers are pages, and one rule is what the command prints`() {
        let assistant = Assistant()
        let uris = assistant.request("resources/list")["result"]?["resources"]?.elements.compactMap {
            $0["uri"]?.string
        }
        #expect(uris?.prefix(3) == ["pushpipe://rules", "pushpipe://reference/steps", "pushpipe://reference/answers"])
        for uri in uris ?? [] {
            let page = assistant.request("resources/read", #""uri":"\#(uri)""#)["result"]?["contents"]?.elements.first
            #expect(page?["text"]?.string?.hasPrefix("# ") == true, "\(uri)")
        }
        #expect(assistant.commands.isEmpty)
        _ = assistant.request("resources/read", #""uri":"pushpipe://rules/aps.badge""#)
        #expect(assistant.commands.map(\.arguments) == [["explain", "--", "aps.badge"]])
    }
}
