import Foundation
import TestSupport
import Testing

/// `pushpipe preferences`, end to end.
struct PreferenceCommandTests {
    private static let app = Place.package.appendingPathComponent("Samples/Preferences/wikipedia.yml").path

    /// Runs a subcommand with Wikipedia's types, unless the arguments name others.
    private func preferences(_ folder: Folder, _ arguments: String...) throws -> Output {
        let mapping = arguments.contains("--mapping") ? [] : ["--mapping", Self.app]
        return try folder.pushpipe(
            arguments: ["preferences"] + arguments + mapping, environment: ["PUSHPIPE_PREFERENCES": "phone.json"])
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
                  on   Mention                mention
                  off  Translation milestone  cx

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

    @Test func `a dry run prints the requests to the wiki and changes nothing`() throws {
        let folder = try Folder()
        let set =
            ["preferences", "set", "mention", "on", "cx", "on", "--preferences", "p.json", "--account", "Anna"]
            + ["--mapping", Self.app]
        // The first request is the login's, which switches everything off.
        let dry = try folder.pushpipe(arguments: set + ["--dry-run"]).lines
        #expect(dry.count == 2 && dry.last == #"{"wiki":"default","changes":{"cx":true,"mention":true}}"#)
        #expect(dry.first?.components(separatedBy: ":false").count == 17)
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

    @Test func `a wiki's answer may reject a change`() throws {
        let folder = try Folder()
        _ = try preferences(folder, "set", "mention", "on", "--account", "Anna")
        for (answer, reason) in [
            ("readonly", "readonly"), ("warning", "the answer is a warning"),
            ("nothing", "there was no answer that could be read"),
        ] {
            let refused = try preferences(folder, "set", "cx", "on", "--answer", answer)
            #expect(refused.status == 1)
            #expect(refused.stderr == "pushpipe: cx could not be changed: \(reason)\n")
            #expect(try on(folder) == ["mention"])
        }
        let ended = try preferences(folder, "set", "cx", "on", "--answer", "notloggedin")
        #expect(ended.stderr == "pushpipe: the server says that nobody is logged in\n")
        #expect(try preferences(folder, "set", "cx", "on").stderr.contains("--account NAME"))
    }

    @Test func `another language takes the settings along, and each account has its own`() throws {
        let folder = try Folder()
        _ = try preferences(folder, "set", "mention", "on", "--account", "Anna", "--wiki", "en")
        let moved = try preferences(folder, "set", "--wiki", "de", "--request")
        #expect(moved.text == #"{"wiki":"de","changes":{"mention":true}}"# + "\n")
        #expect(try preferences(folder, "show", "--format", "text").lines.first == "default  Anna at de")
        #expect(try preferences(folder, "set", "--account", "Bela").status == 0)
        #expect(try on(folder).isEmpty)
        // Logging in again switches everything off where the account was.
        let again = try preferences(folder, "set", "--account", "Anna", "--request")
        #expect(again.text.hasPrefix(#"{"wiki":"de","#))
        #expect(try on(folder).isEmpty)
        #expect(try preferences(folder, "set", "--logout").status == 0)
        #expect(
            try preferences(folder, "show", "--format", "text").text
                == "default  nobody is logged in\n  nothing is delivered: nobody is logged in on the device "
                + "(logged-out); log in\n")
        #expect(try preferences(folder, "show", "--format", "ndjson").text.hasSuffix(#""types":[]}"# + "\n"))
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
                  on   Sport          sport
                  off  breaking-news  breaking-news

                """)
        // Changing preferences of another table does not affect it.
        #expect(try preferences(folder, "set", "mention", "on").status == 0)
        let again = try preferences(folder, "show", "--format", "text", "--mapping", "app.yml", "sport")
        #expect(again.text.contains("on   Sport"))
    }

    @Test func `a mistake in a mapping is reported by line and column`() throws {
        let folder = try Folder()
        try folder.write("preferences: {types: [[a]]}", to: "app.yml")
        let output = try preferences(folder, "set", "a", "on", "--mapping", "app.yml")
        #expect(output.status == 2)
        #expect(output.stderr.hasPrefix("pushpipe: app.yml:1:23: "), "\(output.stderr)")
        try folder.write("preferences: {mapping: [{at: category}]}", to: "app.yml")
        let none = try preferences(folder, "show", "--mapping", "app.yml")
        #expect(none.status == 2)
        #expect(none.stderr.contains("app.yml has no notification types"), "\(none.stderr)")
    }

    @Test(arguments: [
        ["set", "mentoin", "on"], ["set", "mention"], ["set", "mention", "maybe"], ["set", "cx", "on", "cx", "off"],
        ["set"],
        ["set", "--logout", "--account", "A"], ["set", "mention", "on"], ["show"], ["show", "--device", "x"],
        ["export"], ["set", "--alerts", "loud"], ["set", "cx", "on", "--account", "A", "--answer", ""],
        ["set", "--wiki", "de"], ["set", "--account", ""],
    ])
    func `invalid usage changes nothing and says why`(arguments: [String]) throws {
        let folder = try Folder()
        let output = try folder.pushpipe(
            arguments: ["preferences"] + arguments + ["--mapping", Self.app],
            environment: ["PUSHPIPE_PREFERENCES": "phone.json"])
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
        for output in [
            try preferences(folder, "set", "mention", "on", "--account", "A"), try preferences(folder, "show"),
        ] {
            #expect(output.status == 2)
            #expect(output.stderr.hasPrefix("pushpipe: phone.json:2:14: "), "\(output.stderr)")
        }
        #expect(try folder.read("phone.json") == text)
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
            "for t in \(types.joined(separator: " ")); do "
            + "pushpipe preferences set $t on --preferences phone.json --mapping '\(Self.app)' & done; wait"
        #expect(try folder.shell(line).status == 0)
        #expect(try Swift.Set(on(folder)) == Swift.Set(types))
    }
}
