import Dispatch
import PushDevices
import PushModel
import PushSystem

/// The chunks in flight, oldest first, and the tasks on them: decoding, delivery in lanes, composing of report lines.
///
/// There is a bounded number of chunks, so that memory stays constant however fast the input is. One thread, the owner's,
/// adds chunks, decides how each is delivered, and removes them in the same order. Tasks run on as many threads as there
/// are jobs: the owner's, whenever it would have to wait, and the helpers'.
final class ChunkScheduler {
    /// How far a chunk is.
    private enum Phase {
        case cut, decoding, decoded, inLanes, delivered, composing, done
    }

    /// What a thread does, with the number of the chunk.
    private enum Task {
        case decode(Int)
        case deliver(Int, lane: Int)
        case compose(Int)
        case work(() -> Void)
    }

    /// A chunk in flight.
    private struct Flight {
        var phase = Phase.cut
        /// Time spent by tasks on it.
        var times = StageTimes()
        var lanesLeft = 0
    }

    /// A chunk, and the worker whose scratch memory its messages may borrow from.
    ///
    /// SOUND: the phase decides who uses a slot: the thread that cuts, decodes or composes it alone; in lanes, all of
    /// them read, and each writes the results of its own devices; at other times the owner's thread.
    /// Phases change under the lock of `Shared`.
    private final class Slot: @unchecked Sendable {
        var chunk = RecordChunk()
        var worker: ChunkWorker
        var work: LaneWork?
        /// Not in the state, because a function that passes through generic code gets a wrapper.
        var composer: (any ChunkComposer)?

        init(_ configuration: PipelineConfiguration, _ lanes: MemoryStore?) {
            worker = ChunkWorker(configuration, lanes)
        }
    }

    private struct State {
        /// The chunks in flight, oldest first.
        var flights: [Flight] = []
        /// Number of the oldest one, counted from 0 over the whole input.
        var first = 0
        /// By lane: the number of the chunk that it delivers next, and whether a thread is at it.
        var nextInLane: [Int]
        var isLaneBusy: [Bool]
        /// True if report lines are composed before a chunk is taken.
        var composes = false
        var isStopped = false
        /// Part of the delivery of the oldest chunk; nil once a thread has begun it.
        var work: (() -> Void)?
        var isAtWork = false

        init(lanes: Int) {
            nextInLane = Array(repeating: 0, count: lanes)
            isLaneBusy = Array(repeating: false, count: lanes)
        }

        subscript(number: Int) -> Flight {
            get { flights[number - first] }
            set { flights[number - first] = newValue }
        }

        /// Takes the task of the oldest chunk that has one.
        mutating func take() -> Task? {
            if let work = takeWork() { return .work(work) }
            for number in first..<first + flights.count {
                switch self[number].phase {
                case .cut:
                    self[number].phase = .decoding
                    return .decode(number)
                case .inLanes:
                    for lane in nextInLane.indices where nextInLane[lane] == number && !isLaneBusy[lane] {
                        isLaneBusy[lane] = true
                        return .deliver(number, lane: lane)
                    }
                case .delivered where composes:
                    self[number].phase = .composing
                    return .compose(number)
                case .decoding, .decoded, .delivered, .composing, .done: break
                }
            }
            return nil
        }

        /// Takes the work that no thread has begun.
        mutating func takeWork() -> (() -> Void)? {
            guard let body = work else { return nil }
            work = nil
            isAtWork = true
            return body
        }

        /// True if a thread is at a task.
        var isWorking: Bool {
            flights.contains { $0.phase == .decoding || $0.phase == .composing } || isLaneBusy.contains(true)
        }

        /// True if the oldest chunk can be taken.
        var isReady: Bool {
            switch flights.first?.phase {
            case .done: true
            case .delivered: !composes
            default: false
            }
        }

        /// Chunks before this one are not delivered in lanes.
        mutating func skipLanes(upTo number: Int) {
            for lane in nextInLane.indices { nextInLane[lane] = number }
        }

        mutating func finish(_ task: Task, _ times: StageTimes) {
            switch task {
            case .decode(let number):
                self[number].phase = .decoded
                self[number].times.add(times)
            case .deliver(let number, let lane):
                isLaneBusy[lane] = false
                nextInLane[lane] += 1
                self[number].times.add(times)
                self[number].lanesLeft -= 1
                if self[number].lanesLeft == 0 { self[number].phase = .delivered }
            case .compose(let number):
                self[number].phase = .done
                self[number].times.add(times)
            case .work:
                isAtWork = false
                self[first].times.add(times)
            }
        }
    }

