import PushJSON
import Testing

/// Checks every file in `Corpus` against RFC 8259.
struct CorpusTests {
    @Test func `the corpus is there`() {
        #expect(Corpus.accept.count > 500)
        #expect(Corpus.refuse.count > 1000)
        #expect(Corpus.unrepresentable.count > 70)
    }

    @Test func `scanner and libjansson accept what is valid`() {
        for file in Corpus.accept {
            let scan = ScanResult(file.bytes)
            #expect(scan.fault == nil, "\(file.name)")
            #expect(!scan.isUnrepresentable, "\(file.name): \(scan.notes)")
            let answer = JanssonAnswer(file.bytes)
            guard case .value(let canonical) = answer else {
                Issue.record("\(file.name): \(answer)")
                continue
            }
            #expect(ScanResult(canonical).value == scan.value, "\(file.name)")
        }
    }

    @Test func `duplicate keys are noted exactly in the files that show them`() {
        for file in Corpus.accept {
            let showsDuplicate = file.name.contains("/duplicate-key") || file.name.contains("-duplicate-")
            let notes = ScanResult(file.bytes).notes
            #expect(notes.contains { $0.kind == .duplicateKey } == showsDuplicate, "\(file.name)")
        }
    }

    @Test func `scanner and libjansson refuse what is malformed`() {
        for file in Corpus.refuse {
            #expect(ScanResult(file.bytes).fault != nil, "\(file.name)")
            #expect(!JanssonAnswer(file.bytes).isValue, "\(file.name)")
        }
    }

    @Test func `the fault of a malformed text lies in it and is said in one line`() {
        for file in Corpus.refuse {
            guard let fault = ScanResult(file.bytes).fault else { continue }
            #expect((0...file.bytes.count).contains(fault.offset), "\(file.name): \(fault)")
            let message = file.bytes.withUnsafeBytes { fault.message(in: $0) }
            #expect(!message.isEmpty, "\(file.name)")
            #expect(!message.contains { $0.isNewline }, "\(file.name): \(readable(message.utf8))")
        }
    }

    @Test func `text before the fault can still become JSON`() {
        // The fault is at the first byte that cannot belong, so the text up to there has no fault except that it ends.
        let endsEarly: [JSONFault.Kind] = [.empty, .unexpectedEnd, .unterminatedString]
        for file in Corpus.refuse {
            guard let fault = ScanResult(file.bytes).fault, fault.kind != .tooDeep else { continue }
            if let rest = ScanResult(Array(file.bytes[..<fault.offset])).fault {
                #expect(endsEarly.contains(rest.kind), "\(file.name): \(fault), then \(rest)")
            }
        }
    }

    @Test func `scanner accepts with a note what libjansson cannot hold`() throws {
        for file in Corpus.unrepresentable {
            let scan = ScanResult(file.bytes)
            #expect(scan.fault == nil, "\(file.name)")
            for kind in try #require(Self.noteKinds(for: file), "\(file.name) is named for no kind of note") {
                #expect(scan.notes.contains { $0.kind == kind }, "\(file.name): no \(kind) in \(scan.notes)")
            }
            #expect(JanssonAnswer(file.bytes) == .unrepresentable, "\(file.name)")
        }
    }

    /// The notes that the name of a file in `unrepresentable` stands for; nil when it stands for none.
    private static func noteKinds(for file: CorpusCase) -> [JSONTape.Note.Kind]? {
        let kinds: [(word: String, kinds: [JSONTape.Note.Kind])] = [
            ("/every-kind", [.numberOutOfRange, .loneSurrogate, .nulInKey]),
            ("/integer-", [.numberOutOfRange]),
            ("/real-", [.numberOutOfRange]),
            ("/surrogate-", [.loneSurrogate]),
            ("/nul-key-and-lone-surrogate", [.nulInKey, .loneSurrogate]),
            ("/nul-key", [.nulInKey]),
        ]
        return kinds.first { file.name.contains($0.word) }?.kinds
    }
}
