import PushJSON
import PushSystem
import Testing

@testable import PushAssistant

/// Children and their limits, with a shell in place of the command.
struct SurroundingTests {
    private func run(
        _ line: String, input: String = "", _ change: (inout CommandSurroundings.Limits) -> Void = { _ in }
    ) throws -> CommandOutput {
        var limits = CommandSurroundings.Limits()
        change(&limits)
        let surroundings = CommandSurroundings(
            executable: "/bin/sh", environment: ["PATH=/usr/bin:/bin", "GREETING=hello"], gateway: nil, accessKey: nil,
            limits: limits)
        defer { surroundings.endCall() }
        return try surroundings.run(["-c", line], input: Array(input.utf8))
    }

    @Test func `a child's output, errors and status are its own`() throws {
        #expect(
            try run("cat; echo $GREETING; echo no >&2; exit 3", input: "a\n")
                == CommandOutput(status: 3, output: Array("a\nhello\n".utf8), errors: "no\n"))
    }

    @Test func `input and output larger than a pipe arrive whole`() throws {
        let text = String(repeating: "0123456789abcdef", count: 1 << 14)
        #expect(try run("cat", input: text).output == Array(text.utf8))
    }

    @Test func `a child that writes without end is ended`() throws {
        let output = try run("yes") { $0.outputBytes = 100_000 }
        #expect(output.status == -1)
        #expect(output.output.isEmpty)
    }

    @Test func `a child that takes too long is ended, and what it has started`() throws {
        let output = try run("yes >/dev/null & yes >/dev/null") { $0.milliseconds = 1 }
        #expect(output.status == -1)
        #expect(output.errors.contains("took more than"))
    }

    /// The child would run without end, and write nothing or much.
    @Test(arguments: ["yes >/dev/null", "yes"])
    func `a child is ended when its call is cancelled`(line: String) throws {
        let client = try FileDescriptor.pipe()
        defer { client.readEnd.close() }
        try client.writeEnd.writeAll(Array("cancelled".utf8))
        client.writeEnd.close()
        let surroundings = CommandSurroundings(
            executable: "/bin/sh", environment: ["PATH=/usr/bin:/bin"], gateway: nil, accessKey: nil,
            input: client.readEnd)
        surroundings.hear = { .cancellation }
        defer { surroundings.endCall() }
        let output = try surroundings.run(["-c", line], input: [])
        #expect(output.status == -1)
        #expect(output.errors == "the call was cancelled")
    }

    @Test func `what else is heard leaves a child alone, and the end of the input is heard once`() throws {
        let client = try FileDescriptor.pipe()
        defer { client.readEnd.close() }
        client.writeEnd.close()
        let surroundings = CommandSurroundings(
            executable: "/bin/sh", environment: ["PATH=/usr/bin:/bin"], gateway: nil, accessKey: nil,
            input: client.readEnd)
        var count = 0
        surroundings.hear = {
            count += 1
            return count < 3 ? .other : .end
        }
        defer { surroundings.endCall() }
        let output = try surroundings.run(["-c", "cat; echo a"], input: [])
        #expect(output.output == Array("a\n".utf8))
        #expect(count <= 3)
    }

    @Test func `a child that a signal ends says so`() throws {
        #expect(try run("kill -9 $$").errors == "it was ended by a signal")
    }

    @Test func `a program that is not there is a failure`() {
        let surroundings = CommandSurroundings(executable: "/nowhere", environment: [], gateway: nil, accessKey: nil)
        #expect(throws: PlainError.self) { try surroundings.run(["lint"], input: []) }
        #expect(throws: PlainError.self) {
            try surroundings.request("GET", "/api/v1/messages", body: [], seconds: 0)
        }
    }

    @Test(arguments: [
        ("HTTP/1.0 200 OK\r\nx: y\r\n\r\n{}", 200, "{}"), ("HTTP/1.1 404 Not Found\r\n\r\n", 404, ""),
        ("HTTP/1.0 200 OK\r\n\r\na\r\n\r\nb", 200, "a\r\n\r\nb"),
    ])
    func `an answer of HTTP has a status and a body`(text: String, status: Int, body: String) throws {
        let address = try #require(GatewayAddress("http://127.0.0.1:2197"))
        let answer = try #require(CommandSurroundings.answer(Array(text.utf8), of: address))
        #expect(answer.status == status)
        #expect(answer.body == Array(body.utf8))
    }

    @Test(arguments: ["", "SSH-2.0", "HTTP/1.0 200 OK\r\nx: y\r\n", "HTTP/1.0 abc\r\n\r\n", "HTTP/1.0 200"])
    func `what is not HTTP is not an answer`(text: String) throws {
        let address = try #require(GatewayAddress("http://127.0.0.1:2197"))
        #expect(CommandSurroundings.answer(Array(text.utf8), of: address) == nil)
    }

    @Test(
        arguments: [
            ("pushpipe: listening on https://127.0.0.1:44003 and http://127.0.0.1:44003, HTTP/2\n", 44003),
            ("a note\npushpipe: listening on https://127.0.0.1:1 and http://127.0.0.1:1, HTTP/2\n  open", 1),
            ("pushpipe: listening on https://127.0.0.1:44003 and http://127.0.0.1:440", nil),
            ("pushpipe: listening on https://127.0.0.1:44003 and", nil), ("", nil),
        ] as [(String, UInt16?)])
    func `the gateway's greeting has its address`(text: String, port: UInt16?) {
        #expect(GatewayAddress(greeting: Array(text.utf8))?.port == port)
    }
}
