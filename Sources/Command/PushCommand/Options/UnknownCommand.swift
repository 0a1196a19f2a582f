import PushModel
import PushSQLite
import PushStore
import PushSystem

/// A word that stands where a command is expected.
enum UnknownCommand {
    /// The suggestion: the command for a file of that name, a command with a similar name, or one of all.
    ///
    /// - Parameters:
    ///   - group: the commands before it, such as `store`.
    ///   - names: the commands that may follow.
    /// - Returns: one line.
    static func message(_ word: String, in group: [String], _ names: [String]) -> String {
        let lines = commands(for: word, in: group, names).map { "'\((group + [$0, word]).joined(separator: " "))'" }
        let near = NameSuggestion.nearest(to: word, among: names).map { "'\($0)'" }
        let meant = lines.isEmpty ? near.map { [$0] } ?? [] : lines
        let advice =
            meant.isEmpty
            ? "the commands are \(names.joined(separator: ", "))" : "did you mean \(meant.joined(separator: " or "))?"
        return "there is no command '\(word)'; \(advice)"
    }

    /// Those that read the file or directory of that name; empty if there is none.
    private static func commands(for word: String, in group: [String], _ names: [String]) -> [String] {
        guard (try? FileStatus(word)) != nil else { return [] }
        guard group.isEmpty else {
            return names.filter { readers.contains("\(group.joined(separator: " ")) \($0)") }
        }
        if SQLiteStore.isDatabase(word) { return ["store list", "view"] }
        if word.hasSuffix(".feature") { return ["test"] }
        let isDirectory = (try? FileStatus(word))?.kind == .directory
        return isDirectory ? ["lint", "test"] : ["run", "lint"]
    }

    /// The commands of groups that take the name of a file alone.
    private static let readers = ["store list", "schema infer", "config show", "extension build"]
}
