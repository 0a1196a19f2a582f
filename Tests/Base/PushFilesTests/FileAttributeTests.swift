#if os(Linux)
    import PushFiles
    import Foundation
    import TestSupport
    import Testing

    /// Extended attributes of a file that is replaced.
    struct FileAttributeTests {
        private static let key = FileAttributeKey(rawValue: "NSFileExtendedAttributes")

        private static func attributes(_ path: String) throws -> [String: Data] {
            let all = try FileManager.default.attributesOfItem(atPath: path)[key] as? [String: Data]
            return (all ?? [:]).filter { $0.key.hasPrefix("user.") }
        }

        @Test func `a file that is replaced keeps its extended attributes`() throws {
            let folder = try TestFolder(["payload.json": "old"])
            let path = folder.path("payload.json")
            let expected = [
                "user.origin": Data("https://example.org".utf8), "user.nul": Data([0, 1]),
            ]
            do {
                try FileManager.default.setAttributes([Self.key: expected], ofItemAtPath: path)
            } catch {
                // The file system has none.
                return
            }
            try #require(Self.attributes(path) == expected)
            try FileBytes.replace(path, with: Array("new".utf8))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("new".utf8))
            #expect(try Self.attributes(path) == expected)
        }
    }
#endif
