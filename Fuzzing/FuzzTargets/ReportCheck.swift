import PayloadJSON
import PushPipeline

/// Every line of a report is one JSON object, for people it holds nothing that disturbs a terminal, and both are the same
/// however the input is cut.
enum ReportCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        var pipelines: [Int: ReusedPipeline] = [:]
        return { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            let choice = Int(input.options.0)
            let pipeline = pipelines[choice] ?? ReusedPipeline(configuration(choice))
            pipelines[choice] = pipeline
            do {
                var whole: [Line] = []
                try pipeline.read(input.text) { whole.append(Line($0)) }
                for line in whole {
                    if let trouble = line.trouble { return trouble }
                }
                var generator = CutGenerator(seed: UInt64(input.options.1))
                var cut: [Line] = []
                try pipeline.read(input.text, { _ in 1 + generator.below(60) }, { cut.append(Line($0)) })
                return cut == whole ? nil : "in pieces \(cut.map(\.json)), in one \(whole.map(\.json))"
            } catch {
                return "the pipeline threw \(error)"
            }
        }
    }

    private static func configuration(_ choice: Int) -> PipelineConfiguration {
        var configuration = PipelineConfiguration()
        configuration.clock = .fixed(milliseconds: 1_000_000)
        configuration.framing = Framing.allCases[(choice & 7) % Framing.allCases.count]
        configuration.appliesRules = choice & 8 != 0
        configuration.decoding.acceptsRelaxedJSON = choice & 16 != 0
        configuration.decoding.replacementKey = choice & 32 != 0 ? "custom-payload-id" : nil
        if choice & 64 != 0 { configuration.mutations = [FitToBudget()] }
        if choice & 128 != 0 {
            configuration.decoding.budget = Budget(bytes: 60)
            configuration.maximumRecordBytes = 200
        }
        return configuration
    }

    private struct Line: Equatable {
        var json: String
        var text: String
        var trouble: String?

        init(_ report: RecordReport) {
            var out = ByteBuffer()
            NDJSONReport().append(report, to: &out)
            trouble = out.bytes.withCopy(Self.check)
            json = String(decoding: out.bytes, as: UTF8.self)
            out.removeAll()
            TextReport(style: TextStyle(hasColours: false)).append(report, to: &out)
            text = String(decoding: out.bytes, as: UTF8.self)
            if TerminalText.cleanLines(text) != text {
                trouble = trouble ?? "for people it would disturb a terminal: \(readable(text.utf8))"
            }
        }

        private static func check(_ line: UnsafeRawBufferPointer) -> String? {
            func wrong(_ words: String) -> String { "\(words): \(readable(line))" }
            guard line.last == UInt8(ascii: "\n") else { return wrong("a line without an end") }
            if line.dropLast().contains(UInt8(ascii: "\n")) { return wrong("more than a line") }
            var scanner = JSONScanner()
            var tape = JSONTape()
            if let fault = scanner.scan(line, into: &tape) { return wrong("a line that is not JSON, \(fault)") }
            if !tape.notes.isEmpty { return wrong("a line that not every reader can hold, \(tape.notes)") }
            guard let root = tape.root(of: line), root["seq"]?.int64 != nil, root["outcome"]?.isString == true else {
                return wrong("a line without seq or outcome")
            }
            return nil
        }
    }
}
