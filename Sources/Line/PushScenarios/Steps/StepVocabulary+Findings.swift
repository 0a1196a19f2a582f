import ExtensionBuild
import ExtensionHosting
import PushDecoding
import PushFiles
import PushGherkinRunner
import PushLint
import PushModel
import PushPipeline
import PushSystem

/// Bytes and budgets, shortened texts, the linter; files and service extensions.
extension StepVocabulary {
    static let budgets: Table = [
        "every push is checked against the budget {string}": .given(
            "Like `run --budget`: a name, such as `apns-256`, or a number of bytes.", example: ["apns-256"]
        ) { world, step in
            let text = try step.text(0)
            guard let budget = Budget(parsing: text) else {
                throw StepFailure("\"\(text)\" is neither a number of bytes nor the name of a budget")
            }
            world.configuration.decoding.budget = budget
        },
        "the push has {int} byte(s)": .then(
            "The bytes of the last message that count towards its budget, as in the report.",
            example: "Then the push has 38 bytes",
            lastMessage { line, step in
                try line.byteCount == step.int(0) ? nil : "record \(line.seq) has \(line.byteCount) bytes"
            }),
        "the budget is {int} byte(s)": .then(
            "The budget of the last message, as in the report.", example: "Then the budget is 4096 bytes",
            lastMessage { line, step in
                try line.byteLimit == step.int(0) ? nil : "the budget of record \(line.seq) is \(line.byteLimit) bytes"
            }),
        "the push is {int} byte(s) over its budget": .then(
            "How many bytes the last message has too many.", example: "Then the push is 12 bytes over its budget",
            lastMessage { line, step in
                let wanted = try step.int(0)
                return wanted > 0 && line.byteCount - line.byteLimit == wanted ? nil : size(line)
            }),
        "the push is within its budget": .then(
            "The last message has no more bytes than its budget.",
            lastMessage { line, _ in line.byteCount <= line.byteLimit ? nil : size(line) }),
    ]

    private static func size(_ line: PushReport) -> String {
        "record \(line.seq) has \(line.byteCount) bytes, and its budget is \(line.byteLimit) bytes"
    }

    static let fitting: Table = [
        "texts that are too long are shortened": .given(
            "Like `run --fit`."
        ) { world, _ in shorten(AlertText.allCases, &world) },
        "texts that are too long are shortened in the order {string}": .given(
            "Like `run --fit-order`: body, subtitle, title, separated by commas.", example: ["title, body"]
        ) { world, step in
            let names = try step.text(0).split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
            let order = names.compactMap { AlertText(rawValue: $0) }
            guard !order.isEmpty, order.count == names.count else {
                let known = AlertText.allCases.map(\.rawValue).joined(separator: ", ")
                throw StepFailure("the texts that can be shortened are \(known)")
            }
            shorten(order, &world)
        },
        "the push has been shortened": .then(
            "A text of the last message was cut (`fit.cut`).",
            lastMessage { line, _ in isShortened(line) ? nil : "record \(line.seq) has not been shortened" }),
        "the push has not been shortened": .then(
            "No text of the last message was cut.",
            lastMessage { line, _ in isShortened(line) ? "record \(line.seq) has been shortened" : nil }),
    ]

    private static func shorten(_ order: [AlertText], _ world: inout ScenarioWorld) {
        world.configuration.recordStages.removeAll { $0 is FitToBudget }
        world.configuration.recordStages.insert(FitToBudget(order: order), at: 0)
    }

    private static func isShortened(_ line: PushReport) -> Bool {
        line.findings.contains { $0.rule == "fit.cut" }
    }

    // MARK: - The linter

    static let findings: Table = [
        "the linter finds {string}": .then(
            "`pushpipe lint` reports this rule for the records of the last step that sent any.",
            example: ["aps.misspelled-key"]
        ) { world, step in
            let id = try step.text(0)
            guard Rule.named(id) != nil else {
                let near = NameSuggestion.nearest(to: id, among: Rule.all.map(\.id.text))
                return "there is no rule \"\(id)\"" + (near.map { "; did you mean \"\($0)\"?" } ?? "")
            }
            let found = try diagnostics(world)
            return found.contains { $0.rule.id.text == id } ? nil : listing(found)
        },
        "the linter finds nothing": .then(
            "`pushpipe lint` reports no warning and no error for the records of the last step that sent any."
        ) { world, _ in
            let found = try diagnostics(world).filter { $0.severity >= .warning }
            return found.isEmpty ? nil : listing(found)
        },
        "the report has the finding {string}": .then(
            """
            The report line of the last message, or one after it, has a finding of this rule. Lines of events and of what apps do \
            come after it.
            Some rules, such as those about extensions, are only in reports.
            """, example: ["fit.cut"]
        ) { world, step in
            let lines = try world.linesSinceLastMessage()
            let last = lines[lines.startIndex]
            let rules = lines.flatMap { $0.findings.map(\.rule) }
            if try rules.contains(step.text(0)) { return nil }
            return rules.isEmpty
                ? "record \(last.seq) has no finding"
                : "the findings of record \(last.seq) are \(rules.joined(separator: ", "))"
        },
    ]

    private static func diagnostics(_ world: ScenarioWorld) throws(StepFailure) -> [Diagnostic] {
        guard !world.latestInput.isEmpty else { throw StepFailure("no push has arrived yet") }
        var configuration = LintConfiguration()
        configuration.severity = .info
        return TextLinter(configuration, decoding: world.configuration.decoding).lint(world.latestInput).diagnostics
    }

