import Foundation
import TestSupport
import Testing

/// `pushpipe lint` and `explain`: arguments, streams and exit statuses. What they find and write is tested in the library.
struct LintCommandTests {
    /// An error that can be fixed, at byte 21.
    static let misspelled = #"{"aps":{"alert":"Hi","mutable_content":1}}"#
    static let good = #"{"aps":{"alert":"Hi"}}"#
    /// A warning.
    static let silent = #"{"aps":{"thread-id":"t"}}"#
    /// An info.
    static let category = #"{"aps":{"badge":2,"category":"COUNT"}}"#

    // MARK: - Arguments

    @Test func `what is found can be ignored from now on`() throws {
        let folder = try Folder()
        try folder.write(Self.misspelled, to: "a.json")
        let output = try folder.pushpipe("lint", "--add-ignores", ".")
        #expect(output.status == 0)
        #expect(output.text == "a.json: aps.misspelled-key\n")
        #expect(output.stderr == "pushpipe: .pushpipe.yml ignores these rules in this file now\n")
        #expect(try folder.pushpipe("lint", "--fail-on", "warning", ".").status == 0)
    }

    @Test func `run --rules and trace apply the configuration of each input`() throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.path("b"), withIntermediateDirectories: false)
        try folder.write("lint:\n  rules: {aps.misspelled-key: warning}\n", to: ".pushpipe.yml")
        try folder.write("lint:\n  ignore: aps\n", to: "b/.pushpipe.yml")
        for name in ["a.json", "b/a.json"] { try folder.write(Self.misspelled, to: name) }
        let output = try folder.pushpipe(
            "run", "-q", "--rules", "b/a.json", "a.json", "b/a.json", "-", stdin: Self.misspelled)
        let severities = output.lines.map { line in
            line.contains("aps.misspelled-key") ? line.contains(#""severity":"warning""#) ? "warning" : "error" : "none"
        }
        #expect(severities == ["none", "warning", "none", "warning"], "\(output.text) \(output.stderr)")
        #expect(try !folder.pushpipe("trace", "b/a.json").text.contains("misspelled"))
        #expect(try folder.pushpipe("trace", "a.json").text.contains("misspelled"))
        try folder.write("lint:\n  ignore: app\n", to: "b/.pushpipe.yml")
        let wrong = try folder.pushpipe("run", "-q", "--rules", "b/a.json")
        #expect(wrong.status == 2)
        #expect(wrong.stderr.contains("b/.pushpipe.yml:2:11: there is no rule 'app'"))
    }

    @Test func `without a configuration, config says so`() throws {
        let output = try Folder().pushpipe("config", "show")
        #expect(output.text == "working directory: the defaults apply; there is no .pushpipe.yml here or above\n")
    }

    @Test(arguments: ["--select", "--ignore", "--extend"])
    func `an unknown rule is named, and not the option under another name`(option: String) throws {
        let output = try Folder().pushpipe("lint", option, "aps.mispelled-key", stdin: Self.good)
        #expect(output.status == 2)
        let message =
            "pushpipe: there is no rule 'aps.mispelled-key'; did you mean aps.misspelled-key? (pushpipe explain --rules lists them)"
        #expect(output.stderr.hasPrefix(message), "\(output.stderr)")
    }

    @Test func `config shows what applies, and describes a configuration`() throws {
        let folder = try Folder()
        try folder.write("lint:\n  ignore: gcm\n", to: ".pushpipe.yml")
        let missing = try folder.pushpipe("config", "show", "a.json")
        #expect(missing.status == 2)
        #expect(missing.stderr == "pushpipe: a.json: No such file or directory\n")
        try folder.write(Self.good, to: "a.json")
        #expect(try folder.pushpipe("config", "show", "a.json").text == "a.json\n  .pushpipe.yml:2  ignore: gcm\n")
        #expect(try folder.pushpipe("config", "show").text.hasPrefix("working directory\n"))
        #expect(try folder.pushpipe("config", "show", "--config", "missing", "a.json").status == 2)
        let schema = try folder.pushpipe("config", "schema")
        try folder.write(schema.text, to: "pushpipe.schema.json")
        #expect(schema.text.contains("https://json-schema.org/draft/2020-12/schema"))
    }

    @Test func `rules are selected by lists, and files by globs`() throws {
        let folder = try Folder()
        try folder.write("a.json\n", to: ".ignore")
        for name in ["a.json", ".b.json", "c.push"] { try folder.write(Self.misspelled, to: name) }
        func files(_ options: String...) throws -> [String] {
            let output = try folder.pushpipe(arguments: ["lint", "--format", "ndjson", "."] + options)
            return try output.values("file").compactMap { if case .string(let name) = $0 { name } else { nil } }
        }
        #expect(try files() == [])
        #expect(try files("--set", "input.hidden") == [".b.json"])
        #expect(try files("--set", "input.ignore-files=false") == ["a.json"])
        #expect(try files("--set", "input.hidden", "--set", "input.ignore-files=false") == [".b.json", "a.json"])
        #expect(try files("-g", "*.push", "--select", "gcm,aps.misspelled-key") == ["c.push"])
        #expect(try files("-g", "*.push", "--select", "ALL", "--ignore", "gcm,aps") == [])
        #expect(try files("-g*.push", "--ignore", "aps", "--extend", "aps.misspelled-key") == ["c.push"])
    }

    @Test(arguments: [
        ["--ignore", "aps.mispelled-key"], ["--extend", "misspelled-key"], ["--severity", "fatal"],
        ["--config", "missing.yml"], ["--format", "xml"], ["--config", ""],
        ["--ignore", ""], ["--ignore", "aps.misspelled-key."],
        ["--select", "aps,"], ["--ignore", "aps,gmc"], ["--glob", ""], ["--glob", "[a"], ["--add-ignores", "--fix"],
        ["--add-ignores", "--config", "/dev/null", "in.json"], ["--add-ignores", "-"], ["--add-ignores", "--watch"],
        ["--add-ignores", "--select", "aps"], ["--add-ignores", "--extend", "aps"],
        ["--stdin-filename", "b.json"], ["--stdin-filename", "", "-"], ["--output-file", ""],
        ["--output-file", "missing/report"], ["--output-file", "a.json"], ["--show", "files", "--fix"],
        ["--show", "sizes", "--format", "sarif"], ["--watch", "--output-file", "report"],
    ])
    func `invalid options are status 2`(options: [String]) throws {
        let folder = try Folder()
        try folder.write(Self.misspelled, to: "a.json")
        let output = try folder.pushpipe(arguments: ["lint", "a.json"] + options)
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(!output.stderr.isEmpty)
    }

    @Test(arguments: [["--fix"], ["--fix", "-", "in.json"], ["--dry-run", "in.json"]])
    func `--fix reports what it needs`(options: [String]) throws {
        let folder = try Folder()
        try folder.write(Self.misspelled, to: "in.json")
        let output = try folder.pushpipe(arguments: ["lint"] + options)
        #expect(output.status == 2)
        #expect(try folder.read("in.json") == Self.misspelled)
    }

    @Test func `nothing to check is status 2 unless that is accepted`() throws {
        let folder = try Folder()
        for name in ["payloads", "left-out"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
        }
        try folder.write("broken", to: "payloads/notes.txt")
        try folder.write("lint:\n  exclude: [left-out]\n", to: ".pushpipe.yml")
        try folder.write(Self.good, to: "left-out/a.json")
        try folder.write(" \n", to: "empty.json")
        for (path, reason) in [
            ("payloads", "no file that is not ignored ends in one of .json"),
            ("left-out", "the configuration excludes the file"),
            ("left-out/a.json", "the configuration excludes the file"), ("empty.json", "no record in empty.json"),
        ] {
            for more in [[], ["--show", "budgets"], ["--fix"]] {
                let output = try folder.pushpipe(arguments: ["lint", path] + more)
                #expect(output.status == 2, "\(path) \(more)")
                #expect(output.stderr.contains("nothing to check: \(reason)"), "\(output.stderr)")
                #expect(
                    try folder.pushpipe(arguments: ["lint", "--set", "input.allow-empty", path] + more).status == 0)
            }
        }
        try folder.write(Self.good, to: "a.json")
        let others = try folder.pushpipe("lint", "payloads", "a.json")
        #expect(others.status == 2 && others.stderr.contains("payloads: no file to check in it"))
        // A step that wrote nothing, beside others.
        for more in [[], ["--show", "budgets"], ["--fix"]] {
            let empty = try folder.pushpipe(arguments: ["lint", "a.json", "empty.json"] + more)
            #expect(
                empty.status == 2 && empty.stderr.contains("pushpipe: empty.json: no record in it"), "\(empty.stderr)")
            let accepts = ["lint", "--set", "input.allow-empty", "a.json", "empty.json"]
            #expect(try folder.pushpipe(arguments: accepts + more).status == 0)
        }
        let sarif = try folder.pushpipe("lint", "-q", "--format", "sarif", "payloads").text
        #expect(sarif.contains(#""executionSuccessful" : false"#))
        let notes = try folder.pushpipe("lint", "payloads/notes.txt")
        #expect(notes.status == 2 && notes.stderr.contains("no JSON, but other text, in payloads/notes.txt"))
        #expect(try folder.pushpipe("lint", "--set", "input.allow-empty", "payloads/notes.txt").status == 1)
        #expect(try folder.pushpipe("lint", stdin: "").stderr.contains("no record in standard input"))
    }

    @Test func `a part that a schema describes and no payload has is told`() throws {
        let folder = try Folder()
        try folder.write("{}", to: "order.json")
        try folder.write(#"{"message":{"token":"t","data":{"order":"{}"}}}"#, to: "a.json")
        func lint(_ pointer: String) throws -> (Int32, Bool) {
            try folder.write("lint: {schemas: [{file: order.json, pointer: \(pointer)}]}", to: ".pushpipe.yml")
            let output = try folder.pushpipe("lint", "a.json")
            let line = "pushpipe: warning: no payload has \(pointer), which \(folder.path("order.json")) describes\n"
            return (output.status, output.stderr.contains(line))
        }
        #expect(try lint("/message/data/order") == (0, true))
        #expect(try lint("/order") == (0, false))
    }

    @Test func `files of a commit that are not payloads are skipped`() throws {
        let folder = try Folder()
        try folder.write("# Payloads\n", to: "README.md")
        try folder.write("<svg></svg>\n", to: "icon.svg")
        try folder.write(#"{"name":"shop","version":"1.0.0","dependencies":{}}"#, to: "package.json")
        try folder.write(Self.misspelled, to: "a.json")
        let files = ["README.md", "icon.svg", "package.json"]
        let entry = ["lint", "--quiet", "--set", "input.allow-empty", "--set", "input.skip-others"]
        #expect(try folder.pushpipe(arguments: entry + files).status == 0)
        let output = try folder.pushpipe(arguments: entry + ["--format", "concise"] + files + ["a.json"])
        #expect(output.status == 1 && output.lines.allSatisfy { $0.hasPrefix("a.json:") }, "\(output)")
        #expect(try folder.pushpipe(arguments: ["lint"] + files).status != 0)
    }

    @Test func `a log is recognized`() throws {
        let folder = try Folder()
        try folder.write(
            "Started POST\nI, [2026-11-28T20:00:00 #42] INFO -- : {\"aps\":{\"alert\":\"a\",\"badge\":\"2\"}}\nCompleted\n",
            to: "app.log")
        try folder.write(#"{"level":"info","push":"{\"aps\":{\"badge\":\"2\"}}"}"# + "\n", to: "sender.log")
        for (file, place, settings) in [
            ("app.log", "2:68", "--set input.skip-prefix"), ("sender.log", "1:45", "--set input.at=/push"),
        ] {
            let output = try folder.pushpipe("lint", "--format", "concise", file)
            #expect(output.status == 1)
            #expect(
                output.lines.count == 1 && output.text.hasPrefix("\(file):\(place): error: badge"), "\(output.text)")
            #expect(output.stderr.contains("\(file): looks like a log"), "\(output.stderr)")
            #expect(output.stderr.contains("is read, as with \(settings)\n"), "\(output.stderr)")
            #expect(try folder.shell("cat \(file) | pushpipe lint -q --format concise").text.contains(":\(place): "))
        }
        #expect(try folder.pushpipe("lint", "--show", "sizes", "app.log").text.contains("of 4096  app.log:2"))
        let stated = [
            "lint", "--format", "concise", "--set", "input.at=/push", "--set", "input.skip-prefix", "sender.log",
        ]
        #expect(try folder.pushpipe(arguments: stated).text.hasPrefix("sender.log:1:45: "))
    }

    @Test func `lines of a recognized log may have payloads in other places, or none`() throws {
        let folder = try Folder()
        let (apple, google) = (#"{\"aps\":{\"badge\":\"2\"}}"#, #"{\"message\":{\"token\":\"t\",\"data\":{\"a\":1}}}"#)
        try folder.write(
            """
            {"level":"info","apns":"\(apple)"}
            {"level":"info","fcm":"\(google)"}
            {"level":"info","msg":"{\\"message\\":1}"}
            {"level":"info","msg":"sms","to":"+4912345","data":{"x":1}}
            {"level":"info","place":"Berlin","event":"open"}
            {"level":"info","sent":"late {\\"aps\\":{\\"badge\\":\\"2\\"}}"}
            {"aps":{"badge":"3"}}

            """, to: "json.log")
        try folder.write(
            """
            10:00:00 INFO sent {"aps":{"badge":"2"}}
            10:00:01 INFO Parameters: {"order":{"id":1}}
            10:00:02 INFO push {"level":"info","fcm":"\(google)"}
            10:00:03 INFO sent {"aps":{"badge"}}
            10:00:04 INFO sent {"asp":{},"title":"x"}

            """, to: "text.log")
        let json = try folder.pushpipe("lint", "--format", "concise", "json.log")
        #expect(
            json.lines.map { $0.prefix { $0 != "[" }.split(separator: ":")[1] } == ["1", "2", "6", "7"], "\(json.text)")
        #expect(json.stderr.contains("; 3 lines without a payload"))
        let text = try folder.pushpipe("lint", "--format", "concise", "text.log")
        #expect(text.lines.map { $0.split(separator: ":")[1] } == ["1", "3", "4", "5"], "\(text.text)")
        #expect(text.stderr.contains("; 1 line without a payload"))
        let run = try folder.pushpipe("run", "--format", "none", "json.log", "text.log").stderr
        #expect(run.contains("\n  without a payload 4\n"), "\(run)")
        // A place that is stated is the only one.
        let stated = try folder.pushpipe("lint", "--format", "concise", "--set", "input.at=/apns", "json.log")
        #expect(stated.lines.count == 1)
    }

    @Test func `an event has nothing to measure`() throws {
        let records = #"{"event":"device","device":"ab12"}"# + "\n" + #"{"aps":{"alert":"x"}}"# + "\n"
        let output = try Folder().pushpipe("lint", "--show", "sizes", stdin: records)
        #expect(output.status == 0 && output.stderr.isEmpty, "\(output.stderr)")
    }

    @Test func `run and lint recognize the same logs`() throws {
        for line in [
            #"{"event":"sent","push":"{\"aps\":{\"alert\":\"x\"}}"}"#,
            #"{"device":"d","level":"info","push":"{\"aps\":{\"alert\":\"x\"}}"}"#,
        ] {
            let log = line + "\n"
            #expect(try Folder().pushpipe("lint", stdin: log).stderr.contains("looks like a log"))
            #expect(try Folder().pushpipe("run", "-q", stdin: log).text.contains(#""outcome":"delivered""#))
        }
    }

    @Test func `a record that cannot be measured is an error`() throws {
        let output = try Folder().pushpipe("lint", "--show", "sizes", stdin: "{\"aps\":{}}\n{\n")
        #expect(output.status == 1 && output.stderr.contains("<stdin>:2: no message to measure"))
    }

    @Test func `success says how much was checked`() throws {
        let folder = try Folder()
        try folder.write(Self.good, to: "a.json")
        try folder.write(Self.good, to: "b.json")
        #expect(try folder.pushpipe("lint", ".").stderr == "2 files checked, no findings\n")
    }

    @Test func `a budget report cannot be combined with --fix or another format`() throws {
        #expect(try Folder().pushpipe("lint", "--show", "budgets", "--format", "sarif", stdin: "{}").status == 2)
        #expect(try Folder().pushpipe("lint", "--show", "budgets", "--fix", "-", stdin: "{}").status == 2)
    }

    @Test func `an unknown rule is status 2 with a suggestion`() throws {
        let output = try Folder().pushpipe("explain", "aps.mispelled-key")
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.contains("did you mean aps.misspelled-key?"), "\(output.stderr)")
    }

    @Test func `named rules and groups are listed`() throws {
        let output = try Folder().pushpipe("explain", "--rules", "gcm", "json.syntax")
        #expect(output.status == 0)
        #expect(output.lines.count > 2)
        #expect(output.lines.allSatisfy { $0.hasPrefix("gcm.") || $0.hasPrefix("json.syntax ") })
        #expect(try Folder().pushpipe("explain", "--rules", "gmc").stderr.contains("did you mean gcm?"))
    }

    @Test func `a group of rules is explained by its rules`() throws {
        let folder = try Folder()
        // A name of a format is also a word; a group that is no other word has its rules alone.
        for format in ["text", "ndjson"] {
            let rules = try folder.pushpipe("explain", "--rules", "gcm", "--format", format).text
            #expect(try folder.pushpipe("explain", "gcm", "--format", format).text.hasSuffix(rules))
            let json = try folder.pushpipe("explain", "--rules", "json", "--format", format).text
            #expect(try folder.pushpipe("explain", "json", "--format", format).text == json)
        }
        for wrong in [["gcm", "fcm"], ["--format", "markdown"]] {
            #expect(try folder.pushpipe(arguments: ["explain"] + wrong).status == 2, "\(wrong)")
        }
    }

    // MARK: - Files

    @Test func `files that would be linted are listed`() throws {
        let folder = try Folder()
        try folder.write(Self.misspelled, to: "b.json")
        try folder.write(Self.good, to: "a c.ndjson")
        try folder.write(#"{"name":"x","version":"1"}"#, to: "package.json")
        try folder.write("notes", to: "notes.txt")
        let output = try folder.pushpipe("lint", "--show", "files")
        #expect(output.status == 0)
        #expect(output.text == "a c.ndjson\nb.json\n", "\(output.text)")
        #expect(try folder.pushpipe("lint", "--show", "files", "notes.txt").text == "notes.txt\n")
        #expect(try folder.pushpipe("lint", "--show", "files", "missing.json").status == 2)
    }

    @Test func `standard input is linted as the file that it stands for`() throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.path("b"), withIntermediateDirectories: false)
        try folder.write("lint:\n  rules: {aps.misspelled-key: warning}\n  exclude: [c.json]\n", to: "b/.pushpipe.yml")
        for name in ["b/a.json", "b/c.json"] {
            let output = try folder.pushpipe("lint", "--stdin-filename", name, stdin: Self.misspelled)
            #expect(output.status == 0)
            #expect(output.lines.first?.hasPrefix("\(name):1:22: warning: ") == true, "\(output.text)")
            let fixed = try folder.pushpipe("lint", "--fix", "--stdin-filename", name, "-", stdin: Self.misspelled)
            #expect(fixed.text == #"{"aps":{"alert":"Hi","mutable-content":1}}"#)
        }
        try folder.write("lint:\n  per-file:\n    \"b/d.json\": {ignore: aps}\n", to: ".pushpipe.yml")
        let ignored = try folder.pushpipe(
            "lint", "--config", ".pushpipe.yml", "--stdin-filename", "b/d.json", stdin: Self.misspelled)
        #expect(ignored.text.isEmpty, "\(ignored.text)\(ignored.stderr)")
    }

    @Test func `the report goes to a file, which is not linted`() throws {
        let folder = try Folder()
        try folder.write(Self.misspelled, to: "a.json")
        try folder.write(String(repeating: "old ", count: 1000), to: "report.json")
        let output = try folder.pushpipe("lint", "--format", "gitlab", "--output-file", "report.json", ".")
        #expect(output.status == 1)
        #expect(output.text.isEmpty)
        #expect(output.stderr.hasPrefix("1 error in 1 file"), "\(output.stderr)")
        let report = try folder.read("report.json")
        #expect(report.hasPrefix("[\n  {\"description\":\"unknown key") && report.hasSuffix("}\n]\n"), "\(report)")
        let refused = try folder.pushpipe("lint", "-o", "a.json", "a.json")
        #expect(refused.stderr == "pushpipe: --output-file: a.json is also an input; name another file\n")
        #expect(try folder.read("a.json") == Self.misspelled)
    }

    // MARK: - Streams

    @Test func `findings go to standard output, and their counts to standard error`() throws {
        let folder = try Folder()
        try folder.write(Self.good + "\n" + Self.misspelled + "\n", to: "in.ndjson")
        let output = try folder.pushpipe("lint", "in.ndjson")
        #expect(output.status == 1)
        #expect(output.lines.first?.hasPrefix("in.ndjson:2:22: error: ") == true)
        #expect(output.stderr == "1 error in 1 file; 1 fixable with --fix; pushpipe explain RULE says more\n")
        #expect(try folder.pushpipe("lint", "-q", "in.ndjson").stderr.isEmpty)
    }

    @Test func `fixed standard input goes to standard output, and findings to standard error`() throws {
        let output = try Folder().pushpipe("lint", "--fix", "-", stdin: "\(Self.misspelled)\n\(Self.silent)\n")
        #expect(output.status == 0)
        #expect(output.text == #"{"aps":{"alert":"Hi","mutable-content":1}}"# + "\n\(Self.silent)\n")
        #expect(output.stderr.contains("<stdin>:2:"))
    }

    @Test func `a dry run prints a difference that can be applied`() throws {
        let folder = try Folder()
        let line = #"{"aps":{"alert":"Fine"}}"#
        let lines = Array(repeating: line, count: 20)
        let wrong = Self.misspelled
        let texts = [
            "one.json": wrong,
            "crlf.ndjson": [wrong, line, wrong].joined(separator: "\r\n") + "\r\n",
            "far apart.ndjson": ([wrong] + lines + [wrong] + lines + [wrong]).joined(separator: "\n") + "\n",
            "pretty.json": "{\n  \"aps\": {\n    \"alert\": \"Hi\",\n    \"mutable_content\": 1\n  }\n}",
        ]
        for (name, text) in texts { try folder.write(text, to: name) }
        let output = try folder.pushpipe("lint", "--fix", "--dry-run", ".")
        #expect(output.status == 0)
        for (name, text) in texts { #expect(try folder.read(name) == text) }
        try folder.write(Array(output.stdout), to: "diff")
        #expect(try folder.shell("patch --binary -p0 < diff").status == 0)
        for (name, text) in texts {
            let fixed = text.replacing("mutable_content", with: "mutable-content")
            #expect(try folder.read(name) == fixed, "\(name)")
        }
    }

    @Test func `a closed pipe is not a failure`() throws {
        let line = "yes '\(Self.misspelled)' | head -20000 | pushpipe lint -q | head -1 >&2; echo ${PIPESTATUS[2]}"
        #expect(try Folder().shell(line).text == "0\n")
    }

    // MARK: - Exit status

    @Test(arguments: [
        (good, [], 0), (silent, [], 0), (silent, ["--fail-on", "warning"], 1), (misspelled, [], 1),
        (category, ["--fail-on", "warning"], 0),
        (misspelled, ["--ignore", "aps.misspelled-key"], 0),
        (silent, ["--severity", "error", "--fail-on", "warning"], 0),
        (misspelled, ["--show", "budgets", "--budget", "8"], 1), (misspelled, ["--show", "sizes", "--budget", "8"], 1),
        (misspelled, ["--fail-on", "none"], 0),
        (misspelled, ["--fail-on", "none", "--show", "sizes", "--budget", "8"], 0),
    ])
    func `errors are status 1, and so are warnings with --fail-on warning`(
        text: String, options: [String], status: Int
    ) throws {
        let folder = try Folder()
        try folder.write(text, to: "in.json")
        #expect(try folder.pushpipe(arguments: ["lint", "in.json"] + options).status == Int32(status))
    }

    @Test func `a missing file is status 2, and the others are linted`() throws {
        let folder = try Folder()
        try folder.write(Self.misspelled, to: "in.json")
        let output = try folder.pushpipe("lint", "--format", "ndjson", "missing.json", "in.json")
        #expect(output.status == 2)
        #expect(try folder.pushpipe("lint", "--fail-on", "none", "missing.json", "in.json").status == 2)
        #expect(output.stderr.hasPrefix("pushpipe: missing.json: No such file or directory\n"))
        #expect(try output.values("rule") == [.string("aps.misspelled-key")])
    }

    #if os(Linux)
        @Test func `a name that is not UTF-8 is reported with what to do`() throws {
            let folder = try Folder()
            let line =
                "printf '%s' '\(Self.misspelled)' > $'caf\\xe9.json'; pushpipe lint $'caf\\xe9.json'; echo $?; pushpipe lint ."
            let output = try folder.shell("\(line); echo $?; pushpipe lint < $'caf\\xe9.json'; echo $?")
            #expect(output.lines.filter { $0.count == 1 } == ["2", "2", "1"], "\(output.text)")
            let advice = "No such file or directory; a file whose name is not UTF-8 can only be read as standard input"
            #expect(output.stderr.components(separatedBy: advice).count == 3, "\(output.stderr)")
        }
    #endif

    // MARK: - Whole stories

    @Test func `standard input uses the working directory's configuration`() throws {
        let folder = try Folder()
        try folder.write("lint:\n  rules: {aps.misspelled-key: off}\n", to: ".pushpipe.yml")
        #expect(try folder.pushpipe("lint", stdin: Self.misspelled).status == 0)
    }

    @Test func `a mistake in a configuration is status 2, and is reported by line`() throws {
        let folder = try Folder()
        try folder.write("lint:\n  severty: info\n", to: ".pushpipe.yml")
        let output = try folder.pushpipe("lint", stdin: Self.misspelled)
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.hasPrefix("pushpipe: .pushpipe.yml:2:3: "), "\(output.stderr)")
    }

    @Test(arguments: [("20", "this is your own budget"), ("apns", "APNs answers 413 PayloadTooLarge")])
    func `a number of bytes is no limit of a service`(budget: String, consequence: String) throws {
        let text = #"{"aps":{"alert":""# + String(repeating: "a", count: 5000) + #""}}"#
        let output = try Folder().pushpipe("lint", "--budget", budget, stdin: text)
        #expect(output.status == 1 && output.text.contains(consequence), "\(output)")
    }

    @Test func `nothing is written through a link that a checkout brings`() throws {
        let folder = try Folder(["in.json": Self.misspelled, "profile": "# mine\n"])
        #expect(
            try folder.shell("mkdir project && cp in.json project && ln -s ../profile project/.pushpipe.yml").status
                == 0)
        let lint = try folder.shell("cd project && pushpipe lint --add-ignores .")
        #expect(lint.status == 2 && lint.stderr.contains(".pushpipe.yml: is a link"), "\(lint)")
        #expect(try folder.shell("cat profile").text == "# mine\n")
        for target in ["../profile", "../new"] {
            let divide =
                "rm -rf out && mkdir out && ln -s \(target) out/part-00000.ndjson"
                + " && pushpipe partition -q --force --parts 1 --output out in.json"
            let parts = try folder.shell(divide)
            #expect(parts.status == 2 && parts.stderr.contains("part-00000.ndjson is a link to a file"), "\(parts)")
        }
        #expect(try folder.shell("cat profile; ls new").text == "# mine\n")
    }

    @Test func `a compressed file is linted as its text`() throws {
        let folder = try Folder(["in": Self.misspelled])
        #expect(try folder.shell("gzip -c in > in.gz").status == 0)
        let lines = try ["in", "in.gz"].map { name in
            try folder.pushpipe("lint", "--format", "ndjson", name).text.replacing("\"in.gz\"", with: "\"in\"")
        }
        #expect(lines[0] == lines[1] && lines[0].contains("aps.misspelled-key"), "\(lines)")
    }

    @Test func `run --rules adds what the linter finds to the reports, and --fail-on sees it`() throws {
        let text = Self.misspelled
        let output = try Folder().pushpipe("run", "-q", "--rules", "--fail-on", "error", stdin: text)
        #expect(output.status == 1)
        let finding = try #require(try output.json().first?["findings"]?.elements.first)
        #expect(finding["rule"] == .string("aps.misspelled-key"))
        #expect(finding["pointer"] == .string("/aps/mutable_content"))
        #expect(try Folder().pushpipe("run", "-q", "--fail-on", "error", stdin: text).status == 0)
    }
}
