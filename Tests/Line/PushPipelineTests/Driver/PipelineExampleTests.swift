import Foundation
import PushPipeline
import TestSupport
import Testing

/// The example in the documentation of `Pipeline` compiles and works as described.
struct PipelineExampleTests {
    @Test func `the example delivers a notification and prints it`() throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

        // Example:
        let store = MemoryStore()
        let pipeline = Pipeline(store: store)
        let input = """
            {"device":"ab54","headers":{"apns-topic":"org.example.news","apns-collapse-id":"result"},
             "payload":{"aps":{"alert":{"title":"Election","body":"12 of 98 districts counted"}}}}
            """
        try pipeline.process(input) { print($0.seq, $0.outcome, $0.byteCount) }
        for notification in try store.notifications(device: "ab54") { print(notification.content.body ?? "") }
        // End.

        let payload = #"{"aps":{"alert":{"title":"Election","body":"12 of 98 districts counted"}}}"#
        #expect(printed == ["1 delivered \(payload.utf8.count)", "12 of 98 districts counted"])
    }

    @Test func `the documentation contains the example verbatim`() throws {
        let here = URL(fileURLWithPath: #filePath)
        let pipeline = packageFolder.appendingPathComponent("Sources/Line/PushPipeline/Driver/Pipeline.swift")
        let documented = try String(contentsOf: pipeline, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !$0.hasPrefix("///") }.prefix { $0.hasPrefix("///") }
            .drop { !$0.hasPrefix("///     ") }.prefix { $0.hasPrefix("///     ") || $0 == "///" }
            .map { String($0.dropFirst("///     ".count)) }
        let tested = try String(contentsOf: here, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .drop { $0 != "        // Example:" }.dropFirst().prefix { $0 != "        // End." }
            .map { String($0.dropFirst(8)) }
        #expect(tested.count >= 8)
        #expect(
            ["import PushPipeline", ""] + tested
                == Array(documented.reversed().drop { $0.isEmpty }.reversed()))
    }
}