    private static func listing(_ found: [Diagnostic]) -> String {
        if found.isEmpty { return "the linter finds nothing" }
        let lines = found.prefix(10).map { "\n  \($0.rule.id): \($0.message)" }
        return "the linter finds:" + lines.joined() + (found.count > 10 ? "\n  and \(found.count - 10) more" : "")
    }

    // MARK: - Files next to the feature file: pushes, and service extensions

    static let files: Table = [
        "the push(es) in the file {string} arrive(s)": .when(
            "Delivers a file of up to 16 MiB, in any form that `run` reads. Its path is relative to the feature file.",
            example: #"When the pushes in the file "../quickstart.ndjson" arrive"#
        ) { world, step in
            let path = try world.readablePath(try step.text(0))
            let bytes: [UInt8]
            do throws(SystemError) {
                bytes = try FileBytes.read(path, limit: FileBytes.maximumDocumentBytes)
            } catch {
                let reason = FileBytes.message(for: error, limit: FileBytes.maximumDocumentBytes)
                throw StepFailure("\(path): \(reason)")
            }
            try world.receive(bytes)
        },
        "the extension {string}": .given(
            """
            Like `run --extension`: a service extension, which runs for pushes with `mutable-content`. A program or an `.appex`, \
            relative to the feature file, or `builtin:attachment=KEY` or `builtin:localize=FILE`.
            """, example: ["../Extensions/mention.py"]
        ) { world, step in
            guard world.confinement == nil else {
                throw StepFailure(
                    "a service extension is a program, and none is started here; run it with pushpipe test")
            }
            let path = try step.text(0)
            world.surroundings.serviceExtension.options.path = builtin(path, world) ?? world.path(path)
        },
        "the extension's keychain begins with the items in {string}": .given(
            "Like `run --keychain`: a JSON array or a property list, relative to the feature file.",
            example: ["keychain.json"]
        ) { world, step in
            let path = try world.readablePath(try step.text(0))
            do throws(ExtensionBuildError) {
                world.surroundings.serviceExtension.options.keychain = try KeychainSeed.read(path)
            } catch {
                throw StepFailure(error.message)
            }
        },
        "the extension's removals are {string}": .given(
            "Like `run --removal`, for your own extension and for one that replaces by an id: immediate, delayed:MS, or lost-after-handler[:MS].",
            example: ["delayed:100"],
            configure { (options, text) throws(ExtensionOptionError) in
                options.removal = try RemovalTiming(text, option: "the timing of removals")
            }),
        "the extension waits {string} after a removal": .given(
            "Like `run --removal-wait`: the journal has the removal and the new notification at their own times.",
            example: ["200ms"],
            configure { (options, text) throws(ExtensionOptionError) in
                options.removalWait = try .extensionTimeLimit(
                    text, option: "the extension's wait", allowsZero: true)
            }),
        "the extension has {string} to change a push": .given(
            "Like `run --extension-timeout`: a time up to a day, such as 500ms, 1.5s or 30.", example: ["500ms"],
            configure { (options, text) throws(ExtensionOptionError) in
                options.timeLimit = try .extensionTimeLimit(text, option: "the extension's time")
            }),
        "the extension of record {int} is not started because of {string}": .then(
            """
            Why the system would not start the service extension for a push: `android`, `web`, `push-type`, `no-alert`, \
            `not-mutable`, `not-authorized`, `offline` or `not-delivered`. It needs a step that gives the app an extension.
            """, example: ["2", "not-mutable"]
        ) { world, step in
            let wanted = try step.text(1)
            let names = ExtensionObstacle.allCases.map { "\($0.name)" }
            guard names.contains(wanted) else {
                return "unknown obstacle \"\(wanted)\"; the obstacles are \(names.joined(separator: ", "))"
            }
            let other = try world.messages(ofRecord: step.int(0)).first { $0.extensionObstacle != wanted }
            return other.map { line in
                let found =
                    line.extensionObstacle.map { "not started because of \"\($0)\"" } ?? "not kept from starting"
                return "the extension of record \(line.seq) is \(found); the record is \(line)"
            }
        },
    ]

    /// Sets up the service extension from the step's text.
    private static func configure(
        _ set: @escaping @Sendable (inout ScenarioExtension.Options, String) throws(ExtensionOptionError) -> Void
    ) -> StepRow.Body {
        { world, step in
            let text = try step.text(0)
            do throws(ExtensionOptionError) {
                try set(&world.surroundings.serviceExtension.options, text)
            } catch {
                throw StepFailure(error.message)
            }
        }
    }

    /// A built-in extension, with the path of its file; nil for any other extension.
    private static func builtin(_ path: String, _ world: ScenarioWorld) -> String? {
        let localize = "builtin:localize="
        guard path.hasPrefix("builtin:") else { return nil }
        return path.hasPrefix(localize) ? localize + world.path(String(path.dropFirst(localize.count))) : path
    }
}

extension ScenarioWorld {
    /// A path of a step, which is relative to the feature file.
    func path(_ text: String) -> String { text.hasPrefix("/") ? text : FilePaths.joined(folder, text) }

    /// The path of a file that the scenario may read.
    func readablePath(_ text: String) throws(StepFailure) -> String {
        let path = path(text)
        guard let confinement else { return path }
        // A link to somewhere else does not help.
        guard let resolved = try? FileSystem.resolved(path),
            confinement.contains(where: { $0 == "/" || resolved.hasPrefix($0 + "/") })
        else { throw StepFailure("\(path) is not a file below \(confinement.joined(separator: " or "))") }
        return resolved
    }
}
