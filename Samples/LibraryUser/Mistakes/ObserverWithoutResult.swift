// error: type 'Own' does not conform to protocol 'DeliveryObserver'
import PushPipeline

final class Own: DeliveryObserver {
    func process(_ message: inout PushMessage, context: DeliveryContext) {}
    func didDeliver(_ message: borrowing PushMessage, context: DeliveryContext) {}
}
