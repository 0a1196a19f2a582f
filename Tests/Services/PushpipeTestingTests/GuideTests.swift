import Foundation
import TestSupport
import Testing

/// The examples of `Documentation/guides/swift.md`, and of the module's documentation, are parts of the sample's tests, which run as a package of their own.
struct GuideTests {
    @Test(arguments: [
        ("Documentation/guides/swift.md", 1),
        ("Sources/Services/PushpipeTesting/PushpipeTesting.docc/PushpipeTesting.md", 1),
    ]) func `a page shows tests of the sample`(page: String, count: Int) throws {
        let sample = try text("Samples/SenderTests/Tests/NewsSenderTests/NewsSenderTests.swift")
        let head = try #require(sample.range(of: "\n\n")).upperBound
        let examples = try text(page)
            .components(separatedBy: "\n```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
            .filter { $0.contains("@Test") && $0.contains("import PushpipeTesting\n") }
        #expect(examples.count == count)
        for example in examples {
            #expect(example.hasPrefix(sample[..<head]))
            #expect(sample.contains(example.dropFirst(sample[..<head].count)))
        }
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: packageFolder.appendingPathComponent(path), encoding: .utf8)
    }
}
