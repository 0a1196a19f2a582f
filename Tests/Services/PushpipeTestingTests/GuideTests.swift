import Foundation
import TestSupport
import Testing

/// The examples of `Documentation/guides/serve-swift.md` are parts of the sample's tests, which run as a package of their own.
struct GuideTests {
    @Test func `the page shows tests of the sample`() throws {
        let sample = try text("Samples/SenderTests/Tests/NewsSenderTests/NewsSenderTests.swift")
        let head = try #require(sample.range(of: "\n\n")).upperBound
        let examples = try text("Documentation/guides/serve-swift.md")
            .components(separatedBy: "\n```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
            .filter { $0.contains("@Test") }
        #expect(examples.count == 3)
        for example in examples {
            #expect(example.hasPrefix(sample[..<head]))
            #expect(sample.contains(example.dropFirst(sample[..<head].count)))
        }
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: packageFolder.appendingPathComponent(path), encoding: .utf8)
    }
}
