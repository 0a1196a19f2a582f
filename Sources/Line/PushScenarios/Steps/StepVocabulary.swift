package import PayloadJSON
public import PushGherkinRunner
import PushModel
package import PushText

extension StepLibrary where World == ScenarioWorld {
    /// The steps of `pushpipe test`.
    ///
    /// - Throws: `PatternError` when a pattern is not a Cucumber Expression. The project's own tests make sure that
    ///   none is released.
    public static func pushes() throws(PatternError) -> StepLibrary {
        var library = StepLibrary()
        for table in StepVocabulary.tables {
            for (pattern, row) in table {
                try library.add(
                    row.keyword, pattern, argument: row.argument, summary: row.summary,
                    example: row.exampleText(pattern),
                    body: row.body)
            }
        }
        return library
    }
}

/// A step of `pushpipe test` without its pattern: its documentation, and what it does.
struct StepRow: Sendable {
    typealias Body = @Sendable (inout ScenarioWorld, StepInput) throws -> Void
    /// Returns what there is in place of what was expected; nil if the step holds.
    typealias Check = @Sendable (ScenarioWorld, StepInput) throws -> String?

    let keyword: StepKeyword
    /// A sentence for the documentation.
    let summary: String
    let example: Example
    /// A doc string or a table of the example; empty if the step takes neither.
    let below: String
    let body: Body

    /// The values of a step's parameters, or where letters or words of its pattern are optional, the line.
    enum Example: Sendable, ExpressibleByArrayLiteral, ExpressibleByStringLiteral {
        case values([String])
        case line(String)

        /// For most steps: their only parameter is a device, or there is none.
        static let anna = Example.values(["anna"])

        init(arrayLiteral values: String...) { self = .values(values) }

        init(stringLiteral line: String) { self = .line(line) }
    }

    static func given(
        _ summary: String, example: Example = .anna, below: String = "", _ body: @escaping Body
    ) -> StepRow {
        StepRow(keyword: .given, summary: summary, example: example, below: below, body: body)
    }

    static func when(
        _ summary: String, example: Example = .anna, below: String = "", _ body: @escaping Body
    ) -> StepRow {
        StepRow(keyword: .when, summary: summary, example: example, below: below, body: body)
    }

    static func then(
        _ summary: String, example: Example = .anna, below: String = "", _ check: @escaping Check
    ) -> StepRow {
        StepRow(keyword: .then, summary: summary, example: example, below: below) { world, step in
            if let found = try check(world, step) { throw StepFailure(found) }
        }
    }

    var argument: StepArgument { below.isEmpty ? .none : below.hasPrefix("|") ? .table : .docString }

    /// The example with its keyword and what stands below it.
    func exampleText(_ pattern: String) -> String {
        let line =
            switch example {
            case .line(let line): line
            case .values(let values): "\(keyword.rawValue) \(Self.filled(pattern, values))"
            }
        return line + below.split(separator: "\n").map { "\n  \($0)" }.joined()
    }

    /// A pattern with values in place of its parameters.
    private static func filled(_ pattern: String, _ values: [String]) -> String {
        var values = values[...]
        return pattern.split(separator: "}", omittingEmptySubsequences: false).map { text in
            let parts = text.split(separator: "{", omittingEmptySubsequences: false)
            guard parts.count == 2, let value = values.popFirst() else { return String(text) }
            let quote = parts[1] != "string" ? "" : value.contains("\"") ? "'" : "\""
            return "\(parts[0])\(quote)\(value)\(quote)"
        }.joined()
    }
}

/// The steps in tables by subject. Most rows send an event, or check a line of the report or a table.
enum StepVocabulary {
    /// Steps by their patterns, which are Cucumber Expressions.
    typealias Table = KeyValuePairs<String, StepRow>

    /// In the order of the documentation.
    static let tables: [Table] = [
        pushSettings, pushes, faults, outcomes, screens, liveActivities, policies, deviceEvents, laterOutcomes,
        feedback, topics, focus, android, apps, appSights, userActions, systemSettings, logins, tapRoutes, actions,
        toasts, posts, settingsSurroundings, settingsActions, settingsSights, pushSwitch, budgets, fitting, findings,
        files,
    ]

