import Foundation
import TestSupport
import Testing

/// Exit statuses and streams: data on standard output, everything else on standard error.
struct UsageTests {
    @Test(arguments: [
        ["--help"], ["-h"], ["help"], ["help", "run"], ["run", "--help"], ["store", "--help"], ["generate", "-h"],
        ["lint", "--help"], ["help", "explain"], ["help", "trace"], ["trace", "-h"],
        ["extension", "--help"], ["snapshot", "-h"],
        ["help", "extension", "build"], ["help", "preferences"], ["preferences", "set", "-h"],
    ])
    func `help goes to standard output`(arguments: [String]) throws {
        let output = try Folder().pushpipe(arguments: arguments)
        #expect(output.status == 0)
        #expect(output.text.contains("USAGE: pushpipe"))
        #expect(output.stderr.isEmpty)
    }

    @Test func `no command in the help wraps at 80 columns`() throws {
        let folder = try Folder()
        var lists = [[]] as [[String]]
        var broken: [String] = []
        var count = 0
        while let command = lists.popLast() {
            let lines = try folder.pushpipe(arguments: ["help"] + command).text.components(separatedBy: "\n")
            // Examples are indented, and prose is not. Subcommands are indented too, but come after the usage.
            let overview = lines.prefix { !$0.hasPrefix("USAGE") }
            for (line, next) in zip(overview, overview.dropFirst()) where line.hasPrefix("  ") {
                count += 1
                if !next.isEmpty, !next.hasPrefix("  ") { broken.append(line) }
            }
            lists += Self.subcommands(in: lines).map { command + [$0] }
        }
        #expect(broken.isEmpty)
        #expect(count >= 10)
    }

