import PushRPC

/// Tools that deliver messages to phones and show their screens.
extension AssistantTool {
    private static let records = ToolParameter(
        name: "records", kind: .records,
        description: """
            Payloads, messages and device events in the order in which they arrive: NDJSON, or an array. An event that registers a phone: \
            {"device":"ab12","app":"org.example.app","event":"device","platform":"ios"}. The resource pushpipe://reference/events has them all.
            """)
    private static let clock = ToolParameter(
        name: "clock", kind: .text,
        description: "When the first record arrives, such as 2026-01-01T12:00:00Z; by default now.")

    static let phoneTools: [AssistantTool] = [
        AssistantTool(
            name: "deliver", title: "Deliver messages to phones",
            description: """
                Delivers payloads to emulated phones, which begin empty with each call, and returns what Apple or Google would answer, what \
                each phone did with each message and why, and what its screen shows after it all. Nothing is sent.
                """,
            parameters: [
                records.required,
                provider, platform, topic, device, budget, clock,
                ToolParameter(name: "rules", kind: .flag, description: "Also report the linter's findings."),
                ToolParameter(
                    name: "unknown_devices", kind: .choice(["accept", "reject"]),
                    description: "Whether tokens that no event has registered are accepted, which is the default."),
            ],
            results: [
                (
                    name: "report", type: "array",
                    description: "A line for each message: outcome, status, reason, findings."
                ),
                (name: "screens", type: "array", description: "The notifications on the screens, newest first."),
            ],
            work: deliver),
        AssistantTool(
            name: "screen", title: "Show the screen of a phone",
            description: """
                Shows screens as text, and as a picture if you ask for one: of phones that get these records, of a store that pushpipe run or \
                serve has written, or, without either, of a phone of the gateway.
                """,
            parameters: [
                records,
                ToolParameter(name: "store", kind: .text, description: "A store, below the folder of the server."),
                provider, platform, topic, clock,
                ToolParameter(name: "device", kind: .text, description: "Show only this phone; the gateway needs one."),
                ToolParameter(name: "app", kind: .text, description: "Show only this app."),
                ToolParameter(
                    name: "picture", kind: .choice(["none", "svg", "png", "png-dark"]),
                    description: "Also draw it; by default none. A PNG needs the program rsvg-convert."),
            ],
            results: [
                (name: "text", type: "string", description: "The screens as text; of a phone of the gateway as JSON.")
            ], work: screen),
        AssistantTool(
            name: "run_scenario", title: "Run a scenario",
            description: """
                Runs Given/When/Then scenarios (Gherkin) against emulated phones, and reports what does not hold. The resource \
                pushpipe://reference/steps has all steps. Steps that start a service extension are refused.
                """,
            parameters: [
                ToolParameter(name: "feature", kind: .text, description: "The text of a feature file."),
                ToolParameter(name: "path", kind: .text, description: "A feature file or a folder of them instead."),
                ToolParameter(name: "tags", kind: .text, description: "Run the scenarios whose tags match."),
                ToolParameter(name: "name", kind: .text, description: "Run the scenarios whose name contains this."),
                ToolParameter(name: "dry_run", kind: .flag, description: "Only find steps that do not exist."),
            ],
            results: [
                (name: "passed", type: "boolean", description: "True if every scenario passed."),
                (name: "report", type: "string", description: "What each scenario did."),
            ],
            work: scenario),
    ]

    private static func deliver(_ call: ToolCall) throws(ToolFailure) -> ToolResult {
        let store = try call.surroundings.newStore()
        let options = call.options([
            "provider", "platform", "topic", "device", "budget", "clock", "rules", "unknown_devices",
        ])
        let input = ToolCall.records(call.arguments["records"] ?? .null)
        let report = try call.run(
            ["run", "-q", "--format=ndjson", "--store=\(store)"] + options + ["-"], input: input)
        let screens = try call.run(["store", "show", "--store=\(store)", "--format=ndjson"])
        return ToolResult(["report": ToolCall.lines(report.output), "screens": ToolCall.lines(screens.output)])
    }

    private static func screen(_ call: ToolCall) throws(ToolFailure) -> ToolResult {
        let store: String
        switch (call.arguments["records"], call.text("store")) {
        case (let records?, nil):
            store = try call.surroundings.newStore()
            let options = call.options(["provider", "platform", "topic", "clock"])
            _ = try call.run(
                ["run", "-q", "--format=none", "--store=\(store)"] + options + ["-"], input: ToolCall.records(records))
        case (nil, let path?): store = try call.folders.resolveStore(path)
        case (nil, nil): return try gatewayScreen(call)
        default: throw ToolFailure("give either records or store")
        }
        let show = ["store", "show", "--store=\(store)"] + call.options(["device", "app"])
        let text = String(decoding: try call.run(show + ["--format=text"], statuses: [0]).output, as: UTF8.self)
        var content = [ToolResult.text(text)]
        if let picture = call.text("picture"), picture != "none" {
            let output = try call.run(show + ["--format=\(picture)"], statuses: [0]).output
            content.append(ToolResult.image(output, type: picture == "svg" ? "image/svg+xml" : "image/png"))
        }
        return ToolResult(["text": .string(text)], content: content)
    }

    private static func gatewayScreen(_ call: ToolCall) throws(ToolFailure) -> ToolResult {
        guard let device = call.text("device") else {
            throw ToolFailure("give records, a store, or a device of the gateway")
        }
        let picture = call.text("picture") ?? "none"
        guard picture == "none" || picture == "svg" else { throw ToolFailure("a gateway draws pictures as svg") }
        let path = "/api/v1/devices/\(GatewayQuery.encoded(device))/"
        let query = GatewayQuery.text(["app": call.text("app")])
        let answer = try call.gateway("GET", path + "screens" + query)
        let text = String(decoding: answer.body, as: UTF8.self)
        var content = [ToolResult.text(text)]
        if picture == "svg" {
            let drawn = try call.gateway("GET", path + "screen.svg" + query)
            content.append(ToolResult.image(drawn.body, type: "image/svg+xml"))
        }
        return ToolResult(["text": .string(text)], content: content)
    }

    private static func scenario(_ call: ToolCall) throws(ToolFailure) -> ToolResult {
        let source = try call.source("feature")
        let output = try call.run(
            ["test", "--format=text"] + call.folders.paths.map { "--confine=\($0)" }
                + call.options(["tags", "name", "dry_run"]) + source.arguments, input: source.input)
        let text = String(decoding: output.output, as: UTF8.self)
        return ToolResult(
            ["passed": .bool(output.status == 0), "report": .string(text)], content: [ToolResult.text(text)])
    }
}
