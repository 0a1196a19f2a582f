import Testing

@testable import PushDevices

/// Rate limits per name.
struct RateTableTests {
    @Test func `a store gets the windows that have changed, and when closed ones may go`() {
        var table = RateTable(within: RateWindow.minute)
        _ = table.admits("before", at: 0, limit: 1)
        table.noteChanges()
        #expect(table.takeChanges().windows.isEmpty)
        _ = table.admits("b", at: 5, limit: 1)
        _ = table.admits("a", at: 7, limit: 1)
        _ = table.admits("a", at: 8, limit: 1)
        let changes = table.takeChanges()
        #expect(changes.windows.map(\.name) == ["a", "b"])
        #expect(changes.windows.first?.window == RateWindow(start: 7, count: 2))
        #expect(changes.closedSince == nil)
        #expect(table.takeChanges().windows.isEmpty)
        for index in 0...65_536 { _ = table.admits("\(index)", at: 100_000, limit: 1) }
        #expect(table.takeChanges().closedSince == 40_000)
        var other = RateTable(within: RateWindow.minute)
        other.restore(RateWindow(start: 7, count: 2), of: "a")
        let isAdmitted = [60_006, 60_007].map { other.admits("a", at: $0, limit: 2) }
        #expect(isAdmitted == [false, true])
    }

    @Test func `each name has a window of its own, which begins with the first push after the end of the last one`() {
        var table = RateTable(within: RateWindow.minute)
        let admitted = [0, 1, 59_999, 60_000, 60_001].map { table.admits("a", at: $0, limit: 1) }
        #expect(admitted == [true, false, false, true, false])
        let other = table.admits("b", at: 60_001, limit: 1)
        #expect(other)
        #expect(table.end(of: "a") == 120_000)
        #expect(table.end(of: "b") == 120_001)
    }

    @Test func `windows that are over do not fill the memory, and those that are open are kept`() {
        var table = RateTable(within: RateWindow.minute)
        let isAdmitted = table.admits("kept", at: 50_000, limit: 1)
        #expect(isAdmitted)
        var most = 0
        // 1000 names per second, each once: 60,000 windows are open at a time.
        for number in 0..<400_000 {
            _ = table.admits("\(number)", at: Int64(number), limit: 1)
            if number == 100_000 {
                let isAdmitted = table.admits("kept", at: Int64(number), limit: 1)
                #expect(!isAdmitted)
            }
            most = max(most, table.count)
        }
        #expect(most > 60_000)
        #expect(most <= 2 * 60_002 + 1)
    }
}
