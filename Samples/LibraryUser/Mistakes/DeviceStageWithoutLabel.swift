// error: different argument labels from those required by protocol 'DeviceStage'
import PushPipeline

final class Own: DeviceStage {
    func process(_ m: inout PushMessage, _ c: DeliveryContext) {}
}
