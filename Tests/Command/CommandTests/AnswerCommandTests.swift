import Foundation
import TestSupport
import Testing

/// `run --check-answers` and `explain`: arguments, streams and exit statuses.
struct AnswerCommandTests {
    private static let push =
        #"{"device":"ab54","headers":{"apns-topic":"org.example"},"payload":{"aps":{"alert":"Hi"}},"answer":"#
    private static let equal = push + "{\"status\":200}}\n"
    private static let other = push + "{\"status\":410,\"reason\":\"Unregistered\",\"timestamp\":1700000000000}}\n"

    @Test(arguments: [["--jobs", "1"], ["--jobs", "4"], ["--store", "s.db"]])
    func `a difference is status 1, from a file and from a pipe`(_ arguments: [String]) throws {
        let folder = try Folder(["equal": Self.equal, "other": Self.other])
        let options = ["run", "-q", "--check-answers"] + arguments
        let same = try folder.pushpipe(arguments: options + ["equal"], stdin: [])
        #expect(same.status == 0)
        #expect(same.stderr == "answers compared 1, different 0\n")
        for (files, input) in [(["equal", "other"], ""), ([], Self.equal + Self.other)] {
            let output = try folder.pushpipe(arguments: options + files, stdin: Array(input.utf8))
            #expect(output.status == 1)
            #expect(output.stderr == "answers compared 2, different 1\n         1  apns  200 → 410 Unregistered\n")
            #expect(try output.json().map { $0["sender_answer"]?["reason"]?.string } == [nil, "Unregistered"])
        }
    }

    /// The effect of a registered device on a push is compared, too.
    @Test func `an event makes the answers equal`() throws {
        let event = #"{"event":"device","device":"ab54","unregistered":true}"# + "\n"
        let output = try Folder().pushpipe("run", "-q", "--check-answers", stdin: event + Self.other)
        #expect(output.status == 0)
        #expect(output.stderr == "answers compared 1, different 0\n")
    }

    @Test(arguments: ["text", "none", "ndjson"]) func `totals come with every format`(_ format: String) throws {
        let output = try Folder().pushpipe("run", "-q", "--check-answers", "--format", format, stdin: Self.other)
        #expect(output.status == 1)
        #expect(output.stderr.hasPrefix("answers compared 1, different 1\n"))
    }

    @Test(arguments: [
        (["--set", "answers.at=response"], "JSON Pointer"),
        (["--check-answers", "--set", "answers.at=/r"], "no answer at /r in any record"),
        (["--check-answers", "--store", "s.db", "--resume"], "cannot be combined with --resume"),
    ])
    func `a wrong place, or a run that cannot compare all, is status 2`(_ arguments: [String], _ words: String) throws {
        let output = try Folder().pushpipe(arguments: ["run", "-q"] + arguments, stdin: Array(Self.equal.utf8))
        #expect(output.status == 2)
        #expect(output.stderr.contains(words), "\(output.stderr)")
    }

    @Test func `explain knows headers by their last words, and the form of a report's keys`() throws {
        #expect(try Folder().pushpipe("explain", "collapse id").text.hasPrefix("apns-collapse-id: "))
        #expect(try Folder().pushpipe("explain", "stale").text.contains(#": [{"seq","identifier","milliseconds"}], "#))
    }

    @Test(arguments: [
        ("Given at most 2 pushes a minute to one device", "at most {int} push(es) a minute to one device"),
        ("And an unregistered token", ""), ("push(es) a minute", "at most {int} push(es) a minute of one app"),
    ])
    func `explain knows the steps of scenarios by a line and by words`(_ words: String, _ pattern: String) throws {
        let output = try Folder().pushpipe("explain", words, stdin: "")
        #expect(output.status == (pattern.isEmpty ? 2 : 0), "\(output.stderr)")
        #expect(pattern.isEmpty || output.text.contains("\(pattern):"), "\(output.text)")
    }

    /// The options only look.
    @Test func `the report without differences is the same as without the option`() throws {
        let folder = try Folder(["in": Self.equal + apns("a")])
        let plain = try folder.pushpipe("run", "-q", "--clock", "0", "in")
        let checked = try folder.pushpipe("run", "-q", "--clock", "0", "--check-answers", "in")
        #expect(plain.text == checked.text)
        #expect(plain.status == 0 && plain.stderr.isEmpty)
    }

    @Test func `a part of an input has the answers of its envelopes`() throws {
        let folder = try Folder(["in": Self.equal + Self.other])
        let output = try folder.shell(
            "pushpipe partition in --parts 1 --output parts && pushpipe run -q --check-answers parts/*")
        #expect(output.status == 1)
        #expect(output.stderr.contains("answers compared 2, different 1\n"), "\(output.stderr)")
    }

