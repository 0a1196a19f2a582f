import PushJSON
import TestSupport
import Testing

struct NumberTests {
    private static func int64(_ text: String) -> Int64? { Array(text.utf8).withUnsafeBufferPointer(JSONNumber.int64) }

    private static func double(_ text: String) -> Double? {
        Array(text.utf8).withUnsafeBufferPointer(JSONNumber.double)
    }

    @Test func `integers are exact up to the edges of 64 bits`() throws {
        let rows: [(text: String, value: Int64?)] = [
            ("0", 0), ("-0", 0), ("1", 1), ("-1", -1), ("10", 10), ("1234567890123456789", 1_234_567_890_123_456_789),
            ("9007199254740993", 9_007_199_254_740_993),
            ("9223372036854775806", .max - 1), ("9223372036854775807", .max), ("9223372036854775808", nil),
            ("9223372036854775809", nil), ("9223372036854775810", nil), ("10000000000000000000", nil),
            ("-9223372036854775807", .min + 1), ("-9223372036854775808", .min), ("-9223372036854775809", nil),
            ("-9223372036854775810", nil), ("18446744073709551615", nil), ("18446744073709551616", nil),
            ("18446744073709551617", nil), ("100000000000000000000000000000", nil),
        ]
        for (text, value) in rows {
            #expect(Self.int64(text) == value, "\(text)")
            try withRoot(text) { root in #expect(root.int64 == value, "\(text)") }
        }
    }

    @Test func `a number with fraction or exponent is no integer`() throws {
        for text in ["1.0", "1e2", "1E2", "0.0", "-0e0", "10e-1"] {
            try withRoot(text) { root in
                #expect(root.int64 == nil, "\(text)")
                #expect(root.double != nil, "\(text)")
            }
        }
    }

    @Test func `what is no number text has no value`() {
        for text in ["", "-", "+1", " 1", "1 ", "--1", "0x10", "1_000", "a"] {
            #expect(Self.int64(text) == nil, "\(text)")
        }
        for text in ["", "-", "nan", "inf", "-infinity", "1 ", "a"] {
            #expect(Self.double(text) == nil, "\(text)")
        }
    }

    @Test func `doubles are the nearest there are`() throws {
        let rows: [(text: String, value: Double?)] = [
            ("0", 0), ("0.5", 0x1p-1), ("-2.5e0", -0x1.4p1), ("1e0", 1), ("100e-2", 1), ("0.1", 0x1.999999999999ap-4),
            // Halfway between two doubles: rounds to the one with an even last bit.
            ("9007199254740993", 0x1p53), ("9007199254740995", 0x1.0000000000002p53),
            ("9007199254740993.0000000000000000000001", 0x1.0000000000001p53),
            ("9223372036854775807", 0x1p63), ("18446744073709551615", 0x1p64),
            // The largest double, and half a step above it, where the nearest becomes infinity.
            ("1.7976931348623157e308", .greatestFiniteMagnitude), ("1.7976931348623158e308", .greatestFiniteMagnitude),
            ("1.7976931348623159e308", nil), ("-1.7976931348623159e308", nil), ("1e309", nil), ("-1e999", nil),
            // The smallest double, and half a step below it.
            ("2.2250738585072014e-308", .leastNormalMagnitude), ("4.9406564584124654e-324", .leastNonzeroMagnitude),
            ("2.5e-324", .leastNonzeroMagnitude), ("2.4e-324", 0), ("1e-400", 0), ("1e-99999", 0),
            ("0e99999", 0),
        ]
        for (text, value) in rows {
            #expect(Self.double(text)?.bitPattern == value?.bitPattern, "\(text)")
            try withRoot(text) { root in #expect(root.double?.bitPattern == value?.bitPattern, "\(text)") }
        }
    }

    @Test func `zero keeps its sign`() {
        for text in ["-0", "-0.0", "-0e5", "-1e-400"] {
            #expect(Self.double(text)?.bitPattern == (-0.0).bitPattern, "\(text)")
        }
    }

    @Test func `a double that was written in full is read back the same`() {
        var generator = SeededGenerator(seed: 754)
        for _ in 0..<2000 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            #expect(Self.double("\(value)")?.bitPattern == value.bitPattern, "\(value)")
        }
    }

    @Test func `an integer that was written is read back the same`() {
        var generator = SeededGenerator(seed: 64)
        for _ in 0..<2000 {
            let value = Int64(bitPattern: generator.next()) >> Int64(generator.below(64))
            #expect(Self.int64("\(value)") == value)
        }
    }
}
