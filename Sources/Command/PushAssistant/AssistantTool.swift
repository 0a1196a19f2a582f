import FoundationEssentials
import PushJSON
import PushSystem

/// A tool that an assistant can call: a row of the table `all`.
struct AssistantTool: Sendable {
    let name: String
    let title: String
    let description: String
    let parameters: [ToolMember]
    /// The members of its structured content.
    let results: [ToolMember]
    /// False if a gateway is changed.
    var isReadOnly = true
    /// Calls subcommands or the gateway's API.
    let work: @Sendable (ToolCall) throws(PlainError) -> ToolResult

    /// The tool's entry in the answer to `tools/list`.
    var value: JSONValue {
        .members([
            "name": .string(name), "title": .string(title), "description": .string(description),
            "inputSchema": Self.schema(of: parameters, isClosed: true),
            "outputSchema": Self.schema(of: allResults, isClosed: false),
            "annotations": .members([
                "title": .string(title), "readOnlyHint": .bool(isReadOnly),
                // Fault rules take the place of those that were there.
                "destructiveHint": .bool(!isReadOnly), "idempotentHint": true,
                // Nothing leaves the machine.
                "openWorldHint": false,
            ]),
        ])
    }

    private static func schema(of members: [ToolMember], isClosed: Bool) -> JSONValue {
        let required = members.filter(\.isRequired).map { JSONValue.string($0.name) }
        return .members([
            "type": "object", "properties": .object(members.map { .init(name: $0.name, value: $0.schema) }),
            "required": required.isEmpty ? nil : .array(required), "additionalProperties": isClosed ? false : nil,
        ])
    }

    /// Added to the results of tools that return lists.
    private static let omitted = ToolMember(
        "omitted", .object, "How many elements at the end of each list were left out, because the list was too long.")

    private var allResults: [ToolMember] {
        results + (results.contains { if case .list = $0.kind { true } else { false } } ? [Self.omitted] : [])
    }

    /// - Throws: if an argument is missing, unknown, or of another type than the schema says.
    func check(_ arguments: JSONValue) throws(PlainError) {
        guard case .object(let members) = arguments else { throw PlainError("the arguments are not an object") }
        for member in members {
            guard let parameter = parameters.first(where: { $0.name == member.name }) else {
                let names = parameters.map(\.name).joined(separator: ", ")
                throw PlainError("\(name) has no argument \(member.name.prefix(100)); it has \(names)")
            }
            if let expected = parameter.complaint(about: member.value) {
                throw PlainError("\(parameter.name) is not \(expected)")
            }
        }
        for parameter in parameters where parameter.isRequired && arguments[parameter.name] == nil {
            throw PlainError("\(name) needs the argument \(parameter.name)")
        }
    }
}

/// An argument of a tool, or a member of its result.
struct ToolMember: Sendable {
    enum Kind: Sendable {
        case text
        /// JSON as a text, whose bytes are kept. A value is taken, too, an array as one record an element; a schema with several types is one
        /// that some models' providers refuse.
        case records
        case integer(ClosedRange<Int64>)
        case flag
        case choice([String])
        /// A list or an object, which only results have.
        case list, object
    }

    let name: String
    let kind: Kind
    let description: String
    let isRequired: Bool

    init(_ name: String, _ kind: Kind, _ description: String, isRequired: Bool = false) {
        self.name = name
        self.kind = kind
        self.description = description
        self.isRequired = isRequired
    }

    /// The member as one that cannot be left out.
    var required: ToolMember { ToolMember(name, kind, description, isRequired: true) }

    var schema: JSONValue {
        let words = JSONValue.string(description)
        return switch kind {
        case .text, .records: .members(["type": "string", "description": words])
        case .integer(let range):
            .members([
                "type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound),
                "description": words,
            ])
        case .flag: .members(["type": "boolean", "description": words])
        case .choice(let names):
            .members(["type": "string", "enum": .array(names.map { .string($0) }), "description": words])
        case .list: .members(["type": "array", "items": .object([]), "description": words])
        case .object: .members(["type": "object", "description": words])
        }
    }