    /// The state that the threads share.
    private final class Shared: Sendable {
        let slots: [Slot]
        let state: Monitor<State>
        // SOUND: delivers on any thread, one for each lane at a time, which `nextInLane` and `isLaneBusy` see to.
        nonisolated(unsafe) let lanes: MemoryStore?
        let measures: Bool

        init(_ slots: [Slot], _ lanes: MemoryStore?, measures: Bool) {
            self.slots = slots
            // SOUND: stores the reference.
            unsafe self.lanes = lanes
            self.measures = measures
            state = Monitor(State(lanes: lanes?.laneCount ?? 0))
        }

        /// The place of a chunk, by its number.
        func slot(_ number: Int) -> Slot { slots[number % slots.count] }

        /// Runs tasks until the scheduler is gone.
        func help() {
            while true {
                let task = state.wait { state -> Task?? in
                    state.isStopped ? .some(nil) : state.take().map { .some($0) }
                }
                guard let task else { return }
                run(task)
            }
        }

        func run(_ task: Task) {
            var times = StageTimes()
            switch task {
            case .decode(let number):
                let slot = slot(number)
                slot.worker.process(&slot.chunk, &times)
            case .deliver(let number, let lane):
                var watch = Stopwatch(isOn: measures)
                if let work = slot(number).work { unsafe lanes?.deliver(work, lane: lane) }
                watch.lap(.deliver, count: 0, &times)
            case .compose(let number):
                var watch = Stopwatch(isOn: measures)
                let slot = slot(number)
                slot.composer?.compose(&slot.chunk)
                watch.lap(.report, count: 0, &times)
            case .work(let body):
                var watch = Stopwatch(isOn: measures)
                body()
                watch.lap(.report, count: 0, &times)
            }
            state.change { $0.finish(task, times) }
        }
    }

    private let shared: Shared
    private let helperCount: Int
    private var helpersRun = false
    private var composer: (any ChunkComposer)?
    /// Number of the next chunk to be delivered, counted as `first`.
    private var nextToDeliver = 0
    /// Number of the chunk that has to wait until it is the oldest one.
    private var refused = -1
    private var first = 0
    private(set) var count = 0

    /// - Parameters:
    ///   - configuration: its `jobs` is the number of threads to use, including the caller's.
    ///   - lanes: the store, if it delivers in lanes.
    init(_ configuration: PipelineConfiguration, _ lanes: MemoryStore?) {
        let jobs = max(configuration.jobs, 1)
        helperCount = jobs - 1
        // Lanes need chunks ahead of them; a store without lanes has larger chunks, and memory is bounded by their number.
        let count = jobs == 1 ? 1 : lanes == nil ? 2 * jobs - 1 : 2 * jobs + 2
        let slots = (0..<count).map { _ in Slot(configuration, lanes) }
        shared = Shared(slots, lanes, measures: configuration.measuresStages)
    }

    deinit {
        shared.state.change { $0.isStopped = true }
        // After an error, helpers may still deliver: whoever reads the store next shall find it at rest.
        shared.state.wait { $0.isWorking ? nil : () }
    }

    var isFull: Bool { count == shared.slots.count }

    /// Composes the output of a delivered chunk, on any thread; nil to leave that to who takes the chunk. Not while
    /// chunks are in flight.
    func setComposer(_ composer: (any ChunkComposer)?) {
        self.composer = composer
        shared.state.change { $0.composes = composer != nil }
    }

    /// Cuts the complete records read so far into a chunk, and returns their number. There must be room for it.
    func cut(from cutter: inout ChunkCutter, isEnd: Bool) -> Int {
        let slot = shared.slot(first + count)
        guard cutter.cut(into: &slot.chunk, isEnd: isEnd) else { return 0 }
        slot.composer = composer
        count += 1
        shared.state.change { $0.flights.append(Flight()) }
        if helperCount > 0, !helpersRun, count > 1 || slot.chunk.frames.count >= Self.recordsWorthHelp {
            startHelpers()
        }
        return slot.chunk.frames.count
    }

    /// Records that are worth the start of a thread, or waking one.
    private static let recordsWorthHelp = 64

    private func startHelpers() {
        helpersRun = true
        for number in 0..<helperCount {
            // A queue of its own has a thread of its own while it is busy.
            DispatchQueue(label: "pushpipe.helper.\(number)").async { [shared] in shared.help() }
        }
    }

