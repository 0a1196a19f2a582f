import Foundation
import Testing

/// The folder `Cases`: a file for each keyword, written from the specification, draft 2020-12 of JSON Schema (core and validation). The
/// official suite is run by `OfficialSuiteSlowTests`.
struct KeywordCaseTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Cases")
    static let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()

    @Test(arguments: files) func `a keyword permits what the specification says`(_ file: String) throws {
        var suite = SchemaSuite()
        suite.run(Array(try Data(contentsOf: Self.folder.appending(path: file))), name: file)
        #expect(suite.mistakes == [])
        #expect(suite.count > 0)
    }

    @Test func `there is a file for every keyword`() {
        #expect(Self.files.count >= 44)
    }
}
