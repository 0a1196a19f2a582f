import Foundation
import Testing

/// The guide `Documentation/guides/swift.md`. Its examples are in files of `Guide`, which run as tests.
struct LibraryPageTests {
    private func blocks() throws -> [String] {
        try packageFile("Documentation/guides/swift.md").components(separatedBy: "\n```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
    }

    private func file(_ name: String) throws -> String {
        try packageFile("Tests/Line/PushScenariosTests/Guide/\(name).swift")
    }

    @Test func `the page shows a file of the guide, whole`() throws {
        let examples = try blocks().filter { $0.hasPrefix("import PushScenarios\n") }
        #expect(examples == [try file("DinnerTests")])
    }

    @Test func `the page shows a step of the guide`() throws {
        let step = try #require(try blocks().first { $0.hasPrefix("try steps.add(") })
        let lines = step.components(separatedBy: "\n").map { $0.isEmpty ? "" : "        \($0)" }
        #expect(try file("OrderTests").contains(lines.joined(separator: "\n")))
    }
}
