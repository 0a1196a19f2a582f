// error: different argument labels from those required by protocol 'RecordStage'
import PushPipeline

struct Own: RecordStage {
    func process(_ m: inout PushMessage, _ c: StageContext) {}
}
