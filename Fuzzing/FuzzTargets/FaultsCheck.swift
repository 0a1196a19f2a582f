import PushFaults
import PushSystem

/// Fault rules are refused with a place and a reason, or read; the same requests at the same times then get the same faults, each rule no more
/// often than it says.
enum FaultsCheck {
    /// The first byte selects how the clock goes.
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            let text = Array(input.text)
            do throws(PlainError) {
                let rules = try FaultFile.rules(text)
                guard rules.count <= FaultFile.maximumRules else { return "too many rules" }
                let first = try outcome(FaultFile.rules(text), text, seed: input.options.0)
                if first != (try outcome(FaultFile.rules(text), text, seed: input.options.0)) {
                    return "the same requests get other faults"
                }
                for (rule, uses) in zip(rules, first.uses) where uses > rule.times ?? .max {
                    return "a rule is used \(uses) times"
                }
                return nil
            } catch {
                if error.message.isEmpty || error.message.contains(where: \.isNewline) {
                    return "refused without a reason in a line: \(readable(error.message.utf8))"
                }
                if let line = error.line, line < 1 || line > text.count + 1 { return "refused in line \(line)" }
                return nil
            }
        }
    }

    private struct Outcome: Equatable {
        var effects: [FaultEffect?] = []
        var uses: [Int] = []
    }

    /// Requests whose names are cut from the text, so that patterns match some of them.
    private static func outcome(_ rules: [FaultRule], _ text: [UInt8], seed: UInt8) -> Outcome {
        var rules = FaultRules(rules, now: 0)
        var cuts = CutGenerator(seed: UInt64(seed))
        func name() -> String {
            let start = cuts.below(text.count + 1)
            return String(decoding: text.dropFirst(start).prefix(cuts.below(12)), as: UTF8.self)
        }
        var outcome = Outcome()
        var now: Int64 = 0
        for _ in 0..<24 {
            // Now and then far, or back.
            now &+= Int64(cuts.below(7) - 1) << Int64(cuts.below(40))
            outcome.effects.append(rules.effect(devices: [name(), name()], topic: name(), path: name(), now: now))
        }
        outcome.uses = rules.uses
        return outcome
    }
}
