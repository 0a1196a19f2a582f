// error: 'first' consumed more than once
import PushPipeline

struct Copier: RecordStage {
    func process(_ message: inout PushMessage, context: StageContext) {
        let first = message
        let second = first
        message = first
        print(second.title ?? "")
    }
}
