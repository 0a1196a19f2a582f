import PayloadJSON
import PushFaults
import PushModel
import PushPipeline

/// Refuses messages by rules, as a push service does that is in trouble. Sees what nobody has refused before it.
final class FaultStage: DeliveryStage {
    var rules = FaultRules()

    var isIdle: Bool { rules.isEmpty }

    func process(_ message: inout DecodedMessage, _ context: DeliveryContext) {
        let effect = rules.effect(
            devices: [message.device.string], topic: message.provider == .apns ? message.topic.string : nil, path: nil,
            now: context.at)
        guard let rejection = effect?.refusal(by: message.provider.name.description) else { return }
        message.verdict = .rejected(rejection)
        context.report(
            Finding(rule: rejection.rule, severity: .error, pointer: "", message: rejection.row.cause.description))
    }
}
