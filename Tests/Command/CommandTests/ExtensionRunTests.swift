import Foundation
import TestSupport
import Testing

/// `pushpipe run --extension` as a process.
struct ExtensionRunTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private static let push = #"{"aps":{"alert":"Hi","mutable-content":1}}"#

    @Test func `an extension sees of the environment only what is on a list`() throws {
        let seen = folder.path("environment")
        let script = #"""
            #!/bin/sh
            env > '\#(seen)'
            read -r line; id=${line#*'"id":'}; id=${id%%,*}
            echo '{"method":"contentHandler","id":'$id',"content":{"title":"seen"}}'
            """#
        try folder.write(script, to: "extension")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("extension"))
        let output = try folder.pushpipe(
            "run", "--extension", folder.path("extension"), stdin: Self.push,
            environment: ["PUSHPIPE_REDACT_KEY": "a key of the tests", "PUSHPIPE_EXTENSION_WISH": "granted"])
        #expect(try output.values("extension") == [.string("modified")])
        let lines = try String(contentsOfFile: seen, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(lines.contains("PUSHPIPE_EXTENSION_WISH=granted"))
        #expect(lines.contains { $0.hasPrefix("PATH=") })
        #expect(!lines.contains { $0.hasPrefix("PUSHPIPE_REDACT_KEY") || $0.contains("a key of the tests") })
    }

    @Test func `rules about an extension are ignored as the configuration says, and others stay`() throws {
        try folder.write("#!/bin/sh\necho stray\ncat > /dev/null\n", to: "extension")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("extension"))
        func rules(_ configuration: String) throws -> [String] {
            try folder.write(configuration, to: ".pushpipe.yml")
            let output = try folder.pushpipe(
                "run", "-q", "--extension", folder.path("extension"), "--set", "extension.timeout=100ms",
                stdin: Self.push)
            return try output.json().flatMap { $0["findings"]?.elements ?? [] }.compactMap { $0["rule"]?.string }
        }
        let all = ["extension.stray-output", "extension.handler-not-called"]
        #expect(try rules("") == all)
        #expect(try rules("lint:\n  select: [aps]\n") == all)
        #expect(try rules("lint:\n  ignore: [extension.stray-output]\n") == [all[1]])
        #expect(try rules("lint:\n  ignore: [extension]\n").isEmpty)
    }

    #if os(Linux)
        /// The extension never answers, and ignores the end of its input. One of its processes has left its group.
        private func end(_ command: String, by signals: String) throws -> (Output, [Int32]) {
            let script = """
                #!/bin/sh
                setsid sh -c 'echo $$ >> pids; exec sleep 300' &
                echo $$ >> pids
                exec sleep 300
                """
            try folder.write(script, to: "stuck")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("stuck"))
            let output = try folder.shell(
                """
                mkdir tmp; : > pids; export TMPDIR=$PWD/tmp; pushpipe \(command) & run=$!
                until [[ $(wc -l < pids) == 2 ]] || ! kill -0 $run; do :; done
                \(signals) 2> /dev/null
                wait $run; status=$?; ls tmp; exit $status
                """)
            let processes = try folder.read("pids").split(separator: "\n").compactMap { Int32($0) }
            return (output, processes)
        }

        private func isRunning(_ process: Int32) -> Bool { kill(process, 0) == 0 }

        @Test func `a second signal ends the extension with all that it has started, and its folder`() throws {
            try folder.write(Self.push, to: "push.json")
            let (output, processes) = try end(
                "run -q --extension ./stuck push.json", by: "while kill -TERM $run; do :; done")
            defer { for process in processes where isRunning(process) { kill(process, SIGKILL) } }
            #expect(output.status == 143 && output.text.isEmpty, "\(output)")
            #expect(processes.count == 2 && processes.filter(isRunning) == [])
        }

        @Test func `one signal does so for a command that has no orderly end`() throws {
            let feature = """
                Feature: f
                  Scenario: s
                    Given the extension "stuck"
                    When a push '\(Self.push)' arrives
                """
            try folder.write(feature, to: "stuck.feature")
            let (output, processes) = try end("test stuck.feature", by: "kill -TERM $run")
            defer { for process in processes where isRunning(process) { kill(process, SIGKILL) } }
            #expect(output.status == 143 && output.text.isEmpty, "\(output)")
            #expect(processes.count == 2 && processes.filter(isRunning) == [])
        }
    #endif

    // MARK: - Built-in extensions

    @Test(arguments: [
        ("texts.strings", #""MSG" = "%@ says %2$@"; /* a comment */ "T" = "A title";"#),
        ("texts.json", #"{"MSG":"%@ says %2$@","T":"A title"}"#),
        (
            "texts.xcstrings",
            #"""
            {"sourceLanguage":"en","version":"1.0","strings":{
             "MSG":{"localizations":{"en":{"stringUnit":{"value":"%@ says %2$@"}},"de":{"stringUnit":{"value":"%@ sagt %2$@"}}}},
             "T":{"localizations":{"en":{"stringUnit":{"value":"A title"}}}}}}
            """#
        ),
    ])
    func `builtin localize takes localized strings from a file`(name: String, table: String) throws {
        try folder.write(table, to: name)
        let input =
            #"{"aps":{"alert":{"loc-key":"MSG","loc-args":["Ada",7],"title-loc-key":"T","subtitle-loc-key":"none"},"mutable-content":1}}"#
        let output = try folder.pushpipe(
            "run", "--extension", "builtin:localize=\(name)", "--store", "phone.db", stdin: input)
        #expect(output.status == 0)
        #expect(try output.values("extension") == [.string("modified")])
        let shown = try #require(try folder.pushpipe("store", "export", "phone.db").json().first)
        #expect(shown["body"]?.string == "Ada says 7")
        #expect(shown["title"]?.string == "A title")
        #expect(shown["subtitle"]?.string == "none")
    }

    @Test func `builtin localize uses the requested language of a catalog`() throws {
        try folder.write(
            #"{"sourceLanguage":"en","strings":{"MSG":{"localizations":{"de":{"stringUnit":{"value":"Hallo"}}}}}}"#,
            to: "texts.xcstrings")
        let output = try folder.pushpipe(
            "run", "--extension", "builtin:localize=texts.xcstrings", "--set", "extension.language=de-AT", "--screen",
            "--format",
            "none",
            stdin: #"{"aps":{"alert":{"loc-key":"MSG"},"mutable-content":1}}"#)
        #expect(output.text.contains("Hallo"))
    }

    @Test func `builtin attachment downloads the URL in the payload`() throws {
        let server = try LoopbackServer(body: Data([0x89, 0x50, 0x4E, 0x47]))
        let input =
            #"{"aps":{"alert":"Hi","mutable-content":1},"data":{"image":"http://127.0.0.1:\#(server.port)/a/photo.PNG?size=2"}}"#
        let output = try folder.pushpipe(
            "run", "--extension", "builtin:attachment=/data/image", "--set", "extension.attachments=attachments",
            "--store",
            "phone.db",
            stdin: input)
        #expect(try output.values("extension") == [.string("modified")])
        #expect(try output.values("findings") == [nil])
        let shown = try #require(try folder.pushpipe("store", "export", "phone.db").json().first)
        let attachment = try #require(shown["changes"]?["attachments"]?.elements.first)
        #expect(attachment["type"]?.string == "public.png")
        let path = try #require(attachment["path"]?.string)
        #expect(path.hasPrefix(folder.url.resolvingSymlinksInPath().path) || path.contains("/attachments/"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([0x89, 0x50, 0x4E, 0x47]))
    }

    @Test(arguments: ["file:///etc/hostname", "http://127.0.0.1:1/a.png", "--version", "no address"])
    func `builtin attachment reports why there is none and shows the push`(address: String) throws {
        let output = try folder.pushpipe(
            "run", "--extension", "builtin:attachment=image",
            stdin: #"{"aps":{"alert":"Hi","mutable-content":1},"image":"\#(address)"}"#)
        #expect(output.status == 0)
        let line = try #require(try output.json().first)
        #expect(line["outcome"]?.string == "delivered")
        #expect(line["findings"]?.elements.first?["rule"]?.string == "extension.reported")
    }

    /// The server of the payload's address is one elsewhere, which a proxy on this machine plays.
    @Test(arguments: [
        "file:///etc/hostname", "http://127.0.0.1:9/a.png", "http://localhost:9/a.png", "ftp://example.org/a.png",
    ])
    func `builtin attachment follows no redirect to a file or to this machine`(target: String) throws {
        let server = try LoopbackServer(body: Data(), redirect: target)
        let output = try folder.pushpipe(
            "run", "--extension", "builtin:attachment=image",
            stdin: #"{"aps":{"alert":"Hi","mutable-content":1},"image":"http://pictures.example/a.png"}"#,
            environment: ["http_proxy": "http://127.0.0.1:\(server.port)", "no_proxy": ""])
        let finding = try #require(try output.json().first?["findings"]?.elements.first)
        #expect(finding["rule"]?.string == "extension.reported")
        if target.contains(":9/") {
            #expect(finding["message"]?.string?.contains("on this machine or its network") == true)
        }
    }

    @Test func `builtin attachment follows a redirect from this machine to this machine`() throws {
        let picture = try LoopbackServer(body: Data([0x89, 0x50, 0x4E, 0x47]))
        let server = try LoopbackServer(body: Data(), redirect: "http://127.0.0.1:\(picture.port)/b.png")
        let output = try folder.pushpipe(
            "run", "--extension", "builtin:attachment=image", "--set", "extension.attachments=attachments",
            stdin: #"{"aps":{"alert":"Hi","mutable-content":1},"image":"http://127.0.0.1:\#(server.port)/a.png"}"#)
        #expect(try output.values("extension") == [.string("modified")])
        #expect(try output.values("findings") == [nil])
    }

    @Test func `builtin attachment stops at the largest size, whatever the server says of it`() throws {
        let server = try LoopbackServer(body: Data(count: 51 << 20), statesLength: false)
        let output = try folder.pushpipe(
            "run", "--extension", "builtin:attachment=image", "--set", "extension.sandbox=box",
            stdin: #"{"aps":{"alert":"Hi","mutable-content":1},"image":"http://127.0.0.1:\#(server.port)/a.png"}"#)
        let finding = try #require(try output.json().first?["findings"]?.elements.first)
        #expect(finding["message"]?.string?.contains("larger than 50 MiB") == true)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("box/tmp"))
        #expect(left.isEmpty)
    }

    // MARK: - Keychain

    @Test func `the keychain begins with the items of a file, under run and in a scenario`() throws {
        let script = """
            #!/bin/sh
            while read -r line; do
                id=${line#*'"id":'}
                if grep -q '<string>chat</string>' "$HOME/Library/Keychains/items.plist"; then title=found; fi
                echo '{"method":"contentHandler","id":'${id%%[!0-9]*}',"content":{"title":"'$title'"}}'
            done
            """
        try folder.write(script, to: "extension")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("extension"))
        try folder.write(
            #"[{"kSecClass": "kSecClassGenericPassword", "kSecAttrService": "chat", "kSecValueData": "key"}]"#,
            to: "keychain.json")
        let push = #"{"aps":{"alert":"Hi","mutable-content":1}}"#
        let output = try folder.pushpipe(
            "run", "--extension", "extension", "--set", "extension.keychain=keychain.json", "--screen", stdin: push)
        #expect(output.status == 0 && output.text.contains("found"))
        let scenario = """
            Feature: Keys
              Scenario: The extension finds its key
                Given the extension "extension"
                And the extension's keychain begins with the items in "keychain.json"
                When the following push arrives:
                  \"\"\"json
                  \(push)
                  \"\"\"
                Then the screen of "default" shows:
                  | title |
                  | found |
            """
        try folder.write(scenario, to: "keys.feature")
        let result = try folder.pushpipe("test", "keys.feature")
        #expect(result.status == 0, "\(result.text)")
    }

    // MARK: - Invalid usage

    @Test(arguments: [
        ["--extension", "builtin:nothing=1"], ["--extension", "builtin:attachment"],
        ["--extension", "builtin:localize="],
        ["--set", "extension.removal=never"], ["--set", "extension.removal=delayed"],
        ["--set", "extension.removal=delayed:-1"], ["--set", "extension.removal=immediate:5"],
        ["--set", "extension.timeout=0"], ["--set", "extension.timeout=soon"], ["--set", "extension.instances=0"],
        ["--set", "extension.instances=65"], ["--set", "extension.removal=delayed:3600001"],
        ["--set", "extension.timeout=86401s"],
        ["--set", "extension.memory=much"], ["--extension", "x", "--replace-by", "id"],
        ["--set", "extension.keychain=missing.json"], ["--set", "extension.keychain=/dev/null"],
    ])
    func `invalid usage is refused before anything is delivered`(arguments: [String]) throws {
        let output = try folder.pushpipe(arguments: ["run"] + arguments + ["--store", "phone.db", "/dev/null"])
        #expect(output.status == 2)
        #expect(output.stderr.hasPrefix("pushpipe: "))
        #expect(!FileManager.default.fileExists(atPath: folder.path("phone.db")))
    }

    @Test(arguments: [
        ("missing", "No such file"), ("text.txt", "not a program"), ("Service.swift", "pushpipe extension build"),
        ("empty.appex", "no program in it"), ("builtin:localize=missing", "cannot be read"),
    ])
    func `a missing extension gives a helpful error`(path: String, words: String) throws {
        try folder.write("", to: "text.txt")
        try folder.write("", to: "Service.swift")
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("empty.appex"), withIntermediateDirectories: true)
        let output = try folder.pushpipe("run", "--extension", path, stdin: Self.push)
        #expect(output.status == 2)
        #expect(output.stderr.contains(words))
        #expect(output.text.isEmpty)
    }

    // MARK: - Programs

    @Test func `a store remembers what an extension changed for the next run`() throws {
        // It puts into the title the number of delivered notifications and the title of the first.
        try folder.write(
            """
            #!/usr/bin/env python3
            import json, sys
            for line in sys.stdin:
                message = json.loads(line)
                if message["method"] == "didReceive":
                    push = message["id"]
                    print(json.dumps({"method": "getDeliveredNotifications", "id": push, "call": 1}), flush=True)
                elif message["method"] == "answer":
                    shown = message["notifications"]
                    title = f"{len(shown)} before, first " + (shown[0]["content"]["title"] if shown else "none")
                    print(json.dumps({"method": "contentHandler", "id": push, "content": {"title": title}}), flush=True)
            """, to: "counting.py")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("counting.py"))
        for _ in 0..<3 {
            _ = try folder.pushpipe("run", "--extension", "counting.py", "--store", "phone.db", stdin: Self.push)
        }
        let titles = try folder.pushpipe("store", "export", "phone.db").values("title")
        #expect(
            titles == [
                .string("0 before, first none"), .string("1 before, first 0 before, first none"),
                .string("2 before, first 0 before, first none"),
            ])
    }

    @Test func `a report is written while the extension is busy with the next push`() throws {
        // It answers the first push, and never the second. It ends with its input: Foundation waits for everything that still has the
        // process's descriptors.
        try folder.write(
            """
            #!/bin/sh
            read -r line; id=${line#*'"id":'}; id=${id%%,*}
            echo '{"method":"contentHandler","id":'$id'}'
            read -r line; read -r line
            """, to: "once.sh")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("once.sh"))
        try folder.write(Self.push + "\n" + Self.push + "\n", to: "in.ndjson")
        let process = Process()
        process.executableURL = try Place.executable()
        process.currentDirectoryURL = folder.url
        process.arguments = ["run", "--extension", "once.sh", "in.ndjson"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        #expect(line.contains(#""seq":1"#) && !line.contains(#""seq":2"#))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    @Test func `no file remains in the temporary folder`() throws {
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("tmp"), withIntermediateDirectories: true)
        let program = Place.samples.appendingPathComponent("Extensions/mention.py").path
        let output = try folder.pushpipe(
            arguments: ["run", "--extension", program, Place.samples.appendingPathComponent("mentions.ndjson").path],
            environment: ["TMPDIR": folder.path("tmp")])
        #expect(output.status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")).isEmpty)
    }
}
