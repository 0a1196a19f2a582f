import PushDecoding
import PushJSON
import PushModel
import PushSystem

/// Every record gives at least one message; findings point into the record; decoding it again gives the same result.
enum DecodeCheck {
    /// A target for each format. Every record is decoded as that format.
    static let forced: [FuzzTarget] = RecordFormat.allCases.map { format in
        FuzzTarget(name: "decode-\(format.rawValue)", makeCheck: { make(format) })
    }

    static func make(_ format: RecordFormat?) -> FuzzTarget.Check {
        let readers = (0..<8).map { Reader(format, choice: $0) }
        return { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            let reader = readers[Int(input.options.0 & 7)]
            return input.text.withCopy { text in
                let first = reader.read(text)
                if let trouble = first.trouble { return trouble }
                let second = reader.read(text)
                return second.digest == first.digest ? nil : "decoding again gives another result"
            }
        }
    }

    private final class Reader {
        private var decoder: RecordDecoder
        private let acceptance: Acceptance
        private var batch = MessageBatch()

        init(_ format: RecordFormat?, choice: Int) {
            var options = DecodingOptions()
            options.format = format
            options.acceptsRelaxedJSON = choice & 1 != 0
            options.platform = choice & 2 != 0 ? .ios : nil
            options.replacementKey = choice & 4 != 0 ? "/data/id" : choice & 2 != 0 ? "id" : nil
            options.replacement?.comparison = ReplacementRule.Comparison.allCases[choice % 3]
            options.replacement?.missing = choice & 1 != 0 ? .equal : .never
            decoder = RecordDecoder(options: options)
            acceptance = Acceptance(budget: options.budget)
        }

        func read(_ text: UnsafeRawBufferPointer) -> (digest: Digest, trouble: String?) {
            batch.removeAll()
            decoder.decode(text, record: 0, into: &batch)
            let messages = batch.messages
            if messages.isEmpty { return (Digest(), "no message") }
            for index in messages.indices { acceptance.check(index, in: &batch) }
            var digest = Digest()
            for index in messages.indices {
                if messages.count > 1, messages[index].target != index {
                    return (Digest(), "target \(index) has the wrong number")
                }
                Self.add(messages[index], to: &digest)
            }
            var last = 0
            var count = 0
            for (message, finding) in batch.findings {
                guard message >= last, message < messages.count else { return (Digest(), "findings out of order") }
                count = message == last ? count + 1 : 1
                last = message
                if count > Finding.maximumPerRecord { return (Digest(), "too many findings") }
                if JSONPointer.tokens(finding.pointer) == nil { return (Digest(), "no pointer: \(finding.pointer)") }
                if finding.message.contains(where: \.isNewline) { return (Digest(), "no line: \(finding.message)") }
                digest.add(message, finding.rule, finding.pointer, finding.message)
            }
            for (message, decodeFailure) in batch.decodeFailures {
                guard message < messages.count, case .malformed = messages[message].verdict else {
                    return (Digest(), "a decode failure for a message without one")
                }
                guard decodeFailure.offset >= 0, decodeFailure.offset <= text.count else {
                    return (Digest(), "a decodeFailure at \(decodeFailure.offset)")
                }
                if decodeFailure.message.contains(where: \.isNewline) {
                    return (Digest(), "no line: \(decodeFailure.message)")
                }
                digest.add(message, decodeFailure.rule, decodeFailure.message, "\(decodeFailure.offset)")
            }
            for index in messages.indices {
                // Its rule is that of the refusal, or one of the linter's that says more.
                if case .rejected = messages[index].verdict,
                    !batch.findings.contains(where: { $0.message == index && $0.finding.severity == .error })
                {
                    return (Digest(), "message \(index) is refused without a finding")
                }
                if case .malformed = messages[index].verdict,
                    !batch.decodeFailures.contains(where: { $0.message == index })
                {
                    return (Digest(), "message \(index) is malformed without a reason")
                }
            }
            return (digest, nil)
        }

        /// Reads every text of a message, so that an invalid reference is found.
        private static func add(_ message: DecodedMessage, to digest: inout Digest) {
            digest.add(message.device)
            digest.add(message.topic)
            digest.add(message.payload)
            digest.add(message.place)
            digest.add(message.app)
            let headers = message.headers
            for text in [
                headers.text, headers.id, headers.expiration, headers.priority, headers.collapseID, headers.channelID,
                headers.pushTypeText, message.content.tag, message.content.customID,
            ] {
                digest.add(text ?? .empty)
            }
            let content = message.content
            for text in [content.title, content.subtitle, content.body, content.thread] {
                digest.add(text?.raw ?? .empty)
            }
            digest.add(message.byteCount, message.byteLimit)
        }
    }

    /// A hash of the texts.
    private struct Digest: Equatable {
        private var hash = FNV1a()

        mutating func add(_ text: BorrowedText) { hash.addPart(text.buffer, separator: 0xFF) }

        mutating func add(_ numbers: Int...) {
            for number in numbers { withUnsafeBytes(of: number) { hash.add($0) } }
        }

        mutating func add(_ message: Int, _ texts: String...) {
            add(message)
            for text in texts { hash.addPart(text.utf8, separator: 0xFF) }
        }
    }
}
