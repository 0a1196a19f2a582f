import Foundation
import Testing

/// Pipes that stay open, and bytes that come one at a time.
struct StreamTests {
    /// Waits until a file has so many lines; false when it has not in a minute, which is far more than it takes.
    private func waitForLines(_ count: Int, in name: String, of folder: Folder) async throws -> Bool {
        for _ in 0..<3000 {
            if let text = try? folder.read(name), text.split(separator: "\n").count >= count { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return false
    }

    /// What a sender writes before it falls silent, with the number of records that are complete by then.
    @Test(arguments: [
        ([], apns("a"), 1),
        ([], apns("a") + apns("b"), 2),
        ([], apns("a") + "{\"aps\":", 1),
        ([], "{\n  \"aps\": {\n    \"alert\": \"a\"\n  }\n}\n", 1),
        ([], "{\"aps\":{}}{\"aps\":{}}\n", 2),
        (["--framing", "json"], "{\"aps\":{\"alert\":\"a\"}}", 1),
        (["--framing", "seq"], "\u{1E}" + apns("a"), 1),
        (["--framing", "nul"], "{\"aps\":{}}\0", 1),
        (["--store", "s.db"], apns("a"), 1),
        (["--report", "text"], apns("a"), 1),
    ])
    func `a record is reported while the sender still holds the pipe open`(
        arguments: [String], text: String, expected: Int
    ) async throws {
        let folder = try Folder()
        defer { folder.remove() }
        try folder.write(text, to: "first")
        try folder.write(arguments.contains("seq") ? "\u{1E}{}" : apns("last"), to: "second")
        async let finished = Self.inBackground {
            try folder.shell(
                """
                { cat first; while [ ! -e go ]; do sleep 0.02; done; cat second; } |
                pushpipe run -q \(arguments.joined(separator: " ")) > report; echo ${PIPESTATUS[@]}
                """)
        }
        let wasReported = try await waitForLines(expected, in: "report", of: folder)
        let lines = (try? folder.read("report").split(separator: "\n").count) ?? 0
        try folder.write("", to: "go")
        let output = try await finished
        #expect(wasReported)
        #expect(lines == expected)
        #expect(output.text == "0 0\n")
        #expect(try folder.read("report").split(separator: "\n").count > expected)
    }

    /// The command is waited for on a thread of its own.
    private static func inBackground(_ body: @escaping @Sendable () throws -> Output) async throws -> Output {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }

    @Test(arguments: [[], ["--framing", "json"]])
    func `bytes that come one at a time give the same report`(arguments: [String]) throws {
        let folder = try Folder()
        let options = (["-q", "--clock", "0"] + arguments).joined(separator: " ")
        #expect(try folder.shell("pushpipe generate --count 20 --seed 3 --malformed-rate 0.2 > in").status == 0)
        let slow = try folder.shell("dd if=in bs=1 status=none | pushpipe run \(options)")
        let fast = try folder.shell("pushpipe run \(options) in")
        #expect(slow.status == 0)
        #expect(slow.stdout == fast.stdout)
        #expect(fast.lines.count >= 20)
    }

    @Test func `a pipe gives the same report as a file`() throws {
        let folder = try Folder()
        #expect(try folder.shell("pushpipe generate --count 5000 --malformed-rate 0.05 > in").status == 0)
        let file = try folder.shell("pushpipe run -q --clock 0 in")
        for size in [7, 4096, 100_000, 300_000] {
            let pipe = try folder.shell("dd if=in bs=\(size) status=none | pushpipe run -q --clock 0")
            #expect(pipe.stdout == file.stdout, "in writes of \(size) bytes")
        }
    }
}
