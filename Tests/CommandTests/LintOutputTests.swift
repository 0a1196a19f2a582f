import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// `pushpipe lint`: each form of its output, and its exit status.
struct LintOutputTests {
    /// An error that can be mended, at byte 21, and one record without a fault.
    static let misspelled = #"{"aps":{"alert":"Hi","mutable_content":1}}"#
    static let good = #"{"aps":{"alert":"Hi"}}"#
    /// A warning.
    static let silent = #"{"aps":{"thread-id":"t"}}"#
    /// An info.
    static let category = #"{"aps":{"badge":2,"category":"COUNT"}}"#

    // MARK: - Text

    @Test func `text shows place, line, mark and help`() throws {
        let folder = try Folder()
        try folder.write(Self.good + "\n" + Self.misspelled + "\n", to: "in.ndjson")
        let output = try folder.pushpipe("lint", "in.ndjson")
        #expect(output.status == 1)
        try #require(output.lines.count == 4)
        #expect(output.lines[0].hasPrefix("in.ndjson:2:22: error: "))
        #expect(output.lines[0].hasSuffix(" [aps.misspelled-key]"))
        #expect(output.lines[1] == "  " + Self.misspelled)
        #expect(output.lines[2] == "                       ^~~~~~~~~~~~~~~~~")
        #expect(output.lines[3].hasPrefix("  help: ") && output.lines[3].hasSuffix("--fix mends it"))
        #expect(output.stderr == "1 error in 1 file; --fix mends 1\n")
    }

    @Test func `a long line is shown around the place, in at most 120 columns`() throws {
        let filler = String(repeating: "x", count: 1500)
        let text = #"{"before":"\#(filler)","aps":{"alert":"Hi","mutable_content":1},"behind":"\#(filler)"}"#
        let output = try Folder().pushpipe("lint", stdin: text)
        try #require(output.lines.count >= 3)
        #expect(output.lines[1].count <= 120)
        #expect(output.lines[1].hasPrefix("  …") && output.lines[1].hasSuffix("…"))
        let mark = try #require(output.lines[2].firstIndex(of: "^"))
        let shown = output.lines[1].dropFirst(output.lines[2].distance(from: output.lines[2].startIndex, to: mark))
        #expect(shown.hasPrefix(#""mutable_content""#))
    }

    @Test func `tabs, wide and combining characters leave the mark below its place`() throws {
        let text = "{\"aps\":{\t\"alert\":\"日本 e\u{301} 👍\",\"mutable_content\":1}}"
        let output = try Folder().pushpipe("lint", stdin: text)
        try #require(output.lines.count == 4)
        #expect(output.lines[0].hasPrefix("<stdin>:1:28: "))
        // Eight columns, a tab, and then 19: two for each wide character, none for the accent.
        #expect(output.lines[2] == "          \t" + String(repeating: " ", count: 20) + "^~~~~~~~~~~~~~~~~")
    }

    @Test func `nothing of the input disturbs a terminal`() throws {
        let output = try Folder().pushpipe("lint", stdin: "{\"aps\":{\"alert\":\"\u{1B}[31m\u{202E}\"}}")
        #expect(output.status == 1)
        #expect(!output.text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
        #expect(output.text.contains("\u{241B}[31m"))
    }

    // MARK: - JSON

    @Test func `JSON is an object a line, with the same keys in the same order`() throws {
        let folder = try Folder()
        try folder.write(Self.good + "\n" + Self.misspelled + "\n", to: "in.ndjson")
        let output = try folder.pushpipe("lint", "--format", "json", "in.ndjson")
        #expect(output.status == 1)
        let finding = try #require(try output.json().first)
        #expect(
            output.text.hasPrefix(
                #"{"file":"in.ndjson","line":2,"column":22,"endLine":2,"endColumn":39,"offset":44,"length":17,"#
                    + #""rule":"aps.misspelled-key","severity":"error","message":"#))
        #expect(finding["pointer"] == .string("/aps/mutable_content"))
        #expect(finding["record"] == .number(2))
        #expect(finding["fixable"] == .bool(true))
        #expect(finding.members.count == 13)
    }

    // MARK: - SARIF

    /// The members that the schema of SARIF 2.1.0 requires, and what GitHub asks for beyond that.
    @Test func `SARIF has what the standard requires, and refers to what is there`() throws {
        let folder = try Folder()
        try folder.write(Self.misspelled, to: "a b.json")
        try folder.write(Self.silent + "\n" + Self.category, to: "b.ndjson")
        let output = try folder.pushpipe(
            "lint", "--format", "sarif", "--severity", "info", "a b.json", "b.ndjson", "no")
        #expect(output.status == 2)
        let log = try JSONDecoder().decode(JSONValue.self, from: output.stdout)
        #expect(log["version"] == .string("2.1.0"))
        #expect(log["$schema"]?.string?.hasSuffix("sarif-schema-2.1.0.json") == true)
        let run = try #require(log["runs"]?.elements.first)
        #expect(run["columnKind"] == .string("unicodeCodePoints"))
        #expect(run["tool"]?["driver"]?["name"] == .string("pushpipe"))
        #expect(run["invocations"]?.elements.first?["executionSuccessful"] == .bool(false))
        let rules = try #require(run["tool"]?["driver"]?["rules"]?.elements)
        for rule in rules {
            #expect(rule["shortDescription"]?["text"]?.string?.isEmpty == false)
            #expect(rule["fullDescription"]?["text"]?.string?.isEmpty == false)
            #expect(rule["help"]?["text"]?.string?.isEmpty == false)
            #expect(rule["helpUri"]?.string?.hasPrefix("https://") == true)
        }
        let artifacts = try #require(run["artifacts"]?.elements)
        #expect(artifacts.map { $0["location"]?["uri"] } == [.string("a%20b.json"), .string("b.ndjson")])
        let results = try #require(run["results"]?.elements)
        #expect(results.map { $0["level"]?.string } == ["error", "warning", "note"])
        for result in results {
            #expect(result["message"]?["text"]?.string?.isEmpty == false)
            guard case .number(let index)? = result["ruleIndex"] else { throw Missing() }
            #expect(rules[Int(index)]["id"] == result["ruleId"])
            let place = try #require(result["locations"]?.elements.first?["physicalLocation"])
            guard case .number(let file)? = place["artifactLocation"]?["index"] else { throw Missing() }
            #expect(artifacts[Int(file)]["location"]?["uri"] == place["artifactLocation"]?["uri"])
        }
        let first = try #require(results.first)
        let region: [String: JSONValue] = [
            "startLine": .number(1), "startColumn": .number(22), "endLine": .number(1), "endColumn": .number(39),
            "byteOffset": .number(21), "byteLength": .number(17),
        ]
        let location = try #require(first["locations"]?.elements.first)
        #expect(location["physicalLocation"]?["region"]?.members == region)
        #expect(
            location["logicalLocations"]?.elements.first?["fullyQualifiedName"] == .string("/aps/mutable_content"))
        let replacement = first["fixes"]?.elements.first?["artifactChanges"]?.elements.first?["replacements"]?.elements
        #expect(replacement?.first?["deletedRegion"]?.members == region)
        #expect(replacement?.first?["insertedContent"]?["text"] == .string(#""mutable-content""#))
    }

