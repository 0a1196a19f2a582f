import PushDecoding
import PushFraming
import PushJSON
import PushModel
import PushPipeline

/// A fitted payload is within its budget or unchanged, and stays JSON in which only texts differ.
enum FitCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        var pipelines: [Int: (plain: FedPipeline, fitted: FedPipeline)] = [:]
        return { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            let choice = Int(input.options.0 & 0x7F)
            var configuration = configuration(choice)
            let pair: (plain: FedPipeline, fitted: FedPipeline)
            if let known = pipelines[choice] {
                pair = known
            } else {
                let plain = FedPipeline(configuration)
                configuration.recordStages = [FitToBudget()]
                pair = (plain, FedPipeline(configuration))
                pipelines[choice] = pair
            }
            let plain = messages(pair.plain, input.text)
            let fitted = messages(pair.fitted, input.text)
            guard plain.count == fitted.count else { return "\(plain.count) messages, and \(fitted.count) fitted" }
            for (before, after) in zip(plain, fitted) {
                if let trouble = compare(before, after) { return trouble }
            }
            return nil
        }
    }

    private static func compare(_ before: Message, _ after: Message) -> String? {
        if after.rules.contains("fit.cut") {
            if before.bytes <= before.limit { return "a message within its budget was cut" }
            if after.bytes > after.limit { return "cut to \(after.bytes) bytes, \(after.limit) are allowed" }
            if after.payload == before.payload { return "reported as cut, but not cut" }
            if !after.payload.withUnsafeBytes(isJSON) {
                return "cut to text that is not JSON: \(readable(after.payload))"
            }
            if after.payload.count > before.payload.count { return "cut to a longer payload" }
            let shapes = (shape(before.payload), shape(after.payload))
            return shapes.0 == shapes.1 ? nil : "cutting changed more than texts: \(readable(after.payload))"
        }
        if after.payload != before.payload { return "changed without a finding: \(readable(after.payload))" }
        return after.bytes == before.bytes ? nil : "\(before.bytes) bytes, and fitted \(after.bytes)"
    }

    /// A payload without its string values.
    private static func shape(_ payload: [UInt8]) -> [UInt8] {
        var scanner = JSONScanner()
        var tape = JSONTape()
        return payload.withUnsafeBytes { text in
            guard scanner.scan(text, into: &tape) == nil, let root = tape.root(of: text) else { return [] }
            var out: [UInt8] = []
            var copied = 0
            func walk(_ view: JSONView) {
                if view.isString {
                    out += text[copied..<view.offset]
                    copied = view.offset + view.text.count
                }
                var members = view.members
                if view.isObject { while let (_, value) = members.next() { walk(value) } }
                var elements = view.elements
                if view.kind == .array { while let element = elements.next() { walk(element) } }
            }
            walk(root)
            return out + text[copied...]
        }
    }

    private struct Message {
        var bytes: Int
        var limit: Int
        var payload: [UInt8]
        var rules: [String]
    }

    private static func configuration(_ choice: Int) -> PipelineConfiguration {
        var configuration = PipelineConfiguration()
        configuration.clock = .fixed(milliseconds: 1_000_000)
        configuration.framing = .nul
        let budgets = [1, 20, 40, 60, 80, 100, 150, 200, 300, 500, 1000, 2000, 3000, 4096, 0, 0]
        if budgets[choice & 15] > 0 { configuration.decoding.budget = Budget(bytes: budgets[choice & 15]) }
        if choice & 16 != 0 { configuration.decoding.acceptsRelaxedJSON = true }
        if choice & 32 != 0 { configuration.decoding.platform = .ios }
        if choice & 64 != 0 { configuration.decoding.replacementKey = "id" }
        return configuration
    }

    private static func messages(_ pipeline: FedPipeline, _ text: UnsafeRawBufferPointer) -> [Message] {
        var found: [Message] = []
        // Neither the store nor this closure throws.
        try? pipeline.read(text) { report in
            guard report.decodeFailure == nil else { return }
            found.append(
                Message(
                    bytes: report.message.byteCount, limit: report.message.byteLimit,
                    payload: Array(report.message.payload.buffer), rules: report.findings.map(\.rule)))
        }
        return found
    }
}
