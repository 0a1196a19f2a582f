import Dispatch
import PushModel
import Synchronization

/// The chunks in flight, oldest first: a bounded ring, so that memory stays constant however fast the input is.
///
/// One thread adds chunks to the ring and removes them in the same order; with more than one job, other threads process them in
/// between. No thread ever waits for a slot's lock: a semaphore signals when a chunk is done, and only free slots are filled.
struct ChunkRing: ~Copyable {
    /// A chunk, and the worker whose scratch memory its messages may borrow from.
    private struct State: ~Copyable {
        var chunk = RecordChunk()
        var worker: ChunkWorker
    }

    private final class Slot: Sendable {
        private let state: Mutex<State>
        let isDone = DispatchSemaphore(value: 0)

        init(_ configuration: PipelineConfiguration) {
            state = Mutex(State(worker: ChunkWorker(configuration)))
        }

        func process() {
            state.withLock { $0.worker.process(&$0.chunk) }
        }

        func withChunk<Result>(_ body: (inout RecordChunk) throws -> Result) rethrows -> Result where Result: Sendable {
            try state.withLock { try body(&$0.chunk) }
        }
    }

    private let slots: [Slot]
    private let queues: [DispatchQueue]
    private var oldest = 0
    private(set) var count = 0

    /// - Parameter configuration: its `jobs` is the number of cores to use, including the caller's.
    init(_ configuration: PipelineConfiguration) {
        let helpers = max(configuration.jobs, 1) - 1
        queues = (0..<helpers).map { DispatchQueue(label: "pushpipe.records.\($0)") }
        slots = (0..<(helpers == 0 ? 1 : 2 * helpers + 1)).map { _ in Slot(configuration) }
    }

    var isFull: Bool { count == slots.count }

    /// Cuts the complete records read so far into a chunk, and returns their number. The ring must not be full.
    mutating func cut(from cutter: inout ChunkCutter, isEnd: Bool) -> Int {
        let records = slots[(oldest + count) % slots.count].withChunk { chunk in
            cutter.cut(into: &chunk, isEnd: isEnd) ? chunk.frames.count : 0
        }
        if records > 0 { count += 1 }
        return records
    }

    /// Starts processing the newest chunk.
    func workOnNewest() {
        let position = (oldest + count - 1) % slots.count
        let slot = slots[position]
        if queues.isEmpty {
            slot.process()
        } else {
            queues[position % queues.count].async {
                slot.process()
                slot.isDone.signal()
            }
        }
    }

    /// Waits until the oldest chunk is processed. The ring must not be empty.
    func waitForOldest() {
        if !queues.isEmpty { slots[oldest].isDone.wait() }
    }

    /// Passes the oldest chunk, which must be processed, to `body`, and removes it.
    ///
    /// The batch's messages are valid for the duration of the call.
    mutating func takeOldest(_ body: (inout RecordChunk) throws -> Void) rethrows {
        let slot = slots[oldest]
        oldest = (oldest + 1) % slots.count
        count -= 1
        try slot.withChunk { chunk in
            // Also when `body` throws: a slot must be empty before it is filled again.
            defer { chunk.removeAll() }
            try body(&chunk)
        }
    }
}
