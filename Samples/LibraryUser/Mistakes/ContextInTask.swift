// error: risks causing data races
import PushPipeline

struct Own: RecordStage {
    func process(_ message: inout PushMessage, context: StageContext) {
        Task { context.report(Finding(rule: "house.late", severity: .info, pointer: "", message: "too late")) }
    }
}
