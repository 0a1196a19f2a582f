import ExtensionBuild
package import PushCommand
import PushLintConfiguration
import PushLintYAML
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
        schemas: .files,
        extensionSources: {
            let sources = Environment.nonEmptyVariable("PUSHPIPE_SOURCES")
            return (try? RuntimeSources(.init(named: sources, command: CommandProcess.path)))?.folder
        })
}
