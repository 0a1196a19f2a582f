import PushPipeline
import PushReports
import PushSystem

final class ProgressLine {
    private let isShown: Bool
    private let note: (String) -> Void
    private let start = SystemClock.monotonicSeconds()
    private var text: ProgressText

    /// - Parameter note: called with text for a terminal.
    init(isShown: Bool, note: @escaping (String) -> Void) {
        self.isShown = isShown
        self.note = note
        text = ProgressText(seconds: start)
    }

    var seconds: Double { SystemClock.monotonicSeconds() - start }

    func show(_ summary: RunSummary) {
        guard isShown, let line = text.line(summary, seconds: SystemClock.monotonicSeconds()) else { return }
        note(line)
    }

    func clear() {
        if let clearing = text.clearing() { note(clearing) }
    }
}
