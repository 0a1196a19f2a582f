import PushDecoding
package import PushFaults
import PushFiles
import PushFraming
import PushJSON
import PushModel
import PushSystem

/// The rules of a gateway, which its session applies and its API changes. Used on the pipeline's thread.
package final class FaultBoard {
    package var rules = FaultRules() {
        didSet { if rules.isEmpty { text = nil } }
    }
    /// The text of the rules; nil without rules, and for rules that were not read from a text.
    var text: String?
    /// Tests replace it.
    var monotonicMilliseconds: () -> Int64 = { Int64(SystemClock.monotonicSeconds() * 1000) }

    /// Replaces the rules by those of a text. If they cannot be read, those in force stay.
    ///
    /// - Parameter line: the word for a line of the rules in an error.
    func setRules(_ text: [UInt8], line: String = "line") throws(PlainError) {
        do throws(PlainError) {
            rules = FaultRules(try FaultFile.rules(text), now: monotonicMilliseconds())
        } catch {
            throw PlainError(error.line.map { "\(line) \($0): \(error.message)" } ?? error.message)
        }
    }
}

extension FaultRules {
    /// The fault of a request; nil for none. O(number of rules).
    ///
    /// - Parameter now: monotonic milliseconds.
    mutating func effect(on request: GatewayRequest, now: Int64) -> FaultEffect? {
        guard !isEmpty else { return nil }
        return effect(
            devices: needsDevice ? Self.devices(of: request) : [], topic: request.header(.topic),
            path: request.path, now: now)
    }

    /// The devices that a push is for; empty for other requests.
    private static func devices(of request: GatewayRequest) -> [String] {
        if let binary = request.binary {
            if case .notification(let notification) = binary.content { return [notification.device] }
            return []
        }
        if case .device(let token) = APNsRoute(method: request.method, path: request.path) { return [token] }
        return request.body.withJSON { root in
            if request.path.hasPrefix("/--/") { return ExpoService.tokens(root) }
            let target = root["message"]?["token"] ?? root["to"] ?? root["token"]
            return target?.string.map { [$0.string] } ?? []
        } ?? []
    }
}

extension FaultEffect {
    /// The answer with what goes wrong with it. Status and header are those of a refusal.
    ///
    /// - Parameters:
    ///   - speaker: the speaker of the service that answers.
    ///   - isAboutPush: false for a request that sends nothing, which only errors of the server can refuse.
    func applied(to answer: GatewayAnswer, by speaker: String?, isAboutPush: Bool) -> GatewayAnswer {
        var answer = answer
        if let refusal = speaker.flatMap({ refusal(by: $0) }), answer.status == refusal.row.status,
            isAboutPush || answer.status != 200
        {
            if let status, status != answer.status {
                // The legacy protocol has most errors inside a 200, and those of the server outside. Expo has tickets in either.
                if answer.status == 200, refusal.row.speaker.description != "expo" {
                    answer = GatewayAnswer(status: status, body: Array("\(refusal.row.reason)".utf8))
                }
                answer.status = status
            }
            if let retryAfterSeconds { answer.headers.append(HeaderField("retry-after", "\(retryAfterSeconds)")) }
        }
        if transport != TransportFault() { answer.fault = transport }
        return answer
    }
}

extension FaultFile {
    /// Reads a file: the rules, and the text that has them.
    static func read(_ path: String, _ advice: Advice.Wording) throws(PlainError) -> (rules: [FaultRule], text: String)
    {
        let bytes = try FileBytes.readConfiguration(path)
        do { return (try rules(bytes), String(decoding: bytes, as: UTF8.self)) } catch {
            throw PlainError("\(path)\(error.place): \(error.message)\(advice(.showFaultExamples))")
        }
    }
}
