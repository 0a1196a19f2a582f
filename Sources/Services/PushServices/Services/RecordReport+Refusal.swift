import PushDevices
import PushModel
import PushPipeline

extension RecordReport {
    /// The reason for which the service refuses the push, for the answer to its sender; nil if it takes the push.
    ///
    /// A push that is not sent because of its token's standing (`TokenLifeCycle`) is answered as one to a dead token, each time and by every
    /// service: a sender that is told 200 would keep the token.
    var refusal: Rejection? {
        switch message.verdict {
        case .rejected(let rejection): rejection
        case .suppressed(let reason) where TokenLifeCycle.isSilence(reason):
            message.provider.tokenRejections.unregistered
        default: nil
        }
    }
}
