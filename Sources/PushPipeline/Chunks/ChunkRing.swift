import Dispatch
import PushModel
import Synchronization

/// The chunks in flight, oldest first: a bounded ring, so that however fast an input is, memory stays what it is.
///
/// One thread cuts chunks into the ring and takes them out again, in the same order; with more than one job, others work on them
/// in between. A slot's lock is never waited for: the semaphore says when a chunk is done, and a slot is filled only when it is free.
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

    /// - Parameter configuration: its `jobs` is the number of cores to keep busy, that of the caller among them.
    init(_ configuration: PipelineConfiguration) {
        let helpers = max(configuration.jobs, 1) - 1
        queues = (0..<helpers).map { DispatchQueue(label: "pushpipe.records.\($0)") }
        slots = (0..<(helpers == 0 ? 1 : 2 * helpers + 1)).map { _ in Slot(configuration) }
    }

    var isFull: Bool { count == slots.count }

    /// Cuts off what has been read, and returns how many records that is. The ring must not be full.
    mutating func cut(from cutter: inout ChunkCutter, isEnd: Bool) -> Int {
        let records = slots[(oldest + count) % slots.count].withChunk { chunk in
            cutter.cut(into: &chunk, isEnd: isEnd) ? chunk.frames.count : 0
        }
        if records > 0 { count += 1 }
        return records
    }

    /// Has the chunk that was cut last worked on.
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

    /// Waits until the oldest chunk has been worked on. The ring must not be empty.
    func waitForOldest() {
        if !queues.isEmpty { slots[oldest].isDone.wait() }
    }

    /// Hands the oldest chunk, which has been waited for, to `body`, and forgets it.
    ///
    /// The batch's messages are valid for the duration of the call.
    mutating func takeOldest(_ body: (inout RecordChunk) throws -> Void) rethrows {
        let slot = slots[oldest]
        oldest = (oldest + 1) % slots.count
        count -= 1
        try slot.withChunk { chunk in
            // When `body` throws too: a slot is filled again as an empty one.
            defer { chunk.removeAll() }
            try body(&chunk)
        }
    }
}
