import ServiceExtensionTesting

/// A request to a stub server is the same in any pieces, and never longer than its limits.
enum StubRequestCheck {
    /// The first byte selects the pieces.
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            let text = Array(input.text)
            var cuts = CutGenerator(seed: UInt64(input.options.0))
            var whole = RequestReader()
            let step = whole.add(text)
            var parts = RequestReader()
            var found = RequestReader.Step.needsMore
            var rest = text[...]
            while !rest.isEmpty {
                let count = min(1 + cuts.below(40), rest.count)
                found = parts.add(rest.prefix(count))
                rest = rest.dropFirst(count)
                switch found {
                case .needsMore, .needsContinue: continue
                case .request, .invalid: rest = []
                }
            }
            if case .request(let request) = step, request.body.count > RequestReader.maximumBody {
                return "a long body"
            }
            // Asking for the body depends on when it comes.
            if found == .needsContinue { found = .needsMore }
            return found == (step == .needsContinue ? .needsMore : step) ? nil : "pieces give another request"
        }
    }
}
