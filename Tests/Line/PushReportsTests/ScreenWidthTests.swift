import PushDevices
import PushFraming
import PushJSON
import PushModel
import PushPipeline
import PushReports
import PushText
import Testing

/// Screens and lists on narrow terminals.
struct ScreenWidthTests {
    private let store = MemoryStore()

    private func deliver(_ records: String) throws {
        let pipeline = Pipeline(PipelineConfiguration(), deliveringTo: store)
        try pipeline.process(records) { _ in }
    }

    private func screen(columns: Int?) throws -> [String] {
        var text = ""
        try ScreenReport(style: TextStyle(hasColors: false, columns: columns)).write(store) { text += $0 }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `a card stays in its box`() throws {
        try deliver(
            #"""
            {"headers":{"apns-topic":"a.b","apns-collapse-id":"match-17"},"payload":{"aps":{"alert":{"title":"Rovers – United","subtitle":"Second half","body":"2–0 (Lind, 41′) after a long wait\nבוקר טוב לכולם, היום יורד גשם חזק\n订单已发货，请注意查收。谢谢您的惠顾"}}}}
            """#)
        let found = try screen(columns: 30)
        #expect(
            found.dropFirst().prefix(9) == [
                "  ╭ Rovers – United",
                "  │ Second half",
                "  │ 2–0 (Lind, 41′) after a",
                "  │ long wait",
                "  │ בוקר טוב לכולם, היום יורד",
                "  │ גשם חזק",
                "  │ 订单已发货，请注意查收。谢",
                "  │ 谢您的惠顾",
                "  ╰ match-17,",
            ])
        #expect(found.dropFirst(10).first?.hasPrefix("    20") == true)
        #expect(found.allSatisfy { TerminalText.width($0) <= 30 })
        // Where lines may have any length, title and subtitle share one.
        #expect(try screen(columns: nil)[1] == "  ╭ Rovers – United · Second half")
    }

    @Test(arguments: [20, 40, 80, 200])
    func `no line is longer than the terminal`(columns: Int) throws {
        let long = String(repeating: "Wort ", count: 60) + String(repeating: "x", count: 300)
        try deliver(
            #"{"device":"ab","headers":{"apns-topic":"org.example"},"payload":{"aps":{"alert":{"title":"\#(long)","body":"\#(long)"}}}}"#
        )
        #expect(try screen(columns: columns).allSatisfy { TerminalText.width($0) <= columns })
    }
}
