// error: type 'Own' does not conform to protocol 'RecordStage'
import PushPipeline

struct Own: RecordStage {
    let name = "own"
}
