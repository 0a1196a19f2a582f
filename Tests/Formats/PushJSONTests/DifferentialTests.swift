import PushJSON
import Testing

/// The scanner and libjansson were written by different people from the same RFC, so where they differ, one is wrong.
struct DifferentialTests {
    @Test func `scanner and libjansson agree on random mutations of the corpus`() {
        let rounds = 60_000
        let folders = [Corpus.accept, Corpus.accept, Corpus.unrepresentable, Corpus.refuse]
        var mutator = Mutator(seed: 0x5EED, folders: folders.map { $0.map(\.bytes).filter { $0.count <= 300 } })
        var scanner = JSONScanner()
        var tape = JSONTape()
        var accepted = 0
        var unrepresentable = 0
        var disagreements = 0
        for round in 0..<rounds where disagreements < 10 {
            let bytes = mutator.next()
            let (scan, answer) = bytes.withUnsafeBytes { text in
                let fault = scanner.scan(text, into: &tape)
                return (ScanResult(tape, text, fault), JanssonAnswer(bytes))
            }
            if scan.isUnrepresentable { unrepresentable += 1 } else if scan.fault == nil { accepted += 1 }
            if let disagreement = Self.disagreement(scan, answer) {
                disagreements += 1
                Issue.record("round \(round): \(disagreement): \(readable(bytes))")
            }
        }
        // All three answers must be frequent, or the mutations prove little.
        #expect(accepted > rounds / 20)
        #expect(unrepresentable > rounds / 50)
        #expect(accepted + unrepresentable < rounds / 2)
    }

    /// How the two answers differ; nil when they agree.
    private static func disagreement(_ scan: ScanResult, _ answer: JanssonAnswer) -> String? {
        if let fault = scan.fault {
            // libjansson reports only the first problem, so it may report a malformed text as `unrepresentable`.
            return answer.isValue ? "the scanner refuses with \(fault), libjansson accepts" : nil
        }
        if scan.isUnrepresentable {
            return answer == .unrepresentable ? nil : "the scanner notes \(scan.notes), libjansson says \(answer)"
        }
        guard case .value(let canonical) = answer else { return "the scanner accepts, libjansson says \(answer)" }
        return ScanResult(canonical).value == scan.value
            ? nil : "the values differ, libjansson has \(readable(canonical))"
    }
}

/// The limit on nesting, and the size of the tape that follows from it.
struct DepthTests {
    /// The brackets that open and close a level, and what can stand at the bottom.
    static let shapes: [(open: [String], close: [String])] = [
        (["["], ["]"]),
        (["{\"a\":"], ["}"]),
        (["[", "{\"a\":"], ["]", "}"]),
        (["[0,"], ["]"]),
        ([" [ "], [" ] "]),
    ]

    private static func text(levels: Int, shape: (open: [String], close: [String]), bottom: String) -> [UInt8] {
        let opens = (0..<levels).map { shape.open[$0 % shape.open.count] }
        let closes = (0..<levels).reversed().map { shape.close[$0 % shape.close.count] }
        return Array((opens + [bottom] + closes).joined().utf8)
    }

    @Test func `512 levels are accepted, 513 refused, by both`() {
        #expect(JSONScanner.maximumDepth == 512)
        for shape in Self.shapes {
            for bottom in ["0", "\"[[[\"", "{}", "[]"] {
                let own = bottom == "{}" || bottom == "[]" ? 1 : 0
                let most = Self.text(levels: 512 - own, shape: shape, bottom: bottom)
                #expect(ScanResult(most).fault == nil, "\(shape.open) \(bottom)")
                #expect(JanssonAnswer(most).isValue, "\(shape.open) \(bottom)")

                let tooMany = Self.text(levels: 513 - own, shape: shape, bottom: bottom)
                #expect(ScanResult(tooMany).fault?.kind == .tooDeep, "\(shape.open) \(bottom)")
                #expect(JanssonAnswer(tooMany) == .refused("more than 512 levels"), "\(shape.open) \(bottom)")
            }
        }
    }

    @Test func `the fault stands at the bracket of level 513`() {
        let brackets = [UInt8](repeating: UInt8(ascii: "["), count: 600)
        #expect(ScanResult(brackets).fault == JSONFault(.tooDeep, at: 512))
    }

    @Test func `levels that are closed again do not count`() {
        let level = Self.text(levels: 511, shape: Self.shapes[0], bottom: "0")
        let text = [UInt8(ascii: "[")] + level + [UInt8(ascii: ",")] + level + [UInt8(ascii: "]")]
        #expect(ScanResult(text).fault == nil)
        #expect(JanssonAnswer(text).isValue)
    }

    @Test func `a value that a later duplicate key replaces counts too`() {
        let deep = Self.text(levels: 512, shape: Self.shapes[0], bottom: "")
        let text = Array("{\"a\":".utf8) + deep + Array(",\"a\":1}".utf8)
        #expect(ScanResult(text).fault?.kind == .tooDeep)
    }

    @Test func `open brackets without an end stay within the tape`() async {
        // Writing past the tape corrupts the heap, which the allocator notices when the tape is freed; so this runs in
        // a separate process.
        await #expect(processExitsWith: .success) {
            for depth in 1...JSONScanner.maximumDepth {
                for elements in [0, 1, 2, 7, 300] {
                    let opened = String(repeating: "[", count: depth)
                    let text = opened + Array(repeating: "0", count: elements).joined(separator: ",")
                    precondition(ScanResult(Array(text.utf8)).fault?.kind == .unexpectedEnd)
                }
            }
        }
    }
}
