import PushFiles
import PushSystem

/// Fault rules with what they have counted. The first rule that takes a request decides about it.
package struct FaultRules: Sendable {
    fileprivate struct Counted: Sendable {
        let rule: FaultRule
        let setAt: Int64
        var matches = 0
        var used = 0
        var generator: SplitMix64
        var tokens: Double
        /// The time at which they were counted, in monotonic milliseconds.
        var filledAt: Int64

        init(_ rule: FaultRule, now: Int64) {
            self.rule = rule
            setAt = now
            generator = SplitMix64(seed: rule.seed)
            tokens = Double(rule.rate?.requests ?? 0)
            filledAt = now
        }
    }

    private var rules: [Counted]

    /// - Parameter now: monotonic milliseconds.
    package init(_ rules: [FaultRule] = [], now: Int64 = 0) {
        self.rules = rules.map { Counted($0, now: now) }
    }

    /// Adds a rule after the others, whose counts go on.
    ///
    /// - Parameter now: monotonic milliseconds.
    package mutating func append(_ rule: FaultRule, now: Int64) { rules.append(Counted(rule, now: now)) }

    /// True if a rule asks for the device, so that it has to be found out. O(number of rules).
    package var needsDevice: Bool { rules.contains { $0.rule.device != nil } }

    package var isEmpty: Bool { rules.isEmpty }

    /// How often each rule was used, in their order.
    package var uses: [Int] { rules.map(\.used) }

    /// The fault of a request; nil for none. O(number of rules).
    ///
    /// - Parameters:
    ///   - devices: of a push, which matches if one of them does; empty for another request, and if no rule needs them.
    ///   - topic: of a push to APNs; nil without one.
    ///   - path: of the request, with the query; nil if there is none.
    ///   - now: monotonic milliseconds.
    package mutating func effect(devices: [String], topic: String?, path: String?, now: Int64) -> FaultEffect? {
        for index in rules.indices where Self.matches(rules[index].rule, devices, topic, path) {
            if rules[index].takes(now: now) {
                rules[index].used += 1
                return rules[index].rule.effect
            }
        }
        return nil
    }

    private static func matches(_ rule: FaultRule, _ devices: [String], _ topic: String?, _ path: String?) -> Bool {
        // Patterns have no slash at their beginning, as `GlobPattern` says.
        matches(rule.path, path.map { String($0.drop { $0 == "/" }) }) && matches(rule.topic, topic)
            && (rule.device == nil || (devices.isEmpty ? [""] : devices).contains { matches(rule.device, device: $0) })
    }

    private static func matches(_ pattern: GlobPattern?, device: String) -> Bool {
        [device, device.lowercased(), device.uppercased()].contains { matches(pattern, $0) }
    }

    private static func matches(_ pattern: GlobPattern?, _ text: String?) -> Bool {
        pattern?.matches(Array((text ?? "").utf8)[...]) ?? true
    }
}

extension FaultRules.Counted {
    fileprivate mutating func takes(now: Int64) -> Bool {
        let age = now &- setAt
        guard age >= rule.afterMilliseconds else { return false }
        if let time = rule.forMilliseconds, age - rule.afterMilliseconds >= time { return false }
        if let times = rule.times, used >= times { return false }
        matches += 1
        if let every = rule.every, !matches.isMultiple(of: every) { return false }
        if let rate = rule.rate, isWithin(rate, now) { return false }
        if let probability = rule.probability {
            // 53 bits, as many as a Double has.
            return Double(generator.next() >> 11) * 0x1p-53 < probability
        }
        return true
    }

    private mutating func isWithin(_ rate: FaultRule.Rate, _ now: Int64) -> Bool {
        let all = Double(rate.requests)
        let period = Double(rate.milliseconds)
        tokens = min(all, tokens + Double(now &- filledAt) * all / period)
        filledAt = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