    /// The names in all groups of subcommands of a help.
    private static func subcommands(in lines: [String]) -> [String] {
        lines.drop { !$0.hasSuffix("SUBCOMMANDS:") }
            .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.hasPrefix("  See ") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    @Test func `-h is a screen for every command, and --help has every option`() throws {
        let folder = try Folder()
        var lists = [[]] as [[String]]
        while let command = lists.popLast() {
            let short = try folder.pushpipe(arguments: command + ["-h"]).text.trimmingCharacters(in: .newlines)
            let full = try folder.pushpipe(arguments: command + ["--help"]).text
            let lines = short.components(separatedBy: "\n")
            #expect(lines.count <= 60, "\(command): \(lines.count) lines")
            #expect(lines.allSatisfy { $0.count <= 80 } && full.split(separator: "\n").allSatisfy { $0.count <= 80 })
            let own = lines.filter {
                !$0.isEmpty && !full.contains($0) && $0 != "COMMON OPTIONS:" && !$0.hasPrefix("    ")
            }
            #expect(own.allSatisfy { $0.contains(" --help' for ") }, "\(own)")
            #expect(try folder.pushpipe(arguments: ["help"] + command).text == full)
            lists += Self.subcommands(in: full.components(separatedBy: "\n")).map { command + [$0] }
        }
    }

    @Test(arguments: ["run", "trace", "serve", "bench", "lint", "snapshot"])
    func `help begins with what people need`(command: String) throws {
        let folder = try Folder()
        let full = try folder.pushpipe(command, "--help").text
        let short = try folder.pushpipe(command, "-h").text
        let order = ["ARGUMENTS", "ADDRESSES", "INPUT", "MESSAGES", "REPORT", "EXIT STATUS", "OPTIONS"]
        let places = order.compactMap { full.range(of: "\n\($0):\n")?.lowerBound }
        #expect(places.count >= 4 && places == places.sorted(), "\(full)")
        for name in ["--device ", "--fit ", "--format "] where full.contains("  \(name)") {
            #expect(short.contains("  \(name)"), "\(short)")
        }
        #expect(short.contains("See 'pushpipe \(command) --help' for "))
        #expect(!short.contains("extension.timeout") && !short.contains("input.framing"))
    }

    @Test func `commands are listed in groups`() throws {
        let folder = try Folder()
        let lines = try folder.pushpipe("help").text.components(separatedBy: "\n")
        let groups = lines.filter { $0.hasSuffix(" SUBCOMMANDS:") }
        #expect(groups == ["DELIVERY", "LINTER", "TEST", "THROUGHPUT"].map { "\($0) SUBCOMMANDS:" })
        #expect(Self.subcommands(in: lines).prefix(3) == ["run", "serve", "trace"])
    }

    @Test func `the version is a number on the first line, and what the build consists of on others`() throws {
        let output = try Folder().pushpipe("--version")
        #expect(output.status == 0)
        let lines = output.text.split(separator: "\n", omittingEmptySubsequences: false)
        try #require(lines.count == 6 && lines[5].isEmpty)
        #expect(lines[0].wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
        #expect(lines[1].wholeMatch(of: /commit: ([0-9a-f]{40}(-dirty)?|unknown)/) != nil)
        #expect(lines[2].wholeMatch(of: /features: SQLite 3\.\d+\.\d+, jansson \d+(\.\d+)+/) != nil)
        // The tests run the command of a checkout, built without the optimizer.
        #expect(lines[3] == "optimization: none")
        #expect(lines[4].wholeMatch(of: /extension sources: \/.*\/Sources\/Apple/) != nil)
        #expect(output.stderr.isEmpty)
    }

    @Test(arguments: [
        ["--wrong"], ["wrong"], ["run", "--wrong"], ["run", "--format", "xml"], ["run", "--set", "input.framing=xml"],
        ["run", "--provider", "wns"], ["run", "--set", "input.platform=windows"], ["run", "--fail-on", "rain"],
        ["run", "--set", "input.max-record=0"], ["run", "--set", "input.max-record=-1"],
        ["run", "--set", "input.max-record=2G"],
        ["run", "--set", "input.max-record=1025M"], ["run", "--set", "input.max-record=99999999999999999999"],
        ["run", "--set", "input.max-record=M"],
        ["run", "--budget", "0"], ["run", "--budget", "-5"], ["run", "--clock", "noon"],
        ["run", "--clock", "99999999999999999"],
        ["run", "--clock", "2026-11-03"], ["run", "--clock", "2026-02-30T00:00:00Z"],
        ["run", "--device", ""], ["run", "--replace-by", ""],
        ["run", "--replace-by", "id", "--set", "extension.removal=late"],
        ["run", "--replace-by", "id", "--set", "extension.removal-wait=-1"],
        ["run", "--set", "extension.removal=immediate"], ["run", "--set", "extension.removal-wait=200ms"],
        ["run", "--set", "replace.match=first"],
        ["run", "--replace-by", "id", "--set", "replace.match=last"], ["run", "--set", "replace.missing=equal"],
        ["run", "--replace-by", "id", "--set", "replace.compare=typed", "--redact", "content"], ["run", "--store"],
        ["run", "--set", "fit.order="], ["run", "--set", "fit.order=body,"], ["run", "--set", "fit.order=body,body"],
        ["run", "--set", "fit.order=Title"],
        ["trace", "--format", "text"], ["trace", "--rules"], ["trace", "--set", "fit.order=Title"], ["store", "wrong"],
        ["store", "list", "--format", "xml"],
        ["generate", "extra"], ["generate", "--device-choice", "some"],
        ["bench", "--set", "bench.samples=2"], ["bench", "--time", "0"], ["bench", "--set", "bench.warmup=0"],
        ["bench", "--time", "86401"], ["bench", "--save", "-"],
        ["bench", "--fail-on-regression", "5"], ["bench", "--generate", "--count x"],
        ["bench", "--generate", "--count 5", "a.json"],
        ["lint", "--wrong"], ["explain", "--rules", "--format", "xml"], ["explain", "a", "b"],
    ])
    func `invalid usage is status 2 and says why on standard error`(arguments: [String]) throws {
        let output = try Folder().pushpipe(arguments: arguments)
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(!output.stderr.isEmpty)
    }

    /// These arguments are first parsed by the command they name, which knows nothing of the commands above it.
    @Test(arguments: [
        (["run", "--wrong"], "pushpipe run"), (["store", "list", "--wrong"], "pushpipe store list"),
        (["trace", "--wrong"], "pushpipe trace"),
        (["extension", "build", "--wrong"], "pushpipe extension build"),
        (["run", "--set", "replace.match=all"], "pushpipe run"),
        (["run", "--clock", "noon"], "pushpipe run"),
    ])
    func `an error names the whole path of the command`(arguments: [String], path: String) throws {
        let output = try Folder().pushpipe(arguments: arguments)
        #expect(output.status == 2)
        #expect(
            output.stderr.hasPrefix("pushpipe: ") && output.stderr.hasSuffix("\nSee '\(path) -h'.\n"),
            "\(output.stderr)")
    }

