import ArgumentParser
import Testing

@testable import PushCommand
@testable import PushTools

struct HelpScreenTests {
    private static let help = """
        OVERVIEW: Sort letters.

        Prose about letters.

          sort letters

        USAGE: post sort [<options>] [<file> ...]

        ARGUMENTS:
          <file>                  Letters.

        PRIVACY:
          --hide <who>            Hide senders.

        OPTIONS:
          --own                   An option that no table knows.
          --provider <provider>   How letters are told apart: a text that
                                  takes two lines.
          --store <file>          Keep letters in this file.
          -q, --quiet             Print nothing.
          -h, --help              Show help information.

        """

    /// The same with so many more options that it is no screen.
    private static func long(_ count: Int = 60) -> String {
        let more = (1...count).map { "  --more-\($0)                An option of many.\n" }.joined()
        return help.replacing("  --provider", with: more + "  --provider", maxReplacements: 1)
    }

    @Test func `a help that fits a screen stays as it is`() throws {
        let screen = try #require(HelpScreen(Self.help))
        #expect(screen.full() == Self.help && screen.short() == Self.help)
    }

    @Test func `what is no help is not taken apart`() {
        for text in ["0.2.0\ncommit: unknown", "#compdef pushpipe", "", "OVERVIEW: without a usage"] {
            #expect(HelpScreen(text) == nil)
        }
    }

    @Test func `a long help is in groups, common options first, and loses nothing`() throws {
        let full = try #require(HelpScreen(Self.long())).full()
        let titles = full.split(separator: "\n").filter { $0.hasSuffix(":") && !$0.hasPrefix(" ") }
        #expect(titles == ["ARGUMENTS:", "PRIVACY:", "INPUT:", "STORE:", "OPTIONS:"])
        #expect(full.contains("INPUT:\n  --provider <provider>   How letters are told apart: a text that\n"))
        #expect(full.split(separator: "\n").suffix(2).first == "  -q, --quiet             Print nothing.")
        let lines = Self.long().split(separator: "\n").filter { $0.hasPrefix("  ") }.sorted()
        #expect(full.split(separator: "\n").filter { $0.hasPrefix("  ") }.sorted() == lines)
    }

    @Test func `a short one has examples and the common options, and says where the others are`() throws {
        let short = try #require(HelpScreen(Self.long())).short()
        #expect(short.contains("  sort letters") && !short.contains("Prose"))
        #expect(short.contains("COMMON OPTIONS:\n  --store <file>          Keep letters in this file.\n  -q, --quiet"))
        #expect(!short.contains("--provider") && !short.contains("--own"))
        let ending = "  See 'post sort --help' for all options, in groups: privacy, input, store, options."
        #expect(short.replacing("\n    ", with: " ").hasSuffix(ending), "\(short)")
    }

    @Test func `every name in the table is an option of a command`() {
        let commands: [any ParsableCommand.Type] = [
            RunCommand.self, ServeCommand.self, TraceCommand.self, BenchCommand.self, LintCommand.self,
            SnapshotCommand.self, PartitionCommand.self, ExtensionBuildCommand.self,
        ]
        let texts = commands.map { $0.helpMessage(columns: 80) }
        // The root adds --version to those of its commands.
        for name in HelpGroup.all.flatMap({ $0.common + $0.others }) where name != "--version" {
            #expect(
                texts.contains { $0.contains("\(name) ") || $0.contains("\(name)/") || $0.contains("\(name)\n") },
                "\(name)")
        }
    }
}
