import ArgumentParser
import PushGherkinRunner
import PushScenarios
import PushStreams
import PushText

struct TestPlan {
    enum Work {
        case run(ScenarioReport.Format)
        case listSteps(asJSON: Bool)
    }

    let work: Work
    /// Nil is standard input.
    let inputs: [String?]
    let selection: ScenarioSelection
    /// The options behind the selection, for the message when nothing matches.
    let filters: String
    let isDryRun: Bool
    let stopsAtFirstFailure: Bool
    let confinement: [String]?

    init(_ command: TestCommand) throws {
        inputs = command.files.isEmpty ? [nil] : command.files.map { $0 == "-" ? nil : $0 }
        guard inputs.count(where: { $0 == nil }) <= 1 else {
            throw ValidationError("Standard input can be read only once.")
        }
        isDryRun = command.dryRun
        stopsAtFirstFailure = command.failFast
        confinement = command.confine.isEmpty ? nil : command.confine
        if command.listSteps {
            guard command.files.isEmpty, !command.dryRun, command.tags == nil, command.name.isEmpty, !command.failFast
            else { throw ValidationError("--list-steps can be combined only with --format.") }
            guard command.format == .text || command.format == .ndjson else {
                throw ValidationError("--list-steps takes --format text or ndjson.")
            }
            work = .listSteps(asJSON: command.format == .ndjson)
        } else {
            guard let format = ScenarioReport.Format(rawValue: command.format.rawValue) else {
                throw ValidationError(
                    "--format ndjson works only with --list-steps; a report is text, tap, junit, github or azure.")
            }
            work = .run(format)
        }
        do throws(TagExpression.SyntaxError) {
            selection = ScenarioSelection(tags: try command.tags.map(TagExpression.init), names: command.name)
        } catch {
            throw ValidationError("--tags \"\(command.tags ?? "")\", \(error).")
        }
        let tags = command.tags.map { ["--tags \"\($0)\""] } ?? []
        filters = (tags + command.name.map { "--name \"\($0)\"" }).joined(separator: ", ")
    }

    /// - Throws: `Failure`.
    func execute() throws {
        let steps = try StepLibrary.pushes()
        let output = StandardOutput()
        let style = TextStyle.standardOutput
        switch work {
        case .listSteps(asJSON: true):
            try output.append { StepCatalogue.appendJSON(steps, to: &$0) }
            try output.flush()
        case .listSteps(asJSON: false): try output.write(StepCatalogue.text(steps, style))
        case .run(let format):
            if inputs.contains(nil) { StandardInput.invite("features") }
            try run(suite(try files(), steps), ScenarioReport(format, hasColors: style.hasColors), output)
        }
    }

    private func suite(_ files: [FeatureFile], _ steps: StepLibrary<ScenarioWorld>) throws -> ScenarioSuite {
        do throws(NothingToRun) {
            var suite = try ScenarioSuite(files, steps: steps, selection: selection)
            suite.isDryRun = isDryRun
            suite.stopsAtFirstFailure = stopsAtFirstFailure
            suite.command = ExtensionCommand.ownPath
            suite.confinement = confinement
            return suite
        } catch {
            throw Failure.trouble("nothing to run: \(error)\(error.found > 0 ? " \(filters)" : "")")
        }
    }

    private func run(_ suite: ScenarioSuite, _ report: ScenarioReport, _ output: StandardOutput) throws {
        var report = report
        var text = ""
        let summary = try suite.runDirectly { result, _ in
            report.add(result, to: &text)
            try output.write(text)
            text = ""
        }
        report.finish(to: &text)
        try output.write(text)
        if summary.hasFailure { throw Failure.conditionMet }
    }

    private func files() throws -> [FeatureFile] {
        do throws(FeatureFileError) {
            return try FeatureFile.read(inputs: inputs)
        } catch {
            for problem in error.problems { StandardError.complain("\(problem)") }
            throw Failure.troubleTold
        }
    }
}
