// error: implicit conversion to .* is consuming
import PushPipeline

final class Keeper: DeliveryObserver {
    var kept: PushMessage?

    func process(_ message: inout PushMessage, context: DeliveryContext) {}

    func didDeliver(_ message: borrowing PushMessage, result: DeliveryResult?, context: DeliveryContext) {
        kept = message
    }
}
