import CPushBlockScan
import TestSupport
import Testing

@testable import PushJSON

/// The scanner's two paths must agree: what the fast path accepts, the bytewise scan accepts with the same tape.
struct BlockScanTests {
    /// Scans texts on both paths, the fast one in every variant, in memory that ends where the text does.
    private struct Both: ~Copyable {
        var scanner = JSONScanner()
        var blocks = JSONTape()
        var bytes = JSONTape()
        /// The number of texts that the fast path accepted.
        var taken = 0

        /// How the two paths differ; nil when they agree.
        mutating func difference(over text: [UInt8]) -> String? {
            // An allocation of its own, so that the address sanitizer sees a read beyond its end.
            let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: text.count)
            defer { copy.deallocate() }
            copy.initialize(from: text, count: text.count)

            bytes.reset(forByteCount: text.count)
            let fault = text.isEmpty ? nil : scanner.scanBytes(copy, text.count, &bytes)
            guard !text.isEmpty else { return nil }
            var accepting = 0
            for variant in BlockScanTests.variants {
                scanner.variant = variant
                blocks.reset(forByteCount: text.count)
                guard scanner.scanBlocks(copy, text.count, &blocks) else { continue }
                accepting += 1
                if let fault { return "accepted by \(variant), refused by bytes: \(fault)" }
                if let difference { return "\(variant): \(difference)" }
            }
            guard accepting > 0 else { return nil }
            taken += 1
            return accepting == BlockScanTests.variants.count ? nil : "accepted by \(accepting) variants only"
        }

