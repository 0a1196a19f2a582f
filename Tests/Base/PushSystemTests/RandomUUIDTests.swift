import Testing

@testable import PushSystem

struct RandomUUIDTests {
    @Test(arguments: [
        (UInt64.min, UInt64.min, "00000000-0000-4000-8000-000000000000"),
        (.max, .max, "ffffffff-ffff-4fff-bfff-ffffffffffff"),
        (0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210, "01234567-89ab-4def-bedc-ba9876543210"),
    ])
    func `the bits of RFC 9562's version 4 are set, and the others kept`(high: UInt64, low: UInt64, text: String) {
        #expect(RandomUUID.text(high: high, low: low) == text)
    }

    @Test func `two of them differ`() {
        #expect(Set((0..<1000).map { _ in RandomUUID.text() }).count == 1000)
    }
}
