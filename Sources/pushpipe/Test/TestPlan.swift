import ArgumentParser
import Scenarios

/// What `pushpipe test` will do, checked through.
struct TestPlan {
    enum Work: Equatable {
        case run
        /// Only looks the steps up.
        case match
        case listSteps
    }

    /// Nil is standard input.
    let inputs: [String?]
    let work: Work
    let format: TestFormat
    let selection: ScenarioSelection
    /// What was typed for it, to say so when it leaves nothing.
    let filters: [String]
    let stopsAtFirstFailure: Bool

    init(_ command: TestCommand) throws {
        inputs = command.files.isEmpty ? [nil] : command.files.map { $0 == "-" ? nil : $0 }
        guard inputs.count(where: { $0 == nil }) <= 1 else {
            throw ValidationError("Standard input can be read once only.")
        }
        work = command.listSteps ? .listSteps : command.dryRun ? .match : .run
        format = command.format
        if work == .listSteps {
            guard command.files.isEmpty, !command.dryRun, command.tags == nil, command.name.isEmpty, !command.failFast
            else { throw ValidationError("--list-steps goes with --format alone.") }
            guard format == .text || format == .markdown else {
                throw ValidationError("--list-steps takes --format text or markdown.")
            }
        } else if format == .markdown {
            throw ValidationError("--format markdown goes with --list-steps; a report is text, tap or junit.")
        }
        do throws(TagExpression.SyntaxError) {
            selection = ScenarioSelection(tags: try command.tags.map(TagExpression.init), names: command.name)
        } catch {
            throw ValidationError("--tags \"\(command.tags ?? "")\", \(error).")
        }
        filters = (command.tags.map { ["--tags \"\($0)\""] } ?? []) + command.name.map { "--name \"\($0)\"" }
        stopsAtFirstFailure = command.failFast
    }
}