    @Test(arguments: [
        (
            ["run", "--extension-memory", "24M", "a"],
            "extension-memory is a setting: --set extension.memory=24M, or in .pushpipe.yml"
        ),
        (["run", "--extension-memory=24M"], "--set extension.memory=24M, or in .pushpipe.yml"),
        (["trace", "--at", "/push"], "at is a setting: --set input.at=/push, or in .pushpipe.yml"),
        (["run", "--relaxed"], "relaxed is a setting: --set input.relaxed, or in .pushpipe.yml"),
        (["lint", "--no-ignore"], "no-ignore is a setting: --set input.ignore-files=false"),
        (
            ["run", "--keychain", "a.json"],
            "keychain is a setting: --set extension.keychain=a.json, or in the file of --config"
        ),
        (["run", "--app-group", "g=f"], "--set extension.app-groups=g=f"),
        (["serve", "--webhook"], "--set serve.webhook=VALUE"),
        (["lint", "--rule", "aps"], "unknown option '--rule'; did you mean --select RULES?"),
        (["run", "--json"], "unknown option '--json'; did you mean --format ndjson?"),
        (["serve", "--port", "8080"], "unknown option '--port'; did you mean --listen ADDRESS:PORT?"),
        (["lint", "--strict"], "did you mean --fail-on warning?"),
        (["run", "--strict"], "did you mean --fail-on warning?"),
        (["lint", "--sizes"], "did you mean --show sizes?"),
        (["run", "--frobnicate"], "unknown option '--frobnicate'\n"),
    ])
    func `an unknown option is answered with what does it`(arguments: [String], answer: String) throws {
        let output = try Folder().pushpipe(arguments: arguments)
        #expect(output.status == 2 && output.stdout.isEmpty)
        #expect(output.stderr.contains(answer), "\(output.stderr)")
    }

    @Test(arguments: ["run", "run --wrong", "lint", "store show", "explain"]) func `each command has --version`(
        command: String
    ) throws {
        let output = try Folder().pushpipe(arguments: command.split(separator: " ").map(String.init) + ["--version"])
        #expect(output.status == 0)
        #expect(output.text == (try Folder().pushpipe("--version").text))
    }

    @Test func `help that cannot be written is not a success`() throws {
        let output = try Folder().shell("pushpipe run --help >/dev/full")
        #expect(output.status == 2)
        #expect(output.stderr == "pushpipe: standard output cannot be written: No space left on device\n")
    }

    @Test(arguments: [
        "run", "serve", "trace", "bench", "lint", "snapshot", "partition", "test", "store show", "explain",
    ])
    func `no command has more than twenty-five options`(command: String) throws {
        let help = try Folder().pushpipe(arguments: command.split(separator: " ").map(String.init) + ["--help"]).text
        let options = help.split(separator: "\n").filter {
            $0.hasPrefix("  -") && !$0.contains("--version") && !$0.contains("--help")
        }
        #expect(options.count <= 25, "\(options.count)")
        // Two screens, as long as that of -h.
        #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count <= 120)
        for name in ["--color ", "--config ", "--set "] { #expect(help.contains("  \(name)"), "\(name)") }
    }

    @Test(arguments: ["0", "0ms", "0s"])
    func `the extension's wait can be the default`(wait: String) throws {
        let output = try Folder().pushpipe(
            "run", "-q", "--replace-by", "id", "--set", "extension.removal-wait=\(wait)", stdin: apns("a"))
        #expect(output.status == 0)
        #expect(try output.outcomes() == ["delivered"])
    }

    @Test(arguments: ["65536", "64K", "64k", "1M", "1024m", "1"])
    func `a record limit can have a unit`(limit: String) throws {
        let output = try Folder().pushpipe("run", "-q", "--set", "input.max-record=\(limit)", stdin: apns("a"))
        #expect(output.status == (limit == "1" ? 2 : 0))
        #expect(try output.outcomes() == [limit == "1" ? "malformed" : "delivered"])
    }

    @Test func `an unknown budget lists the known ones`() throws {
        let output = try Folder().pushpipe("run", "--budget", "huge")
        #expect(output.status == 2)
        for name in [
            "apns", "apns-voip", "apns-broadcast", "apns-2048", "apns-256", "gcm", "gcm-topic", "fcm", "fcm-topic",
            "BYTES",
        ] {
            #expect(output.stderr.contains(name), "\(output.stderr)")
        }
    }

    @Test func `a missing file keeps no other from being read`() throws {
        let folder = try Folder()
        try folder.write(apns("a"), to: "good.ndjson")
        for files in [["missing.ndjson", "good.ndjson"], ["good.ndjson", "missing.ndjson"]] {
            let output = try folder.pushpipe(arguments: ["run", "-q", "--resume", "--store", "s.db"] + files)
            #expect(output.status == 2)
            #expect(output.stderr == "pushpipe: missing.ndjson: No such file or directory\n")
            #expect(output.lines.count == (files[0] == "good.ndjson" ? 0 : 1))
        }
    }

    @Test func `without an input that can be read nothing is made`() throws {
        let folder = try Folder()
        let output = try folder.pushpipe("run", "--store", "s.db", "missing.ndjson", "absent.ndjson")
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.split(separator: "\n").count == 2)
        #expect(!FileManager.default.fileExists(atPath: folder.path("s.db")))
    }

