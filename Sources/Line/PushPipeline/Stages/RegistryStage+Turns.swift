import PushDecoding
import PushDevices
import PushModel

/// Messages that are decided ahead of their turn, because a service extension works on them meanwhile.
extension RegistryStage {
    /// The effects of a decision on screens, journal and report, which come in the turn of the message.
    struct Effects {
        var answer: RegistryAnswer
        var followUps: [FollowUp]
    }

    /// Performs the effects of a message that was decided ahead of its turn.
    package func takeTurn(_ message: inout DecodedMessage, _ context: DeliveryContext) throws {
        guard !postponed.isEmpty, let effects = postponed.removeValue(forKey: context.index) else { return }
        try perform(effects, &message, context)
    }

    func perform(_ effects: Effects, _ message: inout DecodedMessage, _ context: DeliveryContext) throws {
        var answer = effects.answer
        try Self.limit(&answer.arrival, &message, context)
        if !answer.isEmpty {
            context.updateNote { note in
                note.timestamp = answer.unregisteredAt
                note.canonical = answer.canonical
                note.set(answer.arrival)
                if case .held = message.verdict { note.reason = answer.delay?.name }
            }
        }
        try Self.journal(answer.arrival, message, context)
        for followUp in effects.followUps { try take(followUp, context) }
        try deliverReleased(at: context.at, context)
    }
}
