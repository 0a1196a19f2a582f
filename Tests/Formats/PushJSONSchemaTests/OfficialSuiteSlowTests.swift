import Foundation
import PushJSONSchema
import TestSupport
import Testing

/// The required part of the official suite, https://github.com/json-schema-org/JSON-Schema-Test-Suite. Scripts/json-schema-suite.sh fetches it,
/// because its cases are not ours to commit. Without a network the test is skipped; in CI it fails.
struct OfficialSuiteSlowTests {
    private static let folder = packageFolder.appending(path: ".build/json-schema-suite")

    private struct Unavailable: Error {}

    private func fetch() throws {
        let script = Process()
        script.executableURL = packageFolder.appending(path: "Scripts/json-schema-suite.sh")
        try script.run()
        script.waitUntilExit()
        guard script.terminationStatus == 0 else { throw Unavailable() }
    }

    /// The documents that the suite's schemas refer to, by the URIs that its README gives them.
    private func remotes() throws -> [String: SchemaDocument] {
        let folder = Self.folder.appending(path: "remotes")
        var documents: [String: SchemaDocument] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".json") {
            guard !path.hasPrefix("draft") || path.hasPrefix("draft2020-12/") else { continue }
            let uri = "http://localhost:1234/" + path
            let text = try Data(contentsOf: folder.appending(path: path))
            let document = try #require(SchemaDocument(Array(text), name: path, uri: uri))
            documents[uri] = document
        }
        return documents
    }

    @Test func `every required case of draft 2020-12 has the expected result`() throws {
        do {
            try fetch()
        } catch {
            guard ProcessInfo.processInfo.environment["CI"] != "true" else { throw error }
            return print("skipped: Scripts/json-schema-suite.sh cannot fetch the JSON-Schema-Test-Suite")
        }
        var suite = SchemaSuite()
        suite.remotes = try remotes()
        let tests = Self.folder.appending(path: "tests/draft2020-12")
        let files = try FileManager.default.contentsOfDirectory(atPath: tests.path).filter { $0.hasSuffix(".json") }
            .sorted()
        for file in files { suite.run(Array(try Data(contentsOf: tests.appending(path: file))), name: file) }
        #expect(suite.mistakes == [])
        #expect(files.count == 46)
        #expect(suite.count == 1257)
    }
}
