import Foundation
import Testing

/// A folder for each case: an input, and its parts. What a case shows is its name.
struct CaseTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Cases")

    private static var cases: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    @Test(arguments: cases) func thePartsAreAsExpected(name: String) throws {
        let folder = Self.folder.appendingPathComponent(name)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let parts = names.filter { $0.hasPrefix("part-") }.sorted()
        #expect(parts.count == 4)
        let input = try Data(contentsOf: folder.appendingPathComponent("input.ndjson"))
        let divided = try DividedInput(Array(input), parts: parts.count)
        for (part, file) in parts.enumerated() {
            let expected = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            #expect(divided.output.text(part) == expected, "\(file)")
        }
    }

    @Test func thereAreCases() { #expect(Self.cases.count >= 4) }
}
