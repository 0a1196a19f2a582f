import PushDevices
import PushSQLite
import TestSupport
import Testing

@testable import PushCommand

struct UnknownCommandTests {
    private static let commands = ["run", "lint", "test", "view", "store"]

    @Test func `a name without a file is compared with the commands`() {
        let message = UnknownCommand.message("lnit", in: [], Self.commands)
        #expect(message == "there is no command 'lnit'; did you mean 'lint'?")
        let other = UnknownCommand.message("nosuch.db", in: ["store"], ["list", "held"])
        #expect(other == "there is no command 'nosuch.db'; the commands are list, held")
    }

    @Test func `a file is what a command reads`() throws {
        let folder = try TestFolder(["p.json": "{}", "a.feature": "{}", "texts/a": ""])
        defer { folder.remove() }
        func path(_ name: String) -> String { folder.path(name) }
        func meant(_ name: String, in group: [String] = [], _ names: [String] = Self.commands) -> Substring? {
            UnknownCommand.message(path(name), in: group, names).split(separator: "; did you mean ").last
        }
        _ = try SQLiteStore(path: path("s.db"))
        #expect(meant("p.json") == "'run \(path("p.json"))' or 'lint \(path("p.json"))'?")
        #expect(meant("a.feature") == "'test \(path("a.feature"))'?")
        #expect(meant("s.db") == "'store list \(path("s.db"))' or 'view \(path("s.db"))'?")
        #expect(meant("s.db", in: ["store"], ["list", "held"]) == "'store list \(path("s.db"))'?")
        // A directory of stores is read as one; any other may have payloads.
        #expect(meant("texts") == "'lint \(path("texts"))' or 'test \(path("texts"))'?")
    }
}