    // MARK: - Events

    /// The value of a member of an event.
    enum MemberValue: Sendable, ExpressibleByStringLiteral {
        case fixed(String)
        /// The step's parameter at this index.
        case parameter(Int)

        init(stringLiteral value: String) { self = .fixed(value) }

        func text(in step: StepInput) throws(StepFailure) -> String {
            switch self {
            case .fixed(let text): return text
            case .parameter(let index):
                if let number = try? step.int(index) { return String(number) }
                return try step.text(index)
            }
        }
    }

    /// Sends an event about the device that the parameter at this index names.
    static func event(
        _ name: DeviceEvent.Name, device: Int = 0, _ members: KeyValuePairs<String, MemberValue> = [:]
    ) -> StepRow.Body {
        { world, step in
            var event = StepEvent(name, device: try step.text(device))
            for (member, value) in members { event.add(member, try value.text(in: step)) }
            try world.happen(event.text)
        }
    }

    /// Sends such an event about something that the user does in the app, which nothing may cover.
    static func eventInApp(
        _ name: DeviceEvent.Name, device: Int = 0, _ members: KeyValuePairs<String, MemberValue> = [:]
    ) -> StepRow.Body {
        let send = event(name, device: device, members)
        return { world, step in
            try world.requireAppUncovered(on: try step.text(device))
            try send(&world, step)
        }
    }

    // MARK: - Checks

    /// Checks the report line that came last.
    static func last(_ check: @escaping @Sendable (PushReport, StepInput) throws -> String?) -> StepRow.Check {
        { world, step in try check(world.last(), step) }
    }

    /// Checks the report line of the last message.
    static func lastMessage(_ check: @escaping @Sendable (PushReport, StepInput) throws -> String?) -> StepRow.Check {
        { world, step in try check(world.lastMessage(), step) }
    }

    /// A column of a table, and its text for an element.
    typealias Column<Element> = (name: String, value: @Sendable (Element) -> String)

    /// Compares the table below the step with elements, row by row, in the columns that its first row names.
    static func table<Element: Sendable>(
        of noun: String, _ columns: [Column<Element>],
        _ elements: @escaping @Sendable (ScenarioWorld, StepInput) throws -> [Element]
    ) -> StepRow.Check {
        { world, step in
            let rows = try step.rows()
            let elements = try elements(world, step)
            var chosen: [Column<Element>] = []
            for name in rows.first ?? [] {
                guard let column = columns.first(where: { $0.name == name }) else {
                    let names = columns.map(\.name).joined(separator: ", ")
                    return "unknown column \"\(name)\"; the columns are \(names)"
                }
                chosen.append(column)
            }
            guard !chosen.isEmpty else { return "the table's first row names no column" }
            let found = elements.map { element in chosen.map { $0.value(element) } }
            if found == Array(rows.dropFirst()) { return nil }
            let list = found.map { "\n  | \($0.joined(separator: " | ")) |" }.joined()
            return found.isEmpty ? "\(noun) is empty" : "\(noun) has other rows:\(list)"
        }
    }
}

/// The list of steps, for a terminal and for programs.
package enum StepCatalogue {
    package static func text(_ library: StepLibrary<ScenarioWorld>, _ style: TextStyle) -> String {
        library.definitions.map { step in
            let example = step.example.split(separator: "\n").map { "      \($0)\n" }.joined()
            return
                "\(step.keyword.rawValue) \(style.bold(step.pattern.source))\n  \(step.summary)\n\(style.dim(example))"
        }.joined(separator: "\n")
    }

    /// Appends a line of JSON for each step.
    package static func appendJSON(_ library: StepLibrary<ScenarioWorld>, to out: inout ByteBuffer) {
        for step in library.definitions {
            out.append("{\"keyword\":")
            out.appendJSONString(step.keyword.rawValue)
            out.appendMember("pattern", step.pattern.source)
            out.appendMember("summary", step.summary)
            out.appendMember("example", step.example)
            out.append("}\n")
        }
    }
}
