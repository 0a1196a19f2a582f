import PushJSON
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The scanner reads eight bytes at a time. The result must not depend on the text's address or on what follows it.
struct SurroundingsTests {
    /// Bytes that could continue a token at the end of the text, and bytes that could end one.
    private static let followers: [UInt8] =
        Array("\"\\{}[],:0e.-+ \nul".utf8) + [0x00, 0x7F, 0x80, 0xBF, 0xC3, 0xE2, 0xF0, 0xFF]

    private static let shortTexts = Corpus.accept.filter { $0.bytes.count <= 200 }

    @Test func `there are texts to place`() {
        #expect(Self.shortTexts.count > 400)
    }

    @Test func `neither alignment nor what follows the text changes the result`() {
        var scanner = JSONScanner()
        var tape = JSONTape()
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 64)
        defer { memory.deallocate() }
        for (position, file) in Self.shortTexts.enumerated() {
            let expected = ScanResult(file.bytes)
            for alignment in 0..<16 {
                // Each text meets each follower, and each alignment meets each follower, but not in all combinations.
                for step in 0..<2 {
                    let follower = Self.followers[(position + alignment * 2 + step) % Self.followers.count]
                    memory.copyBytes(from: repeatElement(follower, count: memory.count))
                    let place = UnsafeMutableRawBufferPointer(
                        rebasing: memory[alignment..<alignment + file.bytes.count])
                    place.copyBytes(from: file.bytes)
                    let text = UnsafeRawBufferPointer(place)
                    let fault = scanner.scan(text, into: &tape)
                    let result = ScanResult(tape, text, fault)
                    #expect(result == expected, "\(file.name) at \(alignment), then byte \(follower)")
                }
            }
        }
    }

    @Test func `nothing is read past the end of a text`() throws {
        // Reading the byte after the text ends the process.
        let page = try GuardedPage()
        var scanner = JSONScanner()
        var tape = JSONTape()
        let files = (Corpus.accept + Corpus.unrepresentable + Corpus.refuse).filter { $0.bytes.count <= 200 }
        #expect(files.count > 1500)
        for file in files {
            let expected = ScanResult(file.bytes)
            let text = page.textAtEnd(file.bytes)
            let fault = scanner.scan(text, into: &tape)
            let result = ScanResult(tape, text, fault)
            #expect(result == expected, "\(file.name)")
        }
    }

    @Test func `a text cut anywhere is scanned like a text of that length`() throws {
        let page = try GuardedPage()
        var scanner = JSONScanner()
        var tape = JSONTape()
        for file in Self.shortTexts where file.bytes.count <= 80 {
            for length in 0..<file.bytes.count {
                let expected = file.bytes.withUnsafeBytes { whole in
                    let cut = UnsafeRawBufferPointer(rebasing: whole[..<length])
                    let fault = scanner.scan(cut, into: &tape)
                    return ScanResult(tape, cut, fault)
                }
                let text = page.textAtEnd(Array(file.bytes[..<length]))
                let fault = scanner.scan(text, into: &tape)
                let result = ScanResult(tape, text, fault)
                #expect(result == expected, "\(file.name) cut after \(length)")
            }
        }
    }

    @Test func `strings of every length end where they end`() throws {
        let page = try GuardedPage()
        var scanner = JSONScanner()
        var tape = JSONTape()
        for length in 0...200 {
            for ending in ["", "é", "日", "😀", "\\n", "\\u00e9", "\\ud83d\\ude00"] {
                let contents = String(repeating: "x", count: length) + ending
                let text = page.textAtEnd(Array("\"\(contents)\"".utf8))
                let fault = scanner.scan(text, into: &tape)
                let count = tape.root(of: text)?.string?.count
                #expect(fault == nil, "\(length) and \(ending)")
                #expect(count == contents.utf8.count, "\(length) and \(ending)")

                let open = page.textAtEnd(Array("\"\(contents)".utf8))
                let openFault = scanner.scan(open, into: &tape)
                #expect(openFault == JSONFault(.unterminatedString, at: open.count), "\(length) and \(ending)")
            }
        }
    }
}

/// Memory at the end of a page whose successor must not be read.
private struct GuardedPage: ~Copyable {
    private let start: UnsafeMutableRawPointer
    private let size = Int(getpagesize())

    init() throws {
        let mapped = mmap(nil, size * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        try #require(mapped != MAP_FAILED)
        start = try #require(mapped)
        let isGuarded = mprotect(start + size, size, PROT_NONE) == 0
        #expect(isGuarded)
    }

    deinit { munmap(start, size * 2) }

    /// A copy whose last byte is the last of the page. Valid until the next call.
    func textAtEnd(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
        let place = UnsafeMutableRawBufferPointer(start: start + size - bytes.count, count: bytes.count)
        place.copyBytes(from: bytes)
        return UnsafeRawBufferPointer(place)
    }
}
