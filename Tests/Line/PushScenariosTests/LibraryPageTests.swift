import Foundation
import Testing

/// The guide `Documentation/guides/swift.md`. Its examples are files in `Guide`, which run as tests.
struct LibraryPageTests {
    @Test func `the page shows files of the guide, each whole`() throws {
        let page = try packageFile("Documentation/guides/swift.md")
        let examples = page.components(separatedBy: "\n```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
            // The others are a package's manifest, and those of other libraries.
            .filter { $0.hasPrefix("import PushScenarios\n") }
        let names = ["DinnerTests", "OrderTests"]
        #expect(examples == (try names.map { try packageFile("Tests/Line/PushScenariosTests/Guide/\($0).swift") }))
    }
}
