// error: type 'Own' does not conform to protocol 'DeviceStage'
import PushPipeline

final class Own: DeviceStage {
    let name = "own"
}
