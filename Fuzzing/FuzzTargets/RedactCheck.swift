import PushFraming
import PushJSON
import PushModel
import PushPipeline
import PushRedaction

/// A text with a token becomes a digest, whichever of its characters are encoded there, and the record stays JSON.
enum RedactCheck {
    private static let token = Array("5ec2e7019f0a4b7c6d3d0c8a1b2f4e69".utf8)

    @Sendable static func make() -> FuzzTarget.Check {
        var configuration = PipelineConfiguration()
        configuration.framing = .ndjson
        configuration.recordStages = [RedactionStage(Redaction(.tokens, key: Array("a key of the fuzzer".utf8)))]
        configuration.emits = true
        let pipeline = FedPipeline(configuration)
        pipeline.emit(Emission(.all, as: .input))
        return { bytes in
            let (text, hasToken) = text(of: bytes)
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
            let x = pipeline.emitted.withJSON { $0["data"]?["x"]?.string?.string }
            guard let x = x ?? nil else { return "not JSON: \(readable(pipeline.emitted))" }
            return hasToken && !SecretDigest.isDigest(x.utf8) ? "the token is in \(x)" : nil
        }
    }

    /// Printable bytes are themselves. Another one stands for the token, and the one after it says how its characters are written.
    private static func text(of bytes: UnsafeRawBufferPointer) -> (text: [UInt8], hasToken: Bool) {
        var text: [UInt8] = []
        var hasToken = false
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte >= 0x20, byte < 0x7F {
                text.append(byte)
            } else {
                hasToken = true
                let choice = rest.popFirst() ?? 0
                for (index, character) in token.enumerated() {
                    text += written(character, Int(choice >> UInt8(index % 4 * 2)) & 3)
                }
            }
        }
        return (text, hasToken)
    }

    private static func written(_ character: UInt8, _ form: Int) -> [UInt8] {
        switch form {
        case 0: [character]
        case 1: Array("%\(String(character, radix: 16))".utf8)
        case 2: Array("&#\(character);".utf8)
        default: Array("%25\(String(character, radix: 16))".utf8)
        }
    }
}
