import Foundation
import PushConsole
import PushDevices
import PushFaults
import PushFraming
import PushPipeline
import PushRuns
import PushSQLite
import PushSystem
import ServiceTestSupport
import Testing

@testable import PushServices

#if canImport(FoundationXML)
    import FoundationXML
#endif

struct ConsoleTests {
    private func page(_ path: String, _ headers: [(String, String)] = [], method: String = "GET") throws
        -> GatewayAnswer
    {
        try SessionTrial(.wellFormed, services: [APNsService(.wellFormed), ConsoleService()]).answer(
            GatewayRequest(method: method, path: path, headers: headers.map { HeaderField($0.0, $0.1) }))
    }

    @Test func `the page is at the root, and may ask nobody else`() throws {
        let answer = try page("/")
        #expect(answer.status == 200)
        #expect(answer.header("content-type") == "text/html; charset=utf-8")
        #expect(answer.text.contains("<title>pushpipe</title>"))
        let policy = try #require(answer.header("content-security-policy"))
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
        #expect(!policy.contains("unsafe") && !policy.contains("*") && !policy.contains("http"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(answer.header("referrer-policy") == "no-referrer")
    }

    @Test(arguments: ConsoleFile.all.map(\.name) + [ConsoleService.theme.name])
    func `every file is served with its type, and not again to whoever has it`(name: String) throws {
        let path = name == "index.html" ? "/?x=1" : "/console/\(name)"
        let answer = try page(path)
        #expect(answer.status == 200)
        #expect(!answer.body.isEmpty)
        #expect(answer.header("x-content-type-options") == "nosniff")
        #expect(answer.header("content-type")?.hasPrefix("application/octet-stream") == false)
        let tag = try #require(answer.header("etag"))
        let again = try page(path, [("if-none-match", "\"other\", W/\(tag)")])
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
        #expect(try page(path, [("if-none-match", "\"other\"")]).status == 200)
    }

