import Foundation
import TestSupport
import Testing

/// Input and file names cannot disturb a terminal, in any text format of any command.
struct TerminalTests {
    /// Both sets of control characters, sequences of them, bidirectional controls, and invisible characters.
    private static let nasty = [
        #"\u001b[2J\u001b]0;title\u0007"#, "\u{9B}31m", #"\u0000\u0008\u000d\u007f"#, "\u{85}\u{90}",
        "\u{202E}evil\u{202C}",
        "\u{2066}a\u{2069}\u{200E}\u{200F}\u{61C}", "\u{2028}\u{2029}", "a\u{200B}b\u{FEFF}\u{AD}", "\u{301}\u{302}",
        "x" + String(repeating: "\u{335}", count: 50), "\u{1F1E9}", "a\u{E0061}\u{FE0F}",
    ]
    private static let wide = ["日本語のデバイス名", "한국어단말기이름", "🎉👩‍👩‍👧‍👦🇩🇪❤️👍🏽", "مرحبابالعالم", "e\u{301}e\u{301}e\u{301}", "ＡＢＣ"]

    private static let corpus: String =
        (nasty + wide).enumerated().map { index, text in
            """
            {"device":"\(text)","headers":{"apns-topic":"org.\(text)"},"payload":{"aps":{"alert":"refused"}}}
            {"to":"\(text)\(index)","restricted_package_name":"org.\(text)","notification":{"title":"\(text)","body":"\(text)\\n\(text)","tag":"\(text)"}}
            {"aps":{"alert":{"title":"\(text)","subtitle":"\(text)","body":"\(text)"},"thread-id":"\(text)","\(text)":1},"\(text)":"\(text)"}
            {"\(text)":1}
            {"a":"\(text)",\(text)
            """
        }.joined(separator: "\n") + "\n"

    private func expectHarmless(_ data: Data, _ place: String) throws {
        let text = try #require(String(data: data, encoding: .utf8), "\(place) is not UTF-8")
        let disturbing = text.unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x0A: false
            case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
                true
            default: false
            }
        }
        #expect(disturbing.isEmpty, "\(place) has \(Set(disturbing.map { String($0.value, radix: 16) }).sorted())")
    }

    @Test(arguments: [
        "run --format text in", "run --format text --rules --set input.relaxed in", "run -q --format none --screen in",
        "trace in",
        "trace --fit --set input.relaxed in", "run --format none --set report.stats in", "lint --format text in",
        "lint --show budgets in", "store list --format text s.db", "store show --format text s.db",
        "store events --format text s.db",
    ])
    func `no text format contains a control character`(line: String) throws {
        let folder = try Folder()
        try folder.write(Self.corpus, to: "in")
        _ = try folder.pushpipe("run", "-q", "--format", "none", "--store", "s.db", "in")
        let output = try folder.pushpipe(arguments: line.split(separator: " ").map(String.init))
        #expect(output.stdout.count + output.stderr.utf8.count > 500)
        try expectHarmless(output.stdout, line)
        try expectHarmless(Data(output.stderr.utf8), "standard error of \(line)")
    }

    @Test(arguments: [
        "run", "trace", "lint", "store show", "store import s.db", "run --store", "run --config",
    ])
    func `a file name in an error message is harmless`(command: String) throws {
        let name = "\u{1B}[2Jno\u{9B}\u{202E}such\nfile"
        let output = try Folder().pushpipe(
            arguments: command.split(separator: " ").map(String.init) + [name + (command == "run --store" ? "/x" : "")])
        #expect(output.status == 2)
        #expect(output.stderr.contains(#"\u{1b}[2Jno\u{9b}\u{202e}such"#), "\(output.stderr)")
        try expectHarmless(Data(output.stderr.utf8), command)
    }

    @Test(arguments: ["--\u{1B}[2J", "--format=\u{1B}[2J\u{9B}"])
    func `an argument in an error message is harmless`(argument: String) throws {
        let output = try Folder().pushpipe("run", argument)
        #expect(output.status == 2)
        try expectHarmless(Data(output.stderr.utf8), argument)
    }

    /// Measures where a pattern begins in each line, by Python's own tables of Unicode.
    private static let measure = #"""
        import re, sys, unicodedata
        def width(text):
            columns, joined, flag, base = 0, False, False, 0
            for c in text:
                o = ord(c)
                if o == 0x200D: joined = True; continue
                if o == 0xFE0F: columns += 2 - base; base = 2; continue
                if 0x1F1E6 <= o <= 0x1F1FF:
                    flag = not flag; base = 2; columns += 2 if flag else 0; continue
                if unicodedata.category(c) in ("Mn", "Me", "Cf") or 0x1F3FB <= o <= 0x1F3FF: continue
                if joined: joined = False; continue
                base = 2 if unicodedata.east_asian_width(c) in "WF" else 1
                columns += base
            return columns
        found = set()
        for line in sys.stdin.read().split("\n"):
            match = re.search(sys.argv[1], line)
            if match: found.add(width(line[:match.start()]))
        print(*sorted(found))
        """#

    @Test(arguments: [
        (#"run -q --format text in"#, #"\d+/4096"#),
        (#"run -q --format text - < <(cat in events)"#, #"(\d+/4096|org\.example\.app$)"#),
        (#"store list --format text s.db"#, #"(org\.|app$)"#),
    ])
    func `columns are aligned`(line: String, pattern: String) throws {
        let folder = try Folder()
        try folder.write(Self.corpus, to: "in")
        try folder.write(Self.measure, to: "measure.py")
        let events = ["device", "dismiss", "clear"].map {
            #"{"event":"\#($0)","device":"\u4e2d\u4e2d\#($0)","app":"org.example.app"}"#
        }
        try folder.write(events.joined(separator: "\n"), to: "events")
        _ = try folder.pushpipe("run", "-q", "--format", "none", "--store", "s.db", "in")
        let output = try folder.shell("pushpipe \(line) | python3 measure.py '\(pattern)'")
        #expect(output.text.split(separator: " ").count == 1, "\(output.text) \(output.stderr)")
    }

}
