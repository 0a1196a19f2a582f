// error: implicit conversion to .* is consuming
import PushPipeline

final class Keeper: DeviceStage {
    var kept: PushMessage?

    func process(_ message: inout PushMessage, context: DeliveryContext) {
        kept = message
    }
}
