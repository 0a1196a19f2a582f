import PushGherkin

/// A feature file is read, or refused with positions inside it; its pickles have positions inside it too.
enum GherkinCheck {
    /// Tables multiply: a short file can have a million pickles.
    private static let mostPickles = 200

    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            let text = Array(bytes)
            let lineCount = text.count { $0 == UInt8(ascii: "\n") } + 1
            do throws(GherkinError) {
                let document = try GherkinParser.parse(text)
                for pickle in Pickles(document).prefix(mostPickles) {
                    for location in [pickle.location, pickle.scenarioLocation] + pickle.steps.map(\.location) {
                        guard (1...lineCount).contains(location.line), location.column >= 1 else {
                            return "a position outside the file: \(location)"
                        }
                    }
                }
                return nil
            } catch {
                if error.problems.isEmpty { return "refused without a reason" }
                for error in error.problems {
                    // The end of the file is after its last line.
                    guard (1...lineCount + 1).contains(error.location.line), error.location.column >= 0 else {
                        return "an error at a position outside the file: \(error)"
                    }
                    if error.message.isEmpty { return "an error without a reason" }
                }
                return nil
            }
        }
    }
}