        /// How the two tapes differ.
        private var difference: String? {
            if blocks.notes != bytes.notes { return "notes \(blocks.notes), not \(bytes.notes)" }
            if blocks.count != bytes.count { return "\(blocks.count) entries, not \(bytes.count)" }
            for index in 0..<bytes.count where blocks.entries[index] != bytes.entries[index] {
                return "entry \(index) is \(blocks.entries[index]), not \(bytes.entries[index])"
            }
            return nil
        }
    }

    @Test func `both ways agree on the corpus`() {
        var both = Both()
        for file in Corpus.all {
            let difference = both.difference(over: file.bytes)
            #expect(difference == nil, "\(readable(file.bytes.prefix(500)))")
        }
        #expect(both.taken > 30)
    }

    @Test(arguments: [
        #"[0,{"a":1],2]"#, #"[{"a":1]]"#, #"{"a":[1}}"#, #"{"a":{"b":[]]}"#, #"[[{"a":"b"]]]"#, #"{"a":[{}}]"#,
    ])
    func `a bracket closes only its own kind`(value: String) {
        let result = ScanResult(Array(#"{"p":"\#(String(repeating: "x", count: 80))","v":\#(value)}"#.utf8))
        #expect(result.fault != nil)
    }

    @Test func `both ways agree on mutations of the corpus and of records`() {
        let rounds = 60_000
        let small = Corpus.all.map(\.bytes).filter { $0.count <= 400 }
        var mutator = Mutator(seed: 0xB10C, folders: [small, Self.records, Self.records])
        var generator = SeededGenerator(seed: 7)
        var both = Both()
        for _ in 0..<rounds {
            // Every position in a block, and texts on both sides of its length.
            let padding = [UInt8](repeating: UInt8(ascii: "x"), count: generator.below(130))
            let mutated = mutator.next()
            let text =
                generator.below(2) == 0
                ? mutated : Array("{\"p\":\"".utf8) + padding + Array("\",\"v\":".utf8) + mutated + Array(" }".utf8)
            let difference = both.difference(over: text)
            #expect(difference == nil, "\(readable(text))")
        }
        // Most mutations break a text; enough must remain that do not.
        #expect(both.taken > rounds / 20)
    }

    @Test func `bytes are counted alike in every variant`() {
        var generator = SeededGenerator(seed: 7)
        for size in [0, 1, 31, 32, 223, 224, 225, 447, 448, 1000, 5000] {
            let text = (0..<size).map { _ in UInt8(truncatingIfNeeded: generator.next() & 3) }
            let expected = text.count { $0 == 2 }
            for variant in Self.variants { #expect(blockscan_count(variant, text, size, 2) == expected, "\(size)") }
        }
        let full = [UInt8](repeating: 2, count: 2000)
        for variant in Self.variants { #expect(blockscan_count(variant, full, 2000, 2) == 2000) }
    }

    @Test func `the first pass lists what a simple search finds, in every variant`() {
        var generator = SeededGenerator(seed: 64)
        let pieces = ["\"", "\\", "\\\"", "a", "é", "漢", "🎉", " ", "{", "\\\\\\"].map { Array($0.utf8) }
        var longest = 0
        for round in 0..<4000 {
            var text: [UInt8] = []
            for _ in 0..<generator.below(round % 2 == 0 ? 20 : 150) { text += generator.pick(pieces) }
            // One in four has a byte that the fast path rejects, or a truncated character.
            if generator.below(4) == 0, !text.isEmpty {
                text[generator.below(text.count)] = generator.pick([0x00, 0x0A, 0x1F, 0x80, 0xC0, 0xED, 0xF5, 0xFF])
            }
            let expected = Self.simpleSearch(text)
            for variant in Self.variants {
                #expect(Self.found(text, by: variant) == expected, "\(variant): \(readable(text))")
            }
            longest = max(longest, text.count)
        }
        #expect(longest > 256)
    }

    /// Each first byte with each second and third one at the ends of their ranges in Unicode's table 3-7, wherever a block or half of one ends.
    @Test func `UTF-8 is checked across the borders of blocks, in every variant`() {
        let edges: [UInt8] = [
            0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEE, 0xEF, 0xF0, 0xF1,
            0xF4, 0xF5, 0xFF,
        ]
        var wellFormed = 0
        for position in [0, 29, 30, 31, 32, 61, 62, 63, 64] {
            for first in edges {
                for second in edges {
                    for third in edges {
                        var text = [UInt8](repeating: UInt8(ascii: "x"), count: 140)
                        text.replaceSubrange(position..<position + 4, with: [first, second, third, 0x80])
                        let expected = Self.simpleSearch(text)
                        for variant in Self.variants where Self.found(text, by: variant) != expected {
                            Issue.record("\(variant): \(readable(text[position..<position + 4])) at \(position)")
                        }
                        wellFormed += expected.isInDoubt ? 0 : 1
                    }
                }
            }
        }
        #expect(wellFormed > 100)
    }

    @Test func `what has a space, a control character or DEL is found at every place`() {
        for size in [0, 1, 15, 16, 17, 31, 32, 33, 48] {
            let text = [UInt8](repeating: UInt8(ascii: "x"), count: size)
            #expect(blockscan_is_unspaced(text, size), "\(size)")
            for position in 0..<size {
                for byte in UInt8.min...UInt8.max {
                    var changed = text
                    changed[position] = byte
                    #expect(
                        blockscan_is_unspaced(changed, size) == (byte > 0x20 && byte != 0x7F),
                        "\(byte) at \(position) of \(size)")
                }
            }
        }
    }

    @Test func `a UUID has digits and hyphens in their places`() {
        let uuid = Array("7b2d6da9-ffc9-4779-8d7e-4b8d8fb379f9".utf8)
        #expect(blockscan_uuid(uuid) == BLOCKSCAN_HEXADECIMAL)
        for position in uuid.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = uuid
                changed[position] = byte
                let expected =
                    switch UnicodeScalar(byte) {
                    case "-": uuid[position] == byte ? BLOCKSCAN_HEXADECIMAL : BLOCKSCAN_NOT_HEXADECIMAL
                    case _ where uuid[position] == UInt8(ascii: "-"): BLOCKSCAN_NOT_HEXADECIMAL
                    case "0"..."9", "a"..."f": BLOCKSCAN_HEXADECIMAL
                    case "A"..."F": BLOCKSCAN_HEXADECIMAL_CAPITALS
                    default: BLOCKSCAN_NOT_HEXADECIMAL
                    }
                #expect(blockscan_uuid(changed) == expected, "\(byte) at \(position)")
            }
        }
    }

    /// The second pass once took such an escape for the end of a string, and read beyond the text.
    @Test func `an escape that is cut off by the closing quote is a fault`() {
        for escape in ["\\u12", "\\u", "\\u123", "\\uD83D\\u12"] {
            let padding = String(repeating: "x", count: 80)
            let result = ScanResult(Array("{\"p\":\"\(padding)\",\"v\":\"\(escape)\"}".utf8))
            #expect(result.fault?.kind == .invalidUnicodeEscape, "\(escape)")
        }
    }

    // MARK: - Support

    /// Every variant that this processor can run.
    private static let variants = [BLOCKSCAN_PLAIN, BLOCKSCAN_BASELINE, BLOCKSCAN_FAST].filter {
        $0.rawValue <= blockscan_best_variant().rawValue
    }

    private struct Found: Equatable {
        var quotes: [UInt32] = []
        var hasBackslash = false
        /// When a text needs the bytewise scanner, the other results are undefined.
        var isInDoubt = false
    }

    private static func found(_ text: [UInt8], by variant: blockscan_variant) -> Found {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(text.count, 1))
        let quotes = UnsafeMutablePointer<UInt32>.allocate(capacity: text.count + Int(BLOCKSCAN_SLACK))
        defer {
            copy.deallocate()
            quotes.deallocate()
        }
        copy.initialize(from: text, count: text.count)
        let result = blockscan_quotes(variant, copy, text.count, quotes)
        guard result.is_in_doubt == 0 else { return Found(isInDoubt: true) }
        return Found(
            quotes: (0..<Int(result.count)).map { quotes[$0] }, hasBackslash: result.has_backslash != 0)
    }

    private static func simpleSearch(_ text: [UInt8]) -> Found {
        guard !text.contains(where: { $0 < 0x20 }), String(validating: text, as: UTF8.self) != nil else {
            return Found(isInDoubt: true)
        }
        var found = Found(hasBackslash: text.contains(0x5C))
        var isEscaped = false
        for (offset, byte) in text.enumerated() {
            if byte == 0x22, !isEscaped { found.quotes.append(UInt32(offset)) }
            isEscaped = byte == 0x5C && !isEscaped
        }
        return found
    }

    private static let records: [[UInt8]] = [
        #"{"device":"46bb","headers":{"apns-topic":"org.example.news","apns-priority":"10"},"payload":{"aps":{"alert":{"title":"Größe","body":"\"12\" of 98\n"},"badge":3},"id":[1,2.5,true,null]}}"#,
        #"{"to":"/topics/news","data":{"score":"5x1","time":"15:10"},"notification":{"title":"漢字 🎉","body":"","tag":"a\\b"},"dry_run":false}"#,
        #"{"message":{"token":"bk3RNwTe3H0:CI2k_HHwgIpo","notification":{"body":"\uD83D\uDE00 é"},"android":{"ttl":"3.5s"}},"validate_only":false}"#,
    ].map { Array($0.utf8) }
}
