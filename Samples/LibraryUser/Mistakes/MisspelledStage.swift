// error: cannot find type 'EveryMesageStage' in scope
import PushPipeline

final class Own: EveryMesageStage {
    func process(_ message: inout PushMessage, context: DeliveryContext) {}
}
