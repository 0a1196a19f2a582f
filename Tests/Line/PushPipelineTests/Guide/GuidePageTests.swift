import Foundation
import TestSupport
import Testing

/// The examples of the guide and of the module's documentation are the files beside this one, which run as tests.
struct GuidePageTests {
    @Test(arguments: [
        ("Documentation/guides/library.md", ["DinnerTests", "StageTests"]),
        ("Sources/Line/PushPipeline/PushPipeline.docc/PushPipeline.md", ["DinnerTests", "StageTests"]),
        ("Sources/Device/PushSQLite/PushSQLite.docc/PushSQLite.md", ["FileStoreTests"]),
    ]) func `a page shows files of the guide, each whole`(page: String, names: [String]) throws {
        let examples = try file(page).components(separatedBy: "\n```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
            // The manifest of a package.
            .filter { !$0.contains(".package(") }
        #expect(examples == (try names.map { try file("Tests/Line/PushPipelineTests/Guide/\($0).swift") }))
    }

    private func file(_ path: String) throws -> String {
        try String(contentsOf: packageFolder.appendingPathComponent(path), encoding: .utf8)
    }
}
