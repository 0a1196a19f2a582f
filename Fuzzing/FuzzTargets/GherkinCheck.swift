import PushGherkin

/// A feature file is read, or refused with positions inside it; its pickles have positions inside it too.
enum GherkinCheck {
    /// Tables multiply: a short file can have a million pickles.
    private static let mostPickles = 200

    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            let text = Array(bytes)
            let lineCount = text.count { $0 == UInt8(ascii: "\n") } + 1
            var trouble: String?
            let document = GherkinParser.parse(text) { trouble = fault(of: $0, lineCount) }
            guard let document else { return trouble }
            for pickle in Pickles(document).prefix(mostPickles) {
                for location in [pickle.location, pickle.scenarioLocation] + pickle.steps.map(\.location) {
                    guard (1...lineCount).contains(location.line), location.column >= 1 else {
                        return "a position outside the file: \(location)"
                    }
                }
            }
            return nil
        }
    }

    private static func fault(of problems: GherkinProblems, _ lineCount: Int) -> String? {
        if problems.list.isEmpty { return "refused without a reason" }
        for problem in problems.list {
            // The end of the file is after its last line.
            guard (1...lineCount + 1).contains(problem.location.line), problem.location.column >= 0 else {
                return "an error at a position outside the file: \(problem)"
            }
            if problem.message.isEmpty { return "an error without a reason" }
        }
        return nil
    }
}
