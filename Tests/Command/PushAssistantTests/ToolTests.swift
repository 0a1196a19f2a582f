import PushAssistant
import PushJSON
import Testing

/// Which commands and requests a tool makes, and what it returns. `AssistantSlowTests` has real ones, with the official SDK.
struct ToolTests {
    private static let names = [
        "lint_payload", "fix_payload", "fit_payload", "budget_report", "explain", "deliver", "screen", "run_scenario",
        "wait_for_message", "list_messages", "inject_fault",
    ]

    @Test func `tools have schemas for arguments and results, and say what they change`() {
        let tools = Assistant().request("tools/list")["result"]?["tools"]?.elements ?? []
        #expect(tools.compactMap { $0["name"]?.string } == Self.names)
        for tool in tools {
            for schema in ["inputSchema", "outputSchema"] { #expect(tool[[schema, "type"]] == "object") }
            #expect(tool[["inputSchema", "additionalProperties"]] == false)
            #expect(tool[["annotations", "openWorldHint"]] == false)
            #expect(tool[["annotations", "readOnlyHint"]] == .bool(tool["name"] != "inject_fault"))
            #expect(tool["description"]?.string?.isEmpty == false)
            for schema in ["inputSchema", "outputSchema"] {
                guard case .object(let members) = tool[[schema, "properties"]] else { continue }
                for member in members {
                    #expect(member.value["type"]?.string != nil, "\(member.name) of \(tool["name"] ?? "")")
                    #expect((member.value["type"] == "array") == (member.value["items"] != nil))
                }
            }
        }
    }

    @Test func `an empty path is an error, and nothing runs`() {
        for arguments in [#"{"path":""}"#, #"{"store":""}"#] {
            let assistant = Assistant()
            let result = assistant.call(arguments.contains("store") ? "screen" : "lint_payload", arguments)
            #expect(result.isError && result.firstText.contains("the path is empty"))
            #expect(assistant.commands.isEmpty)
        }
    }

    @Test(arguments: [
        (
            "pushpipe: --clock takes wall, epoch seconds.\nSee 'pushpipe run -h'.\n",
            "clock takes wall, epoch seconds."
        ),
        ("pushpipe: the value 'x' is invalid for '--budget <budget>'.\n", "the value 'x' is invalid for 'budget'."),
        ("pushpipe: --set fit.order=x: fit.order takes body", "fit_order x: fit_order takes body"),
        ("pushpipe: no device is named zz (pushpipe store list)\n", "no device is named zz"),
        ("pushpipe: no record in standard input (--set input.allow-empty accepts this)", "no record in standard input"),
        ("pushpipe: --dry-run is dry_run\n", "dry_run is dry_run"),
    ])
    func `an error names arguments, and not options`(_ errors: String, _ text: String) {
        let assistant = Assistant()
        assistant.outputs["lint"] = CommandOutput(status: 2, output: [], errors: errors)
        #expect(assistant.call("lint_payload", #"{"payload":"{}"}"#).firstText == text)
    }

    @Test func `a long list is cut with a count`() {
        let assistant = Assistant()
        let line = #"{"rule":"aps.misspelled-key","message":"\#(String(repeating: "x", count: 1000))"}"# + "\n"
        assistant.outputs["lint"] = CommandOutput(
            status: 1, output: Array(String(repeating: line, count: 100).utf8), errors: "")
        let result = assistant.call("lint_payload", #"{"payload":"{}"}"#)
        let kept = result[["structuredContent", "findings"]]?.elements.count ?? 0
        #expect(kept > 50 && kept < 65)
        #expect(result[["structuredContent", "omitted", "findings"]] == .integer(Int64(100 - kept)))
        #expect(result.firstText.contains("omitted"))
    }

    @Test func `a device that the gateway does not know is an error`() {
        let assistant = Assistant()
        assistant.answer = GatewayAnswer(
            address: "http://127.0.0.1:2197", status: 200,
            body: Array(#"{"device":"zz","apps":[],"registered":[]}"#.utf8))
        let result = assistant.call("screen", #"{"device":"zz"}"#)
        #expect(result.isError && result.firstText == "the gateway knows no device zz")
    }

    @Test(arguments: [
        ("lint_payload", #"{"payload":"{}","color":1}"#, "has no argument color"),
        ("lint_payload", #"{"payload":7}"#, "payload is not a string, an object or an array"),
        ("lint_payload", #"{"payload":"{}","severity":"all"}"#, "severity is not one of info, warning, error"),
        ("lint_payload", #"{}"#, "give either payload or path"),
        ("lint_payload", #"{"payload":"{}","path":"a.json"}"#, "give either payload or path"),
        ("lint_payload", #"[]"#, "the arguments are not an object"),
        ("explain", #"{}"#, "needs the argument word"), ("fix_payload", #"{}"#, "needs the argument payload"),
        ("fit_payload", #"{"path":"a.json"}"#, "has no argument path"),
        ("explain", #"{"word":"a\u0000b"}"#, "word is not a text without NUL"),
        ("wait_for_message", #"{"seconds":61}"#, "seconds is not an integer from 1 to 60"),
        ("deliver", #"{"records":"{}","rules":"yes"}"#, "rules is not true or false"),
        ("screen", #"{"records":"{}","store":"a.db"}"#, "give either records or store"),
        ("screen", #"{}"#, "give records, a store, or a device of the gateway"),
    ])
    func `wrong arguments are a result that says what is wrong, and nothing runs`(
        tool: String, arguments: String, message: String
    ) {
        let assistant = Assistant()
        let result = assistant.call(tool, arguments)
        #expect(result.isError)
        #expect(result.firstText.contains(message))
        #expect(assistant.commands.isEmpty && assistant.requests.isEmpty)
    }

    @Test func `an unknown tool is an error of the protocol`() {
        let error = Assistant().request("tools/call", #""name":"send_push","arguments":{}"#)["error"]
        #expect(error?["code"] == -32_602)
        #expect(error?["message"] == "Unknown tool: send_push")
    }

    @Test func `lint_payload returns findings as the command writes them`() {
        let assistant = Assistant()
        assistant.outputs["lint"] = CommandOutput(
            status: 1, output: Array("{\"rule\":\"aps.misspelled-key\",\"severity\":\"error\"}\n".utf8), errors: "")
        let result = assistant.call("lint_payload", #"{"payload":{"aps":{}},"provider":"--fix","severity":"info"}"#)
        #expect(
            assistant.commands.map(\.arguments) == [
                ["lint", "--format=ndjson", "-q", "--provider=--fix", "--severity=info", "-"]
            ])
        #expect(assistant.commands.first?.input == #"{"aps":{}}"#)
        #expect(result[["structuredContent", "ok"]] == false)
        #expect(result[["structuredContent", "findings"]]?.elements.first?["rule"] == "aps.misspelled-key")
        #expect(JSONValue(reading: Array(result.firstText.utf8)) == result["structuredContent"])
        #expect(assistant.endedCalls == 1)
    }

    @Test func `a text is passed on byte for byte, and an array is one record a line`() {
        let assistant = Assistant()
        _ = assistant.call("lint_payload", #"{"payload":"{'aps': 1.0}"}"#)
        _ = assistant.call("lint_payload", #"{"payload":[{"a":1},"{\"b\":2}"]}"#)
        #expect(assistant.commands.map(\.input) == ["{'aps': 1.0}", "{\"a\":1}\n{\"b\":2}"])
    }

    @Test func `a command that fails is a result with its message`() {
        let assistant = Assistant()
        assistant.outputs["explain"] = CommandOutput(status: 2, output: [], errors: "Error: there is no rule 'nix'\n")
        let result = assistant.call("explain", #"{"word":"--help"}"#)
        #expect(assistant.commands.map(\.arguments) == [["explain", "--", "--help"]])
        #expect(result.isError)
        #expect(result.firstText == "Error: there is no rule 'nix'")
        #expect(result["structuredContent"] == nil)
    }

    @Test func `fix_payload returns the fixed text, and lints what is left`() {
        let assistant = Assistant()
        assistant.outputs["lint --fix"] = CommandOutput(status: 0, output: Array("{}".utf8), errors: "")
        let result = assistant.call("fix_payload", #"{"payload":"{,}","fit":true}"#)
        #expect(
            assistant.commands.map(\.arguments) == [
                ["lint", "--fix", "-q", "--fit", "-"], ["lint", "--format=ndjson", "-q", "-"],
            ])
        #expect(assistant.commands.map(\.input) == ["{,}", "{}"])
        #expect(result[["structuredContent", "payload"]] == "{}")
        #expect(result[["structuredContent", "changed"]] == true)
    }

    @Test func `deliver returns the report, and the screens after it`() {
        let assistant = Assistant()
        assistant.outputs["run"] = CommandOutput(
            status: 0, output: Array("{\"seq\":1}\n{\"seq\":2}\n".utf8), errors: "")
        let result = assistant.call("deliver", #"{"records":"{}","rules":true,"unknown_devices":"reject"}"#)
        #expect(
            assistant.commands.map(\.arguments) == [
                [
                    "run", "-q", "--format=ndjson", "--store=/scratch/phone.db", "--rules",
                    "--set=devices.unknown=reject",
                    "-",
                ], ["store", "show", "--store=/scratch/phone.db", "--format=ndjson"],
            ])
        #expect(result[["structuredContent", "report"]]?.elements.count == 2)
        #expect(result[["structuredContent", "screens"]] == [])
    }

    @Test func `a picture is an image beside the text`() {
        let assistant = Assistant()
        assistant.outputs["store show --store=/scratch/phone.db --format=png"] = CommandOutput(
            status: 0, output: [0x89, 0x50, 0x4E, 0x47], errors: "")
        assistant.outputs["store show --store=/scratch/phone.db --format=text"] = CommandOutput(
            status: 0, output: Array("default\n".utf8), errors: "")
        let content = assistant.call("screen", #"{"records":"{}","picture":"png"}"#)["content"]?.elements
        #expect(content?.count == 2)
        #expect(content?.first?["text"] == "default\n")
        #expect(content?.last == .members(["type": "image", "data": "iVBORw==", "mimeType": "image/png"]))
    }

    @Test func `run_scenario confines what a feature reads`() throws {
        let assistant = Assistant(folders: ["/"])
        let result = assistant.call("run_scenario", #"{"feature":"Feature: a","tags":"@a"}"#)
        #expect(assistant.commands.map(\.arguments) == [["test", "--format=text", "--confine=/", "--tags=@a", "-"]])
        #expect(result[["structuredContent", "passed"]] == true)
    }

    // MARK: - The gateway

    @Test func `wait_for_message asks the gateway's API`() {
        let assistant = Assistant()
        let result = assistant.call("wait_for_message", #"{"device":"a b&c","after":3,"seconds":5}"#)
        #expect(assistant.requests == ["GET /api/v1/messages?device=a%20b%26c&after=3&wait=5s "])
        #expect(result[["structuredContent", "gateway"]] == "http://127.0.0.1:2197")
        #expect(result[["structuredContent", "messages"]] == [])
    }

    @Test func `inject_fault replaces the rules`() {
        let assistant = Assistant()
        _ = assistant.call("inject_fault", #"{"rules":[{"every":2,"reason":"Unregistered"}]}"#)
        _ = assistant.call("inject_fault", #"{"rules":"- every: 2"}"#)
        #expect(
            assistant.requests == [
                #"PUT /api/v1/faults [{"every":2,"reason":"Unregistered"}]"#, "PUT /api/v1/faults - every: 2",
            ])
    }

    @Test func `an error of the gateway is a result with its message`() {
        let assistant = Assistant()
        assistant.answer = GatewayAnswer(
            address: "http://127.0.0.1:2197", status: 404,
            body: Array(#"{"error":{"status":404,"message":"there is no message 7 yet"}}"#.utf8))
        let result = assistant.call("list_messages", #"{"id":7}"#)
        #expect(assistant.requests == ["GET /api/v1/messages/7 "])
        #expect(result.firstText == "http://127.0.0.1:2197 answered 404: there is no message 7 yet")
    }
}
