import PushRPC

/// Tools for the mistakes in payloads, and for their sizes.
extension AssistantTool {
    static let provider = ToolParameter(
        name: "provider", kind: .text,
        description:
            "Read every record as this format, such as apns, fcm or expo. By default it is recognized from its keys.")
    static let platform = ToolParameter(
        name: "platform", kind: .choice(["ios", "android", "web"]), description: "Platform of GCM and FCM tokens.")
    static let topic = ToolParameter(
        name: "topic", kind: .text, description: "App for payloads that name none: a bundle identifier or package name."
    )
    static let device = ToolParameter(
        name: "device", kind: .text, description: "Device for payloads that name none.")
    static let budget = ToolParameter(
        name: "budget", kind: .text,
        description:
            "Check every message against this budget: a name such as apns, apns-voip, gcm or fcm, or a number of bytes."
    )
    static let payload = ToolParameter(
        name: "payload", kind: .records,
        description: """
            A payload, message or request for APNs, FCM, GCM or Expo, or several: JSON, NDJSON, or JSON with mistakes. A string keeps each byte; \
            an array has one record in each element.
            """)
    static let path = ToolParameter(
        name: "path", kind: .text, description: "A file instead, below the folder where the server was started.")

    private static let findings = (
        name: "findings", type: "array",
        description:
            "Findings of the linter, each with rule, severity, message, pointer, line, column and fixable."
    )

    static let payloadTools: [AssistantTool] = [
        AssistantTool(
            name: "lint_payload", title: "Check a payload",
            description: """
                Finds what Apple or Google would refuse or silently ignore in push payloads, such as misspelled keys, values of wrong types \
                and headers that contradict the payload. Call explain with the rule of a finding for its reason and source.
                """,
            parameters: [
                payload, path, provider, platform, topic, budget,
                ToolParameter(
                    name: "severity", kind: .choice(["info", "warning", "error"]),
                    description: "Lowest severity to report; by default warning."),
            ],
            results: [findings, (name: "ok", type: "boolean", description: "True if there are no errors.")],
            work: lint),
        AssistantTool(
            name: "fix_payload", title: "Fix a payload",
            description: """
                Returns the payload with each mistake corrected whose meaning is certain, and what is left to decide. Nothing is written.
                """,
            parameters: [
                payload.required, provider, platform, topic, budget,
                ToolParameter(
                    name: "fit", kind: .flag, description: "Also shorten the texts of an alert over its budget."),
            ],
            results: [
                (name: "payload", type: "string", description: "The text after the fixes."),
                (name: "changed", type: "boolean", description: "True if anything was fixed."), findings,
            ],
            work: fix),
        AssistantTool(
            name: "fit_payload", title: "Shorten a payload to its budget",
            description:
                "Shortens the texts of an alert that is over its provider's byte budget, and says what was cut.",
            parameters: [
                payload.required, provider, platform, topic, budget,
                ToolParameter(
                    name: "fit_order", kind: .text,
                    description: "Texts that may be shortened, in order; by default body,subtitle,title."),
            ],
            results: [
                (name: "payload", type: "string", description: "The records after the cuts."),
                (name: "report", type: "array", description: "A line for each message, with what was cut in findings."),
            ],
            work: fit),
        AssistantTool(
            name: "budget_report", title: "Show what takes the bytes",
            description: "How each message spends its byte budget, member by member, and how much is left.",
            parameters: [payload, path, provider, platform, topic, budget],
            results: [
                (
                    name: "messages", type: "array",
                    description: "provider, bytes, limit, left, and members with the bytes of each"
                )
            ],
            work: spending),
        AssistantTool(
            name: "explain", title: "Explain a rule or reason",
            description: """
                Explains a rule of the linter such as aps.misspelled-key, a service's answer such as BadDeviceToken, or the reason of an \
                outcome such as channel-off, with its source.
                """,
            parameters: [
                ToolParameter(
                    name: "word", kind: .text, description: "A rule's id, or a reason from a result.", isRequired: true)
            ],
            results: [(name: "text", type: "string", description: "The explanation.")], work: explain),
    ]

    private static let common = ["provider", "platform", "topic", "budget"]

    private static func lint(_ call: ToolCall) throws(ToolFailure) -> ToolResult {
        let source = try call.source("payload")
        let options = call.options(common) + call.options(["severity"])
        let output = try call.run(["lint", "--format=ndjson", "-q"] + options + source.arguments, input: source.input)
        return ToolResult(["findings": ToolCall.lines(output.output), "ok": .bool(output.status == 0)])
    }

    private static func fix(_ call: ToolCall) throws(ToolFailure) -> ToolResult {
        let options = call.options(common)
        let input = ToolCall.records(call.arguments["payload"] ?? .null)
        let fixed = try call.run(["lint", "--fix", "-q"] + options + call.options(["fit"]) + ["-"], input: input)
        let left = try call.run(["lint", "--format=ndjson", "-q"] + options + ["-"], input: fixed.output)
        return ToolResult([
            "payload": .string(String(decoding: fixed.output, as: UTF8.self)),
            "changed": .bool(fixed.output != input), "findings": ToolCall.lines(left.output),
        ])
    }

    private static func fit(_ call: ToolCall) throws(ToolFailure) -> ToolResult {
        let arguments = ["run", "-q", "--fit"] + call.options(common) + call.options(["fit_order"])
        let input = ToolCall.records(call.arguments["payload"] ?? .null)
        let records = try call.run(arguments + ["--emit=all", "-"], input: input)
        let report = try call.run(arguments + ["--format=ndjson", "-"], input: input)
        return ToolResult([
            "payload": .string(String(decoding: records.output, as: UTF8.self)),
            "report": ToolCall.lines(report.output),
        ])
    }

    private static func spending(_ call: ToolCall) throws(ToolFailure) -> ToolResult {
        let source = try call.source("payload")
        let output = try call.run(
            ["lint", "--budget-report", "--format=ndjson", "-q"] + call.options(common) + source.arguments,
            input: source.input)
        return ToolResult(["messages": ToolCall.lines(output.output)])
    }

    private static func explain(_ call: ToolCall) throws(ToolFailure) -> ToolResult {
        let output = try call.run(["explain", "--", call.text("word") ?? ""], statuses: [0])
        let text = String(decoding: output.output, as: UTF8.self)
        return ToolResult(["text": .string(text)], content: [ToolResult.text(text)])
    }
}
