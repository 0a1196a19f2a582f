import Dispatch
import PayloadJSON
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