    struct Missing: Error {}

    // MARK: - GitHub

    @Test func `GitHub's commands are escaped`() throws {
        let folder = try Folder()
        try folder.write(Self.misspelled, to: "a,b:100%.json")
        let output = try folder.pushpipe("lint", "--format", "github", "a,b:100%.json")
        #expect(
            output.text.hasPrefix(
                "::error file=a%2Cb%3A100%25.json,line=1,endLine=1,col=22,endColumn=39,title=aps.misspelled-key::aps has"
            ))
        #expect(output.lines.count == 1)
    }

    @Test func `an info is a notice, and a warning a warning`() throws {
        let folder = try Folder()
        try folder.write(Self.silent + "\n" + Self.category, to: "in.ndjson")
        let output = try folder.pushpipe("lint", "--format", "github", "--severity", "info", "in.ndjson")
        #expect(output.lines.map { $0.prefix { $0 != " " } } == ["::warning", "::notice"])
    }

    // MARK: - JUnit

    @Test(arguments: [(false, "1"), (true, "2")])
    func `JUnit has a suite a file, and a case fails that makes the command fail`(
        isStrict: Bool, failures: String
    ) throws {
        let folder = try Folder()
        try folder.write(Self.misspelled + "\n" + Self.silent, to: "a<&\">.ndjson")
        try folder.write(Self.good, to: "good.json")
        let options = ["lint", "--format", "junit"] + (isStrict ? ["--strict"] : [])
        let output = try folder.pushpipe(arguments: options + ["a<&\">.ndjson", "good.json"])
        let counter = ElementCounter()
        let parser = XMLParser(data: output.stdout)
        parser.delegate = counter
        #expect(parser.parse())
        #expect(counter.attributes["testsuites"]?["tests"] == "3")
        #expect(counter.attributes["testsuites"]?["failures"] == failures)
        #expect(counter.counts["testsuite"] == 2)
        #expect(counter.counts["testcase"] == 3)
        #expect(counter.counts["failure"] == Int(failures))
    }

    private final class ElementCounter: NSObject, XMLParserDelegate {
        var counts: [String: Int] = [:]
        var attributes: [String: [String: String]] = [:]

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes attributeDict: [String: String] = [:]
        ) {
            counts[name, default: 0] += 1
            attributes[name] = attributeDict
        }
    }

    // MARK: - Exit status

    @Test(arguments: [
        (good, [], 0), (silent, [], 0), (silent, ["--strict"], 1), (misspelled, [], 1), (category, ["--strict"], 0),
        (misspelled, ["--disable", "aps.misspelled-key"], 0), (silent, ["--severity", "error", "--strict"], 0),
    ])
    func `the status is 1 when there are errors, with --strict also when there are warnings`(
        text: String, options: [String], status: Int
    ) throws {
        let folder = try Folder()
        try folder.write(text, to: "in.json")
        #expect(try folder.pushpipe(arguments: ["lint", "in.json"] + options).status == Int32(status))
    }

    @Test func `a file that is missing is status 2, and the others are linted`() throws {
        let folder = try Folder()
        try folder.write(Self.misspelled, to: "in.json")
        let output = try folder.pushpipe("lint", "--format", "json", "missing.json", "in.json")
        #expect(output.status == 2)
        #expect(output.stderr.hasPrefix("pushpipe: missing.json: No such file or directory\n"))
        #expect(try output.values("rule") == [.string("aps.misspelled-key")])
    }

    @Test func `a reader that goes away is no failure`() throws {
        let line = "yes '\(Self.misspelled)' | head -20000 | pushpipe lint -q | head -1 >&2; echo ${PIPESTATUS[2]}"
        #expect(try Folder().shell(line).text == "0\n")
    }

    @Test func `the summary counts what is not shown, and says how to see it`() throws {
        let output = try Folder().pushpipe("lint", stdin: Self.category)
        #expect(output.status == 0)
        #expect(output.text.isEmpty)
        #expect(output.stderr == "nothing found in 1 file; 1 finding of severity info not shown (--severity info)\n")
        #expect(try Folder().pushpipe("lint", "-q", stdin: Self.category).stderr.isEmpty)
    }
}
