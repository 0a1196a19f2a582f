// error: type 'Own' does not conform to protocol 'RecordStage'
import PushPipeline

struct Own: RecordStage {
    func process(_ message: inout PushMessage, context: StageContext) async throws {}
}
