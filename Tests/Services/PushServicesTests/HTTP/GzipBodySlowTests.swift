import Foundation
import PushSystem
import TestSupport
import Testing

@testable import PushServices

private let gzip = ["/usr/bin/gzip", "/bin/gzip"].first { FileManager.default.isExecutableFile(atPath: $0) }

/// Compared with gzip itself, which stands for every sender's library.
@Suite(.enabled(if: gzip != nil, "gzip is not installed"))
struct GzipBodySlowTests {
    /// The file as `gzip` compresses it.
    private func compressed(_ file: String, level: Int) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: try #require(gzip))
        process.arguments = ["-c", "-\(level)", file]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Array(data)
    }

    /// Texts that are stored, that have short and long distances, and that have few and many symbols.
    private func text(_ kind: Int, _ count: Int, _ random: inout SplitMix64) -> [UInt8] {
        switch kind {
        case 0: (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        case 1: [UInt8](repeating: 0x61, count: count)
        case 2: (0..<count).map { _ in [0x30, 0x31, 0x7B][Int(random.next() % 3)] }
        default:
            Array(
                (0..<count / 40).map { #"{"to":"ExponentPushToken[\#(random.next() % 1000)]","title":"Goal \#($0)"}"# }
                    .joined(separator: ",").utf8)
        }
    }

    @Test(arguments: [1, 6, 9]) func `what gzip has compressed is read, up to the limit`(level: Int) throws {
        let folder = try TestFolder()
        var random = SplitMix64(seed: UInt64(level))
        for kind in 0..<4 {
            for count in [0, 1, 300, 40_000, 300_000] {
                let text = text(kind, count, &random)
                let body = try compressed(folder.write(text, to: "text"), level: level)
                #expect(GzipBody.text(of: body, limit: text.count) == text, "kind \(kind), \(text.count) bytes")
                if !text.isEmpty { #expect(GzipBody.text(of: body, limit: text.count - 1) == nil) }
                // A changed bit is found by the checksum, wherever the data does not become that of another text.
                for _ in 0..<20 {
                    var changed = body
                    changed[10 + Int(random.next() % UInt64(body.count - 10))] ^= 1 << UInt8(random.next() % 8)
                    let read = GzipBody.text(of: changed, limit: text.count)
                    #expect(read == nil || read == text, "kind \(kind), \(text.count) bytes")
                }
            }
        }
    }
}
