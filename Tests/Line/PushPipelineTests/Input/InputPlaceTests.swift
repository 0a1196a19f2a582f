import PushJSON
import PushSystem
import Testing

@testable import PushPipeline

/// Places in an input that arrives in pieces.
struct InputPlaceTests {
    /// The position after all bytes, which come in pieces of one size.
    private func position(after text: [UInt8], _ size: Int) -> TextPosition {
        // SOUND: the bytes live until the closure returns.
        unsafe text.withUnsafeBytes { bytes in
            var place = InputPlace()
            // A byte-order mark comes whole.
            var start = min(3, bytes.count)
            unsafe place.advance(by: start, in: bytes)
            while start < bytes.count {
                let end = min(start + size, bytes.count)
                unsafe place.advance(by: end - start, in: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                start = end
            }
            return unsafe place.text(in: UnsafeRawBufferPointer(start: nil, count: 0)).position
        }
    }

    @Test(arguments: [
        (Array("\u{FEFF}aé€😀\né€😀".utf8), 2, 4), (Array("abcé€😀é".utf8), 1, 8),
        // No UTF-8: each byte is a column.
        ([0x61, 0x61, 0x61, 0xC3, 0x61, 0xE2, 0x82, 0x61, 0xF0, 0x9F, 0x98, 0x61, 0x80, 0xFF], 1, 15),
        (Array("abc".utf8) + [0xE2, 0x82, 0x0A, 0xF0, 0x9F, 0xC3, 0xA9], 2, 4),
    ])
    func `columns do not depend on the pieces`(text: [UInt8], line: Int, column: Int) {
        for size in 1...text.count {
            #expect(position(after: text, size) == TextPosition(line: line, column: column), "pieces of \(size)")
        }
    }

    /// A cutter that reads lines knows how many it has.
    @Test(arguments: [1, 5, 700]) func `a place is the same when line feeds are counted before`(count: Int) {
        let text = (0..<count).flatMap { Array("{\"é\":\(String(repeating: "€", count: $0 % 9))}\n".utf8) }
        // SOUND: the bytes live until the closure returns.
        unsafe text.withUnsafeBytes { bytes in
            var place = InputPlace()
            unsafe place.advance(by: bytes.count, in: bytes, lineFeeds: count)
            let rest = UnsafeRawBufferPointer(start: nil, count: 0)
            #expect(unsafe place.text(in: rest).position == TextPosition(line: count + 1, column: 1))
        }
    }
}