    /// The kind of value that was expected; nil if this is one.
    func complaint(about value: JSONValue) -> String? {
        switch (kind, value) {
        case (.text, .string(let text)): text.utf8.contains(0) ? "a text without NUL" : nil
        case (.text, _): "a string"
        case (.records, .string), (.records, .object), (.records, .array): nil
        case (.records, _): "a string, an object or an array"
        case (.integer(let range), .integer(let number)) where range.contains(number): nil
        case (.integer(let range), _): "an integer from \(range.lowerBound) to \(range.upperBound)"
        case (.flag, .bool), (.list, _), (.object, _): nil
        case (.flag, _): "true or false"
        case (.choice(let names), .string(let name)) where names.contains(name): nil
        case (.choice(let names), _): "one of \(names.joined(separator: ", "))"
        }
    }
}

/// A call of a tool: its checked arguments, and what it works with.
struct ToolCall {
    let arguments: JSONValue
    let folders: AllowedFolders
    let surroundings: any AssistantSurroundings

    func text(_ name: String) -> String? { arguments[name]?.string }

    /// The arguments that are settings of the command.
    private static let settings = [
        "platform": "input.platform", "unknown_devices": "devices.unknown", "fit_order": "fit.order",
    ]

    /// Options of the command that are called as the arguments are, with hyphens: `--name=value`, so that no value is taken for an option.
    func options(_ names: String...) -> [String] {
        names.compactMap { name -> String? in
            let option = Self.settings[name].map { "--set=\($0)" } ?? "--" + name.replacing("_", with: "-")
            return switch arguments[name] {
            case .string(let text): "\(option)=\(text)"
            case .integer(let number): "\(option)=\(number)"
            case .bool(true): option
            default: nil
            }
        }
    }

    /// The input, as the last arguments of a command and its standard input: records, or a file of an allowed folder.
    func source(_ name: String) throws(PlainError) -> (arguments: [String], input: [UInt8]) {
        switch (arguments[name], text("path")) {
        case (.some, nil): return (["-"], records(name))
        case (nil, let path?): return (["--", try folders.resolve(path)], [])
        default: throw PlainError("give either \(name) or path")
        }
    }

    /// The records of an argument, one a line; a text is as it is.
    func records(_ name: String) -> [UInt8] { Self.records(arguments[name] ?? .null) }

    private static func records(_ value: JSONValue) -> [UInt8] {
        switch value {
        case .string(let text): Array(text.utf8)
        case .array(let elements): Array(elements.map(records).joined(separator: [UInt8(ascii: "\n")]))
        default: value.text
        }
    }

    /// Runs a subcommand.
    ///
    /// - Parameter statuses: those that are not a failure; 1 is usually a finding.
    func run(
        _ arguments: [String], input: [UInt8] = [], statuses: Set<Int32> = [0, 1]
    ) throws(PlainError) -> CommandOutput {
        let output = try surroundings.run(arguments, input: input)
        guard statuses.contains(output.status) else {
            let words = Self.inArguments(output.errors)
            throw PlainError(words.isEmpty ? "pushpipe \(arguments[0]) ended with status \(output.status)" : words)
        }
        return output
    }

    /// The first lines of a command's errors, with the arguments of tools in place of options, and without advice about others.
    private static func inArguments(_ errors: String) -> String {
        let names = Set(AssistantTool.all.flatMap(\.parameters).map(\.name))
        let lines = errors.split(separator: "\n", maxSplits: 20).prefix(20).filter { !$0.hasPrefix("See 'pushpipe") }
        return lines.map { line in
            var text = String(line.hasPrefix("pushpipe: ") ? line.dropFirst(10) : line)
            if text.last == ")", let advice = [" (--", " (pushpipe "].compactMap({ text.firstRange(of: $0) }).first {
                text.removeSubrange(advice.lowerBound...)
            }
            for (name, key) in settings {
                text = text.replacing("--set \(key)=", with: "\(name) ").replacing(key, with: name)
            }
            for name in names {
                text = text.replacing("--\(name.replacing("_", with: "-"))", with: name).replacing(
                    "\(name) <\(name)>", with: name)
            }
            return text
        }.joined(separator: "\n")
    }