    @Test func `a directory is not an input`() throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.path("payloads"), withIntermediateDirectories: false)
        let output = try folder.pushpipe("run", "payloads")
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.contains("payloads"))
        #expect(output.stderr.contains("directory"))
    }

    @Test(arguments: ["missing/s.db", ".", "file/s.db"])
    func `a store that cannot be created is status 2`(path: String) throws {
        let folder = try Folder()
        try folder.write("x", to: "file")
        let output = try folder.pushpipe("run", "--store", path, stdin: apns("a"))
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.hasPrefix("pushpipe: store \(path): "))
        #expect(output.stderr.split(separator: "\n").count == 1)
    }

    @Test func `a file that is not a store is left unchanged`() throws {
        let folder = try Folder()
        let text = String(repeating: "not a database\n", count: 100)
        try folder.write(text, to: "notes.txt")
        #expect(try folder.shell("sqlite3 other.db 'CREATE TABLE t (a); INSERT INTO t VALUES (7)'").status == 0)
        for arguments in [
            ["run", "-q", "--store"], ["store", "list"], ["store", "show"], ["store", "export"],
            ["store", "prune", "--keep", "1"], ["store", "import"],
        ] {
            for name in ["notes.txt", "other.db"] {
                let output = try folder.pushpipe(arguments: arguments + [name])
                #expect(output.status == 2)
                #expect(output.stdout.isEmpty)
                #expect(output.stderr.hasPrefix("pushpipe: store \(name): "), "\(output.stderr)")
            }
        }
        #expect(try folder.read("notes.txt") == text)
        #expect(try folder.shell("sqlite3 other.db 'SELECT a FROM t; SELECT name FROM sqlite_master'").text == "7\nt\n")
    }

    @Test(arguments: [("list", []), ("show", []), ("events", []), ("export", []), ("show", ["ab54"])])
    func `reading does not create a store`(command: String, more: [String]) throws {
        let folder = try Folder()
        let output = try folder.pushpipe(arguments: ["store", command, "none.db"] + more)
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.contains("none.db"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("none.db")))
    }

    @Test(arguments: ["list", "show", "events", "export", "import"])
    func `a store must be named`(command: String) throws {
        let output = try Folder().pushpipe("store", command)
        #expect(output.status == 2)
        #expect(output.stderr.contains("--store"))
        #expect(output.stderr.contains("PUSHPIPE_STORE"))
    }

    @Test(arguments: [
        (["rnu"], "did you mean 'run'?"), (["store", "shwo"], "did you mean 'show'?"),
        (["help", "lnt"], "did you mean 'lint'?"),
        (["frobnicate"], "the commands are run, serve, trace,"),
        (["help", "store", "nope"], "the commands are list, show,"),
        (["run", "--fial-on", "error"], "did you mean --fail-on?"),
        (["run", "--jobs", "-1"], "a number from 1 to 256"),
        (["lint", "-j", "-2"], "a number from 1 to 256"),
    ])
    func `a slip is answered with what exists`(arguments: [String], answer: String) throws {
        let output = try Folder().pushpipe(arguments: arguments)
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.contains(answer), "\(output.stderr)")
    }

    @Test(arguments: [["help"], ["help", "run"], ["help", "store", "show"], ["help", "help"], ["store", "help"]])
    func `help is no slip`(arguments: [String]) throws {
        let output = try Folder().pushpipe(arguments: arguments)
        #expect(output.status == 0)
        #expect(output.text.contains("USAGE"))
    }

    @Test func `one argument too many is refused`() throws {
        let folder = try Folder()
        #expect(try folder.pushpipe("run", "-q", "--store", "s.db", stdin: apns("a")).status == 0)
        for arguments in [
            ["list", "s.db", "x"], ["events", "s.db", "x"], ["export", "s.db", "x"], ["show", "s.db", "ab54", "x"],
        ] {
            let output = try folder.pushpipe(arguments: ["store"] + arguments)
            #expect(output.status == 2)
            #expect(output.stderr.contains("x"))
        }
    }
}
