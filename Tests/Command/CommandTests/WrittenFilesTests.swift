import Foundation
import TestSupport
import Testing

/// Only files named on the command line are written.
struct WrittenFilesTests {
    private func files(below folder: URL) throws -> Set<String> {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        // Those of the run, and the files that SQLite keeps beside a store that is only read, for other writers.
        let others = [".in", ".out", ".err", ".db-wal", ".db-shm"]
        return Set(paths.filter { path in !others.contains(where: path.hasSuffix) })
    }

    @Test func `no command leaves a file that was not named`() throws {
        let folder = try Folder()
        let home = try Folder()
        try folder.write(SecretCorpus.records.text, to: "in")
        try folder.write("a key in a file of its own\n", to: "key")
        var environment: [String: String] = [:]
        for name in [
            "HOME", "TMPDIR", "SQLITE_TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
        ] {
            environment[name] = home.url.path
        }
        var expected: Set<String> = ["in", "key"]
        func check(_ line: String, makes names: String...) throws {
            let output = try folder.pushpipe(
                arguments: line.split(separator: " ").map(String.init), environment: environment)
            #expect(output.status < 2, "\(line): \(output.stderr)")
            expected.formUnion(names)
            #expect(try files(below: folder.url) == expected, "\(line)")
            #expect(try files(below: home.url) == [], "\(line)")
        }
        try check("run -q in")
        try check("run -q --jobs 3 --rules --set report.stats --screen --fit in")
        try check("run -q --store s.db in", makes: "s.db")
        try check("run -q --store s.db --resume in")
        try check("run -q --store r.db --redact all --set redact.key-file=key in", makes: "r.db")
        try check("trace --store s.db in")
        try check("lint in")
        try check("lint --show budgets in")
        try check("generate --count 10")
        try check("explain --rules")
        for command in ["list", "show", "events", "export"] { try check("store \(command) s.db") }
        try check("store import copy.db /dev/null", makes: "copy.db")
        try check("store prune -q --keep 1 --vacuum s.db")
    }

    @Test(arguments: ["run -q --format none --store new.db in", "store import -q new.db /dev/null"])
    func `only its owner can read a store, whatever the umask`(line: String) throws {
        let folder = try Folder()
        try folder.write(apns("Hi"), to: "in")
        let output = try folder.shell("umask 0; pushpipe \(line) && ls -l new.db | cut -c1-10")
        #expect(output.text == "-rw-------\n")
    }
}
