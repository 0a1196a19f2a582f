import Foundation
import TestSupport
import Testing

/// `pushpipe trace`.
struct TraceTests {
    private static func sample(_ name: String) -> String { Place.samples.appendingPathComponent(name).path }

    /// The time that an extension takes differs from run to run.
    private func withoutTimes(_ text: String) -> String { text.replacing(#/ *\+\d+\.\d ms/#, with: "") }

    /// The section of a name in each trace, one element per line.
    private func sections(_ name: String, _ text: String) -> [[String]] {
        text.components(separatedBy: "\n\n").filter { !$0.isEmpty }.map { trace in
            let lines = trace.split(separator: "\n").map(String.init)
            guard let start = lines.firstIndex(where: { $0 == name || $0.hasPrefix(name + "  ") }) else { return [] }
            return lines[(start + 1)...].prefix { $0.hasPrefix("  ") }.map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
    }

    @Test func `each message of a stream is traced`() throws {
        let output = try Folder().pushpipe("trace", "--clock", "0", Self.sample("quickstart.ndjson"))
        #expect(output.status == 0)
        #expect(output.stderr.isEmpty)
        #expect(
            sections("outcome", output.text) == [
                ["delivered  200  match-17"], ["delivered  200  push-2"], ["replaced 1  200  match-17"],
                ["silent  200 background"], ["delivered  200  match-17"], ["replaced 5  200  match-17"],
                ["delivered  200  push-7"],
                [
                    "malformed  \(Self.sample("quickstart.ndjson")):8:126: expected a member name in double quotes after ',', but found '}'  "
                        + "json.trailing-comma"
                ],
                ["delivered  200  push-9"], ["rejected  413 PayloadTooLarge"],
            ])
        #expect(sections("screen", output.text)[2] == ["replaced  match-17", "1 notification"])
        #expect(sections("budget", output.text)[9].first?.hasPrefix("5288 of 4096 bytes  apns: ") == true)
    }

    /// What the screen section says of a push about the one before it.
    private func nearMiss(_ records: [String], _ options: [String] = []) throws -> [String] {
        let output = try Folder().pushpipe(
            arguments: ["trace", "--clock", "0"] + options, stdin: Array(records.map { $0 + "\n" }.joined().utf8))
        return (sections("screen", output.text).last ?? []).filter { $0.hasPrefix("does not replace") }
    }

    private static func push(_ id: String?, app: String = "org.a", device: String = "ab12") -> String {
        let collapse = id.map { #","apns-collapse-id":"\#($0)""# } ?? ""
        return
            #"{"device":"\#(device)","headers":{"apns-topic":"\#(app)"\#(collapse)},"payload":{"aps":{"alert":"x"}}}"#
    }

    @Test(arguments: [
        (push("Match-17"), "Match-17 of record 1: its identifier is spelled \"Match-17\", and here \"match-17\""),
        (push("match_17"), "match_17 of record 1: its identifier is spelled \"match_17\", and here \"match-17\""),
        (push("mtach-17"), "mtach-17 of record 1: its identifier is spelled \"mtach-17\", and here \"match-17\""),
        (push("match-17 "), "match-17  of record 1: its identifier is spelled \"match-17 \", and here \"match-17\""),
        (push("match-17", app: "org.b"), "match-17 of record 1: it is of another app, org.b"),
        (push("match-17", device: "ab13"), "match-17 of record 1: it is on another device, ab13"),
    ])
    func `a trace names a notification that is nearly replaced`(_ first: String, _ words: String) throws {
        #expect(try nearMiss([first, Self.push("match-17")]) == ["does not replace " + words])
    }

    @Test func `a trace names a notification that is gone, and nothing that is only similar`() throws {
        let tap = #"{"event":"dismiss","device":"ab12","app":"org.a","identifier":"match-17"}"#
        #expect(
            try nearMiss([Self.push("match-17"), tap, Self.push("match-17")])
                == ["does not replace match-17: off the screen since record 2, dismissed"])
        let other = Self.push("match-17", app: "org.b", device: "ab13")
        #expect(try nearMiss([other, Self.push("match-17")]).isEmpty)
        #expect(try nearMiss([Self.push("match-17"), Self.push("match-17")]).isEmpty)
        #expect(
            try nearMiss([Self.push("Match-17"), Self.push("match-17 "), Self.push("match-17")]) == [
                "does not replace match-17  of record 2: its identifier is spelled \"match-17 \", and here \"match-17\""
            ])
    }

    @Test func `a trace compares with the latest notification of the app`() throws {
        func push(_ id: String?) -> String { Self.push(id) }
        // Written differently, they look the same.
        #expect(try nearMiss([push("caf\u{E9}"), push("cafe\u{301}")]).count == 1)
        let other = "its identifier is another one"
        #expect(try nearMiss([push("a"), push("b")]) == ["does not replace a of record 1: \(other)"])
        #expect(
            try nearMiss([push(nil), push("b")]) == ["does not replace push-1 of record 1: it has no apns-collapse-id"])
        #expect(
            try nearMiss([push("a"), push(nil)]) == [
                "does not replace a of record 1: this message has no apns-collapse-id"
            ])
        let tap = #"{"event":"dismiss","device":"ab12","app":"org.a","identifier":"a"}"#
        #expect(try nearMiss([push("a"), tap, push(nil)]).isEmpty)
        #expect(try nearMiss([push("a"), push("b"), push("a")]).isEmpty)
        #expect(
            try nearMiss([push(nil), push(nil)]) == [
                "does not replace push-1 of record 1: neither has an apns-collapse-id"
            ])
        #expect(
            try nearMiss([push("match-17"), push(nil), push("match-18")]) == [
                "does not replace match-17 of record 1: \(other)"
            ])
        func fcm(_ tag: String) -> String {
            #"{"message":{"token":"t","notification":{"title":"x"},"android":{"notification":{\#(tag)}}}}"#
        }
        #expect(
            try nearMiss([fcm(#""tag":"a""#), fcm("")]) == ["does not replace a of record 1: this message has no tag"])
    }

    @Test func `a trace knows the names of what an app posts and of pushes that waited`() throws {
        func post(_ members: String) -> String {
            #"{"event":"post","device":"t","app":"org.a","title":"x"\#(members)}"#
        }
        let push = #"{"message":{"token":"t","notification":{"title":"x"},"android":{"notification":{"tag":"a"}}}}"#
        let away = #"{"event":"device","device":"t","app":"org.a","platform":"android","online":false}"#
        let back = #"{"event":"device","device":"t","online":true}"#
        let other = ["does not replace a of record 2: its identifier is another one"]
        let present = away.replacing("false", with: "true")
        #expect(try nearMiss([present, push, post(#","tag":"a","id":5"#)]) == other)
        #expect(try nearMiss([present, push, post("")]) == ["does not replace a of record 2: this message has no tag"])
        #expect(try nearMiss([present, post(""), push]) == ["does not replace post-2 of record 2: it has no tag"])
        #expect(
            try nearMiss([present, post(#","tag":"b""#), push]) == [
                "does not replace b of record 2: its identifier is another one"
            ])
        let later = push.replacing(#""a""#, with: #""c""#)
        #expect(
            try nearMiss([present, away, push, back, later])
                == ["does not replace a of record 3: its identifier is another one"])
    }

    @Test func `a trace says that a device is offline, and what a collapse_key replaces`() throws {
        let away = #"{"event":"device","device":"ab12","online":false}"#
        let held = try Folder().pushpipe("trace", stdin: away + "\n" + Self.push(nil) + "\n")
        #expect(sections("outcome", held.text).last == ["held  200  the device is offline"])
        let fcm = #"{"message":{"token":"t","notification":{"title":"1"},"android":{"collapse_key":"m"}}}"# + "\n"
        let screens = sections("screen", try Folder().pushpipe("trace", stdin: fcm + fcm).text)
        let words = "does not replace push-1 of record 1: neither has a tag; a collapse_key replaces what waits"
        #expect(screens.map { $0.contains { $0.hasPrefix(words) } } == [false, true])
    }

    @Test func `a trace says that no extension was started that would have replaced something`() throws {
        func push(_ text: String, _ mutable: String) -> String {
            #"{"device":"ab12","headers":{"apns-topic":"org.a"},"payload":{"aps":{"alert":"\#(text)"\#(mutable)},"chat":"c1"}}"#
        }
        let records = [push("1 unread", #","mutable-content":1"#), push("3 unread", "")]
        let words = "does not replace push-1 of record 1: the extension was not started: "
        let found = try nearMiss(records, ["--replace-by", "chat"])
        #expect(found.count == 1 && found[0].hasPrefix(words) && found[0].contains("mutable-content"), "\(found)")
    }

    @Test func `a trace says that a thread only groups`() throws {
        func push(_ thread: String, _ body: String, device: String = "ab12", id: String? = nil) -> String {
            let collapse = id.map { #","apns-collapse-id":"\#($0)""# } ?? ""
            return
                #"{"device":"\#(device)","headers":{"apns-topic":"org.a"\#(collapse)},"payload":{"aps":{"alert":"\#(body)","thread-id":"\#(thread)"}}}"#
        }
        let words = ": thread-id only groups them; the same apns-collapse-id in both would replace it"
        #expect(try nearMiss([push("t", "1"), push("t", "2")]) == ["does not replace push-1 of record 1" + words])
        #expect(
            try nearMiss([push("t", "1"), push("t", "2"), push("t", "3")])
                == ["does not replace push-2 of record 2" + words])
        #expect(
            try nearMiss([push("t", "1", id: "a"), push("t", "2", id: "b")])
                == ["does not replace a of record 1: its identifier is another one"])
        let tap = #"{"event":"dismiss","device":"ab12","app":"org.a","identifier":"push-1"}"#
        for records in [
            [push("t", "1"), tap, push("t", "2")], [push("t", "1", device: "ab13"), push("t", "2")],
        ] { #expect(try nearMiss(records).isEmpty, "\(records)") }
    }

    @Test func `a store that was asked says that it keeps no reasons, and the summary has them`() throws {
        let folder = try Folder()
        let denied = #"{"event":"device","device":"ab12","app":"org.a","authorization":"denied"}"#
        let run = try folder.pushpipe(
            "run", "--format", "none", "--store", "s.db", stdin: denied + "\n" + Self.push(nil) + "\n")
        #expect(run.stderr.contains("\n  suppressed 1: denied 1\n"), "\(run.stderr)")
        let output = try folder.pushpipe("trace", "--store", "s.db", "--seq", "2")
        #expect(
            sections("now", output.text) == [
                [
                    "not on a screen; a store keeps no reasons, which the report of the run has. pushpipe store devices FILE --device 'ab12' shows the settings that are in force, and pushpipe trace --store FILE what they do to the same push"
                ]
            ])
        let devices = try folder.pushpipe("store", "devices", "s.db", "--device", "ab12")
        #expect(devices.text.contains("denied"))
        let again = try folder.pushpipe("trace", "--store", "s.db", stdin: Self.push(nil) + "\n")
        #expect(
            sections("outcome", again.text).last?.first?.contains("suppressed  200 denied") == true, "\(again.text)")
        for (record, words) in [("1", "it was an event, silent or rejected"), ("9", "the last one is 2")] {
            let nothing = try folder.pushpipe("trace", "--store", "s.db", "--seq", record)
            #expect(nothing.status == 2 && nothing.stderr.contains("has nothing about record \(record): \(words)"))
        }
    }

    @Test func `a trace over a store knows what was on its screens`() throws {
        let folder = try Folder()
        _ = try folder.pushpipe("run", "-q", "--store", "s.db", stdin: Self.push("MATCH") + "\n")
        let output = try folder.pushpipe("trace", "--store", "s.db", stdin: Self.push("match") + "\n")
        #expect(output.text.contains("does not replace MATCH of record 1"), "\(output.text)")
    }

    @Test func `an event and the later delivery of a queued push each have a section`() throws {
        let output = try Folder().pushpipe("trace", "--clock", "0", Self.sample("night-flight.ndjson"))
        let traces = output.text.components(separatedBy: "\n\n")
        func trace(_ heading: String) -> [String] {
            traces.first { $0.hasPrefix(heading + "\n") }.map { $0.split(separator: "\n").map(String.init) } ?? []
        }
        let away = trace("record 3")
        #expect(away.contains("event  device"))
        #expect(away.suffix(2) == ["outcome", "  applied"])
        #expect(away.allSatisfy { !$0.contains("provider") && !$0.contains("bytes") })
        #expect(
            trace("record 11").suffix(5) == [
                "event  clock", "screen", "  expired   push-10  +3599999 ms", "outcome", "  applied",
            ])
        #expect(
            trace("record 12  what was held of record 6") == [
                "record 12  what was held of record 6", "outcome", "  delivered  result",
            ])
        #expect(trace("record 6  what was held of record 5").last == "  discarded  superseded")
        #expect(
            trace("record 14").suffix(5).prefix(3) == ["  dismissed result", "  removed   result", "  0 notifications"])
    }

    @Test func `a trace shows the steps of an extension`() throws {
        let output = try Folder().pushpipe(
            "trace", "--clock", "0", "--extension", Self.sample("Extensions/mention.py"),
            Self.sample("mentions.ndjson"))
        let found = sections("extension", withoutTimes(output.text))
        #expect(
            found[1] == [
                "→ didReceive", "← getDeliveredNotifications: push-1", "← removeDeliveredNotifications: push-1",
                "← getDeliveredNotifications: none", "← contentHandler", #"+ /threadIdentifier: "7""#,
                #"+ /title: "Ada mentioned you""#, #"+ /interruptionLevel: "time-sensitive""#,
            ])
        #expect(
            sections("screen", output.text)[1] == ["removed   push-1", "delivered push-2", "1 notification"])
    }

    private static let samples = [
        "quickstart.ndjson", "election-night-custom-id.ndjson", "gcm-score-updates.ndjson", "every-bad-record.ndjson",
    ]

    @Test(arguments: Effort.some(samples, fast: 1))
    func `a trace has the outcomes and the status of a run`(file: String) throws {
        let options = [
            "--clock", "0", "--replace-by", "custom-payload-id", "--fit", "--fail-on", "rejected", Self.sample(file),
        ]
        let folder = try Folder()
        let traced = try folder.pushpipe(arguments: ["trace"] + options)
        let plain = try folder.pushpipe(arguments: ["run", "-q"] + options)
        #expect(traced.status == plain.status)
        let outcomes = sections("outcome", traced.text).map { $0.first.map { $0.prefix { $0.isLetter } } ?? "" }
        #expect(try outcomes.map(String.init) == plain.outcomes())
    }

    @Test func `a trace sees the screens of a store, and leaves it as it is`() throws {
        let folder = try Folder()
        _ = try folder.pushpipe("run", "-q", "--store", "s.db", stdin: apns("1", collapse: "r"))
        let before = try folder.pushpipe("store", "export", "--complete", "--events", "s.db").text
        for text in ["2", "3"] {
            let output = try folder.pushpipe("trace", "--store", "s.db", stdin: apns(text, collapse: "r"))
            #expect(sections("outcome", output.text) == [["replaced 1  200  r"]], "\(output)")
            #expect(sections("screen", output.text).first?.last == "1 notification")
        }
        #expect(try folder.pushpipe("store", "export", "--complete", "--events", "s.db").text == before)
        #expect(try folder.pushpipe("trace", "--store", "none.db", stdin: apns("1")).status == 2)
        #expect(!FileManager.default.fileExists(atPath: folder.path("none.db")))
        let silent = try folder.pushpipe(
            "trace", "--store", "s.db", "--topic", "org.example.news", "--device", "ab54", stdin: #"{"aps":{}}"#)
        #expect(sections("screen", silent.text) == [["1 notification"]])
    }

    @Test func `one record of a file is traced, with the screens as those before it left them`() throws {
        let folder = try Folder()
        let pushes = ["a", "b", "c"].map { apns($0, collapse: "r").trimmingCharacters(in: .newlines) }
        try folder.write(pushes.joined(separator: "\n\n") + "\n", to: "in.ndjson")
        for (line, expected) in [(1, "delivered  200  r"), (3, "replaced 1  200  r"), (5, "replaced 2  200  r")] {
            let output = try folder.pushpipe("trace", "in.ndjson:\(line)")
            #expect(output.status == 0)
            #expect(sections("outcome", output.text) == [[expected]], "line \(line): \(output)")
        }
        for line in [4, 6] {
            let output = try folder.pushpipe("trace", "in.ndjson:\(line)")
            #expect(output.status == 2 && output.text.isEmpty)
            #expect(
                output.stderr.contains(
                    "no record at line \(line) of in.ndjson; the last one before it is at line \(line - 1)"))
        }
        try folder.write("[{\"aps\":\n{\"badge\":1}},\n{\"aps\":{\"badge\":2}}]", to: "array.json")
        for (line, count) in [(1, 1), (2, 1), (3, 1)] {
            #expect(try sections("outcome", folder.pushpipe("trace", "array.json:\(line)").text).count == count)
        }
        #expect(try folder.pushpipe("trace", "none.ndjson:1").status == 2)
    }

    @Test func `a store says how a record was delivered, and what became of it`() throws {
        let folder = try Folder()
        _ = try folder.pushpipe(
            "run", "-q", "--clock", "0", "--store", "s.db",
            stdin: apns("a", collapse: "r") + apns("b", collapse: "s") + apns("c", collapse: "r"))
        let first = try folder.pushpipe("trace", "--store", "s.db", "--seq", "1")
        #expect(first.status == 0)
        let journal = sections("journal", first.text).first ?? []
        #expect(
            journal.count == 2 && journal[0].contains("delivered") && journal[1].contains("by record 3"), "\(first)")
        #expect(sections("now", first.text) == [["not on a screen"]])
        let third = try folder.pushpipe("trace", "--store", "s.db", "--seq", "3")
        #expect(sections("now", third.text) == [["on the screen"]], "\(third)")
        #expect(sections("notification", third.text).first?.contains { $0.hasSuffix("c") } == true)
        #expect(try folder.pushpipe("trace", "--store", "s.db", "--seq", "9").status == 2)
        for wrong in [["--seq", "1"], ["--store", "s.db", "--seq", "1", "in"]] {
            #expect(try folder.pushpipe(arguments: ["trace"] + wrong).status == 2)
        }
    }

    @Test func `a store says what is held, and what is on the lock screen`() throws {
        let folder = try Folder()
        let start =
            #"{"device":"ab54","headers":{"apns-topic":"org.example.push-type.liveactivity","apns-push-type":"liveactivity"},"#
            + #""payload":{"aps":{"timestamp":1,"event":"start","content-state":{},"attributes-type":"T","attributes":{},"#
            + #""alert":{"title":"t","body":"b"}}}}"#
        let away = #"{"event":"device","device":"cd76","online":false}"#
        let push =
            #"{"device":"cd76","headers":{"apns-topic":"org.example","apns-expiration":"600"},"payload":{"aps":{"alert":"x"}}}"#
        let input = [start, away, push].joined(separator: "\n")
        _ = try folder.pushpipe("run", "-q", "--clock", "0", "--store", "s.db", stdin: input)
        let activity = try folder.pushpipe("trace", "--store", "s.db", "--seq", "1")
        #expect(sections("now", activity.text) == [["on the lock screen: activity-1, active"]], "\(activity)")
        let held = try folder.pushpipe("trace", "--store", "s.db", "--seq", "3")
        #expect(sections("now", held.text) == [["held for its device"]], "\(held)")
        _ = try folder.pushpipe(
            "run", "-q", "--clock", "1", "--store", "s.db", stdin: away.replacing("false", with: "true"))
        let later = try folder.pushpipe("trace", "--store", "s.db", "--seq", "3")
        #expect(sections("now", later.text) == [["on the screen"]], "\(later)")
    }

    @Test func `a pipe gets full, plain text`() throws {
        let text = String(repeating: "lang ", count: 200)
        let output = try Folder().pushpipe("trace", stdin: apns(text))
        #expect(output.text.contains(text))
        #expect(!output.text.contains("\u{1B}"))
    }
}
