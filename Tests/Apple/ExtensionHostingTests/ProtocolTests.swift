#if os(Linux)
    import PushDevices
    import ExtensionHosting
    import Foundation
    import PushModel
    import PushPipeline
    import TestSupport
    import Testing

    /// Programs in other languages, and programs that violate the protocol.
    @Suite struct ProtocolTests {
        private let folder: Folder

        init() throws { folder = try Folder() }

        private func run(_ script: String, input: String, limit: Duration = .seconds(20)) throws -> Run {
            try Run("", program: Program.script(script, in: folder), input: input) { $0.timeLimit = limit }
        }

        /// Answers each push with a title, by the id that follows `"id":`.
        private static let answering = """
            while read -r line; do
                id=${line#*'"id":'}; id=${id%%,*}
                echo '{"method":"contentHandler","id":'$id',"content":{"title":"from the shell"}}'
            done
            """

        @Test func `a shell script is an extension`() throws {
            let run = try run(Self.answering, input: Push.line("one") + Push.line("two"))
            #expect(run.extensions == [.modified, .modified])
            #expect(try run.shown().map(\.content.title) == ["from the shell", "from the shell"])
            #expect(try run.shown().map(\.content.body) == ["one", "two"])
        }

        @Test func `a program can serve one push and exit`() throws {
            let script = Self.answering.replacingOccurrences(of: "done", with: "exit 0; done")
            let run = try run(script, input: (0..<5).map { Push.line("\($0)") }.joined())
            #expect(run.extensions == Array(repeating: .modified, count: 5))
            #expect(run.rules == Array(repeating: [], count: 5))
        }

        @Test func `lines that are not messages are skipped and reported`() throws {
            let run = try run("echo garbage; echo '{\"method\":7}'; \(Self.answering)", input: Push.line("one"))
            #expect(run.extensions == [.modified])
            #expect(run.rules == [["extension.stray-output"]])
            #expect(run.messages == ["the extension wrote a line that is not a message: garbage"])
        }

        @Test func `a program says what a stand-in for an SDK did`() throws {
            let finding = #"{"method":"finding","id":1,"rule":"extension.stand-in","message":"attached 1 of 1"}"#
            let run = try run(
                "read -r line; echo '\(finding)'; echo '{\"method\":\"contentHandler\",\"id\":1}'; cat >/dev/null",
                input: Push.line("one"))
            #expect(run.rules == [["extension.stand-in"]])
            #expect(run.messages == ["attached 1 of 1"])
        }

        @Test(arguments: [(100, ServiceExtensionOutcome.modified), (101, .original)])
        func `one hundred lines that are not messages are tolerated, and not one more`(
            lines: Int, outcome: ServiceExtensionOutcome
        ) throws {
            let script =
                "read -r line; id=${line#*'\"id\":'}; id=${id%%,*}; yes garbage | head -\(lines); "
                + "echo '{\"method\":\"contentHandler\",\"id\":'$id'}'; cat >/dev/null"
            #expect(try run(script, input: Push.line("one")).extensions == [outcome])
        }

        @Test func `endless garbage ends the process`() throws {
            let run = try run("yes garbage", input: Push.line("one"))
            #expect(run.extensions == [.original])
            #expect(run.rules == [["extension.stray-output", "extension.crashed"]])
        }

        @Test func `an endless line is bounded`() throws {
            // Under a sanitizer, reading as many bytes as the limit takes longer than a push may.
            let run = try run("cat /dev/zero", input: Push.line("one"), limit: .seconds(300))
            #expect(run.extensions == [.original])
            #expect(run.rules.first?.first == "extension.stray-output")
        }

        @Test func `the time limit of a slow program includes its start`() throws {
            let run = try run("sleep 30; \(Self.answering)", input: Push.line("one"), limit: .milliseconds(200))
            #expect(run.extensions == [.original])
            #expect(run.rules == [["extension.handler-not-called"]])
        }

        @Test func `a program that always exits at once is given up`() throws {
            let run = try run("exit 4", input: (0..<5).map { Push.line("\($0)") }.joined())
            #expect(run.extensions == Array(repeating: .original, count: 5))
            #expect(
                run.rules.map(\.first) == [
                    "extension.crashed", "extension.crashed", "extension.crashed", "extension.not-started",
                    "extension.not-started",
                ])
        }

        @Test func `a program that closes its output is ended`() throws {
            let run = try run("exec 1>&-; sleep 30", input: Push.line("one"))
            #expect(run.extensions == [.original])
            #expect(run.rules == [["extension.crashed"]])
        }

        @Test func `with a file that is not a program every push keeps its original content`() throws {
            let path = folder.path("text")
            try Data("no program".utf8).write(to: URL(fileURLWithPath: path))
            let run = try Run("", program: path, input: Push.line("one") + Push.line("two"))
            #expect(run.extensions == [.original, .original])
            #expect(run.rules == [["extension.not-started"], ["extension.not-started"]])
        }

        @Test func `an answer that no line feed ends is not a message`() throws {
            let script = """
                read -r line; id=${line#*'"id":'}; id=${id%%,*}
                printf '{"method":"contentHandler","id":'$id',"content":{"title":"X"}}'; exit 3
                """
            let run = try run(script, input: Push.line("one"))
            #expect(run.extensions == [.original])
            #expect(run.messages == ["the extension exited with status 3"])
        }

        @Test func `answers for unknown pushes are ignored`() throws {
            let script =
                "echo '{\"method\":\"contentHandler\",\"id\":99,\"content\":{\"title\":\"X\"}}'; \(Self.answering)"
            let run = try run(script, input: Push.line("one"))
            #expect(try run.shown().map(\.content.title) == ["from the shell"])
        }

        @Test func `of an attachment that is a symbolic link the file is taken over`() throws {
            let other = try Folder()
            let photo = other.path("photo.png")
            try Data("outside".utf8).write(to: URL(fileURLWithPath: photo))
            let answer = """
                {"method":"contentHandler","id":'$id',"content":{"attachments":[{"identifier":"a","path":"'"$TMPDIR"'/a.png"},\
                {"identifier":"b","path":"'"$TMPDIR"'/b.png"}]}}
                """
            let script = """
                read -r line; id=${line#*'"id":'}; id=${id%%,*}; printf inside > "$TMPDIR/c.png"
                ln -s '\(photo)' "$TMPDIR/a.png"; ln -s c.png "$TMPDIR/b.png"; echo '\(answer)'; cat >/dev/null
                """
            let run = try Run("", program: Program.script(script, in: folder), input: Push.line("one")) {
                $0.attachments = self.folder.path("attachments")
            }
            #expect(run.rules == [[]])
            let changes = try #require(try run.shown().first?.changes)
            let object = try #require(
                JSONSerialization.jsonObject(with: Data(changes.utf8)) as? [String: [[String: String]]])
            let paths = try #require(object["attachments"]).compactMap { $0["path"] }
            #expect(try paths.map { try String(contentsOfFile: $0, encoding: .utf8) } == ["outside", "inside"])
            #expect(paths.map { URL(fileURLWithPath: $0).lastPathComponent } == ["a.png", "b.png"])
            for path in paths {
                let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
                #expect(type == .typeRegular)
            }
            #expect(FileManager.default.fileExists(atPath: photo))
        }

        @Test func `of many local notifications each is shown once, in the order of the last times they were added`()
            throws
        {
            let script = """
                read -r line; id=${line#*'"id":'}; id=${id%%,*}; n=0
                while [ $n -lt 600 ]; do
                    echo '{"method":"add","id":'$id',"request":{"identifier":"n'$((n % 300))'","content":{"title":"T"}}}'; n=$((n + 1))
                done
                echo '{"method":"contentHandler","id":'$id',"content":{"title":"end"}}'; cat >/dev/null
                """
            let run = try run(script, input: Push.line("one"))
            #expect(run.rules == [[]])
            #expect(try run.shown().map(\.identifier) == (0..<300).map { "n\($0)" } + ["push-1"])
        }

        /// Source: Apple, `UNNotificationAttachment`, "Supported file types".
        @Test(arguments: [("png", 10), ("mp3", 5), ("mp4", 50)])
        func `an attachment may be as large as a device takes`(suffix: String, mebibytes: Int) throws {
            let answer = """
                {"method":"contentHandler","id":'$id',"content":{"attachments":[{"identifier":"a","path":"'$TMPDIR'/a.\(suffix)"},\
                {"identifier":"b","path":"'$TMPDIR'/b.\(suffix)"}]}}
                """
            let script = """
                read -r line; id=${line#*'"id":'}; id=${id%%,*}; truncate -s \(mebibytes << 20) $TMPDIR/a.\(suffix); \
                truncate -s \(mebibytes << 20 + 1) $TMPDIR/b.\(suffix); echo '\(answer)'; cat >/dev/null
                """
            let run = try Run("", program: Program.script(script, in: folder), input: Push.line("one"))
            #expect(run.rules == [["extension.attachment-lost"]])
            let changes = try #require(try run.shown().first?.changes)
            #expect(changes.contains(#""identifier":"a""#) && !changes.contains(#""identifier":"b""#))
        }

        @Test func `attachments in the sandbox are moved, others are copied, and missing ones are left out`() throws {
            let other = try Folder()
            let photo = other.path("photo.png")
            try Data([0x89, 0x50, 0x4E, 0x47]).write(to: URL(fileURLWithPath: photo))
            let answer = """
                {"method":"contentHandler","id":'$id',"content":{"attachments":[{"identifier":"a","path":"\(photo)"},\
                {"identifier":"b","path":"/nowhere/b.png"},{"identifier":"c","path":"'$TMPDIR'/c.png"}]}}
                """
            let script =
                "read -r line; id=${line#*'\"id\":'}; id=${id%%,*}; echo own > $TMPDIR/c.png; echo '\(answer)'; cat >/dev/null"
            let (store, sandbox) = (folder.path("attachments"), folder.path("sandbox"))
            let run = try Run("", program: Program.script(script, in: folder), input: Push.line("one")) {
                $0.attachments = store
                $0.sandbox = sandbox
            }
            #expect(run.rules == [["extension.attachment-lost"]])
            // A file outside the sandbox stays where it is.
            #expect(FileManager.default.fileExists(atPath: photo))
            #expect(!FileManager.default.fileExists(atPath: sandbox + "/tmp/c.png"))
            let changes = try #require(try run.shown().first?.changes)
            let object = try #require(
                JSONSerialization.jsonObject(with: Data(changes.utf8)) as? [String: [[String: String]]])
            let attachments = try #require(object["attachments"])
            #expect(attachments.map { $0["identifier"] } == ["a", "c"])
            for attachment in attachments {
                let path = try #require(attachment["path"])
                #expect(path.hasPrefix(store))
                #expect(FileManager.default.fileExists(atPath: path))
            }
        }

        @Test(arguments: [
            #"{"titel":"x"}"#, #"{"title":5}"#, #"{"badge":-1}"#, #"{"badge":"3"}"#, #"{"badge":1.5}"#, #"{"sound":1}"#,
            #"{"interruptionLevel":"loud"}"#, #"{"relevanceScore":77}"#, #"{"userInfo":[]}"#, #"{"attachments":{}}"#,
            #"{"sender":1}"#, #"{"senderImage":"https://example.org/a.png"}"#, #"{"senderImage":1}"#,
            #"[1,2]"#, #""text""#,
        ])
        func `meaningless content is reported and changes nothing`(content: String) throws {
            let answer = #"{"method":"contentHandler","id":'$id',"content":\#(content)}"#
            let script = "read -r line; id=${line#*'\"id\":'}; id=${id%%,*}; echo '\(answer)'; cat >/dev/null"
            let run = try run(script, input: Push.line("one"))
            #expect(run.rules == [["extension.content"]])
            #expect(try run.shown().map(\.content.title) == ["T"])
            #expect(try run.shown().map(\.content.badge) == [nil])
        }

        @Test(arguments: [
            #"{"badge":null,"sound":null,"relevanceScore":1,"interruptionLevel":"passive","userInfo":{}}"#,
            #"{"badge":0,"sound":"default","attachments":[],"summaryArgumentCount":2,"targetContentIdentifier":null}"#,
            #"{"sender":"Anna","senderImage":"data:image/png;base64,AA=="}"#, #"{"sender":null,"senderImage":null}"#,
        ])
        func `content as in the table is accepted without a warning`(content: String) throws {
            let answer = #"{"method":"contentHandler","id":'$id',"content":\#(content)}"#
            let script = "read -r line; id=${line#*'\"id\":'}; id=${id%%,*}; echo '\(answer)'; cat >/dev/null"
            let run = try run(script, input: Push.line("one"))
            #expect(run.rules == [[]])
        }

        @Test func `a program that stops reading is not waited for`() throws {
            // With more pushes than fit into the pipe.
            let long = String(repeating: "x", count: 3000)
            let input = (0..<12).map { Push.line("\($0) \(long)", device: String(format: "%02d", $0)) }.joined()
            // It hangs, and the host ends it: at once if a push cannot be sent, otherwise at the push's time limit.
            let script = "exec 0<&-; echo '{\"method\":\"ready\",\"queue\":64}'; sleep 600"
            let run = try run(script, input: input, limit: .milliseconds(200))
            #expect(run.extensions == Array(repeating: .original, count: 12))
        }

        @Test func `defaults and caches stay in the sandbox, whatever the environment says`() throws {
            let script = "echo \"$HOME|$XDG_CONFIG_HOME|$TMPDIR\" > $HOME/Documents/seen; \(Self.answering)"
            let sandbox = folder.path("sandbox")
            let run = try Run("", program: Program.script(script, in: folder), input: Push.line("one")) {
                $0.sandbox = sandbox
            }
            #expect(run.extensions == [.modified])
            let seen = try String(contentsOfFile: sandbox + "/home/Documents/seen", encoding: .utf8)
            #expect(seen == "\(sandbox)/home||\(sandbox)/tmp\n")
        }

        @Test func `a multi-line payload arrives on one line`() throws {
            let input = "{\"aps\": {\n  \"alert\": \"Hi\",\r\n  \"mutable-content\": 1\n}}\n"
            let run = try run(Self.answering, input: input)
            #expect(run.extensions == [.modified])
        }

        @Test func `what an extension leaves of user info comes back as it was`() throws {
            let members =
                #","big":9007199254740993,"half":0.5,"whole":1,"yes":true,"none":null,"url":"https://a/b","in":[0,{"x":1.25}]"#
            let run = try Run("user-info", input: Push.line("one", members: members))
            let changes = try #require(try run.shown().first?.changes)
            for member in members.dropFirst().split(separator: ",\"").map({ $0.hasPrefix("\"") ? $0 : "\"" + $0 })
                + [#""list":[1,2.5,"three",true]"#]
            {
                #expect(changes.contains(member), "\(changes)")
            }
        }

        @Test func `JSON that Foundation cannot read leaves the original content`() throws {
            let run = try Run("template", input: Push.line("one", members: #","n":1e999"#) + Push.line("two"))
            #expect(run.extensions == [.original, .modified])
            #expect(run.rules.first?.contains("extension.unreadable-payload") == true)
        }
    }
#endif
