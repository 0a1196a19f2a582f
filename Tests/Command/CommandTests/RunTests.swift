import Foundation
import TestSupport
import Testing

/// `pushpipe run`: exit status, messages on standard error, and inputs.
struct RunTests {
    private static let good = apns("fine")
    private static let warned = #"{"aps":{"alert":"a","alert":"b"}}"# + "\n"
    private static let refused = #"{"device":"xyz","headers":{"apns-topic":"t"},"payload":{"aps":{}}}"# + "\n"
    private static let broken = "{\n"

    /// Values of `--fail-on`, with inputs that are valid, or have a warning, a rejection, or a malformed record.
    @Test(arguments: [
        ("malformed", [0, 0, 0, 1]), ("rejected", [0, 0, 1, 1]), ("error", [0, 0, 1, 1]), ("warning", [0, 1, 1, 1]),
        ("malformed,rejected", [0, 0, 1, 1]), ("warning,malformed", [0, 1, 1, 1]),
    ])
    func `--fail-on turns the named outcomes into status 1`(condition: String, expected: [Int32]) throws {
        let inputs = [Self.good, Self.warned, Self.refused, Self.good + Self.broken]
        for (input, status) in zip(inputs, expected) {
            let output = try Folder().pushpipe("run", "-q", "--fail-on", condition, stdin: input + Self.good)
            #expect(output.status == status, "\(input)")
            #expect(output.lines.count >= 2)
            #expect(output.stderr.isEmpty)
        }
    }

    /// A `run` of files alone is planned without parsing arguments.
    @Test(arguments: [
        ["every-bad-record.ndjson"], ["quickstart.ndjson", "-", "gcm-score-updates.ndjson"], [], ["none"],
    ])
    func `files alone are run with the defaults that options spell out`(files: [String]) throws {
        let folder = try Folder()
        let paths = files.map { name in
            let sample = Place.samples.appendingPathComponent(name).path
            return FileManager.default.fileExists(atPath: sample) ? sample : name
        }
        let defaults = [
            "--format", "ndjson", "--set", "input.framing=auto", "--set", "input.max-record=1M", "--set",
            "devices.unknown=accept", "--clock",
            "wall",
            "--device", "default",
        ]
        let plain = try folder.pushpipe(arguments: ["run"] + paths, stdin: Array(Self.good.utf8))
        let spelled = try folder.pushpipe(arguments: ["run"] + defaults + paths, stdin: Array(Self.good.utf8))
        #expect(plain.status == (files == ["none"] ? 2 : 0))
        #expect(plain.status == spelled.status)
        #expect(plain.stdout == spelled.stdout)
        // The summary ends with a duration.
        #expect(plain.stderr.components(separatedBy: " in ")[0] == spelled.stderr.components(separatedBy: " in ")[0])
    }

    @Test func `a finding about an event counts like one about a message`() throws {
        let event = #"{"event":"device","device":"ab","onlin":true}"# + "\n"
        for (condition, status) in [("warning", 1), ("error", 0)] as [(String, Int32)] {
            #expect(try Folder().pushpipe("run", "-q", "--fail-on", condition, stdin: event).status == status)
        }
    }

