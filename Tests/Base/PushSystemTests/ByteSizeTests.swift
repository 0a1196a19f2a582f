import PushSystem
import Testing

/// Units as in the manual of GNU coreutils, "Block size".
struct ByteSizeTests {
    @Test(
        arguments: [
            ("0", 0), ("256", 256), ("64K", 65536), ("64k", 65536), ("64KiB", 65536), ("64kB", 64000), ("64KB", 64000),
            ("1M", 1_048_576), ("1MiB", 1_048_576), ("1MB", 1_000_000), ("2G", 2_147_483_648), ("12B", 12),
            ("9223372036854775807", Int.max),
        ])
    func `a number may have a unit`(text: String, bytes: Int) {
        #expect(ByteSize.bytes(text) == bytes)
    }

    @Test(
        arguments: [
            "", "K", "-1", "+1", "1.5M", "1 M", "1T", "0x10", "٣", "9223372036854775808", "9223372036854775807K", "1KK",
        ])
    func `everything else is refused`(text: String) {
        #expect(ByteSize.bytes(text) == nil)
    }
}
