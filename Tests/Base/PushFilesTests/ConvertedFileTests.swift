import Foundation
import PushFiles
import PushSystem
import TestSupport
import Testing

/// Files that another program converts. `tr` is on every machine.
struct ConvertedFileTests {
    private func withFile<Result>(_ text: String, _ body: (FileDescriptor) throws -> Result) throws -> Result {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(text.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let file = try FileDescriptor.open(url.path, .readOnly)
        defer { file.close() }
        return try body(file)
    }

    @Test func `the text is what the program writes`() throws {
        try withFile(String(repeating: "abc", count: 100_000)) { file in
            let converted = try #require(try ConvertedFile(file, through: ["tr", "a-z", "A-Z"]))
            let bytes = try converted.descriptor.readToEnd()
            #expect(bytes == Array(String(repeating: "ABC", count: 100_000).utf8))
            #expect(converted.finish())
        }
    }

    @Test func `a program that fails, and one that there is not`() throws {
        try withFile("abc") { file in
            let failing = try #require(try ConvertedFile(file, through: ["false"]))
            #expect(try failing.descriptor.readToEnd().isEmpty)
            #expect(!failing.finish())
            #expect(try ConvertedFile(file, through: ["no-such-program"]) == nil)
        }
    }

    /// Moves a text that begins with a letter of the first half of the alphabet by 13 places.
    private func text(of file: FileDescriptor) throws -> ConvertedFile? {
        try ConvertedFile.text(of: file, signatureBytes: 2) { beginning, _ in
            beginning.first.map { $0 < UInt8(ascii: "n") } == true
                ? ["tr", "a-z", "n-za-m"] : beginning.first == UInt8(ascii: "z") ? ["false"] : nil
        }
    }

    @Test func `a text is converted once more if that is needed`() throws {
        let converted = try withFile("abc") { file in
            let converted = try #require(try text(of: file))
            let bytes = try converted.descriptor.readToEnd()
            #expect(converted.finish())
            return bytes
        }
        #expect(converted == Array("nop".utf8))
        #expect(try withFile("nop") { try text(of: $0) == nil })
        #expect(try withFile("") { try text(of: $0) == nil })
        // The second program reads nothing, and more is written than a pipe holds.
        try withFile("m" + String(repeating: "a", count: 1_000_000)) { file in
            let failing = try #require(try text(of: file))
            #expect(try failing.descriptor.readToEnd().isEmpty)
            #expect(!failing.finish())
        }
    }

    @Test func `a converter is told what has been converted`() throws {
        try withFile("abc") { file in
            let once = try ConvertedFile.text(of: file, signatureBytes: 2) { _, isConverted in
                isConverted ? nil : ["tr", "a-z", "n-za-m"]
            }
            let converted = try #require(once)
            #expect(try converted.descriptor.readToEnd() == Array("nop".utf8))
        }
    }

    @Test func `a text has a limit by the size of its file, and 64 MiB are read of any`() throws {
        try withFile(String(repeating: "a", count: 1_000_000)) { file in
            let converted = try #require(try text(of: file))
            #expect(converted.limit(ratio: 3, advice: "").bytes == 64 << 20)
            #expect(converted.limit(ratio: 100, advice: "").bytes == 100_000_000)
            #expect(converted.limit(ratio: .max, advice: "").bytes == .max)
            #expect(
                converted.limit(ratio: 100, advice: " (x)").problem
                    == "is compressed from more than 95 MiB to 1000000 bytes, so the rest is not read (x)")
        }
    }

    @Test func `a program whose text nobody reads ends`() throws {
        try withFile(String(repeating: "a", count: 1_000_000)) { file in
            _ = try ConvertedFile(file, through: ["cat"])
        }
    }
}
