// error: type 'Own' does not conform to protocol 'DeviceEventHandler'
import PushPipeline

final class Own: DeviceEventHandler {
    func process(_ message: inout PushMessage, context: DeliveryContext) {}
    func handle(_ event: DeviceEvent, context: DeliveryContext) -> Bool { true }
}
