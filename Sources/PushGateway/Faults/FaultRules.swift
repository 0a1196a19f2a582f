import FileAccess
import PayloadJSON
import PushModel
import SystemSupport

/// Fault rules with what they have counted. The first rule that takes a request decides about it.
package struct FaultRules: Sendable {
    fileprivate struct Counted: Sendable {
        let rule: FaultRule
        var matches = 0
        var used = 0
        var generator: SplitMix64
        /// Of the bucket, and when they were counted.
        var tokens: Double
        var filledAt: Int64

        init(_ rule: FaultRule, now: Int64) {
            self.rule = rule
            generator = SplitMix64(seed: rule.seed)
            tokens = Double(rule.rate?.requests ?? 0)
            filledAt = now
        }
    }

    private var rules: [Counted]
    private let setAt: Int64
    private let needsDevice: Bool

    /// - Parameter now: monotonic milliseconds.
    package init(_ rules: [FaultRule] = [], now: Int64 = 0) {
        self.rules = rules.map { Counted($0, now: now) }
        setAt = now
        needsDevice = rules.contains { $0.device != nil }
    }

    package var isEmpty: Bool { rules.isEmpty }

    /// How often each rule was used, in their order.
    package var uses: [Int] { rules.map(\.used) }

    /// What goes wrong with a request; nil for nothing. O(number of rules).
    ///
    /// - Parameter now: monotonic milliseconds.
    mutating func effect(on request: GatewayRequest, now: Int64) -> FaultEffect? {
        guard !rules.isEmpty else { return nil }
        let device = needsDevice ? Self.device(of: request) : nil
        for index in rules.indices where Self.matches(rules[index].rule, request, device: device) {
            if rules[index].takes(now: now, age: now - setAt) {
                rules[index].used += 1
                return rules[index].rule.effect
            }
        }
        return nil
    }

    private static func matches(_ rule: FaultRule, _ request: GatewayRequest, device: String?) -> Bool {
        // Patterns have no slash at their beginning, as `GlobPattern` says.
        matches(rule.path, String(request.path.drop { $0 == "/" })) && matches(rule.topic, request.header("apns-topic"))
            && [device, device?.lowercased(), device?.uppercased()].contains { matches(rule.device, $0) }
    }

    private static func matches(_ pattern: GlobPattern?, _ text: String?) -> Bool {
        pattern?.matches(Array((text ?? "").utf8)[...]) ?? true
    }

    /// The device that a push is for; nil for other requests.
    private static func device(of request: GatewayRequest) -> String? {
        if case .device(let token) = APNsRoute(method: request.method, path: request.path) { return token }
        return request.withJSON { root in
            guard let root, root.isObject else { return nil }
            let target = root["message"]?["token"] ?? root["to"] ?? root["token"]
            return target?.string?.string
        }
    }
}

extension FaultRules.Counted {
    /// Whether a request that the rule is about is one that it takes.
    fileprivate mutating func takes(now: Int64, age: Int64) -> Bool {
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
        let (all, period) = (Double(rate.requests), Double(rate.milliseconds))
        tokens = min(all, tokens + Double(now - filledAt) * all / period)
        filledAt = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}

/// The rules of a gateway, which its session applies and its API changes. Used on the pipeline's thread.
package final class FaultBoard {
    package var rules = FaultRules()
    /// Tests replace it.
    var monotonicMilliseconds: () -> Int64 = { Int64(SystemClock.monotonicSeconds() * 1000) }
}
