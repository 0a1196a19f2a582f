import ExtensionBuild
package import PushCommand
import PushGherkinRunner
import PushLintConfiguration
import PushLintYAML
import PushReports
import PushScenarios
import PushSystem

extension CommandTools {
    /// The tools of the whole command.
    package static let all = CommandTools(
        [
            ServeCommand.self, ViewCommand.self, PreferencesCommand.self, SchemaCommand.self,
            LanguageServerCommand.self,
            TestCommand.self, SnapshotCommand.self, ExtensionCommand.self, AssistantCommand.self, PartitionCommand.self,
            MergeCommand.self,
        ],
        // Of `pushpipe mcp`, which calls the command: a configuration must not lead an assistant to files elsewhere.
        schemas: .files(
            below: Environment.nonEmptyVariable(AssistantCommand.foldersVariable)?.split(separator: "\n").map(
                String.init)),
        steps: { text in
            let words = text.split(separator: " ", maxSplits: 1)
            let hasKeyword = ["Given", "When", "Then", "And", "But", "*"].contains(words.first)
            let line = hasKeyword ? "\(words.last ?? "")" : text
            let steps = (try? StepLibrary.pushes())?.definitions ?? []
            let called = steps.filter { $0.pattern.match(line) != nil }
            let typed = line.split(separator: " ")
            // A word of a pattern may have alternatives: away/offline.
            let found =
                !called.isEmpty
                ? called
                : steps.filter { step in
                    let words = step.pattern.source.split(separator: " ").map { $0.split(separator: "/") }
                    return words.indices.contains { start in
                        let part = words[start...].prefix(typed.count)
                        return part.count == typed.count && zip(part, typed).allSatisfy { $0.contains($1) }
                    }
                }
            return found.map { .init($0.pattern.source, $0.keyword.rawValue, $0.summary, "reference/steps.md") }
        },
        extensionSources: {
            let sources = Environment.nonEmptyVariable("PUSHPIPE_SOURCES")
            return (try? RuntimeSources(.init(named: sources, command: CommandProcess.path)))?.folder
        })
}
