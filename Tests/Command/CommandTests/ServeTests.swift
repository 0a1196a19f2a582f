import Foundation
import TestSupport
import Testing

/// `pushpipe serve`, and a client that is not ours.
struct ServeTests {
    private static let accepted = #"-H apns-topic:org.example.app -d '{"aps":{"alert":"Hi"}}'"#

    /// Status, version of HTTP, and body of an answer.
    private func curl(_ arguments: String, in folder: Folder) throws -> String {
        let output = try folder.shell("curl -sS -w '%{http_code} %{http_version} ' -o body \(arguments) && cat body")
        #expect(output.status == 0, "\(output.stderr)")
        return output.text
    }

    @Test(arguments: [("--http2-prior-knowledge", "2"), ("--http2", "2"), ("--http1.1", "1.1")])
    func `curl is answered, a line is reported and the store has the notification`(option: String, version: String)
        throws
    {
        let folder = try Folder()
        let server = try ServerRun(["--store", "phone.db"], in: folder)
        #expect(
            try curl("\(option) \(Self.accepted) \(server.address)/3/device/ab12", in: folder) == "200 \(version) ")
        #expect(
            try curl("\(option) -d '{}' \(server.address)/3/device/ab12", in: folder)
                == "400 \(version) " + #"{"reason":"MissingTopic"}"#)
        let lines = try server.run.lines(2)
        #expect(lines[0].contains(#""device":"ab12","topic":"org.example.app","outcome":"delivered","status":200"#))
        #expect(lines[1].contains(#""outcome":"rejected","status":400,"reason":"MissingTopic""#))
        // Before the server ends: what it answered is committed.
        #expect(try folder.pushpipe("store", "show", "ab12", "--store", "phone.db").text.contains("Hi"))
        server.run.signal(SIGTERM)
        let output = try server.run.finish(endingInput: false)
        #expect(output.status == 143)
        #expect(output.stderr.contains("pushpipe: stopped by SIGTERM\n2 records, 2 messages"), "\(output.stderr)")
        #expect(output.stderr.contains("  rejected 1: 400 MissingTopic 1\n"), "\(output.stderr)")
    }

    @Test(arguments: [([], true), (["--no-rules"], false)])
    func `what is received is checked against the rules`(options: [String], isChecked: Bool) throws {
        let folder = try Folder()
        let server = try ServerRun(options, in: folder)
        let push = #"-H apns-topic:org.example.app -d '{"aps":{"alrt":"x"}}'"#
        #expect(
            try curl("--http2-prior-knowledge \(push) \(server.address)/3/device/ab12", in: folder) == "200 2 ")
        let line = try server.run.lines(1)[0]
        #expect(line.contains(#""outcome":"silent","status":200,"reason":"misspelled-key""#), "\(line)")
        #expect(line.contains(#""rule":"aps.misspelled-key""#) == isChecked, "\(line)")
        let message = try folder.shell("curl -sS \(server.address)/api/v1/messages/1").text
        #expect(message.contains("aps.misspelled-key") == isChecked, "\(message)")
        server.run.signal(SIGTERM)
        #expect(try server.run.finish(endingInput: false).status == 143)
    }

    @Test func `a run over what was recorded writes the lines of the gateway`() throws {
        let folder = try Folder()
        try folder.write("- {device: dead, reason: Unregistered}\n", to: "faults.yml")
        let clock = ["--clock", "2026-11-03T20:00:00Z"]
        let server = try ServerRun(["--record", "sent.ndjson", "--faults", "faults.yml"] + clock, in: folder)
        for (device, body) in [("ab12", #"{"aps":{"alrt":"x"}}"#), ("dead", "{}"), ("ab12", "nonsense")] {
            let push = "--http2-prior-knowledge -H apns-topic:org.example.app -d '\(body)'"
            _ = try curl("\(push) \(server.address)/3/device/\(device)", in: folder)
        }
        let lines = try server.run.lines(3)
        // The time of the second record, a millisecond after the first.
        #expect(lines[1].contains(#""timestamp":1793736000001"#), "\(lines[1])")
        #expect(lines[2].contains(#""source":{"file":"sent.ndjson","record":3,"line":3,"#), "\(lines[2])")
        server.run.signal(SIGTERM)
        #expect(try server.run.finish(endingInput: false).status == 143)
        let run = try folder.pushpipe(arguments: ["run", "-q", "--rules", "sent.ndjson"] + clock)
        #expect(run.text == lines.map { $0 + "\n" }.joined())
    }

    @Test(arguments: [("rejected", 1), ("malformed", 143)])
    func `--fail-on decides the status of a gateway that a signal ends`(condition: String, status: Int32) throws {
        let folder = try Folder()
        let server = try ServerRun(["--fail-on", condition], in: folder)
        _ = try curl("--http2-prior-knowledge -d '{\"aps\":{}}' \(server.address)/3/device/ab12", in: folder)
        server.run.signal(SIGTERM)
        #expect(try server.run.finish(endingInput: false).status == status)
    }

    @Test func `the port of another server is refused, and says so`() throws {
        let folder = try Folder()
        let server = try ServerRun([], in: folder)
        let port = try #require(server.address.split(separator: ":").last)
        let output = try folder.pushpipe(
            "serve", "--listen", "127.0.0.1:\(port)", environment: ["XDG_DATA_HOME": folder.path("data")])
        #expect(output.status == 2)
        #expect(output.stderr.hasPrefix("pushpipe: cannot listen on 127.0.0.1:\(port): "), "\(output.stderr)")
        server.run.signal(SIGINT)
        #expect(try server.run.finish(endingInput: false).status == 130)
    }

    @Test func `a webhook gets each message, also if it fails at first`() throws {
        let folder = try Folder()
        try folder.write(
            """
            import http.server

            statuses = [500, 204, 204]

            class Receiver(http.server.BaseHTTPRequestHandler):
                def do_POST(self):
                    body = self.rfile.read(int(self.headers["content-length"])).decode()
                    status = statuses.pop(0)
                    self.send_response(status)
                    self.end_headers()
                    print(status, self.path, self.headers["content-type"], body, flush=True)

                def log_message(self, *words):
                    pass

            server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
            print(server.server_port, flush=True)
            while statuses:
                server.handle_request()
            """, to: "receiver.py")
        let output = try folder.shell(
            """
            export XDG_DATA_HOME=$PWD/data
            mkfifo received notes
            python3 receiver.py >received & receiver=$!
            exec 4<received
            read -r port <&4
            pushpipe serve --listen 127.0.0.1:0 --set serve.webhook=http://127.0.0.1:$port/hook 2>notes >report & server=$!
            exec 3<notes
            read -r line <&3
            address=$(grep -o 'http://[0-9.:]*' <<<"$line")
            for token in ab12 cd34; do
                curl -sS -H apns-topic:org.example.app -d '{"aps":{"alert":"Hi"}}' $address/3/device/$token
            done
            cat <&4
            kill $server
            cat <&3 >&2
            wait $server $receiver
            """)
        #expect(output.lines.count == 3, "\(output)")
        #expect(output.lines.map { $0.prefix(3) } == ["500", "204", "204"])
        for (line, token) in zip(output.lines, ["ab12", "ab12", "cd34"]) {
            #expect(line.dropFirst(3).hasPrefix(" /hook application/json {\"id\":"), "\(line)")
            #expect(line.contains("\"path\":\"/3/device/\(token)\"") && line.contains("\"title\":\"Hi\""), "\(line)")
        }
        #expect(!output.stderr.contains("did not reach"), "\(output.stderr)")
    }

    /// A program that stands for `xcrun` notes its arguments and its input.
    @Test func `a command runs for each notification of an Apple device, in order`() throws {
        let folder = try Folder()
        try folder.write(
            """
            #!/bin/sh
            line="$(printf '%s|' "$@")$(cat)"
            printf '%s\\n' "$line" >seen
            case $line in *Fail*) exit 3; esac

            """, to: "xcrun")
        let output = try folder.shell(
            """
            export XDG_DATA_HOME=$PWD/data PATH=$PWD:$PATH
            chmod +x xcrun
            mkfifo notes seen
            exec 4<>seen
            pushpipe serve --listen 127.0.0.1:0 --forward 'xcrun simctl push booted -' 2>notes >report & server=$!
            exec 3<notes
            read -r line <&3
            address=$(grep -o 'http://[0-9.:]*' <<<"$line")
            for text in One 'Two $(touch shell); x' Fail Four; do
                curl -sS -H apns-topic:org.a -d "{\\"aps\\":{\\"alert\\":\\"$text\\"}}" $address/3/device/ab12
            done
            curl -sS -d '{"aps":{}}' $address/3/device/ab12 >&2
            curl -sS -H 'content-type: application/json' -d '{"message":{"token":"t","notification":{"title":"Android"}}}' \
                $address/v1/projects/p/messages:send >&2
            for number in 1 2 3 4; do
                read -r line <&4
                printf '%s\n' "$line"
            done
            kill $server
            cat <&3 >&2
            wait $server
            ls shell
            """)
        let words = "simctl|push|booted|-|"
        #expect(
            output.lines
                == ["One", "Two $(touch shell); x", "Fail", "Four"].map {
                    words + #"{"Simulator Target Bundle":"org.a","aps":{"alert":"\#($0)"}}"#
                }, "\(output)")
        #expect(
            output.stderr.contains("pushpipe: xcrun accepted no message: it ended with status 3\n"), "\(output.stderr)")
        #expect(output.stderr.contains("pushpipe: 1 message did not reach xcrun\n"), "\(output.stderr)")
    }

    /// A failure is told before another push, and a command that does not end goes with the server.
    @Test func `a command that fails is told at once, and one that hangs is ended`() throws {
        let folder = try Folder()
        let output = try folder.shell(
            """
            export XDG_DATA_HOME=$PWD/data
            mkfifo notes seen never
            exec 4<>seen
            printf '#!/bin/sh\necho $$ >seen\nexec cat never\n' >hang
            chmod +x hang
            for command in false ./hang; do
                pushpipe serve --listen 127.0.0.1:0 --forward $command 2>notes >report & server=$!
                exec 3<notes
                read -r line <&3
                address=$(grep -o 'http://[0-9.:]*' <<<"$line")
                curl -sS -H apns-topic:org.a -d '{"aps":{"alert":"Hi"}}' $address/3/device/ab12
                if [ $command = false ]; then
                    while read -r line <&3; do case $line in *false*) break; esac; done
                    printf '%s\n' "$line"
                else
                    read -r hanging <&4
                fi
                kill $server
                cat <&3 >/dev/null
                wait $server
            done
            state=$(ps -o stat= -p $hanging)
            case $state in ''|Z*) echo gone; esac
            """)
        #expect(
            output.lines == ["pushpipe: false accepted no message: it ended with status 1", "gone"], "\(output)")
    }

    @Test(arguments: [
        ("", "--forward needs a command."), ("nothing-like-it -", "no program nothing-like-it is on PATH"),
    ])
    func `a command that is not there is an error`(_ command: String, _ words: String) throws {
        let output = try Folder().pushpipe("serve", "--listen", "127.0.0.1:0", "--forward", command)
        #expect(output.status == 2)
        #expect(output.stderr.contains(words), "\(output.stderr)")
    }

    @Test func `without a receiver, pushes are answered, and the end says what is lost`() throws {
        let folder = try Folder()
        // Nothing listens on this port: IANA has it for the protocol that discards what it gets.
        let server = try ServerRun(["--set", "serve.webhook=http://127.0.0.1:9/"], in: folder)
        #expect(
            try curl("--http2-prior-knowledge \(Self.accepted) \(server.address)/3/device/ab12", in: folder) == "200 2 "
        )
        server.run.signal(SIGTERM)
        let output = try server.run.finish(endingInput: false)
        #expect(output.status == 143)
        #expect(output.stderr.contains("pushpipe: 1 message did not reach http://127.0.0.1:9/\n"), "\(output.stderr)")
    }

    @Test(arguments: ["https://127.0.0.1/", "127.0.0.1:80", "http://example.org/", ""])
    func `a webhook is on this machine, or its host is allowed`(address: String) throws {
        let output = try Folder().pushpipe("serve", "--set", "serve.webhook=\(address)")
        #expect(output.status == 2)
        #expect(output.stderr.contains("serve.webhook"), "\(output.stderr)")
    }

    @Test(arguments: ["serve", "view phone.db"])
    func `SIGINT stops a server that a shell has started in the background`(command: String) throws {
        // Without job control, a shell has the signal ignored there.
        let output = try Folder().shell(
            """
            export XDG_DATA_HOME=$PWD/data
            echo '{"aps":{"alert":"Hi"}}' | pushpipe run -q --store phone.db >report
            mkfifo notes
            pushpipe \(command) --listen 127.0.0.1:0 2>notes >report & server=$!
            exec 3<notes
            read -r line <&3
            kill -INT $server
            wait $server
            echo $?
            """)
        #expect(output.text == "130\n", "\(output)")
    }

    /// With the descriptors for some twenty connections: the others wait, and the gateway says so once.
    @Test func `without descriptors the gateway pauses, says so once, and goes on`() throws {
        let folder = try Folder()
        let server = try ServerRun([], descriptors: 48, in: folder)
        let port = try #require(server.address.split(separator: ":").last)
        // Bash picks the descriptors: by one that it has inherited, Foundation notices the end of the process.
        let connect = "for each in {1..60}; do exec {socket}<>/dev/tcp/127.0.0.1/\(port); done; exec cat"
        let clients = try folder.process("/bin/bash", ["-c", connect])
        clients.standardInput = Pipe()
        try clients.run()
        let notes = server.run.notes(through: "cannot be accepted")
        #expect(notes.contains("pushpipe: a connection cannot be accepted: "), "\(notes)")
        // They have inherited the signal mask of this thread.
        kill(clients.processIdentifier, SIGKILL)
        clients.waitUntilExit()
        #expect(try curl("\(server.address)/healthz", in: folder).hasPrefix("200 "))
        server.run.signal(SIGTERM)
        let output = try server.run.finish(endingInput: false)
        #expect(output.stderr.split(separator: "cannot be accepted").count == 2, "\(output.stderr)")
    }

    @Test func `an origin that is allowed may push`() throws {
        let folder = try Folder()
        let server = try ServerRun(
            [
                "--set", "serve.allow-origin=https://app.example.org", "--set",
                "serve.allow-origin=http://b.example.org",
            ], in: folder)
        for (origin, status) in [
            ("https://app.example.org", "200 "), ("http://b.example.org", "200 "), ("http://app.example.org", "403 "),
        ] {
            let answer = try curl("-H 'Origin: \(origin)' \(Self.accepted) \(server.address)/3/device/ab12", in: folder)
            #expect(answer.hasPrefix(status), "\(answer)")
        }
        server.run.signal(SIGTERM)
        #expect(try server.run.finish(endingInput: false).stderr.contains("\n2 records"))
    }

    @Test(arguments: [
        ["serve", "--listen", "nowhere"], ["serve", "--listen", ""], ["serve", "file.ndjson"],
        ["serve", "--no-auth", "--set", "serve.provider-key=a.p8"],
        ["serve", "--no-auth", "--set", "serve.service-account=a.json"],
        ["serve", "--set", "serve.tls-cert=a.pem"],
        ["serve", "--set", "serve.tls-key=a.pem"], ["serve", "--provider", "gcm"],
        ["serve", "--set", "input.framing=json"], ["serve", "--format", "xml"],
        ["serve", "--set", "serve.binary-gateway=nowhere"],
        ["serve", "--set", "serve.feedback="], ["serve", "--set", "input.relaxed"],
        ["serve", "--set", "input.max-record=2M"],
        ["serve", "--set", "serve.allow-origin="], ["serve", "--set", "serve.allow-origin=app.example.org"],
    ])
    func `invalid usage is status 2`(arguments: [String]) throws {
        let output = try Folder().pushpipe(arguments: arguments)
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(!output.stderr.isEmpty)
    }

    @Test(arguments: [
        ("serve.provider-key", "the name of a file"), ("serve.service-account", "the name of a file"),
        ("serve.key-id", "an id"), ("wikimedia.mapping", "the name of a file"), ("serve.access-key", "a key"),
    ])
    func `an empty setting is refused with what it takes`(key: String, what: String) throws {
        let output = try Folder().pushpipe("serve", "--quiet", "--set", "\(key)=")
        #expect(output.status == 2)
        #expect(output.stderr.contains("--set \(key)=: \(key) takes \(what)"), "\(output.stderr)")
    }

    @Test func `an empty name of a store is refused`() throws {
        let output = try Folder().pushpipe("serve", "--quiet", "--store", "")
        #expect(output.status == 2)
        #expect(output.stderr.contains("--store needs a file name"), "\(output.stderr)")
    }

    @Test func `the help of serve has no options for files`() throws {
        let help = try Folder().pushpipe("help", "serve").text
        let hidden = ["--provider <", "--framing", "--at ", "--skip-prefix", "--max-record", "--relaxed", "<file> ..."]
        for option in hidden { #expect(!help.contains(option), "\(option)") }
        #expect(help.contains("--topic"))
    }

    @Test func `what the command line says of devices and reports holds`() throws {
        let folder = try Folder()
        try folder.write(#"{"device":"ab12","app":"org.example.app","unregistered":true}"#, to: "devices.ndjson")
        let server = try ServerRun(
            [
                "--devices", "devices.ndjson", "--format", "text", "--screen", "--set", "report.screen-file=phone.svg",
                "--quiet",
            ],
            in: folder)
        let dead = try curl("--http2-prior-knowledge \(Self.accepted) \(server.address)/3/device/ab12", in: folder)
        #expect(dead.hasPrefix(#"410 2 {"reason":"Unregistered","timestamp":"#), "\(dead)")
        #expect(
            try curl("--http2-prior-knowledge \(Self.accepted) \(server.address)/3/device/cd34", in: folder) == "200 2 "
        )
        server.run.signal(SIGTERM)
        let output = try server.run.finish(endingInput: false)
        #expect(output.text.contains("Unregistered"))
        #expect(output.text.contains("cd34"))
        #expect(try folder.read("phone.svg").contains("cd34"))
        #expect(!output.stderr.contains("records"))
    }

    @Test(arguments: [("--http2", "2"), ("--http1.1", "1.1"), ("--no-alpn", "1.1")])
    func `curl is served over TLS if it trusts the development certificate`(option: String, version: String) throws {
        let folder = try Folder()
        let environment = ["XDG_DATA_HOME": folder.path("data")]
        let authority = try folder.pushpipe("serve", "--print-ca", environment: environment)
        #expect(authority.status == 0, "\(authority.stderr)")
        try folder.write(authority.text, to: "ca.pem")
        let server = try ServerRun(["--quiet"], in: folder)
        let address = server.address.replacing("http:", with: "https:")
        let trusting = "--cacert ca.pem \(option) \(Self.accepted)"
        #expect(try curl("\(trusting) \(address)/3/device/ab12", in: folder) == "200 \(version) ")
        let port = try #require(address.split(separator: ":").last)
        let host = "api.sandbox.push.apple.com"
        let resolved = "--connect-to \(host):443:127.0.0.1:\(port) https://\(host)/3/device/ab12"
        #expect(try curl("\(trusting) \(resolved)", in: folder) == "200 \(version) ")
        // Without trust the certificate is refused (60).
        #expect(try folder.shell("curl -s \(option) -d '{}' \(address)/3/device/ab12").status == 60)
        server.run.signal(SIGTERM)
        #expect(try server.run.finish(endingInput: false).lines.count == 2)
    }

    @Test(arguments: ["50ms", "1d"])
    func `messages of Wikimedia's service are sent later, and at the latest when the server ends`(delay: String) throws
    {
        let folder = try Folder()
        try folder.write("wikimedia: {flush-delay: \(delay)}", to: "gateway.yml")
        let server = try ServerRun(["--config", "gateway.yml"], in: folder)
        let body = #"{"deviceTokens":["ab12"],"messageType":"checkEchoV1","topic":"org.wikimedia.wikipedia"}"#
        #expect(try curl("-d '\(body)' \(server.address)/v1/message/apns", in: folder) == "200 1.1 {}")
        // The line about a message that is sent while the server runs comes before its end.
        var text = delay == "50ms" ? try server.run.lines(1)[0] : ""
        server.run.signal(SIGTERM)
        text += try server.run.finish(endingInput: false).text
        #expect(text.contains(#""via":"wikimedia","device":"ab12""#))
    }

    /// The page's server, on a free port, and its sessions with curl.
    @Test func `the sessions of the guide print what the page says`() throws {
        let page = try String(
            contentsOf: Place.package.appendingPathComponent("Documentation/guides/serve.md"), encoding: .utf8)
        let folder = try Folder()
        let server = try ServerRun(["--store", "phone.db"], in: folder)
        var count = 0
        for block in page.components(separatedBy: "```console\n").dropFirst() {
            let lines = (block.components(separatedBy: "```").first ?? "").components(separatedBy: "\n$ ")
            for step in lines {
                let parts = step.drop { $0 == "$" || $0 == " " }.split(
                    separator: "\n", omittingEmptySubsequences: false)
                let command = String(try #require(parts.first)).replacing("http://127.0.0.1:2197", with: server.address)
                let expected = parts.dropFirst().filter { !$0.isEmpty }.joined(separator: "\n")
                let output = try folder.shell(command)
                #expect(output.status == 0, "$ \(command)\n\(output.stderr)")
                #expect(output.text.trimmingCharacters(in: .newlines) == expected, "$ \(command)")
                count += 1
            }
        }
        #expect(count >= 3)
        server.run.signal(SIGTERM)
        #expect(try server.run.finish(endingInput: false).status == 143)
    }
}

/// A server on a free port.
struct ServerRun {
    let run: LiveRun
    /// `http://127.0.0.1:port`
    let address: String

    /// - Parameter descriptors: how many files and sockets it may have open; nil for the limit of the tests.
    init(_ arguments: [String], descriptors: Int? = nil, in folder: Folder) throws {
        try self.init(arguments, command: "serve", descriptors: descriptors, in: folder)
    }

    /// Of `pushpipe view`.
    init(view store: String, in folder: Folder) throws { try self.init([store], command: "view", in: folder) }

    private init(_ arguments: [String], command: String, descriptors: Int? = nil, in folder: Folder) throws {
        run = try LiveRun(
            arguments, command: [command, "--listen", "127.0.0.1:0"], hasNotes: true,
            environment: ["XDG_DATA_HOME": folder.path("data")], descriptors: descriptors, in: folder)
        let note = run.firstNote()
        address = try String(#require(note.firstMatch(of: /http:\/\/[0-9.:]+/), "\(note)").output)
    }
}