    /// How a chunk is delivered.
    enum Delivery {
        /// Each lane delivers its part.
        case inLanes(LaneWork)
        /// It has been delivered.
        case done
        /// It must be delivered in one go, once all earlier chunks have been taken.
        case refused
    }

    /// Passes the chunks that are decoded, in order, to `body`, which delivers them or gives them to the lanes.
    func deliver(_ body: (inout RecordChunk, _ isOldest: Bool) throws -> Delivery) rethrows {
        while isNextDeliverable() {
            let number = nextToDeliver
            let slot = shared.slot(number)
            let delivery: Delivery
            do {
                delivery = try body(&slot.chunk, number == first)
            } catch  where number == first {
                nextToDeliver = number + 1
                shared.state.withLock { $0.skipLanes(upTo: number + 1) }
                removeOldest(slot)
                throw error
            } catch {
                // An error ends the delivery of the oldest chunk, so this one has to be that first.
                delivery = .refused
            }
            switch delivery {
            case .refused: refused = number
            case .inLanes(let work):
                slot.work = work
                startLanes(of: number)
            case .done where slot.chunk.rest != nil:
                // Its other records are delivered before the next chunk.
                shared.state.change { $0[number].phase = .delivered }
            case .done:
                nextToDeliver += 1
                shared.state.change { state in
                    state[number].phase = .delivered
                    state.skipLanes(upTo: number + 1)
                }
            }
        }
    }

    /// Lets a helper do a part of what the delivery of the oldest chunk needs, until `finishWork`. Few records wake none.
    func beginWork(records: Int, _ body: @escaping () -> Void) {
        if records < Self.recordsWorthHelp { return shared.state.withLock { $0.work = body } }
        shared.state.change { $0.work = body }
    }

    /// Waits until that is done, or does it if no helper has begun.
    func finishWork() {
        let body = shared.state.wait { state -> (() -> Void)?? in
            state.isAtWork ? nil : .some(state.takeWork())
        }
        body?()
        shared.state.withLock { $0.isAtWork = false }
    }

    private func startLanes(of number: Int) {
        nextToDeliver = number + 1
        shared.state.change { state in
            state[number].phase = .inLanes
            state[number].lanesLeft = state.nextInLane.count
        }
    }

    private func isNextDeliverable() -> Bool { shared.state.withLock { isNextDeliverable($0) } }

    private func isNextDeliverable(_ state: State) -> Bool {
        nextToDeliver < first + count && (nextToDeliver == first || nextToDeliver != refused)
            && state[nextToDeliver].phase == .decoded
    }

    /// True if the oldest chunk can be taken.
    var isOldestReady: Bool { shared.state.withLock { $0.isReady } }

    /// Runs a task. Without one, waits until another thread has finished its own, unless there is something to deliver
    /// or to take.
    func advance(_ times: inout StageTimes) {
        var watch = Stopwatch(isOn: shared.measures)
        let task = shared.state.wait { state -> Task?? in
            if let task = state.take() { return .some(task) }
            return state.isReady || isNextDeliverable(state) || !state.isWorking ? .some(nil) : nil
        }
        watch.lap(.wait, count: 0, &times)
        if let task { shared.run(task) }
    }

    /// Passes the oldest chunk, which must be ready, to `body` with the time spent on it, and removes it. Of a divided chunk the rest stays:
    /// it is decoded again, and remains the oldest one.
    func takeOldest(_ body: (inout RecordChunk, StageTimes) throws -> Void) throws {
        let slot = shared.slot(first)
        let times = shared.state.withLock { $0[first].times }
        do {
            try body(&slot.chunk, times)
        } catch {
            // A slot must be empty before it is filled again.
            removeOldest(slot)
            throw error
        }
        guard slot.chunk.rest != nil else { return removeOldest(slot) }
        slot.chunk.continueWithRest()
        shared.state.change { $0[first] = Flight() }
    }

    private func removeOldest(_ slot: Slot) {
        slot.chunk.removeRecords()
        slot.work = nil
        first += 1
        count -= 1
        // A worker removes the results before it fills a chunk again, which may be much later when nothing is in flight.
        if count == 0 { for slot in shared.slots { slot.chunk.removeResults() } }
        shared.state.withLock { state in
            state.flights.removeFirst()
            state.first += 1
        }
    }
}
