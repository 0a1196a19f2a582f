import PushDecoding
package import PushFiles
import PushModel
package import PushSystem
import PushYAML

/// Reads fault rules: a list in YAML, or in JSON.
package enum FaultFile {
    private static let keys = [
        "device", "topic", "path", "every", "rate", "probability", "seed", "after", "for", "times", "reason", "status",
        "retry_after", "delay", "goaway", "reset", "cut", "silence", "pause",
    ]
    /// The most rules: each costs every request a comparison.
    package static let maximumRules = 256

    /// - Throws: `PlainError`, with the place.
    package static func rules(_ bytes: [UInt8]) throws(PlainError) -> [FaultRule] {
        guard let root = try YAMLNode.read(bytes) else { return [] }
        var list = root
        if root.isMapping {
            // So that the rules can stand in a larger file or in the API's object.
            guard let faults = try root.members(of: "the file", allowed: ["faults"]).first else { return [] }
            list = faults.value
        }
        let elements = try list.list(of: "faults")
        guard elements.count <= maximumRules else { throw list.wrong("there are more than \(maximumRules) rules") }
        var rules: [FaultRule] = []
        for element in elements { rules.append(try rule(element)) }
        return rules
    }

    private static func rule(_ node: YAMLNode) throws(PlainError) -> FaultRule {
        var rule = FaultRule()
        var endings = 0
        for (key, value) in try node.members(of: "a rule", allowed: keys) {
            switch key {
            case "device": rule.device = try pattern(value, key)
            case "topic": rule.topic = try pattern(value, key)
            case "path": rule.path = try pattern(value, key)
            case "every": rule.every = try number(value, key, 1...1_000_000_000)
            case "rate": rule.rate = try rate(value)
            case "probability": rule.probability = try probability(value)
            case "seed": rule.seed = UInt64(try number(value, key, 0...Int.max))
            case "after": rule.afterMilliseconds = try time(value, key)
            case "for": rule.forMilliseconds = try time(value, key)
            case "times": rule.times = try number(value, key, 1...1_000_000_000)
            case "reason": rule.effect.reason = try reason(value)
            case "status": rule.effect.status = try number(value, key, 400...599)
            case "retry_after": rule.effect.retryAfterSeconds = try number(value, key, 0...86_400)
            case "delay": rule.effect.transport.delayMilliseconds = try time(value, key)
            default:
                rule.effect.transport.ending = try ending(key, value)
                endings += 1
            }
        }
        guard endings <= 1 else { throw node.wrong("goaway, reset, cut, silence and pause exclude each other") }
        if rule.effect.reason == nil, let status = rule.effect.status {
            guard let reason = FaultEffect.reason(for: status) else {
                throw node.wrong("status \(status) needs a reason, such as BadDeviceToken")
            }
            rule.effect.reason = reason
        }
        var transport = FaultEffect()
        transport.transport = rule.effect.transport
        // Only a refusal has such a header.
        guard rule.effect.reason != nil || rule.effect != FaultEffect() && rule.effect == transport else {
            throw node.wrong("a rule says what happens: reason, status, delay, goaway, reset, cut, silence or pause")
        }
        return rule
    }

    /// A pattern with `*` and `?`; nil for an invalid one. The brackets of a token of Expo's stand for themselves.
    package static func pattern(_ text: String) -> GlobPattern? {
        guard ExpoToken.isMarked(text) else { return GlobPattern(text.utf8, .configuration) }
        let escaped = text.replacing("[", with: "\\[").replacing("]", with: "\\]")
        return GlobPattern(escaped.utf8, .configuration)
    }

    private static func pattern(_ value: YAMLNode, _ key: String) throws(PlainError) -> GlobPattern {
        guard let pattern = value.text.flatMap({ pattern($0) }) else {
            throw value.wrong("\(key) takes a text with * and ?, such as ab*")
        }
        return pattern
    }

    private static func number(
        _ value: YAMLNode, _ key: String, _ range: ClosedRange<Int>
    ) throws(PlainError) -> Int {
        guard let number = value.text.flatMap({ Int($0) }), range.contains(number) else {
            throw value.wrong("\(key) takes a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func probability(_ value: YAMLNode) throws(PlainError) -> Double {
        guard let number = value.text.flatMap({ Double($0) }), number >= 0, number <= 1 else {
            throw value.wrong("probability takes a number from 0 to 1")
        }
        return number
    }

    private static func time(_ value: YAMLNode, _ key: String) throws(PlainError) -> Int64 {
        guard let time = value.text.flatMap({ EventTime.duration($0) }), time >= 0 else {
            throw value.wrong("\(key) takes a time such as 250ms, 5s or 2m")
        }
        return time
    }

    /// `100/s`, `5/10s`.
    private static func rate(_ value: YAMLNode) throws(PlainError) -> FaultRule.Rate {
        let parts = (value.text ?? "").split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let requests = Int(parts[0]), (1...1_000_000_000).contains(requests) {
            let unit = parts[1].first?.isNumber == true ? String(parts[1]) : "1" + parts[1]
            if let time = EventTime.duration(unit), time > 0 { return .init(requests: requests, milliseconds: time) }
        }
        throw value.wrong("rate takes a number of requests and a time, such as 100/s or 5/10s")
    }

    private static func reason(_ value: YAMLNode) throws(PlainError) -> String {
        let text = value.text ?? ""
        guard isReason(text) else {
            throw value.wrong(
                "reason takes one of APNs', FCM's, GCM's or Expo's, such as TooManyRequests or UNAVAILABLE")
        }
        return text
    }

    /// True if a rule can refuse with it.
    package static func isReason(_ text: String) -> Bool {
        text == FaultEffect.deadAppleToken
            || Rejection.table.contains {
                $0.reason.description == text && ["apns", "fcm", "gcm", "expo"].contains($0.speaker.description)
            }
    }

    private static func ending(_ key: String, _ value: YAMLNode) throws(PlainError) -> TransportFault.Ending? {
        let text = value.text ?? ""
        switch key {
        case "goaway":
            guard !text.isEmpty, text != "false" else {
                throw value.wrong("goaway takes true or a reason, such as Shutdown")
            }
            return .goAway(reason: text == "true" ? Rejection.shutdown.reason : text)
        case "reset": return .reset(code: try resetCode(value))
        case "pause": return .pause(milliseconds: try time(value, key))
        default:
            guard text == "true" else { throw value.wrong("\(key) takes true") }
            return key == "cut" ? .cut : .silence
        }
    }

    /// RFC 9113, section 7.
    private static let resetCodes = [
        "NO_ERROR": 0, "PROTOCOL_ERROR": 1, "INTERNAL_ERROR": 2, "FLOW_CONTROL_ERROR": 3, "STREAM_CLOSED": 5,
        "REFUSED_STREAM": 7, "CANCEL": 8, "ENHANCE_YOUR_CALM": 11,
    ]

    private static func resetCode(_ value: YAMLNode) throws(PlainError) -> Int {
        if value.text == "true" { return 2 }
        guard let code = resetCodes[value.text ?? ""] else {
            throw value.wrong("reset takes true or one of \(resetCodes.keys.sorted().joined(separator: ", "))")
        }
        return code
    }
}
