import Foundation
import TestSupport
import Testing

/// `pushpipe preferences`, end to end.
struct PreferenceCommandTests {
    private func preferences(_ folder: Folder, _ arguments: String...) throws -> Output {
        try folder.pushpipe(
            arguments: ["preferences"] + arguments, environment: ["PUSHPIPE_PREFERENCES": "phone.json"])
    }

    /// The types that are on.
    private func on(_ folder: Folder, device: String = "default") throws -> [String] {
        let output = try preferences(folder, "show", "--device", device, "--format", "ndjson")
        #expect(output.status == 0, "\(output.stderr)")
        let types = try #require(try output.json().first?["types"]).elements
        return types.filter { $0["on"] == .bool(true) }.compactMap { $0["type"]?.string }
    }

    @Test func `a preference that is set is shown`() throws {
        let folder = try Folder()
        let set = try preferences(folder, "set", "mention", "on", "cx", "on", "--account", "Anna")
        #expect(set.status == 0, "\(set.stderr)")
        #expect(set.stdout.isEmpty)
        #expect(try on(folder) == ["cx", "mention"])
        #expect(try preferences(folder, "set", "cx", "off").status == 0)
        let shown = try preferences(folder, "show", "--format", "text", "mention", "cx")
        #expect(
            shown.text == """
                default  Anna at default
                  on   Mention                echo-subscriptions-push-mention
                  off  Translation milestone  echo-subscriptions-push-cx

                """)
    }

    @Test func `only its owner can read the file, and its other contents stay`() throws {
        let folder = try Folder()
        _ = try preferences(folder, "set", "mention", "on", "--account", "Anna")
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path("phone.json"))[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let text = try folder.read("phone.json").replacingOccurrences(
            of: "{\n  \"devices\"", with: "{\n  \"a\": 7,\n  \"devices\"")
        try folder.write(text, to: "phone.json")
        #expect(try preferences(folder, "set", "cx", "on").status == 0)
        #expect(try folder.read("phone.json").contains("\"a\": 7"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["phone.json"])
    }

    @Test func `a dry run prints the request to the wiki and changes nothing`() throws {
        let folder = try Folder()
        let expected =
            "action=options&format=json&formatversion=2"
            + "&change=echo-subscriptions-push-cx%3D1%7Cecho-subscriptions-push-mention%3D1&token=%2B%5C"
        let set = ["preferences", "set", "mention", "on", "cx", "on", "--preferences", "p.json", "--account", "Anna"]
        // The first request is the login's, which switches everything off.
        let dry = try folder.pushpipe(arguments: set + ["--dry-run"]).lines
        #expect(dry.count == 2 && dry.last == expected)
        #expect(dry.first?.components(separatedBy: "%3D0").count == 17)
        #expect(!FileManager.default.fileExists(atPath: folder.path("p.json")))
        #expect(try folder.pushpipe(arguments: set + ["--request"]).lines == dry)
        // A preference that is already on is not written again.
        #expect(try folder.pushpipe(arguments: set + ["--request"]).text.isEmpty)
    }

    @Test func `a rejected preference change is status 1`() throws {
        let folder = try Folder()
        let failed = try preferences(folder, "set", "mention", "on", "--account", "Anna", "--fail-registration")
        #expect(failed.status == 1)
        #expect(failed.stderr.contains("could not be registered"))
        #expect(try on(folder).isEmpty)
        let denied = try preferences(folder, "set", "cx", "on", "--permission", "denied")
        #expect(denied.status == 1)
        #expect(denied.stderr.contains("not allowed"))
        #expect(try preferences(folder, "set", "--logout").status == 0)
        #expect(try preferences(folder, "set", "cx", "on").stderr.contains("--account NAME"))
    }

    @Test func `a wiki's answer may reject a change, and is text or a file`() throws {
        let folder = try Folder()
        _ = try preferences(folder, "set", "mention", "on", "--account", "Anna")
        let text = #"{"error":{"code":"readonly","info":"The wiki is in read-only mode."}}"#
        try folder.write(text, to: "answer.json")
        for answer in [text, "answer.json"] {
            let refused = try preferences(folder, "set", "cx", "on", "--answer", answer)
            #expect(refused.status == 1)
            #expect(refused.stderr == "pushpipe: cx could not be changed: readonly\n")
            #expect(try on(folder) == ["mention"])
        }
        let broken = try preferences(folder, "set", "cx", "on", "--answer", "{")
        #expect(broken.status == 2)
        #expect(broken.stderr.hasPrefix("pushpipe: the answer:1:2: "), "\(broken.stderr)")
    }

    @Test func `a wiki's response is imported`() throws {
        let folder = try Folder()
        let answer = #"""
            {"batchcomplete":true,"query":{"userinfo":{"id":7,"name":"Anna","options":{"skin":"vector","echo-subscriptions-push-mention":1,
            "echo-subscriptions-push-cx":"1","echo-subscriptions-push-reverted":"0","echo-subscriptions-push-system":true}}}}
            """#
        let output = try folder.pushpipe("preferences", "import", "--preferences", "phone.json", stdin: answer)
        #expect(output.status == 0, "\(output.stderr)")
        #expect(output.stderr == "imported 2 of 16 types on; 1 types without a switch were ignored\n")
        #expect(try on(folder) == ["cx", "mention"])
    }

    @Test func `an export can be imported unchanged`() throws {
        let folder = try Folder()
        _ = try preferences(folder, "set", "mention", "on", "page-review", "on", "--account", "An\"na", "--wiki", "en")
        let export = try preferences(folder, "export")
        #expect(export.status == 0, "\(export.stderr)")
        let before = try folder.read("phone.json")
        try folder.write(export.stdout, to: "answer.json")
        #expect(try preferences(folder, "import", "-q", "answer.json").status == 0)
        #expect(try folder.read("phone.json") == before)
        #expect(try preferences(folder, "import", "-q", "answer.json", "--device", "other").status == 0)
        #expect(try preferences(folder, "export", "--device", "other").stdout == export.stdout)
        let request = try preferences(folder, "export", "--as", "request")
        #expect(request.text.contains("push-page-review%3D1"))
        #expect(request.text.contains("push-edit-thank%3D0"))
        #expect(request.lines.count == 1)
    }

    @Test func `an app of another kind has its own types`() throws {
        let folder = try Folder()
        let app = """
            preferences:
              types:
                - {name: sport, title: Sport}
                - breaking-news
              mapping:
                - {at: category, like: SPORT_*, type: sport}
                - at: /kind
            """
        try folder.write(app, to: "app.yml")
        let set = try preferences(folder, "set", "sport", "on", "--account", "Anna", "--mapping", "app.yml")
        #expect(set.status == 0, "\(set.stderr)")
        let shown = try preferences(folder, "show", "--format", "text", "--mapping", "app.yml")
        #expect(
            shown.text == """
                default  Anna at default
                  on   Sport          echo-subscriptions-push-sport
                  off  breaking-news  echo-subscriptions-push-breaking-news

                """)
        // Changing preferences of another table does not affect it.
        #expect(try preferences(folder, "set", "mention", "on").status == 0)
        let again = try preferences(folder, "show", "--format", "text", "--mapping", "app.yml", "sport")
        #expect(again.text.contains("on   Sport"))
    }

    @Test func `a mistake in a mapping is reported by line and column`() throws {
        let folder = try Folder()
        try folder.write("preferences: {types: [a=b]}", to: "app.yml")
        let output = try preferences(folder, "set", "a", "on", "--mapping", "app.yml")
        #expect(output.status == 2)
        #expect(output.stderr.hasPrefix("pushpipe: app.yml:1:23: "), "\(output.stderr)")
    }

    @Test(arguments: [
        ["set", "mentoin", "on"], ["set", "mention"], ["set", "mention", "maybe"], ["set", "cx", "on", "cx", "off"],
        ["set"],
        ["set", "--logout", "--account", "A"], ["set", "mention", "on"], ["show"], ["show", "--device", "x"],
        ["export"], ["import", "missing.json"], ["export", "--as", "xml"], ["set", "--alerts", "loud"],
        ["set", "--wiki", "de"], ["set", "--account", ""],
    ])
    func `invalid usage changes nothing and says why`(arguments: [String]) throws {
        let folder = try Folder()
        let output = try folder.pushpipe(
            arguments: ["preferences"] + arguments, environment: ["PUSHPIPE_PREFERENCES": "phone.json"])
        #expect(output.status == 2)
        #expect(output.stdout.isEmpty)
        #expect(!output.stderr.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.path("phone.json")))
    }

    @Test func `an unknown type gets a suggestion`() throws {
        let output = try preferences(try Folder(), "set", "mentoin", "on")
        #expect(output.stderr.contains("did you mean mention?"))
    }

    @Test func `a malformed file is refused and left unchanged`() throws {
        let folder = try Folder()
        let text = "{\n  \"devices\": 7\n}\n"
        try folder.write(text, to: "phone.json")
        for arguments in [["set", "mention", "on", "--account", "A"], ["show"], ["export"]] {
            let output = try folder.pushpipe(
                arguments: ["preferences"] + arguments, environment: ["PUSHPIPE_PREFERENCES": "phone.json"])
            #expect(output.status == 2)
            #expect(output.stderr.hasPrefix("pushpipe: phone.json:2:14: "), "\(output.stderr)")
        }
        #expect(try folder.read("phone.json") == text)
    }

    @Test(arguments: [
        (
            #"{"error":{"code":"readapidenied","info":"You need read permission."}}"#,
            "readapidenied: You need read permission."
        ),
        (#"{"query":{"userinfo":{"id":0,"anon":true}}}"#, "not logged in"), ("{", "<stdin>:1:2: "), ("{}", "userinfo"),
        (#"{"query":{"userinfo":{"options":{}}}}"#, "--account"),
    ])
    func `an empty response is not imported`(answer: String, words: String) throws {
        let folder = try Folder()
        let output = try folder.pushpipe("preferences", "import", "--preferences", "phone.json", stdin: answer)
        #expect(output.status == 2)
        #expect(output.stderr.contains(words), "\(output.stderr)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("phone.json")))
    }

    @Test func `an endless response is read only up to its limit`() throws {
        let folder = try Folder()
        let output = try folder.shell("pushpipe preferences import /dev/zero --preferences phone.json")
        #expect(output.status == 2)
        #expect(output.stderr.hasPrefix("pushpipe: /dev/zero: "), "\(output.stderr)")
    }

    @Test func `a dangling link stays a link`() throws {
        let folder = try Folder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("phone.json"), withDestinationPath: "nowhere.json")
        #expect(try preferences(folder, "set", "mention", "on", "--account", "Anna").status == 2)
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("phone.json"))
        #expect(link == "nowhere.json")
        #expect(!FileManager.default.fileExists(atPath: folder.path("nowhere.json")))
    }

    @Test func `concurrent processes lose no change`() throws {
        let folder = try Folder()
        _ = try preferences(folder, "set", "--account", "Anna")
        let types = [
            "mention", "cx", "reverted", "edit-thank", "page-review", "emailuser", "login-fail", "user-rights",
        ]
        let line =
            "for t in \(types.joined(separator: " ")); do pushpipe preferences set $t on --preferences phone.json & done; wait"
        #expect(try folder.shell(line).status == 0)
        #expect(try Swift.Set(on(folder)) == Swift.Set(types))
    }
}
