import Foundation
import Testing

/// The guide `Documentation/guides/scenarios-library.md`. Its examples are files in `Guide`, which run as tests.
struct LibraryPageTests {
    @Test func `the page shows the files of the guide, each whole`() throws {
        let page = try packageFile("Documentation/guides/scenarios-library.md")
        let examples = page.components(separatedBy: "\n```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
            // The manifest of a package.
            .filter { !$0.contains(".package(") }
        let names = ["DinnerTests", "FeatureFolderTests", "OrderTests"]
        #expect(examples == (try names.map { try packageFile("Tests/Line/PushScenariosTests/Guide/\($0).swift") }))
    }

    @Test func `the page shows the folder's feature file`() throws {
        let page = try packageFile("Documentation/guides/scenarios-library.md")
        #expect(page.contains(try packageFile("Tests/Line/PushScenariosTests/Guide/Features/app.feature")))
    }
}
