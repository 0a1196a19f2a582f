import Foundation
import TestSupport
import Testing

/// The command that is built without the network.
struct CoreTests {
    private let folder: Folder
    init() throws { folder = try Folder() }

    private func core(_ arguments: [String]) throws -> Output {
        let path = try Place.executable().deletingLastPathComponent().appendingPathComponent("pushpipe-core").path
        return try folder.run(path, arguments)
    }

    @Test func `asked to serve, it says how to get a command that can`() throws {
        for arguments in [["serve"], ["serve", "--print-ca"]] {
            try core(arguments).expectTrouble("has no network", "make build", ".build/release/pushpipe")
        }
    }

    @Test func `everything else is that of the whole command`() throws {
        #expect(try core(["--help"]).stdout == folder.pushpipe("--help").stdout)
        #expect(try core(["serve", "--help"]).stdout == folder.pushpipe("serve", "--help").stdout)
        try folder.write(#"{"aps":{"alert":"Hi"}}"#, to: "a.json")
        let words = ["run", "-q", "--clock", "0", "a.json"]
        let whole = try folder.pushpipe(arguments: words)
        #expect(whole.status == 0 && whole.text.contains("delivered"))
        #expect(try core(words).stdout == whole.stdout)
    }
}
