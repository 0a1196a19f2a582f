import Foundation
import PushDecoding
import PushFiles
import PushModel
import TestSupport
import Testing

@testable import PushLint
@testable import PushLintFiles

/// In a directory, only what may be a payload is linted, and what is left out is said.
struct PayloadRecognitionTests {
    private static let others = [
        "package.json":
            #"{"name":"a","version":"1.0.0","type":"module","scripts":{"test":"x"},"files":["aps"],"config":{}}"#,
        "package-lock.json": #"{"name":"a","lockfileVersion":3,"packages":{"":{"name":"a"}}}"#,
        "composer.json": #"{"name":"a/b","type":"library","extra":{"x":1},"require":{"php":">=8"}}"#,
        "tsconfig.json": "// Settings\n{\n  \"compilerOptions\": {\n    \"target\": \"es2022\", /* new */\n  },\n}\n",
        "Contents.json": #"{"images":[{"idiom":"universal","scale":"1x"}],"info":{"author":"xcode","version":1}}"#,
        "schema.json":
            #"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"aps":{}}}"#,
        "openapi.json":
            #"{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/a":{"get":{"responses":{}}}}}"#,
        "manifest.json": #"{"name":"a","display":"standalone","icons":[{"src":"a.png"}]}"#,
        "list.json": #"[{"id":1},{"id":2}]"#, "number.json": "12\n", "words.json": #""aps""#,
        "geo.json": #"{"type":"FeatureCollection","features":[]}"#,
        "settings.json": #"{"editor.tabSize": 2, "files.exclude": {"**/.git": true},}"#,
        "app.json": #"{"app":{"alert":"on","badge":1}}"#, "apps.json": #"{"apps":{"alert":{"on":true}}}"#,
        "binary.ndjson": "\0\u{1}\u{2}{\"aps\":{}}",
    ]

    private static let payloads = [
        Payload.good, #"{"aps":{"alert":"Hi"}"#, #"{"aps":{"alert":"Hi",},}"#, #"{'aps':{'alert':'Hi'}}"#,
        #"{"message":{"token":"t","data":{"a":"b"}}}"#, #"{"to":"/topics/a","data":{"a":"b"}}"#,
        #"{"message":{"token":"t","data":{"a":"b"},}}"#, #"{"APS":{"alert":"Hi"}}"#, #"{"apns":{"alert":"Hi"}}"#,
        #"{"asp":{"alert":"Hi"}}"#, #"{"apss":{"alert":{"body":"Hi"},"badge":1}}"#, #"{"payload":{"aps":{}}}"#,
        #"{"event":"device","device":"d"}"#, #"{"notification":{"title":"Hi"}}"#,
        #"{"alert":"Hi"}"#, #"[{"aps":{"alert":"Hi"}}]"#, "\u{FEFF}" + Payload.good, "{\n\"aps\": {\n\"alert\": \"Hi\n",
        #"{"GCM":"{}"}"#, Payload.category + "\n{\"a\":1}\n", #"{"a":1}"# + "\n" + Payload.good,
        #"{"deviceTokens":["a"],"messageType":"checkEchoV1"}"#, #"{"registration_ids":["a"],"data":{},}"#,
    ]

    @Test(arguments: others.keys.sorted()) func `a file that is no payload is left out of a directory`(
        _ name: String
    ) throws {
        let folder = try LintFolder(["a/\(name)": Self.others[name] ?? "", "a/good.apns": Payload.good])
        let output = try folder.run("a") { $0.isVerbose = true }
        #expect(output.results.isEmpty)
        #expect(
            output.notes == """
                pushpipe: a/\(name): not a payload
                1 file checked, no findings; 1 file is not a payload

                """)
        // A file that is named is checked.
        #expect(try folder.run("a/\(name)").outcome.errors > 0)
    }

    @Test(arguments: payloads) func `what may be meant as a payload is checked`(_ text: String) throws {
        let folder = try LintFolder(["a/in.json": text])
        #expect(try folder.run("a").notes.contains("1 file"))
        #expect(try !folder.run("a").notes.contains("not a payload"))
    }

    @Test func `UTF-16 is not taken for binary data`() throws {
        let folder = try LintFolder()
        try folder.write("", to: "a/in.json")
        try #require(Payload.good.data(using: .utf16)).write(to: URL(fileURLWithPath: folder.path("a/in.json")))
        // It is read as its text where there is iconv.
        #expect(try folder.run("a") { $0.format = .ndjson }.findings().allSatisfy { $0.rule == "record.not-text" })
        #expect(try !folder.run("a").notes.contains("not a payload"))
    }

    @Test func `a NUL in JSON does not make a binary file of it`() throws {
        let folder = try LintFolder(["a/in.ndjson": Payload.good + "\n{\"aps\":\0}\n"])
        #expect(try !folder.run("a") { $0.format = .ndjson }.findings().isEmpty)
    }

    @Test func `a long file is judged by its beginning`() throws {
        let members = (0..<40_000).map { #""node_modules/\#($0)":{"version":"1.0.0"}"# }.joined(separator: ",")
        let folder = try LintFolder(["a/lock.json": #"{"packages":{\#(members)}}"#])
        #expect(try folder.run("a") { $0.allowsEmpty = true }.notes.contains("1 file is not a payload"))
    }

    @Test func `a directory with nothing but other files has nothing to check`() throws {
        let folder = try LintFolder([
            "a/package.json": Self.others["package.json"] ?? "", "b/list.json": "[]", "b/c.json": "{}",
        ])
        for fixing in [FixMode.none, .show] {
            let one = try folder.run("a") { $0.fixing = fixing }
            #expect(one.outcome.isEmpty)
            #expect(
                one.notes == """
                    pushpipe: nothing to check: a/package.json is not a payload; name a file to check it whatever it \
                    contains

                    """)
            let two = try folder.run("b") { $0.fixing = fixing }
            #expect(two.outcome.isEmpty)
            #expect(two.notes.contains("none of 2 files is a payload"))
        }
    }

    @Test func `a forced provider makes every object a payload`() throws {
        let folder = try LintFolder(["a/in.json": #"{"order":7}"#])
        #expect(try folder.run("a") { $0.options.decoding.format = .apns }.outcome.warnings == 1)
    }

    @Test func `files of the configuration are payloads whatever their names and contents`() throws {
        let folder = try LintFolder([
            ".pushpipe.yml": "lint:\n  files: ['*.push', 'orders/*.json']\n", "a/b.push": Payload.misspelled,
            "orders/c.json": #"{"order":7}"#, "d.json": #"{"order":7}"#, "e.txt": Payload.misspelled,
        ])
        let found = try folder.run(".") { $0.format = .ndjson }.findings().map { "\($0.file) \($0.rule)" }
        #expect(found == ["a/b.push aps.misspelled-key", "orders/c.json record.unknown-shape"])
    }

    @Test func `--glob reads files of other names`() throws {
        let folder = try LintFolder(["a/b.txt": Payload.misspelled, "a/c.json": Payload.misspelled])
        func found(_ glob: String) throws -> [String] {
            try folder.run("a") { job in
                job.format = .ndjson
                _ = job.walk.globs.add(glob)
            }.findings().map(\.file)
        }
        #expect(try found("*.txt") == ["a/b.txt"])
        #expect(try found("!*.txt") == ["a/c.json"])
    }
}