    /// Asks the gateway's API.
    ///
    /// - Throws: also for an answer that is an error, with its message.
    func gateway(
        _ method: String, _ path: String, body: [UInt8] = [], seconds: Int = 0
    ) throws(PlainError) -> GatewayAnswer {
        let answer = try surroundings.request(method, path, body: body, seconds: seconds)
        guard answer.status == 200 else {
            let message = JSONValue(reading: answer.body)?[["error", "message"]]?.string
            throw PlainError("\(answer.address) answered \(answer.status)\(message.map { ": \($0)" } ?? "")")
        }
        return answer
    }

    /// The query with the arguments of these names, and how long the gateway may wait; empty if there is nothing.
    func query(_ names: [String], wait seconds: Int64? = nil) -> String {
        var members = names.compactMap { name -> String? in
            switch arguments[name] {
            case .string(let text): "\(name)=\(PercentEncoding.encoded(text))"
            case .integer(let number): "\(name)=\(number)"
            default: nil
            }
        }
        if let seconds { members.append("wait=\(seconds)s") }
        return members.isEmpty ? "" : "?" + members.joined(separator: "&")
    }
}

/// The result of a tool.
struct ToolResult {
    let structured: JSONValue
    /// Blocks for clients that do not read structured content.
    let content: [JSONValue]

    /// - Parameter content: nil for the structured content as text.
    init(_ structured: JSONValue, content: [JSONValue]? = nil) {
        let structured = Self.cut(structured)
        self.structured = structured
        self.content = content ?? [Self.text(String(decoding: structured.text, as: UTF8.self))]
    }

    init(_ members: KeyValuePairs<String, JSONValue?>, content: [JSONValue]? = nil) {
        self.init(.members(members), content: content)
    }

    /// The most bytes of a list in a result: 64 KiB.
    private static let mostListBytes = 64 << 10

