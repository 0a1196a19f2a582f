import Foundation
import PushDevices
import PushSQLite
import TestSupport
import Testing

@testable import PushCommand

struct UnknownCommandTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "pushpipe-words-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private static let commands = ["run", "lint", "test", "view", "store"]

    @Test func `a name without a file is compared with the commands`() {
        let message = UnknownCommand.message("lnit", in: [], Self.commands)
        #expect(message == "there is no command 'lnit'; did you mean 'lint'?")
        let other = UnknownCommand.message("nosuch.db", in: ["store"], ["list", "held"])
        #expect(other == "there is no command 'nosuch.db'; the commands are list, held")
    }

    @Test func `a file is what a command reads`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        func path(_ name: String) -> String { folder.appending(path: name).path }
        func meant(_ name: String, in group: [String] = [], _ names: [String] = Self.commands) -> Substring? {
            UnknownCommand.message(path(name), in: group, names).split(separator: "; did you mean ").last
        }
        for name in ["p.json", "a.feature"] { try Data("{}".utf8).write(to: folder.appending(path: name)) }
        _ = try SQLiteStore(path: path("s.db"))
        #expect(meant("p.json") == "'run \(path("p.json"))' or 'lint \(path("p.json"))'?")
        #expect(meant("a.feature") == "'test \(path("a.feature"))'?")
        #expect(meant("s.db") == "'store list \(path("s.db"))' or 'view \(path("s.db"))'?")
        #expect(meant("s.db", in: ["store"], ["list", "held"]) == "'store list \(path("s.db"))'?")
        // A directory of stores is read as one; any other may have payloads.
        try FileManager.default.createDirectory(
            at: folder.appending(path: "texts"), withIntermediateDirectories: true)
        #expect(meant("texts") == "'lint \(path("texts"))' or 'test \(path("texts"))'?")
    }
}
