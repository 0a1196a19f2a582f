import DeviceRegistry
import Testing

/// Rate limits per name.
struct RateTableTests {
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