    /// What the page names is there, and nothing in it runs or loads by itself.
    @Test func `the files name only each other`() throws {
        let names = Set(ConsoleFile.all.map { $0.name } + [ConsoleService.theme.name])
        #expect(names.count > 10)
        for file in ConsoleFile.all {
            let text = String(decoding: file.bytes, as: UTF8.self)
            for match in text.matches(of: /(?:from|import) "\.\/([^"]+)"|(?:href|src)="\/console\/([^"]+)"/) {
                let name = String(match.1 ?? match.2 ?? "")
                #expect(names.contains(name), "\(file.name): \(name)")
            }
            for wrong in [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", " style=\"",
            ] {
                #expect(!text.contains(wrong), "\(file.name): \(wrong)")
            }
            let addresses = text.matches(of: /https?:\/\/[a-z][^"'` )]*/).map { String($0.0) }
            #expect(addresses.allSatisfy { $0.hasPrefix("http://www.w3.org/") }, "\(file.name): \(addresses)")
        }
    }

    @Test(arguments: ["/console", "/console/", "/console/nothing.js", "/console/../index.html", "/index.html", "//"])
    func `any other path is nobody's, as before`(path: String) throws {
        let answer = try page(path)
        #expect(answer.status == 404)
        #expect(answer.reason == "BadPath")
    }

    @Test func `only reading is answered`() throws {
        #expect(try page("/", method: "HEAD").status == 200)
        #expect(try page("/", method: "POST").status == 404)
    }

    @Test func `fault rules leave the page alone`() throws {
        let trial = SessionTrial(.wellFormed, services: [APNsService(.wellFormed), ConsoleService()])
        trial.session.faults.rules = FaultRules(
            try FaultFile.rules(Array("- reason: ServiceUnavailable\n".utf8)), now: 0)
        for path in ["/", "/?a", "/console/app.js"] {
            #expect(try trial.answer(GatewayRequest(method: "GET", path: path)).status == 200)
        }
        #expect(try trial.answer(push()).status == 503)
    }
}

struct BrowsingAPITests {
    @Test func `the status says what answers`() throws {
        let status = try SessionTrial.withAPI().get("/api/v1/status").parsed()
        #expect(status["mode"] as? String == "serve")
        #expect(status["read_only"] as? Bool == false)
        #expect((status["version"] as? String)?.isEmpty == false)
        #expect(status["store"] == nil)
    }

    @Test func `devices are found by a part of their name, and screens come in pages`() throws {
        let trial = SessionTrial.withAPI()
        _ = try trial.session.answers(to: [push(to: "aa11"), push(to: "bb22"), push(to: "bb22"), push(to: "bb22")])
        let found = try trial.get("/api/v1/devices?search=B2").list("devices")
        #expect(found.map { $0["device"] as? String } == ["bb22"])
        #expect(found.first?["count"] as? Int == 3)
        let first = try trial.get("/api/v1/devices/BB22/screens?limit=2").parsed()
        let next = try #require(first["next"] as? String)
        #expect((first["notifications"] as? [[String: Any]])?.map { $0["seq"] as? Int } == [4, 3])
        let second = try trial.get(next).parsed()
        #expect((second["notifications"] as? [[String: Any]])?.map { $0["seq"] as? Int } == [2])
        #expect(second["next"] == nil)
    }

    @Test func `a registered device is in the list, and says how it was registered`() throws {
        let trial = SessionTrial.withAPI()
        _ = try trial.send(
            #"{"event":"device","device":"ab12","app":"org.example.app","platform":"android","online":false}"#,
            "/api/v1/records")
        #expect(try trial.get("/api/v1/devices").list("devices").map { $0["count"] as? Int } == [0])
        let registered = try trial.get("/api/v1/devices/ab12").list("registered")
        #expect(registered.first?["platform"] as? String == "android")
        #expect(registered.first?["online"] as? Bool == false)
        // What is written registers the device again.
        let other = SessionTrial.withAPI()
        let event = try JSONSerialization.data(withJSONObject: registered)
        let answer = try other.send(String(decoding: event, as: UTF8.self), "/api/v1/records")
        #expect(try answer.list("report").map { $0["outcome"] as? String } == ["applied"])
        #expect(try other.get("/api/v1/devices/ab12").list("registered").first?["platform"] as? String == "android")
    }

    @Test func `the journal says what happened, by device and identifier`() throws {
        let trial = SessionTrial.withAPI()
        let collapse = [("apns-topic", "org.example.app"), ("apns-collapse-id", "score")]
        _ = try trial.session.answers(to: [push(headers: collapse), push(headers: collapse), push(to: "cd34")])
        _ = try trial.send(#"{"event":"tap","device":"ab12","identifier":"score"}"#, "/api/v1/records")
        let lines = try trial.get("/api/v1/journal?device=AB12&identifier=score").list("journal")
        #expect(lines.map { $0["kind"] as? String } == ["delivered", "replaced", "tapped", "removed"])
        let second = try #require(lines[1]["id"] as? Int)
        let later = try trial.get("/api/v1/journal?device=ab12&identifier=score&after=\(second)").list("journal")
        #expect(later.map { $0["kind"] as? String } == ["tapped", "removed"])
        #expect(try trial.get("/api/v1/journal?limit=1").list("journal").count == 1)
        for wrong in ["limit=0", "after=-1", "colour=red"] {
            #expect(try trial.get("/api/v1/journal?\(wrong)").status == 400)
        }
        #expect(
            try trial.get("/api/v1/devices/ab12/screen.svg?colour=red").error
                == "unknown parameter colour; expected app or at")
    }

    @Test func `a screen of the past has what was said then, also of what is gone`() throws {
        let trial = SessionTrial.withAPI()
        let collapse = [("apns-topic", "org.example.app"), ("apns-collapse-id", "score")]
        _ = try trial.answer(push(#"{"aps":{"alert":{"title":"1:0"}}}"#, headers: collapse))
        _ = try trial.answer(push(#"{"aps":{"alert":{"title":"2:0"}}}"#, headers: collapse))
        let lines = try trial.get("/api/v1/journal?device=ab12").list("journal").compactMap { $0["id"] as? Int }
        let first = try trial.get("/api/v1/devices/ab12/screens?at=\(lines[0])").parsed()
        let shown = try #require(first["notifications"] as? [[String: Any]])
        #expect(shown.map { $0["title"] as? String } == ["1:0"])
        #expect(shown.first?["gone"] as? Bool == true && shown.first?["known"] as? Bool == true)
        #expect(first["complete"] as? Bool == true)
        let second = try trial.get("/api/v1/devices/ab12/screens?at=\(lines[1])").list("notifications")
        #expect(second.map { $0["title"] as? String } == ["2:0"])
        #expect(second.first?["gone"] == nil)
        #expect(try trial.get("/api/v1/devices/ab12/screens?at=0").list("notifications").isEmpty)
    }

    @Test(arguments: [ContentHistory(maximumCount: 1), ContentHistory(maximumBytes: 600)])
    func `what was said is known of the newest ones`(history: ContentHistory) throws {
        let trial = SessionTrial.withAPI()
        trial.session.traffic.history = history
        for title in ["One", "Two", "Three"] { _ = try trial.answer(push(#"{"aps":{"alert":{"title":"\#(title)"}}}"#)) }
        _ = try trial.send(#"{"event":"clear","device":"ab12"}"#, "/api/v1/records")
        let last = try #require(trial.get("/api/v1/journal?device=ab12").list("journal")[2]["id"] as? Int)
        let shown = try trial.get("/api/v1/devices/ab12/screens?at=\(last)").list("notifications")
        #expect(shown.map { $0["seq"] as? Int } == [3, 2, 1])
        #expect(shown.first?["title"] as? String == "Three")
        #expect(shown.last?["known"] as? Bool == false && shown.last?["title"] == nil)
    }

    @Test func `a screen that hides previews is drawn without the texts, and the API has them`() throws {
        let trial = SessionTrial.withAPI()
        let event =
            #"{"event":"device","device":"ab12","app":"org.example.app","locked":true,"previews":"when-unlocked"}"#
        _ = try trial.send(event, "/api/v1/records")
        _ = try trial.answer(push(#"{"aps":{"alert":{"title":"Ada–","body":"Six–"}}}"#))
        let hidden = try trial.get("/api/v1/devices/ab12/screen.svg").text
        #expect(hidden.contains("Notification") && !hidden.contains("Ada–") && !hidden.contains("Six–"))
        #expect(try trial.get("/api/v1/devices/ab12/screens").text.contains("Six–"))
    }

    // With dashes, because the picture shows the time of day.
    @Test func `a screen is drawn, now and as it was`() throws {
        let trial = SessionTrial.withAPI()
        let collapse = [("apns-topic", "org.example.app"), ("apns-collapse-id", "score")]
        _ = try trial.answer(push(#"{"aps":{"alert":{"title":"1–0 <b>&"}}}"#, headers: collapse))
        _ = try trial.answer(push(#"{"aps":{"alert":{"title":"2–0"}}}"#, headers: collapse))
        let now = try trial.get("/api/v1/devices/ab12/screen.svg")
        #expect(now.header("content-type") == "image/svg+xml")
        #expect(now.header("content-security-policy")?.contains("sandbox") == true)
        #expect(now.text.hasPrefix("<") && now.text.contains("2–0") && !now.text.contains("1–0"))
        let lines = try trial.get("/api/v1/journal?device=ab12").list("journal").compactMap { $0["id"] as? Int }
        let then = try trial.get("/api/v1/devices/ab12/screen.svg?at=\(lines[0])")
        #expect(then.text.contains("1–0 &lt;b&gt;&amp;") && !then.text.contains("2–0"))
        #expect(XMLParser(data: Data(then.body)).parse())
        #expect(try trial.get("/api/v1/devices/ab12/screen.svg?limit=1").status == 400)
    }

    @Test func `a message says its title`() throws {
        let trial = SessionTrial.withAPI()
        _ = try trial.answer(push(#"{"aps":{"alert":{"title":"Goal","body":"1:0"}}}"#))
        _ = try trial.answer(push("nonsense"))
        let titles = try trial.get("/api/v1/messages").list("messages").map { $0["title"] as? String }
        #expect(titles == ["Goal", nil])
    }

    @Test(arguments: [
        (String(repeating: "ä", count: 121), String(repeating: "ä", count: 120)),
        (String(repeating: "ä", count: 120), String(repeating: "ä", count: 120)),
        // Four bytes each.
        (String(repeating: "😀", count: 120), String(repeating: "😀", count: 120)),
        (String(repeating: "😀", count: 121), String(repeating: "😀", count: 119)),
        // Seven scalars and 25 bytes each, of which 19 fit.
        (String(repeating: "👨‍👩‍👧‍👦", count: 40), String(repeating: "👨‍👩‍👧‍👦", count: 19)),
    ])
    func `a title is cut after a character`(text: String, title: String) throws {
        let body = #"{"aps":{"alert":"\#(text)"}}"#
        #expect(MessageTitle.text(of: Array(body.utf8)) == title)
    }

    @Test func `a character with 10,000 marks is cut, too`() throws {
        let marks = String(repeating: "\u{301}", count: 10_000)
        let title = try #require(MessageTitle.text(of: Array(#"{"aps":{"alert":"a\#(marks)b"}}"#.utf8)))
        #expect(title.count == 1)
        #expect((MessageTitle.mostBytes - 3...MessageTitle.mostBytes).contains(title.utf8.count))
    }

    @Test func `a list has the titles of the messages that are kept`() throws {
        let traffic = GatewayTraffic(MessageLog(maximumCount: 3))
        let trial = SessionTrial(traffic: traffic)
        for number in 1...4 { _ = try trial.answer(push(#"{"aps":{"alert":"\#(number)"}}"#)) }
        for _ in 1...3 {
            let titles = try trial.get("/api/v1/messages").list("messages").map { $0["title"] as? String }
            #expect(titles == ["2", "3", "4"])
        }
        for number in 5...20 {
            _ = try trial.answer(push(#"{"aps":{"alert":"\#(number)"}}"#))
            let titles = try trial.get("/api/v1/messages").list("messages").map { $0["title"] as? String }
            #expect(titles == (number - 2...number).map(String.init))
        }
    }

    @Test func `the linter's findings have places and edits, and messages their sizes`() throws {
        let trial = SessionTrial.withAPI()
        let body = #"{"aps":{"alert":"Hi","mutable_content":1}}"#
        let answer = try trial.send(body, "/api/v1/lint")
        let finding = try #require(answer.list("findings").first)
        #expect(finding["rule"] as? String == "aps.misspelled-key")
        let edit = try #require((finding["edits"] as? [[String: Any]])?.first)
        let (offset, length) = (try #require(edit["offset"] as? Int), try #require(edit["length"] as? Int))
        var bytes = Array(body.utf8)
        bytes.replaceSubrange(offset..<offset + length, with: (edit["text"] as? String ?? "").utf8)
        let fixed = String(decoding: bytes, as: UTF8.self)
        #expect(try trial.send(fixed, "/api/v1/lint").list("findings").isEmpty, "\(fixed)")
        let size = try #require(answer.list("messages").first)
        #expect(size["bytes"] as? Int == body.utf8.count)
        #expect(size["limit"] as? Int == 4096)
        #expect((size["parts"] as? [[String: Any]])?.first?["pointer"] as? String == "/aps")
        // One after the other, as a stream has them.
        let two = try trial.send(fixed + fixed, "/api/v1/lint").list("messages")
        #expect(two.map { $0["bytes"] as? Int } == [fixed.utf8.count, fixed.utf8.count])
        #expect(try trial.send("", "/api/v1/lint").status == 400)
        #expect(try trial.send("{", "/api/v1/lint").list("findings").isEmpty == false)
    }

    @Test func `a rule is explained`() throws {
        let rule = try SessionTrial.withAPI().get("/api/v1/rules/aps.misspelled-key").parsed()
        #expect((rule["explanation"] as? String)?.isEmpty == false)
        let unknown = try SessionTrial.withAPI().get("/api/v1/rules/no.such-rule")
        #expect(unknown.status == 404)
        #expect(try unknown.error == "unknown rule no.such-rule; pushpipe explain --rules lists them")
    }
}

struct ViewTests {
    private static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private static func deliver(_ store: SQLiteStore, _ records: String) throws {
        var configuration = PipelineConfiguration()
        configuration.framing = .ndjson
        let pipeline = Pipeline(configuration, store: store)
        try Array(records.utf8).withUnsafeBytes { try pipeline.feed($0) { _ in } }
    }

    @Test func `a part of a divided input is not shown, because its row ids are too large for the page`() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "phone.db").path
        let store = try SQLiteStore(path: path)
        try ViewJob.refusePart(SQLiteStore(following: path), at: path)
        try store.transaction(replacing: nil) { try $0.progress.setPart(PartMark(part: 3, of: 64)) }
        #expect(throws: PlainError.self) { try ViewJob.refusePart(SQLiteStore(following: path), at: path) }
    }

    @Test func `a store is shown while another connection writes it, and nothing can be changed`() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "phone.db").path
        let writer = try SQLiteStore(path: path)
        let record = #"{"device":"ab12","headers":{"apns-topic":"org.example.app"},"payload":{"aps":{"alert":"Hi"}}}"#
        try Self.deliver(writer, record + "\n")
        let session = ViewJob.session(try SQLiteStore(following: path), path: path, APIAccess())
        func get(_ path: String, _ method: String = "GET", _ body: String = "") throws -> GatewayAnswer {
            try session.answers(to: [GatewayRequest(method: method, path: path, body: Array(body.utf8))])[0]
        }
        let status = try get("/api/v1/status").parsed()
        #expect(status["mode"] as? String == "view" && status["read_only"] as? Bool == true)
        #expect(status["store"] as? String == path)
        #expect(try get("/").status == 200)
        #expect(try get("/api/v1/devices/ab12/screens").list("notifications").count == 1)
        let before = session.traffic.changes
        _ = try session.runDue(now: .infinity)
        #expect(session.traffic.changes == before)
        try Self.deliver(writer, record + "\n")
        _ = try session.runDue(now: .infinity)
        #expect(session.traffic.changes != before)
        #expect(try get("/api/v1/devices/ab12/screens").list("notifications").count == 2)
        #expect(try get("/api/v1/journal").list("journal").count == 2)
        for (path, method) in [("records", "POST"), ("reset", "POST"), ("faults", "PUT"), ("faults", "DELETE")] {
            let answer = try get("/api/v1/\(path)", method, "{}")
            #expect(answer.status == 409)
            #expect(try answer.error.contains("pushpipe view"))
        }
        // Not APNs' answer: no push service is here.
        for (path, method) in [("/3/device/ab12", "POST"), ("/nothing", "GET")] {
            let answer = try get(path, method)
            #expect(answer.status == 404)
            #expect(try answer.error.contains("pushpipe view has no such path"))
        }
        // The linter changes nothing.
        #expect(try get("/api/v1/lint", "POST", record).status == 200)
    }

    @Test func `the program that opens the page is no child of this process`() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "open it")
        try Data("#!/bin/sh\necho \"$PPID $1\" >\"$0.told\"\n".utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let told = program.path + ".told"
        #expect(mkfifo(told, 0o600) == 0)
        let page = "http://127.0.0.1:2198/?a=$(b)&c='"
        #expect(ViewJob.open(page, with: ["/nowhere/open", program.path]))
        let reading = try #require(FileHandle(forReadingAtPath: told))
        let words = String(decoding: try reading.readToEnd() ?? Data(), as: UTF8.self).split(separator: " ")
        try #require(words.count == 2)
        #expect(Int32(words[0]) != getpid())
        #expect(words[1] == page + "\n")
        #expect(!ViewJob.open(page, with: ["/nowhere/open"]))
    }

    @Test func `a stream reports changes if it was asked to, and not too often`() throws {
        let traffic = GatewayTraffic()
        var places: [EventStream] = []
        let stream = EventStream(traffic, MessageFilter(), after: nil, places: { 7 }, whenOver: {})
        places = [stream, EventStream(traffic, MessageFilter(), after: nil) {}]
        func text(_ stream: EventStream, at now: Double) -> String? {
            guard case .more(let bytes)? = stream.next(now: now, unread: 0, isStopping: false) else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
        for stream in places { #expect(stream.next(now: 1, unread: 0, isStopping: false) != nil) }
        #expect(text(stream, at: 1) == nil)
        traffic.noteChange()
        #expect(text(stream, at: 1) == "event: change\ndata: {\"journal\":7}\n\n")
        #expect(text(places[1], at: 1) == nil)
        traffic.noteChange()
        #expect(text(stream, at: 1.05) == nil)
        #expect(stream.deadline == 1.1)
        #expect(text(stream, at: 1.1) != nil)
        #expect(text(stream, at: 1.3) == nil)
    }
}
