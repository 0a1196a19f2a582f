import ArgumentParser
import PushModel
import PushPipeline
import Testing

@testable import PushCommand

struct OptionValueTests {
    @Test(arguments: [
        ("1", 1), ("65536", 65_536), ("64K", 65_536), ("64k", 65_536), ("1M", 1_048_576), ("1G", 1_073_741_824),
    ])
    func `a size is a number of bytes with an optional unit`(text: String, bytes: Int) throws {
        #expect(try OptionValue.byteCount(text, option: "--record-bytes") == bytes)
    }

    @Test(arguments: ["", "0", "-1", "K", "1T", "1.5M", "1073741825", "2G", "9223372036854775807G", " 1"])
    func `an invalid or out-of-range size names its option`(text: String) {
        let error = #expect(throws: ValidationError.self) {
            try OptionValue.byteCount(text, option: "--record-bytes")
        }
        #expect(error?.description.hasPrefix("--record-bytes ") == true)
    }

    @Test(arguments: [
        ("wall", PipelineClock.wall), ("0", .fixed(milliseconds: 0)), ("-1", .fixed(milliseconds: -1000)),
        ("2026-11-03T20:00:00Z", .fixed(milliseconds: 1_793_736_000_000)),
        ("2026-11-03T20:00:00.250Z", .fixed(milliseconds: 1_793_736_000_250)),
        ("2026-11-03T21:00:00+01:00", .fixed(milliseconds: 1_793_736_000_000)),
    ])
    func `a clock is the machine's, or starts at a time`(text: String, clock: PipelineClock) throws {
        #expect(try OptionValue.clock(text) == clock)
    }

    @Test(arguments: ["", "noon", "9223372036854775807", "2026-13-03T20:00:00Z"])
    func `an invalid clock is refused`(text: String) {
        #expect(throws: ValidationError.self) { try OptionValue.clock(text) }
    }

    @Test func `a number of cores is from 1 to 256`() throws {
        #expect(try OptionValue.jobs(1) == 1)
        #expect(try OptionValue.jobs(256) == 256)
        #expect(try OptionValue.jobs(nil) >= 1)
        for number in [0, -1, 257] { #expect(throws: ValidationError.self) { try OptionValue.jobs(number) } }
    }
}
