import ArgumentParser
import GherkinRunner
import PushScenarios
import TerminalStyle

/// What `pushpipe test` will do, checked through.
struct TestPlan {
    enum Work {
        case run(ScenarioReport.Format)
        /// Only looks the steps up.
        case match(ScenarioReport.Format)
        case listSteps(asPage: Bool)
    }

    let work: Work
    /// Nil is standard input.
    let inputs: [String?]
    let selection: ScenarioSelection
    /// What was typed for it, to say so when it leaves nothing.
    let filters: [String]
    let stopsAtFirstFailure: Bool

    init(_ command: TestCommand) throws {
        inputs = command.files.isEmpty ? [nil] : command.files.map { $0 == "-" ? nil : $0 }
        guard inputs.count(where: { $0 == nil }) <= 1 else {
            throw ValidationError("Standard input can be read once only.")
        }
        if command.listSteps {
            guard command.files.isEmpty, !command.dryRun, command.tags == nil, command.name.isEmpty, !command.failFast
            else { throw ValidationError("--list-steps goes with --format alone.") }
            guard command.format == .text || command.format == .markdown else {
                throw ValidationError("--list-steps takes --format text or markdown.")
            }
            work = .listSteps(asPage: command.format == .markdown)
        } else {
            guard let format = ScenarioReport.Format(rawValue: command.format.rawValue) else {
                throw ValidationError("--format markdown goes with --list-steps; a report is text, tap or junit.")
            }
            work = command.dryRun ? .match(format) : .run(format)
        }
        do throws(TagExpression.SyntaxError) {
            selection = ScenarioSelection(tags: try command.tags.map(TagExpression.init), names: command.name)
        } catch {
            throw ValidationError("--tags \"\(command.tags ?? "")\", \(error).")
        }
        filters = (command.tags.map { ["--tags \"\($0)\""] } ?? []) + command.name.map { "--name \"\($0)\"" }
        stopsAtFirstFailure = command.failFast
    }

    /// - Throws: `Failure`.
    func execute() throws {
        let steps = try StepLibrary.pushes()
        switch work {
        case .listSteps(let asPage):
            let style = TextStyle.forTerminal(StandardOutput.isTerminal)
            try StandardOutput().write(asPage ? StepCatalogue.markdown(steps) : StepCatalogue.text(steps, style))
        case .match(let format): try run(steps, format, isDryRun: true)
        case .run(let format): try run(steps, format, isDryRun: false)
        }
    }

    private func run(
        _ steps: StepLibrary<ScenarioWorld>, _ format: ScenarioReport.Format, isDryRun: Bool
    ) throws {
        let output = StandardOutput()
        let style = TextStyle.forTerminal(StandardOutput.isTerminal)
        var suite = ScenarioSuite(try files(), steps: steps, selection: selection)
        suite.isDryRun = isDryRun
        suite.stopsAtFirstFailure = stopsAtFirstFailure
        var report = ScenarioReport(format, hasColors: style.hasColours)
        var text = ""
        let summary: ScenarioSummary
        do {
            summary = try suite.run { result in
                report.add(result, to: &text)
                try output.write(text)
                text = ""
            }
        } catch let error as NothingToRun {
            throw Failure.trouble(
                "nothing is run: \(error)\(error.found > 0 ? " by \(filters.joined(separator: ", "))" : "")")
        }
        report.finish(to: &text)
        try output.write(text)
        if summary.hasFailure { throw Failure.conditionMet }
    }

    private func files() throws -> [FeatureFile] {
        let found = FeatureFiles(inputs)
        guard found.problems.isEmpty else {
            for problem in found.problems { StandardError.write("\(problem)\n") }
            throw Failure.troubleTold
        }
        return found.files
    }
}
