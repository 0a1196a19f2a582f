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
        var chunk = Chunk()
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

        func withChunk<Result>(_ body: (inout Chunk) throws -> Result) rethrows -> Result where Result: Sendable {
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

    /// Cuts off what has been read, and has it worked on. The ring must not be full.
    mutating func add(from cutter: inout ChunkCutter, isEnd: Bool) {
        let position = (oldest + count) % slots.count
        let slot = slots[position]
        guard slot.withChunk({ cutter.cut(into: &$0, isEnd: isEnd) }) else { return }
        count += 1
        if queues.isEmpty {
            slot.process()
        } else {
            queues[position % queues.count].async {
                slot.process()
                slot.isDone.signal()
            }
        }
    }

    /// Waits for the oldest chunk, hands its batch and its number of records to `body`, and forgets it.
    ///
    /// The ring must not be empty. The batch's messages are valid for the duration of the call.
    mutating func takeOldest(_ body: (inout MessageBatch, Int) throws -> Void) rethrows {
        let slot = slots[oldest]
        if !queues.isEmpty { slot.isDone.wait() }
        oldest = (oldest + 1) % slots.count
        count -= 1
        try slot.withChunk { chunk in
            // When `body` throws too: a slot is filled again as an empty one.
            defer { chunk.removeAll() }
            try body(&chunk.batch, chunk.frames.count)
        }
    }
}
