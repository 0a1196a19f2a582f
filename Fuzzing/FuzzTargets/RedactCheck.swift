import PayloadJSON
import PushModel
import PushPipeline
import PushRedaction
import RecordFraming

/// A token is found in any text, whichever of its characters are encoded there.
enum RedactCheck {
    /// No part of it is its own beginning, so two of them cannot overlap.
    private static let token = Array("5ec2e7019f0a4b7c6d3d0c8a1b2f4e69".utf8)

    /// How often a text is decoded before it is searched.
    private static let mostReadings = 8

    @Sendable static func make() -> FuzzTarget.Check {
        var configuration = PipelineConfiguration()
        configuration.framing = .ndjson
        configuration.recordStages = [RedactionStage(Redaction(.tokens, key: Array("a key of the fuzzer".utf8)))]
        configuration.emits = true
        let pipeline = FedPipeline(configuration)
        pipeline.emit(Emission(.all, as: .input))
        return { bytes in
            let text = text(of: bytes)
            var record = ByteBuffer()
            record.append("{\"to\":\"")
            for byte in token { record.append(byte) }
            record.append("\",\"data\":{\"x\":")
            text.withUnsafeBufferPointer { text in
                guard let start = text.baseAddress else { return record.append("\"\"") }
                record.appendJSONString(BorrowedText(start: start, count: text.count))
            }
            record.append("}}\n")
            guard (try? pipeline.read(record.bytes) { _ in }) != nil else { return "not read" }
            // Of the data alone: what is before that is the digest of the token.
            var reading = pipeline.emitted
            for _ in 0..<mostReadings {
                if contains(token, in: reading) { return "the token is in \(readable(pipeline.emitted))" }
                let next = decoded(reading)
                if next == reading { break }
                reading = next
            }
            return nil
        }
    }

    /// Printable bytes are themselves. Another one stands for the token, and the one after it says how its characters are written.
    private static func text(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var text: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte >= 0x20, byte < 0x7F {
                text.append(byte)
            } else {
                let choice = rest.popFirst() ?? 0
                for (index, character) in token.enumerated() {
                    text += written(character, Int(choice >> UInt8(index % 4 * 2)) & 3)
                }
            }
        }
        return text
    }

    private static func written(_ character: UInt8, _ form: Int) -> [UInt8] {
        switch form {
        case 0: [character]
        case 1: Array("%\(String(character, radix: 16))".utf8)
        case 2: Array("&#\(character);".utf8)
        default: Array("%25\(String(character, radix: 16))".utf8)
        }
    }

    /// Without percent-encoding and numeric character references, all to lower case.
    private static func decoded(_ text: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        var rest = text[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "%"), let code = number(rest.dropFirst().prefix(2), 16), rest.count > 2 {
                decoded.append(UInt8(truncatingIfNeeded: code))
                rest = rest.dropFirst(3)
            } else if rest.starts(with: Array("&#".utf8)), let (code, count) = reference(rest.dropFirst(2)) {
                decoded += Unicode.Scalar(code).map { Array(String(Character($0)).utf8) } ?? []
                rest = rest.dropFirst(2 + count)
            } else {
                decoded.append(byte)
                rest = rest.dropFirst()
            }
        }
        return decoded
    }

    /// The number of a character reference, and how long it is.
    private static func reference(_ text: ArraySlice<UInt8>) -> (code: UInt32, count: Int)? {
        let isHexadecimal = text.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        let digits = text.dropFirst(isHexadecimal ? 1 : 0).prefix(8).prefix {
            number([$0], isHexadecimal ? 16 : 10) != nil
        }
        guard let code = number(digits, isHexadecimal ? 16 : 10), Unicode.Scalar(code) != nil else { return nil }
        let isEnded = text.dropFirst(digits.endIndex - text.startIndex).first == UInt8(ascii: ";")
        return (code, digits.endIndex - text.startIndex + (isEnded ? 1 : 0))
    }

    private static func number(_ digits: ArraySlice<UInt8>, _ radix: Int) -> UInt32? {
        // A sign is no digit.
        guard digits.allSatisfy({ $0 >= 0x30 }) else { return nil }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: radix)
    }

    /// - Parameter token: in lower case.
    private static func contains(_ token: [UInt8], in text: [UInt8]) -> Bool {
        guard text.count >= token.count else { return false }
        return (0...text.count - token.count).contains { start in
            text[start..<start + token.count].elementsEqual(token) { lowercased($0) == $1 }
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }
}