    /// A result whose lists are short enough for a model to read, and how many of their elements were left out.
    private static func cut(_ structured: JSONValue) -> JSONValue {
        guard case .object(var members) = structured else { return structured }
        var omitted: [JSONValue.Member] = []
        for (index, member) in members.enumerated() {
            guard case .array(let elements) = member.value else { continue }
            var bytes = 0
            let kept = elements.prefix {
                bytes += $0.text.count
                return bytes <= mostListBytes
            }
            guard kept.count < elements.count else { continue }
            members[index].value = .array(Array(kept))
            // The next call begins after the last one that is shown.
            if let next = members.firstIndex(where: { $0.name == "next" }), let path = members[next].value.string,
                let last = kept.last?["id"]?.integer
            {
                members[next].value = .string(path.replacing(#/after=\d+/#, with: "after=\(last)"))
            }
            omitted.append(.init(name: member.name, value: .integer(Int64(elements.count - kept.count))))
        }
        return .object(members + (omitted.isEmpty ? [] : [.init(name: "omitted", value: .object(omitted))]))
    }

    static func text(_ text: String) -> JSONValue { .members(["type": "text", "text": .string(text)]) }

    static func image(_ bytes: [UInt8], type: String) -> JSONValue {
        .members(["type": "image", "data": .string(Data(bytes).base64EncodedString()), "mimeType": .string(type)])
    }
}

extension CommandOutput {
    var text: String { String(decoding: output, as: UTF8.self) }

    /// The values in lines of JSON.
    var lines: JSONValue {
        .array(
            output.split(separator: UInt8(ascii: "\n")).map { line in
                JSONValue(reading: Array(line)) ?? .string(String(decoding: line, as: UTF8.self))
            })
    }
}

/// The tools, and the subcommands and requests that each becomes.
extension AssistantTool {
    /// All tools, in the order in which they are listed.
    static let all = [
        lint, fix, fit, budgetReport, explain, deliver, screen, runScenario, waitForMessage, listMessages, injectFault,
    ]

    // MARK: - Members of several tools

    private static let payload = ToolMember(
        "payload", .records,
        """
        A payload, message or request for APNs, FCM, GCM or Expo, as the text that is sent, mistakes and all; or several: NDJSON.
        """)
    private static let path = ToolMember(
        "path", .text, "A file instead, below the folder where the server was started.")
    private static let provider = ToolMember(
        "provider", .text,
        "Read every record as this format, such as apns, fcm or expo. By default it is recognized from its keys.")
    private static let platform = ToolMember(
        "platform", .choice(["ios", "android", "web"]), "Platform of GCM and FCM tokens.")
    private static let topic = ToolMember(
        "topic", .text, "App for payloads that name none: a bundle identifier or package name.")
    private static let budget = ToolMember(
        "budget", .text,
        "Check every message against this budget: a name such as apns, apns-voip, gcm or fcm, or a number of bytes.")
    private static let records = ToolMember(
        "records", .records,
        """
        Payloads, messages and device events in the order in which they arrive: NDJSON. An event that registers a phone: \
        {"device":"ab12","app":"org.example.app","event":"device","platform":"ios"}. The resource pushpipe://reference/events has them all.
        """)
    private static let clock = ToolMember(
        "clock", .text, "When the first record arrives, such as 2026-01-01T12:00:00Z; by default now.")
    private static let findings = ToolMember(
        "findings", .list,
        "Findings of the linter, each with rule, severity, message, pointer, line, column and fixable.")

    // MARK: - Mistakes in payloads, and their sizes

    private static let lint = AssistantTool(
        name: "lint_payload", title: "Check a payload",
        description: """
            Finds what Apple or Google would refuse or silently ignore in push payloads, such as misspelled keys, values of wrong types \
            and headers that contradict the payload. Call explain with the rule of a finding for its reason and source.
            """,
        parameters: [
            payload, path, provider, platform, topic, budget,
            .init("severity", .choice(["info", "warning", "error"]), "Lowest severity to report; by default warning."),
        ],
        results: [findings.required, .init("ok", .flag, "True if there are no errors.").required]
    ) { (call) throws(PlainError) -> ToolResult in
        let source = try call.source("payload")
        let options = call.options("provider", "platform", "topic", "budget", "severity")
        let output = try call.run(["lint", "--format=ndjson", "-q"] + options + source.arguments, input: source.input)
        return ToolResult(["findings": output.lines, "ok": .bool(output.status == 0)])
    }

    private static let fix = AssistantTool(
        name: "fix_payload", title: "Fix a payload",
        description: """
            Returns the payload with each mistake corrected whose meaning is certain, and what is left to decide. Nothing is written.
            """,
        parameters: [
            payload.required, provider, platform, topic, budget,
            .init("fit", .flag, "Also shorten the texts of an alert over its budget."),
        ],
        results: [
            .init("payload", .text, "The text after the fixes.").required,
            .init("changed", .flag, "True if anything was fixed.").required, findings.required,
        ]
    ) { (call) throws(PlainError) -> ToolResult in
        let options = call.options("provider", "platform", "topic", "budget")
        let input = call.records("payload")
        let fixed = try call.run(["lint", "--fix", "-q"] + options + call.options("fit") + ["-"], input: input)
        let left = try call.run(["lint", "--format=ndjson", "-q"] + options + ["-"], input: fixed.output)
        return ToolResult([
            "payload": .string(fixed.text), "changed": .bool(fixed.output != input), "findings": left.lines,
        ])
    }

    private static let fit = AssistantTool(
        name: "fit_payload", title: "Shorten a payload to its budget",
        description: "Shortens the texts of an alert that is over its provider's byte budget, and says what was cut.",
        parameters: [
            payload.required, provider, platform, topic, budget,
            .init("fit_order", .text, "Texts that may be shortened, in order; by default body,subtitle,title."),
        ],
        results: [
            .init("payload", .text, "The records after the cuts.").required,
            .init("report", .list, "A line for each message, with what was cut in findings.").required,
        ]
    ) { (call) throws(PlainError) -> ToolResult in
        let options = call.options("provider", "platform", "topic", "budget", "fit_order")
        let input = call.records("payload")
        let records = try call.run(["run", "-q", "--fit"] + options + ["--emit=all", "-"], input: input)
        let report = try call.run(["run", "-q", "--fit"] + options + ["--format=ndjson", "-"], input: input)
        return ToolResult(["payload": .string(records.text), "report": report.lines])
    }

    private static let budgetReport = AssistantTool(
        name: "budget_report", title: "Show what takes the bytes",
        description: "How each message spends its byte budget, member by member, and how much is left.",
        parameters: [payload, path, provider, platform, topic, budget],
        results: [.init("messages", .list, "provider, bytes, limit, left, and members with the bytes of each").required]
    ) { (call) throws(PlainError) -> ToolResult in
        let source = try call.source("payload")
        let options = call.options("provider", "platform", "topic", "budget")
        let arguments = ["lint", "--show=budgets", "--format=ndjson", "-q"] + options + source.arguments
        return ToolResult(["messages": try call.run(arguments, input: source.input).lines])
    }

    private static let explain = AssistantTool(
        name: "explain", title: "Explain a rule or reason",
        description: """
            Explains a rule of the linter such as aps.misspelled-key, a service's answer such as BadDeviceToken, a reason such as \
            channel-off, or a name such as apns-topic, with its source and what to do. A line of an error will do, too.
            """,
        parameters: [.init("word", .text, "A rule's id, a reason, a name, or a line that has one.").required],
        results: [.init("text", .text, "The explanation.").required]
    ) { (call) throws(PlainError) -> ToolResult in
        let text = try call.run(["explain", "--", call.text("word") ?? ""], statuses: [0]).text
        return ToolResult(["text": .string(text)], content: [ToolResult.text(text)])
    }

    // MARK: - Phones and their screens

    private static let deliver = AssistantTool(
        name: "deliver", title: "Deliver messages to phones",
        description: """
            Delivers payloads to emulated phones, which begin empty with each call, and returns what Apple or Google would answer, what \
            each phone did with each message and why, and what its screen shows after it all. Nothing is sent.
            """,
        parameters: [
            records.required, provider, platform, topic, .init("device", .text, "Device for payloads that name none."),
            budget,
            clock, .init("rules", .flag, "Also report the linter's findings."),
            .init(
                "unknown_devices", .choice(["accept", "reject"]),
                "Whether tokens that no event has registered are accepted, which is the default."),
        ],
        results: [
            .init("report", .list, "A line for each message: outcome, status, reason, findings.").required,
            .init("screens", .list, "The notifications on the screens, newest first.").required,
        ]
    ) { (call) throws(PlainError) -> ToolResult in
        let store = try call.surroundings.newStore()
        let options = call.options(
            "provider", "platform", "topic", "device", "budget", "clock", "rules", "unknown_devices")
        let report = try call.run(
            ["run", "-q", "--format=ndjson", "--store=\(store)"] + options + ["-"], input: call.records("records"))
        let screens = try call.run(["store", "show", "--store=\(store)", "--format=ndjson"])
        return ToolResult(["report": report.lines, "screens": screens.lines])
    }

    private static let screen = AssistantTool(
        name: "screen", title: "Show the screen of a phone",
        description: """
            Shows screens as text, and as a picture if you ask for one: of phones that get these records, of a store that pushpipe run or \
            serve has written, or, without either, of a phone of the gateway.
            """,
        parameters: [
            records, .init("store", .text, "A store, below the folder of the server."), provider, platform, topic,
            clock,
            .init("device", .text, "Show only this phone; the gateway needs one."),
            .init("app", .text, "Show only this app."),
            .init(
                "picture", .choice(["none", "svg", "png", "png-dark"]),
                "Also draw it; by default none. A PNG needs the program rsvg-convert."),
        ],
        results: [.init("text", .text, "The screens as text; of a phone of the gateway as JSON.").required]
    ) { (call) throws(PlainError) -> ToolResult in
        let store: String
        switch (call.arguments["records"], call.text("store")) {
        case (.some, nil):
            store = try call.surroundings.newStore()
            let options = call.options("provider", "platform", "topic", "clock")
            _ = try call.run(
                ["run", "-q", "--format=none", "--store=\(store)"] + options + ["-"], input: call.records("records"))
        case (nil, let path?): store = try call.folders.resolveStore(path)
        case (nil, nil): return try gatewayScreen(call)
        default: throw PlainError("give either records or store")
        }
        let show = ["store", "show", "--store=\(store)"] + call.options("device", "app")
        let text = try call.run(show + ["--format=text"], statuses: [0]).text
        var content = [ToolResult.text(text)]
        if let picture = call.text("picture"), picture != "none" {
            let output = try call.run(show + ["--format=\(picture)"], statuses: [0]).output
            content.append(ToolResult.image(output, type: picture == "svg" ? "image/svg+xml" : "image/png"))
        }
        return ToolResult(["text": .string(text)], content: content)
    }

    private static func gatewayScreen(_ call: ToolCall) throws(PlainError) -> ToolResult {
        guard let device = call.text("device") else {
            throw PlainError("give records, a store, or a device of the gateway")
        }
        let picture = call.text("picture") ?? "none"
        guard picture == "none" || picture == "svg" else { throw PlainError("a gateway draws pictures as svg") }
        let address = "/api/v1/devices/\(PercentEncoding.encoded(device))"
        let known = JSONValue(reading: try call.gateway("GET", address).body)
        if known?["apps"]?.elements.isEmpty ?? true, known?["registered"]?.elements.isEmpty ?? true {
            throw PlainError("the gateway knows no device \(device.prefix(200))")
        }
        let path = address + "/"
        let query = call.query(["app"])
        let text = String(decoding: try call.gateway("GET", path + "screens" + query).body, as: UTF8.self)
        var content = [ToolResult.text(text)]
        if picture == "svg" {
            let drawn = try call.gateway("GET", path + "screen.svg" + query)
            content.append(ToolResult.image(drawn.body, type: "image/svg+xml"))
        }
        return ToolResult(["text": .string(text)], content: content)
    }

    private static let runScenario = AssistantTool(
        name: "run_scenario", title: "Run a scenario",
        description: """
            Runs Given/When/Then scenarios (Gherkin) against emulated phones, and reports what does not hold. The resource \
            pushpipe://reference/steps has all steps. Steps that start a service extension are refused.
            """,
        parameters: [
            .init("feature", .text, "The text of a feature file."),
            .init("path", .text, "A feature file or a folder of them instead."),
            .init("tags", .text, "Run the scenarios whose tags match."),
            .init("name", .text, "Run the scenarios whose name contains this."),
            .init("dry_run", .flag, "Only find steps that do not exist."),
        ],
        results: [
            .init("passed", .flag, "True if every scenario passed.").required,
            .init("report", .text, "What each scenario did.").required,
        ]
    ) { (call) throws(PlainError) -> ToolResult in
        let source = try call.source("feature")
        let confinement = call.folders.paths.map { "--confine=\($0)" }
        let options = confinement + call.options("tags", "name", "dry_run")
        let output = try call.run(["test", "--format=text"] + options + source.arguments, input: source.input)
        return ToolResult(
            ["passed": .bool(output.status == 0), "report": .string(output.text)],
            content: [ToolResult.text(output.text)])
    }

    // MARK: - Messages that a sender has sent to pushpipe serve

    private static let filters: [ToolMember] = [
        .init("device", .text, "Only messages for this token."), .init("app", .text, "Only messages for this app."),
        .init("outcome", .text, "Only this outcome, such as delivered or rejected."),
        .init("reason", .text, "Only this reason, such as BadDeviceToken."),
        .init("provider", .text, "Only apns, fcm or gcm."),
        .init("text", .text, "Only messages in which this text occurs."),
        .init("after", .integer(0...Int64(Int32.max)), "Only ids greater than this."),
    ]
    private static let gateway = ToolMember(
        "gateway", .text, "Where senders reach the gateway, over HTTP/2 and HTTP/1.1."
    ).required
    private static let messages = ToolMember("messages", .list, "Newest last: id, service, status, title, report.")
    /// Within what clients wait for an answer.
    private static let longestWait: Int64 = 60

    private static let waitForMessage = AssistantTool(
        name: "wait_for_message", title: "Wait for a message",
        description: """
            Waits until a sender's message reaches the gateway and matches, including those already there, and returns it with its answer \
            and what the phone did. Use after with the last id that you have seen.
            """,
        parameters: filters + [
            .init("count", .integer(1...1000), "How many to wait for; by default 1."),
            .init("seconds", .integer(1...longestWait), "How long to wait; by default 10."),
        ],
        results: [gateway, messages.required, .init("complete", .flag, "True if as many messages match.").required]
    ) { (call) throws(PlainError) -> ToolResult in
        let seconds = call.arguments["seconds"]?.integer ?? 10
        let query = call.query(filters.map(\.name) + ["count"], wait: seconds)
        return try result(call.gateway("GET", "/api/v1/messages" + query, seconds: Int(seconds)))
    }

    private static let listMessages = AssistantTool(
        name: "list_messages", title: "List the gateway's messages",
        description: """
            Lists what senders have sent to the gateway, or with id everything about one message: request, answer, records and trace. \
            Also says where the gateway is; it is started if there is none.
            """,
        parameters: filters + [
            .init("before", .integer(0...Int64(Int32.max)), "Only ids smaller than this."),
            .init("limit", .integer(1...1000), "At most so many; by default 100."),
            .init("id", .integer(1...Int64(Int32.max)), "Everything about this message."),
        ],
        results: [
            gateway, messages, ToolMember("message", .object, "The message with that id."),
        ]
    ) { (call) throws(PlainError) -> ToolResult in
        guard let id = call.arguments["id"]?.integer else {
            let query = call.query(filters.map(\.name) + ["before", "limit"])
            return try result(call.gateway("GET", "/api/v1/messages" + query))
        }
        let answer = try call.gateway("GET", "/api/v1/messages/\(id)")
        return ToolResult([
            "gateway": .string(answer.address), "message": JSONValue(reading: answer.body) ?? .object([]),
        ])
    }

    private static let injectFault = AssistantTool(
        name: "inject_fault", title: "Make the gateway fail",
        description: """
            Replaces the gateway's fault rules, so that a sender's handling of errors can be tested; an empty array removes them. For \
            example [{"device":"dead*","reason":"Unregistered"},{"every":50,"goaway":"Shutdown"}]. The resource \
            pushpipe://reference/gateway-faults has all keys.
            """,
        parameters: [
            ToolMember("rules", .records, "The text of a list of rules, in JSON or YAML.")
                .required
        ],
        results: [
            gateway, .init("faults", .list, "How often each rule was used.").required,
            .init("text", .text, "The rules."),
        ],
        isReadOnly: false
    ) { (call) throws(PlainError) -> ToolResult in
        let rules = call.arguments["rules"] ?? .array([])
        return try result(
            call.gateway("PUT", "/api/v1/faults", body: rules.string.map { Array($0.utf8) } ?? rules.text))
    }

    /// The members of an answer, after the gateway's address.
    private static func result(_ answer: GatewayAnswer) throws(PlainError) -> ToolResult {
        guard case .object(let members) = JSONValue(reading: answer.body) else {
            throw PlainError("\(answer.address) did not answer with an object")
        }
        return ToolResult(.object([.init(name: "gateway", value: .string(answer.address))] + members))
    }
}
