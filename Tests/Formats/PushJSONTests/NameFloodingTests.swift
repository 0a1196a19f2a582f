import CPushBlockScan
import TestSupport
import Testing

@testable import PushJSON

/// Names chosen to collide in the scanner's filter must not cost much more than any others. The tests count work; they
/// do not time it.
struct NameFloodingTests {
    /// Names compared and hashed during a scan of a text without duplicates, on both paths.
    private func work(_ text: String) -> Int {
        var scanner = JSONScanner()
        var tape = JSONTape()
        let bytes = Array(text.utf8)
        bytes.withUnsafeBytes { text in
            #expect(scanner.scan(text, into: &tape) == nil)
            #expect(tape.notes.isEmpty)
        }
        let inBlocks = scanner.nameHashes.work
        bytes.withUnsafeBufferPointer { text in
            if let start = text.baseAddress { #expect(scanner.scanBytes(start, text.count, &tape) == nil) }
        }
        #expect(tape.notes.isEmpty)
        // Both paths do the same work; the fast one may have handed over to the other.
        #expect(scanner.nameHashes.work == 2 * inBlocks)
        return inBlocks
    }

    private func object(_ names: [String], value: String = "0") -> String {
        "{" + names.map { "\"\($0)\":\(value)" }.joined(separator: ",") + "}"
    }

    /// One bit of the filter for all names: same length, same bytes in the middle.
    private func alike(_ count: Int, length: Int = 12, front: String = "") -> [String] {
        (0..<count).map { number in
            var name = Array(repeating: UInt8(ascii: "a"), count: length)
            name[length - 2] = UInt8(97 + number % 26)
            name[length - 3] = UInt8(97 + number / 26 % 26)
            name[length - 4] = UInt8(97 + number / 676)
            return front + String(decoding: name, as: UTF8.self)
        }
    }

    @Test(arguments: [2, 6, 8, 12, 16, 24, 31, 32])
    func `names that the filter takes for one are each looked at a few times`(count: Int) {
        let names = alike(count)
        let bits = Set(names.map { name in Array(name.utf8).withUnsafeBufferPointer { Self.bit($0) } })
        #expect(bits.count == 1)
        // Without a limit, each name would cost comparisons with half of the names.
        #expect(work(object(names)) <= 3 * count + NameHashes.freeComparisons)
    }

    private static func bit(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        name.baseAddress.map { blockscan_name_bit($0, UInt32(name.count)) } ?? 0
    }

    @Test func `long names that differ at their end are not compared again and again`() {
        for length in [100, 1000, 10_000] {
            // Before hashes take over, bytes count: this is the most that is compared.
            let most = (NameHashes.freeComparisons + length / NameHashes.freeBytes * 2) + 3 * 32
            #expect(work(object(alike(32, length: length))) <= most + 32)
        }
    }

    @Test func `names with escapes are decoded once`() {
        for count in [2, 16, 32] {
            #expect(work(object(alike(count, front: "\\u0061"))) <= count)
            // An escape in the first name makes the filter useless for the others.
            #expect(work(object(["\\u0062"] + alike(count - 1))) <= 2 * count)
        }
    }

    @Test func `an object within does not take from the one around it what is known of its names`() {
        let inner = object(alike(32))
        let once = work(inner)
        #expect(work(object(alike(32), value: inner)) == 33 * once)
        let small = object(alike(8))
        #expect(work(object(alike(32), value: small)) == 32 * work(small) + once)
    }

    @Test func `objects one behind the other do not share what is known of their names`() {
        let objects = "[" + Array(repeating: object(alike(20)), count: 3).joined(separator: ",") + "]"
        #expect(work(objects) == 3 * work(object(alike(20))))
    }

    @Test func `a duplicate is found behind the limit of comparisons, and only there`() {
        for (first, second) in [(0, 31), (0, 20), (19, 20), (30, 31), (9, 25)] {
            var names = alike(32)
            names[second] = names[first]
            let notes = scanning(Array(object(names).utf8)) { tape, _, fault in
                #expect(fault == nil)
                return tape.notes.map { tape.offset(of: $0.entry) }
            }
            #expect(notes == [2 + second * 17], "\(first) and \(second)")
        }
    }
}
