// error: implicit conversion to .* is consuming
import PushPipeline

final class Own: DeliveryObserver {
    var kept: PushMessage?
    func process(_ message: inout PushMessage, context: DeliveryContext) {}
    func didDeliver(_ message: consuming PushMessage, result: DeliveryResult?, context: DeliveryContext) {
        kept = message
    }
}
