import Foundation
import TestSupport
import Testing

/// A machine's clock that is earlier than the times in a store.
struct ClockFaultTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        // As if the clock had been years ahead.
        let ahead = try folder.pushpipe(
            "run", "-q", "--store", "s.db", "--clock", "2101-01-01T00:00:00Z", stdin: apns("a") + apns("b"))
        #expect(ahead.status == 0)
    }

    private func times() throws -> [JSONValue?] { try folder.pushpipe("store", "events", "s.db").values("at") }

    @Test func `a run continues from the time of the newest notification and says so`() throws {
        let output = try folder.pushpipe("run", "--store", "s.db", stdin: apns("c"))
        #expect(output.status == 0)
        #expect(output.stderr.contains("days behind the last delivery"))
        #expect(output.stderr.contains("--clock sets another"))
        let newest = JSONValue.string("2101-01-01T00:00:00.001Z")
        #expect(try times() == [.string("2101-01-01T00:00:00.000Z"), newest, newest])
        try folder.expectConsistent("s.db")
    }

    @Test func `a quiet run prints no warning about the clock`() throws {
        let output = try folder.pushpipe("run", "-q", "--store", "s.db", stdin: apns("c"))
        #expect(output.status == 0)
        #expect(output.stderr.isEmpty)
    }

    @Test func `an explicit time is used and corrects what a wrong clock left`() throws {
        let earlier = try folder.pushpipe(
            "run", "--store", "s.db", "--clock", "2001-01-01T00:00:00Z", stdin: apns("c"))
        #expect(!earlier.stderr.contains("behind"))
        #expect(try times().last == .string("2001-01-01T00:00:00.000Z"))
        let output = try folder.pushpipe("run", "--store", "s.db", stdin: apns("d"))
        #expect(!output.stderr.contains("behind"))
        let last = try #require(try times().last??.string)
        #expect(last > "2001-01-01T00:00:00.000Z" && last < "2101-01-01T00:00:00.000Z")
    }
}
