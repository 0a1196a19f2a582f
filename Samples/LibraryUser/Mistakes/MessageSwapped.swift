// error: inout argument could be set to a value with a type other than 'PushMessage'
import PushPipeline

final class Swapper: DeviceStage {
    var kept: PushMessage?

    func process(_ message: inout PushMessage, context: DeliveryContext) {
        swap(&kept, &message)
    }
}
