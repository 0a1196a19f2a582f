import Foundation
import TestSupport
import Testing

/// `pushpipe run --fit`: a payload over its budget is cut, delivered, and reported.
struct FitTests {
    private static let long = String(repeating: "Sommer 🏖️ ", count: 400)

    private static func payload(_ title: String, _ body: String) -> String {
        #"{"aps":{"alert":{"title":"\#(title)","body":"\#(body)"}},"id":"m1"}"#
    }

    @Test func `a payload over its budget is rejected without --fit and delivered with it`() throws {
        let folder = try Folder()
        let input = Self.payload("Beach", Self.long)
        let without = try folder.pushpipe("run", "-q", stdin: input)
        #expect(try without.outcomes() == ["rejected"])
        let output = try folder.pushpipe("run", "-q", "--fit", "--store", "s.db", stdin: input)
        #expect(output.status == 0)
        let line = try #require(try output.json().first)
        #expect(line["outcome"] == .string("delivered"))
        let finding = try #require(line["findings"]?.elements.first)
        #expect(finding["rule"] == .string("fit.cut"))
        #expect(finding["severity"] == .string("info"))
        #expect(finding["pointer"] == .string("/aps/alert/body"))
        let bytes = Self.long.utf8.count
        #expect(finding["message"]?.string?.hasPrefix("body cut from \(bytes) to ") == true)
        #expect(finding["message"]?.string?.hasSuffix(" bytes to fit 4096") == true)

        let shown = try #require(try folder.pushpipe("store", "show", "s.db").json().first)
        let body = try #require(shown["body"]?.string)
        #expect(body.hasSuffix("…"))
        #expect(Self.long.hasPrefix(body.dropLast()))
        #expect(shown["title"] == .string("Beach"))
    }

    @Test func `fit.order names the texts that may be cut, and needs --fit`() throws {
        let folder = try Folder()
        let input = Self.payload(Self.long, "Sun")
        let cut = try folder.pushpipe("run", "-q", "--fit", "--set", "fit.order=title", stdin: input)
        #expect(try cut.outcomes() == ["delivered"])
        #expect(cut.text.contains(#""pointer":"/aps/alert/title""#))
        let kept = try folder.pushpipe(
            "run", "-q", "--fit", "--set", "fit.order=subtitle,body", "--fail-on", "warning", stdin: input)
        #expect(try kept.outcomes() == ["rejected"])
        #expect(kept.status == 1)
        #expect(kept.text.contains(#""rule":"fit.cannot","severity":"warning""#))
    }

    @Test func `texts are cut to a forced budget`() throws {
        let folder = try Folder()
        let output = try folder.pushpipe(
            "run", "-q", "--fit", "--budget", "apns-256", stdin: Self.payload("T", Self.long))
        let line = try #require(try output.json().first)
        #expect(line["limit"] == .number(256))
        #expect(line["outcome"] == .string("delivered"))
    }

    @Test func `reports do not depend on the number of jobs`() throws {
        let folder = try Folder()
        #expect(try folder.shell("pushpipe generate --count 3000 > in").status == 0)
        let run = ["run", "-q", "--fit", "--budget", "250", "--clock", "0", "in"]
        let alone = try folder.pushpipe(arguments: run + ["--jobs", "1"])
        #expect(alone.text.contains("fit.cut"))
        for jobs in ["2", "5"] {
            #expect(try folder.pushpipe(arguments: run + ["--jobs", jobs]).stdout == alone.stdout)
        }
    }

    @Test func `a payload that fits gives the same report with and without --fit`() throws {
        let folder = try Folder()
        #expect(try folder.shell("pushpipe generate --count 2000 > in").status == 0)
        let run = ["run", "-q", "--budget", "100000", "--clock", "0", "in"]
        #expect(
            try folder.pushpipe(arguments: run + ["--fit"]).stdout == folder.pushpipe(arguments: run).stdout)
    }
}
