import Dispatch
import PayloadJSON
import PushLint
import PushModel
import PushText
import Synchronization

/// The parts of texts in flight, oldest first: a bounded ring, so that memory stays constant however fast the input is.
///
/// One thread adds parts and takes their results in the same order; with more than one job, other threads work on them in between.
struct PartRing: ~Copyable {
    private struct State: ~Copyable {
        var task: PartTask?
        var worker = PartWorker()
        var text = ByteBuffer()
        var result = PartResult()
    }

    private final class Slot: Sendable {
        private let state = Mutex(State())
        let isDone = DispatchSemaphore(value: 0)

        func fill(_ task: PartTask) { state.withLock { $0.task = task } }

        func work() {
            state.withLock { state in
                if let task = state.task { state.result = state.worker.work(on: task, to: &state.text) }
            }
            isDone.signal()
        }

        func empty(_ body: (borrowing ByteBuffer, PartResult) throws -> Void) rethrows {
            try state.withLock { state in
                // Also when `body` throws: a slot must be empty before it is filled again.
                defer {
                    state.task = nil
                    state.text.removeAll()
                    state.result = PartResult()
                }
                try body(state.text, state.result)
            }
        }
    }

    private let slots: [Slot]
    private let queues: [DispatchQueue]
    private var oldest = 0
    private(set) var count = 0

    /// - Parameter jobs: number of cores to use. The caller's thread only reads and writes, unless it is the only one.
    init(jobs: Int) {
        let helpers = jobs > 1 ? jobs : 0
        queues = (0..<helpers).map { DispatchQueue(label: "pushpipe.lint.\($0)") }
        slots = (0..<max(2 * helpers, 1)).map { _ in Slot() }
    }

    var isFull: Bool { count == slots.count }

    /// Starts the work on a part. The ring must not be full.
    ///
    /// - Parameter atOnce: true to do the work before returning, because a thread would take longer to begin.
    mutating func add(_ task: PartTask, atOnce: Bool) {
        let position = (oldest + count) % slots.count
        let slot = slots[position]
        slot.fill(task)
        count += 1
        if atOnce || queues.isEmpty {
            slot.work()
        } else {
            queues[position % queues.count].async { slot.work() }
        }
    }

    /// Waits for the oldest part, passes its text and result to `body`, and removes it. The ring must not be empty.
    mutating func takeOldest(_ body: (borrowing ByteBuffer, PartResult) throws -> Void) rethrows {
        let slot = slots[oldest]
        oldest = (oldest + 1) % slots.count
        count -= 1
        slot.isDone.wait()
        try slot.empty(body)
    }
}

/// A part of a text, and what to do with it.
struct PartTask: Sendable {
    enum Kind: Sendable {
        case findings(LintReport)
        case budgets(BudgetStyle)
    }

    var part: TextPart
    /// The text's name in reports.
    var name: String
    var kind: Kind
    var profile: LintProfile
    var suppressions: [Suppression]
}

/// The report on a part of a text.
struct PartResult: Sendable {
    /// For standard error.
    var notes = ""
    var counts = LintCounts()
    /// The findings, if the report keeps them.
    var file: LintedFile?
    /// Of the text, if the report may leave out findings.
    var foldable = FoldableFindings()
    /// Positions of the suppressions that left something out.
    var used: Set<Int> = []
    /// The finding that a text has once, which an earlier part may have had.
    var once: OnceFinding?
    /// Budgets, if they are kept.
    var measured: [MeasuredMessage] = []
}

/// Lints one part at a time, on any core.
struct PartWorker: ~Copyable {
    private var profile: LintProfile?
    private var linter = LintProfile([], LintOptions()).makeWorker()

    /// Appends to the results what can be written at once.
    mutating func work(on task: PartTask, to out: inout ByteBuffer) -> PartResult {
        if profile?.isEquivalent(to: task.profile) != true {
            profile = task.profile
            linter = task.profile.makeWorker()
        }
        linter.suppressions = task.suppressions
        switch task.kind {
        case .findings(let report): return lint(task, report, to: &out)
        case .budgets(let style): return measure(task, style, to: &out)
        }
    }

    private func lint(_ task: PartTask, _ report: LintReport, to out: inout ByteBuffer) -> PartResult {
        let found = linter.lint(task.part)
        var result = PartResult()
        result.counts.add(found)
        result.used = found.used
        result.once = found.once
        guard !found.diagnostics.isEmpty else { return result }
        let file = LintedFile(name: task.name, part: task.part, diagnostics: found.diagnostics)
        if report.form.keepsNothing {
            result.foldable = compose(file, report.form, to: &out)
        } else {
            result.file = file.withoutText
        }
        return result
    }

    /// Composes the findings, and notes where the one is that a text has once.
    private func compose(
        _ file: LintedFile, _ form: some LintReportForm, to out: inout ByteBuffer
    ) -> FoldableFindings {
        guard let position = file.diagnostics.firstIndex(where: { $0.rule.isOncePerText }) else {
            return form.compose(file, to: &out)
        }
        var found = form.compose(file.only(..<position), to: &out)
        let start = out.count
        found.append(form.compose(file.only(position...position), to: &out))
        found.once = start..<out.count
        found.append(form.compose(file.only((position + 1)...), to: &out))
        return found
    }

    private func measure(_ task: PartTask, _ style: BudgetStyle, to out: inout ByteBuffer) -> PartResult {
        let records = linter.budgets(of: task.part)
        let positions = PositionTable(
            of: records.map(\.offset), in: task.part.bytes, at: task.part.offset, from: task.part.place)
        var result = PartResult()
        result.counts.located = records.count { $0.isLocated }
        for (offset, reports, _) in records {
            let line = positions[offset].line
            if reports.isEmpty {
                let place = "\(TextStyle.clean(task.name)):\(line)"
                result.notes += "\(place): no message to measure; pushpipe lint says why\n"
            }
            for report in reports {
                if report.left < 0 { result.counts.shown[.error, default: 0] += 1 }
                if case .kept = style {
                    result.measured.append(MeasuredMessage(file: task.name, line: line, report: report))
                } else {
                    style.append(report, file: task.name, line: line, to: &out)
                }
            }
        }
        return result
    }
}