    @Test func `a reason is explained`() throws {
        let output = try Folder().pushpipe("explain", "BadRequestPayload")
        #expect(output.status == 0)
        #expect(
            output.text.hasPrefix("BadRequestPayload: the payload is not JSON\napns, status 400\ndocumented: Apple"))
        #expect(output.text.contains("assumed, Apple names this reason for broadcasts only"))
        #expect(try Folder().pushpipe("explain", "apns.bad-request-payload").text == output.text)
        for wrong in [
            ["explain", "NoSuchWord"], ["explain", "BadTopic", "silent"], ["explain", "--rules", "BadTopic"],
        ] {
            #expect(try Folder().pushpipe(arguments: wrong, stdin: []).status == 2)
        }
    }

    @Test(arguments: [
        ("baddtopic", "nothing is known about 'baddtopic'; did you mean BadTopic? ("),
        ("apnstopic", "nothing is known about 'apnstopic'; did you mean apns-topic? ("),
        ("input.att", "nothing is known about 'input.att'; did you mean input.at? ("),
        ("aps.mispelled-key", "nothing is known about 'aps.mispelled-key'; did you mean aps.misspelled-key? ("),
        ("alert-off", "nothing is known about 'alert-off'; did you mean alerts-off? ("),
        ("999", "nothing is known about '999' (pushpipe explain has examples)"),
    ])
    func `a word that nothing has is told with the nearest one`(_ word: String, _ message: String) throws {
        let output = try Folder().pushpipe("explain", word)
        #expect(output.status == 2)
        #expect(output.stderr.hasPrefix("pushpipe: " + message), "\(output.stderr)")
    }

    @Test func `the reason of an outcome is explained at each place where it stands`() throws {
        // FCM's legacy protocol, and a receipt of Expo's.
        let shared = try Folder().pushpipe("explain", "MessageTooBig").text
        #expect(shared.contains("\ngcm, status 200\n") && shared.contains("\nreceipt\n"), "\(shared)")
        let output = try Folder().pushpipe("explain", "throttled")
        #expect(output.status == 0)
        #expect(
            output.text.split(separator: "\n").filter { ["suppressed", "held"].contains($0) } == ["suppressed", "held"])
    }

    @Test(arguments: [
        ("silent", "silent: the app received the push, but nothing is shown"),
        ("misspelled-key", "misspelled-key: the push has no alert"),
        ("not-mutable", "not-mutable: mutable-content is not 1: put"), ("badge-set", "badge-set: "),
        ("quiet", "quiet: why a notification is shown without a sound"),
        ("replaced", "replaced: the notification replaced"), ("errSecInteractionNotAllowed", "the device is locked"),
        ("goes offline", "the device {string} goes away/offline: "), ("does not replace", "does not replace: "),
        ("413", "PayloadTooLarge: "), ("200", "200: the provider accepted the request"),
    ])
    func `a word of any output is explained`(_ word: String, _ beginning: String) throws {
        let output = try Folder().pushpipe("explain", word)
        #expect(output.status == 0)
        #expect(output.text.contains(beginning), "\(output)")
    }

    @Test func `without a word, examples are printed, and for programs everything is listed`() throws {
        let folder = try Folder()
        let rules = try folder.pushpipe("explain", "--rules").text
        let text = try folder.pushpipe("explain").text
        #expect(text.split(separator: "\n").count < 24)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
        let examples = text.split(separator: "\n").map { $0.split(separator: "#")[0] }
            .filter { $0.hasPrefix("  pushpipe explain ") && !$0.contains("|") }
        #expect(examples.count >= 8)
        for example in examples { #expect(try folder.shell(String(example)).status == 0, "\(example)") }
        let lines = try folder.pushpipe("explain", "--format", "ndjson").json()
        let kinds = Set(lines.map { $0["kind"]?.string ?? "rule" })
        #expect(kinds == ["rule", "answer", "word", "case", "member", "value"])
        #expect(lines.filter { $0["kind"] == nil }.allSatisfy { $0["id"] != nil })
        #expect(lines.count(where: { $0["kind"] == nil }) == rules.split(separator: "\n").count)
    }

    @Test func `a word's rows are printed for programs, too`() throws {
        let shared = try Folder().pushpipe("explain", "MessageTooBig", "--format", "ndjson").json()
        #expect(shared.map { $0["kind"]?.string } == ["answer", "word"])
        #expect(shared.first?["status"] == .number(200))
        #expect(shared.last?["place"]?.string == "receipt")
        let rule = try Folder().pushpipe("explain", "aps.misspelled-key", "--format", "ndjson").json()
        #expect(rule.map { $0["id"]?.string } == ["aps.misspelled-key"])
    }
}
