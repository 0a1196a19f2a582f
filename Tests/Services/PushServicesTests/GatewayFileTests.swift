import PushRuns
import PushServices
import PushSystem
import PushYAML
import TestSupport
import Testing

/// The file of `serve --config`.
struct GatewayFileTests {
    private func settings(_ text: String) throws -> GatewayFile { try GatewayFile(yaml: Array(text.utf8)) }

    @Test func `every key has its setting, and an empty value is no key`() throws {
        let text = """
            airnotifier:
              apps: apps.json
              token-life-cycle: true
            wikimedia:
              flush-delay: 5m
              preferences: phone.json
              mapping: /etc/types.json
            """
        var expected = GatewayFile()
        expected.airnotifierPath = "conf/apps.json"
        expected.maintainsTokens = true
        expected.flushDelay = 300_000
        expected.preferencesPath = "conf/phone.json"
        expected.mappingPath = "/etc/types.json"
        #expect(try GatewayFile(yaml: Array(text.utf8), folder: "conf/") == expected)
        let empties = ["", "# Later.\n", "airnotifier:\n", "wikimedia: {flush-delay: }\n", "airnotifier: {apps: null}"]
        for empty in empties {
            #expect(try settings(empty) == GatewayFile(), "\(empty)")
        }
        #expect(try settings(#"{"wikimedia":{"flush-delay":"1d"}}"#).flushDelay == GatewayFile.longestFlushDelay)
    }

    @Test(arguments: [
        ("airnotifer:\n  apps: a\n", 1, 1, "the configuration has no key 'airnotifer'; did you mean airnotifier?"),
        ("wikimedia:\n  flush-dely: 5m\n", 2, 3, "wikimedia has no key 'flush-dely'; did you mean flush-delay?"),
        ("wikimedia:\n  colour: 5m\n", 2, 3, "the keys allowed are flush-delay, preferences, mapping"),
        ("airnotifier:\n  token-life-cycle: maybe\n", 2, 21, "token-life-cycle is true or false"),
        ("wikimedia:\n  flush-delay: 2d\n", 2, 16, "flush-delay takes a time of at most a day, such as 30s or 5m"),
        ("wikimedia:\n  flush-delay: soon\n", 2, 16, "flush-delay takes a time"),
        ("wikimedia:\n  mapping: []\n", 2, 12, "mapping takes the name of a file"),
        ("wikimedia: 5m\n", 1, 12, "wikimedia is a mapping"), ("- a\n", 1, 1, "the configuration is a mapping"),
    ])
    func `a mistake has its place, and a suggestion or what is allowed`(
        text: String, line: Int, column: Int, message: String
    ) throws {
        let error = #expect(throws: PlainError.self) { try settings(text) }
        #expect(error?.line == line && error?.column == column, "\(String(describing: error))")
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    }

    @Test func `an error names the file, and names in it are relative to its folder`() throws {
        let folder = try TestFolder([
            "gateway.yml": "wikimedia:\n  mappings: a\n", "good.yml": "airnotifier: {apps: a.json}\n",
        ])
        let path = folder.path("gateway.yml")
        let error = #expect(throws: PlainError.self) { try GatewayFile(path: path) }
        #expect(error?.message == "\(path):2:3: wikimedia has no key 'mappings'; did you mean mapping?")
        #expect(try GatewayFile(path: folder.path("good.yml")).airnotifierPath == folder.path("a.json"))
        #expect(throws: PlainError.self) { try GatewayFile(path: folder.path("missing.yml")) }
    }

    @Test func `the schema is JSON and lists every key`() throws {
        let schema = try #require(try YAMLNode.read(Array(GatewayFile.schema.utf8)))
        let properties = try #require(try schema.pairs(of: "schema").first { $0.key.text == "properties" })
        let sections = try properties.value.pairs(of: "properties")
        #expect(sections.map(\.key.text) == ["airnotifier", "wikimedia"])
        for key in ["apps", "token-life-cycle", "flush-delay", "preferences", "mapping"] {
            #expect(GatewayFile.schema.contains("\"\(key)\":{\"description\":"))
        }
    }
}