    @Test func `--fail-on can be repeated, and without it nothing fails`() throws {
        let folder = try Folder()
        let input = Self.good + Self.broken + Self.good
        #expect(
            try folder.pushpipe("run", "-q", "--fail-on", "rejected", "--fail-on", "malformed", stdin: input).status
                == 1)
        #expect(
            try folder.pushpipe("run", "-q", "--fail-on", "malformed", "--fail-on", "warning", stdin: Self.good).status
                == 0)
        #expect(try folder.pushpipe("run", "-q", stdin: input + Self.refused + Self.warned).status == 0)
    }

    @Test func `a closed pipe ends the run quietly`() throws {
        let folder = try Folder()
        let run = "pushpipe generate --count 30000 | pushpipe run 2> err | head -n 1 > first; echo ${PIPESTATUS[@]}"
        #expect(try folder.shell(run).text == "0 0 0\n")
        #expect(try folder.read("err").isEmpty)
        #expect(try folder.read("first").hasPrefix("{\"seq\":1,"))

        let generate = "pushpipe generate --count 100000 2> err | head -n 1 > first; echo ${PIPESTATUS[@]}"
        #expect(try folder.shell(generate).text == "0 0\n")
        #expect(try folder.read("err").isEmpty)
    }

    @Test func `a closed pipe ends the listing of a store quietly`() throws {
        let folder = try Folder()
        #expect(
            try folder.shell("pushpipe generate --count 3000 | pushpipe run -q --store s.db --format none").status == 0)
        for command in ["export", "events", "show --format text", "show"] {
            let line = "pushpipe store \(command) --store s.db 2> err | head -n 1 > first; echo ${PIPESTATUS[@]}"
            #expect(try folder.shell(line).text == "0 0\n", "\(command)")
            #expect(try folder.read("err").isEmpty)
        }
    }

    /// `lint --fix` leaves what is no JSON at all, and what was cut off.
    @Test(arguments: [
        (#"{"aps":{"alert":"a",}}"#, "json.trailing-comma", true),
        ("{'aps':{'alert':'a'}}", "json.single-quotes", true),
        (#"{"aps":{"alert":"a""#, "json.unclosed", false), ("<html><body>Hi</body></html>", nil, false),
        ("device,alert", nil, false),
    ])
    func `a record that is not JSON says which mistake it has, and what corrects it`(
        record: String, cause: String?, isFixable: Bool
    ) throws {
        let folder = try Folder(["in": Self.good + "\n" + record + "\n"])
        let output = try folder.pushpipe("run", "in")
        let line = try #require(output.json().last)
        #expect(line["error"]?["rule"]?.string == "json.syntax")
        #expect(line["error"]?["cause"]?.string == cause, "\(line)")
        #expect(output.stderr.contains("lint --fix corrects") == isFixable, "\(output.stderr)")
        #expect(try !folder.pushpipe("run", "--set", "input.relaxed", "in").stderr.contains("input.relaxed"))
        let lint = try folder.pushpipe("lint", "--format", "ndjson", "in")
        if let cause { #expect(lint.text.contains("\"rule\":\"\(cause)\""), "\(lint.text)") }
    }

    @Test(arguments: [
        "gzip -c in > x", "zstd -qc in > x", "iconv -f UTF-8 -t UTF-16 in > x",
        #"{ printf '\377\376'; iconv -f UTF-8 -t UTF-16LE in; } > x"#,
        #"{ printf '\376\377'; iconv -f UTF-8 -t UTF-16BE in; } > x"#,
        #"{ printf '\377\376\0\0'; iconv -f UTF-8 -t UTF-32LE in; } > x"#,
        "iconv -f UTF-8 -t UTF-16 in | gzip -c > x",
    ])
    func `a compressed file and one in UTF-16 or UTF-32 are read as text`(command: String) throws {
        let folder = try Folder(["in": apns("Größe 日本") + apns("b")])
        // The program need not be on every machine.
        guard try folder.shell(command).status == 0 else { return }
        let plain = try folder.pushpipe("run", "-q", "in")
        for options in [[], ["--store", "s.db"]] {
            let output = try folder.pushpipe(arguments: ["run", "-q"] + options + ["x"])
            #expect(output.stdout == plain.stdout, "\(output)")
        }
        #expect(try folder.shell("pushpipe run -q < x").stdout == plain.stdout)
        let resumed = try folder.pushpipe("run", "-q", "--store", "s.db", "--resume", "x")
        #expect(resumed.status == 2 && resumed.stderr.contains("cannot be resumed"), "\(resumed)")
        // A part has the numbers of the whole.
        let divided = try folder.pushpipe("partition", "-q", "--parts", "1", "--output", "parts", "x")
        #expect(divided.status == 0, "\(divided)")
        let part = try folder.pushpipe("run", "-q", "parts/part-00000.ndjson")
        #expect(try part.outcomes() == plain.outcomes(), "\(part)")
    }

    @Test func `a damaged file is reported, after what could be read of it`() throws {
        let folder = try Folder(["in": (0..<2000).map { apns("\($0)") }.joined()])
        #expect(try folder.shell("gzip -c in | head -c 2000 > x.gz").status == 0)
        let output = try folder.pushpipe("run", "-q", "x.gz")
        #expect(output.status == 2 && output.stderr.contains("x.gz: is damaged"), "\(output.stderr)")
        let divided = try folder.pushpipe("partition", "-q", "--parts", "1", "--output", "parts", "x.gz")
        #expect(divided.status == 2 && divided.stderr.contains("x.gz: is damaged"), "\(divided.stderr)")
        let lint = try folder.pushpipe("lint", "x.gz")
        #expect(lint.status == 2 && lint.stderr.contains("x.gz: is damaged"), "\(lint.stderr)")
    }

    @Test func `a small file with a text without end is left after 64 MiB, by every command`() throws {
        let folder = try Folder(["in": "{\"aps\":{}}\n"])
        let make = "{ cat in; head -c 70000000 /dev/zero | tr '\\0' '\\n'; } | gzip -c > b.json"
        #expect(try folder.shell(make).status == 0)
        for command in [["run", "-q"], ["trace"], ["lint"], ["partition", "-q", "--parts", "1", "--key-column"]] {
            let output = try folder.pushpipe(arguments: command + ["b.json", "--set", "input.max-ratio=900"])
            #expect(
                output.status == 2 && output.stderr.contains("b.json: is compressed from more than 64 MiB"), "\(output)"
            )
            let read = try folder.pushpipe(arguments: command + ["b.json", "--set", "input.max-ratio=5000"])
            #expect(read.status == 0, "\(read)")
        }
        let found = try folder.pushpipe("lint", ".")
        #expect(found.status == 2 && found.stderr.contains("b.json: is compressed from more than"), "\(found)")
    }

    @Test func `a file that is compressed twice is one record that is no text`() throws {
        let folder = try Folder(["in": apns("a")])
        #expect(try folder.shell("gzip -c in | gzip -c > x.json").status == 0)
        let output = try folder.pushpipe("run", "-q", "x.json")
        #expect(try output.json().map { $0["error"]?["rule"]?.string } == ["record.not-text"])
        let lint = try folder.pushpipe("lint", "--format", "ndjson", "x.json")
        #expect(lint.status == 1 && lint.lines.count == 1 && lint.text.contains("record.not-text"), "\(lint)")
    }

    @Test func `a pipe without a valid record is left after 64 MiB`() throws {
        let lines = "yes \"$(head -c 100000 /dev/zero | tr '\\0' 'y')\" | pushpipe"
        for (command, lint) in [("run --format none", false), ("lint --format ndjson", true)] {
            let output = try Folder().shell("\(lines) \(command)")
            #expect(output.status == 2, "\(command) \(output.status) \(output.stderr)")
            #expect(output.stderr.contains("no valid record in 6\(lint ? "" : "4")"), "\(output.stderr)")
        }
    }

    @Test func `without a program that converts it, a compressed file is one malformed record`() throws {
        let folder = try Folder(["in": apns("a")])
        #expect(try folder.shell("gzip -c in > x.gz").status == 0)
        let output = try folder.pushpipe("run", "-q", "x.gz", environment: ["PATH": "/none"])
        #expect(try output.json().first?["error"]?["rule"]?.string == "record.not-text")
    }

    @Test func `an array of payloads is read as its elements`() throws {
        let text = "[\n  {\"aps\":{\"alert\":\"a\"}},\n  {\"aps\":{\"alert\":\"b\",}},\n  {\"aps\":{\"badge\":1}}\n]\n"
        let folder = try Folder(["in.json": text])
        let output = try folder.pushpipe("run", "-q", "in.json")
        #expect(try output.outcomes() == ["delivered", "malformed", "silent"])
        #expect(try output.json()[1]["source"]?["line"] == .number(3))
        let lint = try folder.pushpipe("lint", "--format", "ndjson", "in.json")
        #expect(lint.status == 1 && lint.lines.count == 1 && lint.text.contains("json.trailing-comma"), "\(lint)")
    }

    @Test func `the place of an error is also that in the input`() throws {
        let folder = try Folder([
            "in": "{\n \"aps\": {\n  \"alert\": \"a\"\n }\n}\n\n\n{\n \"aps\": {\n  \"badge\": 1,\n }\n}\n"
        ])
        let error = try #require(folder.pushpipe("run", "-q", "in").json().last?["error"])
        // The bracket after the comma: line 4 of its record, line 11 of the file.
        #expect(error["line"] == .number(4) && error["column"] == .number(2), "\(error)")
        #expect(error["at"]?["line"] == .number(11) && error["at"]?["column"] == .number(2), "\(error)")
    }

    @Test func `the summary goes to standard error, and --quiet suppresses it`() throws {
        let folder = try Folder()
        let input = Self.good + Self.good + Self.refused + Self.broken + Self.good
        let output = try folder.pushpipe("run", stdin: input)
        #expect(output.lines.count == 5)
        let summary = output.stderr.split(separator: "\n")
        #expect(summary.first?.hasPrefix("5 records, 4 messages, ") == true, "\(output.stderr)")
        #expect(
            summary.dropFirst() == [
                "  delivered 3", "  rejected 1: 400 BadDeviceToken 1", "  malformed 1: json.syntax 1",
            ])
        for option in ["-q", "--quiet"] {
            let quiet = try folder.pushpipe("run", option, stdin: input)
            #expect(quiet.stderr.isEmpty)
            #expect(quiet.stdout == output.stdout)
        }
    }

    @Test func `report.stats prints timings of every stage on standard error and changes nothing else`() throws {
        let folder = try Folder()
        let input = Self.good + Self.good + Self.refused + Self.broken + Self.good
        let plain = try folder.pushpipe("run", "-q", stdin: input)
        for jobs in ["1", "3"] {
            let output = try folder.pushpipe("run", "-q", "--set", "report.stats", "--jobs", jobs, stdin: input)
            #expect(output.stdout == plain.stdout)
            let rows = output.stderr.split(separator: "\n").map { $0.split(separator: " ") }
            #expect(
                rows.map { $0.first ?? "" } == [
                    "stage", "read", "frame", "decode", "check", "wait", "deliver", "report", "write", "delivery",
                    "all",
                ])
            #expect(output.stderr.contains("delivery in \(jobs) \(jobs == "1" ? "lane" : "lanes"), 1 chunk\n"))
            // Name, seconds, share with its sign, records, nanoseconds for each.
            for row in rows.dropFirst().dropLast(2) { #expect(row.count == 6 && row[4] == "5", "\(row)") }
            #expect(rows.last?.last == "5")
        }
        let empty = try folder.pushpipe("run", "-q", "--set", "report.stats", stdin: "")
        #expect(empty.status == 0)
        #expect(empty.stderr.split(separator: "\n").count == 10)
    }

    @Test func `a pipe gets NDJSON, text and screens without colors`() throws {
        let folder = try Folder()
        let input = Self.good + Self.refused + Self.broken + Self.good
        for environment in [[:], ["NO_COLOR": "1"], ["TERM": "xterm-256color"]] {
            let ndjson = try folder.pushpipe("run", "-q", stdin: input, environment: environment)
            #expect(try ndjson.json().count == 4)
            let text = try folder.pushpipe(
                "run", "--format", "text", "--screen", stdin: input, environment: environment)
            #expect(text.text.contains("BadDeviceToken"))
            #expect(text.text.contains("2 on screen"))
            for output in [ndjson, text] {
                #expect(!output.stdout.contains(0x1B))
                #expect(!output.stderr.contains("\u{1B}"))
            }
        }
        let none = try folder.pushpipe("run", "-q", "--format", "none", stdin: input)
        #expect(none.stdout.isEmpty)
        #expect(none.status == 0)
    }

    #if os(Linux)
        /// `script` of util-linux runs a command on its own terminal.
        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "needs script"))
        func `a terminal gets aligned text in color unless NO_COLOR is set`() throws {
            let folder = try Folder()
            try folder.write(Self.good + Self.refused, to: "in.ndjson")
            for (setting, hasColors) in [("TERM=xterm", true), ("TERM=xterm NO_COLOR=1", false), ("TERM=dumb", false)] {
                let output = try folder.shell("env \(setting) script -qec 'pushpipe run -q in.ndjson' /dev/null")
                #expect(output.text.contains("delivered"))
                #expect(!output.text.contains("{\"seq\""))
                #expect(output.text.contains("\u{1B}[") == hasColors, "\(setting)")
            }
        }

        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "needs script"))
        func `at a terminal, commands say what they wait for`() throws {
            let folder = try Folder()
            let others = ["schema infer", "store import s.db"]
            let commands = ["run", "lint", "trace"] + others
            let input = "printf '%s\\n' '\(#"{"aps":{"alert":"x"}}"#)'"
            // All at the same time: script waits for a while before it ends the input.
            let lines = commands.enumerated().map { number, command in
                "\(input) | script -qec 'pushpipe \(command)' /dev/null > \(number).loud &\n"
                    + "\(input) | script -qec 'pushpipe \(command) -q' /dev/null > \(number).quiet &\n"
                    + "\(input) | pushpipe \(command) > \(number).piped 2>&1 &"
            }
            _ = try folder.shell(lines.joined(separator: "\n") + "\nwait")
            let waiting = "from the terminal; Ctrl-D ends them"
            for (number, command) in commands.enumerated() {
                #expect(try folder.read("\(number).loud").contains(waiting), "\(command)")
                #expect(try !folder.read("\(number).piped").contains(waiting), "\(command)")
                // Quiet anyway: it has no summary.
                if command != "trace" { #expect(try !folder.read("\(number).quiet").contains(waiting), "\(command)") }
            }
        }

        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "needs script"))
        func `at a terminal, errors and usage are wrapped between words`() throws {
            let folder = try Folder()
            for command in ["frobnicate", "run --frobnicate", "run nosuch.ndjson --set fit.order=everything"] {
                let output = try folder.shell("script -qec 'stty cols 50; pushpipe \(command)' /dev/null </dev/null")
                let lines = output.text.split(separator: "\r\n")
                #expect(lines.count > 1 && lines.allSatisfy { $0.count <= 50 }, "\(output.text)")
            }
            let piped = try folder.shell("pushpipe frobnicate 2>&1")
            #expect(piped.text.split(separator: "\n").count == 1)
        }
    #endif

    @Test func `a language that is not installed changes nothing`() throws {
        let folder = try Folder()
        let plain = try folder.pushpipe(
            "run", "--clock", "0", Place.samples.appendingPathComponent("quickstart.ndjson").path)
        let other = try folder.pushpipe(
            "run", "--clock", "0", Place.samples.appendingPathComponent("quickstart.ndjson").path,
            environment: ["LC_ALL": "xx_XX.UTF-8"])
        #expect(other.stdout == plain.stdout)
        #expect(other.status == plain.status)
        #expect(!other.stderr.contains("xx_XX"))
    }

    @Test func `a dash stands for standard input, among files`() throws {
        let folder = try Folder()
        try folder.write(apns("a", collapse: "a"), to: "a.ndjson")
        try folder.write(apns("c", collapse: "c"), to: "c.ndjson")
        let output = try folder.pushpipe("run", "-q", "a.ndjson", "-", "c.ndjson", stdin: apns("b", collapse: "b"))
        #expect(try output.values("identifier") == [.string("a"), .string("b"), .string("c")])
        #expect(try output.values("seq") == [.number(1), .number(2), .number(3)])
        let only = try folder.pushpipe("run", "-q", "-", stdin: apns("b", collapse: "b"))
        #expect(try only.values("identifier") == [.string("b")])
    }

    @Test func `each file has a framing of its own`() throws {
        let folder = try Folder()
        let pretty = "{\n  \"aps\": {\n    \"alert\": \"x\"\n  }\n}\n"
        try folder.write(apns("a") + apns("b"), to: "lines.ndjson")
        try folder.write(pretty, to: "pretty.apns")
        try folder.write("\u{1E}" + pretty + "\u{1E}" + apns("c"), to: "sequence.json")
        try folder.write("\u{FEFF}" + apns("d").replacing("\n", with: "\r\n"), to: "windows.ndjson")
        try folder.write(#"{"aps":{"alert":"x"}}{"aps":{"alert":"y"}}"#, to: "values.json")
        try folder.write("{\"aps\":{\"alert\":\"x\"\n" + apns("e"), to: "cut.ndjson")
        let names = [
            "lines.ndjson", "pretty.apns", "sequence.json", "windows.ndjson", "values.json", "cut.ndjson",
            "pretty.apns",
        ]
        let output = try folder.pushpipe(arguments: ["run", "-q"] + names)
        let delivered = Array(repeating: "delivered", count: 8)
        #expect(try output.outcomes() == delivered + ["malformed", "delivered", "delivered"])
        #expect(try output.values("seq") == (1...11).map { .number(Double($0)) })
    }

    @Test func `an empty input succeeds`() throws {
        let folder = try Folder()
        try folder.write("", to: "empty")
        for output in [
            try folder.pushpipe("run"), try folder.pushpipe("run", "empty"), try folder.pushpipe("run", stdin: "\n\n"),
        ] {
            #expect(output.status == 0)
            #expect(output.stdout.isEmpty)
            #expect(output.stderr.hasPrefix("0 records, 0 messages"))
        }
        let trace = try folder.pushpipe("trace", "empty")
        #expect(trace.status == 0 && trace.stderr == "pushpipe: no record in empty\n")
    }

    @Test(arguments: ["run", "trace"])
    func `with --fail-on, an empty input fails`(command: String) throws {
        let output = try Folder().pushpipe(command, "--fail-on", "error", stdin: "\n\n")
        #expect(output.status == 2)
        let note = "pushpipe: nothing to run: no record in standard input (--set input.allow-empty accepts this)\n"
        #expect(output.stderr.hasSuffix(note), "\(output.stderr)")
        #expect(
            try Folder().pushpipe(command, "--fail-on", "error", "--set", "input.allow-empty", stdin: "").status == 0)
        #expect(try Folder().pushpipe(command, "--fail-on", "error", stdin: Self.good).status == 0)
    }
}
