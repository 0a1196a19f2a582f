import Dispatch
import PushDevices
import PushModel
import PushSystem

/// The chunks in flight, oldest first, and the jobs on them: decoding, delivery in lanes, composing of report lines.
///
/// There is a bounded number of chunks, so that memory stays constant however fast the input is. One thread, the owner's,
/// adds chunks, decides how each is delivered, and removes them in the same order. Jobs run on the owner's thread, whenever it would have to
/// wait, and on the helpers'.
final class ChunkScheduler {
    /// How far a chunk is.
    private enum Phase {
        case cut, decoding, decoded, inLanes, delivered, composing, done
    }

    /// A place for a chunk, with the worker whose scratch memory its messages may borrow from.
    ///
    /// SOUND: `phase`, `times` and `lanesLeft` change under the lock of `Shared`. The phase decides who uses the rest: the thread that cuts, decodes
    /// or composes the chunk alone; in lanes, all of them read, and each writes the results of its own devices; at other times the owner's thread.
    private final class Flight: @unchecked Sendable {
        var phase = Phase.cut
        /// Time spent by jobs on the chunk.
        var times = StageTimes()
        var lanesLeft = 0
        var chunk = RecordChunk()
        var worker: ChunkWorker
        var work: LaneWork?
        var composer: (any ChunkComposer)?

        init(_ configuration: PipelineConfiguration, _ lanes: MemoryStore?) {
            worker = ChunkWorker(configuration, lanes)
        }

        func begin() {
            phase = .cut
            times = StageTimes()
        }
    }

    private enum Job {
        case decode(Flight)
        case deliver(Flight, lane: Int)
        case compose(Flight)
        /// A part of the delivery of the oldest chunk.
        case assist(() -> Void)
    }

    /// The end of a thread's wait: a job, or another reason.
    private enum Turn {
        case job(Job)
        /// There is something else to do.
        case over
    }

    private struct Lane {
        /// The number of the chunk that the lane delivers next.
        var next = 0
        var isBusy = false
    }

    private struct State {
        /// Chunk n of the input has the place n modulo their number.
        let flights: [Flight]
        /// The number of the oldest chunk in flight, counted from 0 over the whole input, and how many there are.
        var first = 0
        var count = 0
        var lanes: [Lane]
        /// True if report lines are composed before a chunk is taken.
        var composes = false
        var isStopped = false
        /// A part of the delivery of the oldest chunk; nil once a thread has begun it.
        var assistance: (() -> Void)?
        var isAssisting = false

        subscript(number: Int) -> Flight { flights[number % flights.count] }

        /// Takes the job of the oldest chunk that has one.
        mutating func takeJob() -> Job? {
            if let body = takeAssistance() { return .assist(body) }
            for number in first..<first + count {
                let flight = self[number]
                switch flight.phase {
                case .cut:
                    flight.phase = .decoding
                    return .decode(flight)
                case .inLanes:
                    guard let lane = lanes.firstIndex(where: { $0.next == number && !$0.isBusy }) else { continue }
                    lanes[lane].isBusy = true
                    return .deliver(flight, lane: lane)
                case .delivered where composes:
                    flight.phase = .composing
                    return .compose(flight)
                case .decoding, .decoded, .delivered, .composing, .done: continue
                }
            }
            return nil
        }

        /// Takes the assistance that no thread has begun.
        mutating func takeAssistance() -> (() -> Void)? {
            guard let body = assistance else { return nil }
            assistance = nil
            isAssisting = true
            return body
        }

        var isWorking: Bool {
            lanes.contains(where: \.isBusy)
                || (first..<first + count).contains { self[$0].phase == .decoding || self[$0].phase == .composing }
        }

        /// True if the oldest chunk can be taken.
        var isReady: Bool {
            count > 0 && (self[first].phase == .done || self[first].phase == .delivered && !composes)
        }

        /// Lanes have nothing to do with the chunks before this one.
        mutating func skipLanes(upTo number: Int) {
            for lane in lanes.indices { lanes[lane].next = number }
        }

        mutating func finish(_ job: Job, _ times: StageTimes) {
            switch job {
            case .decode(let flight):
                flight.phase = .decoded
                flight.times.add(times)
            case .deliver(let flight, let lane):
                lanes[lane].isBusy = false
                lanes[lane].next += 1
                flight.times.add(times)
                flight.lanesLeft -= 1
                if flight.lanesLeft == 0 { flight.phase = .delivered }
            case .compose(let flight):
                flight.phase = .done
                flight.times.add(times)
            case .assist:
                isAssisting = false
                self[first].times.add(times)
            }
        }
    }

    private final class Shared: Sendable {
        let state: Monitor<State>
        // SOUND: delivers on any thread, one for each lane at a time, which `Lane` sees to.
        nonisolated(unsafe) let lanes: MemoryStore?
        let measures: Bool

        init(_ flights: [Flight], _ lanes: MemoryStore?, measures: Bool) {
            // SOUND: stores the reference.
            unsafe self.lanes = lanes
            self.measures = measures
            let own = [Lane](repeating: Lane(), count: lanes?.laneCount ?? 0)
            state = Monitor(State(flights: flights, lanes: own))
        }

        /// Runs jobs until the scheduler is gone.
        func help() {
            while true {
                let turn = state.wait { state -> Turn? in
                    state.isStopped ? .over : state.takeJob().map { .job($0) }
                }
                guard case .job(let job) = turn else { return }
                run(job)
            }
        }

        func run(_ job: Job) {
            var times = StageTimes()
            var watch = Stopwatch(isOn: measures)
            switch job {
            case .decode(let flight): flight.worker.process(&flight.chunk, &times)
            case .deliver(let flight, let lane):
                if let work = flight.work { unsafe lanes?.deliver(work, lane: lane) }
                watch.lap(.deliver, count: 0, &times)
            case .compose(let flight):
                flight.composer?.compose(&flight.chunk)
                watch.lap(.report, count: 0, &times)
            case .assist(let body):
                body()
                watch.lap(.report, count: 0, &times)
            }
            state.change { $0.finish(job, times) }
        }
    }

    private let shared: Shared
    private let flights: [Flight]
    private let helperCount: Int
    private var helpersRun = false
    private var composer: (any ChunkComposer)?
    /// The number of the next chunk to be delivered, counted over the whole input.
    private var nextToDeliver = 0
    /// The number of the chunk that has to wait until it is the oldest one; nil for none.
    private var refused: Int?

    /// - Parameters:
    ///   - configuration: its `jobs` is the number of threads to use, including the caller's.
    ///   - lanes: the store, if it delivers in lanes.
    init(_ configuration: PipelineConfiguration, _ lanes: MemoryStore?) {
        let jobs = configuration.jobs
        helperCount = jobs - 1
        // Lanes need chunks ahead of them; a store without lanes has larger chunks, and memory is bounded by their number.
        let count = jobs == 1 ? 1 : lanes == nil ? 2 * jobs - 1 : 2 * jobs + 2
        flights = (0..<count).map { _ in Flight(configuration, lanes) }
        shared = Shared(flights, lanes, measures: configuration.measuresStages)
    }

    deinit {
        shared.state.change { $0.isStopped = true }
        // After an error, helpers may still deliver: whoever reads the store next shall find it at rest.
        shared.state.wait { $0.isWorking ? nil : () }
    }

    /// Number of chunks in flight.
    var count: Int { shared.state.withLock { $0.count } }

    var isFull: Bool { count == flights.count }

    /// Composes the output of a delivered chunk, on any thread; nil to leave that to who takes the chunk. Not while
    /// chunks are in flight.
    func setComposer(_ composer: (any ChunkComposer)?) {
        self.composer = composer
        shared.state.change { $0.composes = composer != nil }
    }

    /// Cuts the complete records read so far into a chunk, and returns their number. There must be room for it.
    func cut(from cutter: inout ChunkCutter, isEnd: Bool) -> Int {
        let flight = shared.state.withLock { $0[$0.first + $0.count] }
        guard cutter.cut(into: &flight.chunk, isEnd: isEnd) else { return 0 }
        flight.composer = composer
        let count = shared.state.change { state in
            flight.begin()
            state.count += 1
            return state.count
        }
        if helperCount > 0, !helpersRun, count > 1 || flight.chunk.frames.count >= Self.recordsWorthHelp {
            startHelpers()
        }
        return flight.chunk.frames.count
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
        while let (flight, isOldest) = shared.state.withLock({ nextDeliverable($0) }) {
            let delivery: Delivery
            do {
                delivery = try body(&flight.chunk, isOldest)
            } catch  where isOldest {
                removeOldest(flight)
                throw error
            } catch {
                // An error ends the delivery of the oldest chunk, so this one has to be that first.
                delivery = .refused
            }
            switch delivery {
            case .refused: refused = nextToDeliver
            case .inLanes(let work):
                flight.work = work
                nextToDeliver += 1
                shared.state.change { state in
                    flight.phase = .inLanes
                    flight.lanesLeft = state.lanes.count
                }
            // Its other records are delivered before the next chunk.
            case .done where flight.chunk.rest != nil: shared.state.change { _ in flight.phase = .delivered }
            case .done:
                nextToDeliver += 1
                shared.state.change { state in
                    flight.phase = .delivered
                    state.skipLanes(upTo: nextToDeliver)
                }
            }
        }
    }

    private func nextDeliverable(_ state: State) -> (flight: Flight, isOldest: Bool)? {
        let isOldest = nextToDeliver == state.first
        guard nextToDeliver < state.first + state.count, isOldest || nextToDeliver != refused else { return nil }
        let flight = state[nextToDeliver]
        return flight.phase == .decoded ? (flight, isOldest) : nil
    }

    /// Lets a helper do a part of what the delivery of the oldest chunk needs, until `finishAssistance`. Few records wake none.
    func beginAssistance(records: Int, _ body: @escaping () -> Void) {
        if records < Self.recordsWorthHelp { return shared.state.withLock { $0.assistance = body } }
        shared.state.change { $0.assistance = body }
    }

    /// Waits until that is done, or does it if no helper has begun.
    func finishAssistance() {
        let body = shared.state.withLock { $0.takeAssistance() }
        guard let body else { return shared.state.wait { $0.isAssisting ? nil : () } }
        body()
        shared.state.withLock { $0.isAssisting = false }
    }

    /// True if the oldest chunk can be taken.
    var isOldestReady: Bool { shared.state.withLock { $0.isReady } }

    /// Runs a job. Without one, waits until another thread has finished its own, unless there is something to deliver
    /// or to take.
    func advance(_ times: inout StageTimes) {
        var watch = Stopwatch(isOn: shared.measures)
        let turn = shared.state.wait { state -> Turn? in
            if let job = state.takeJob() { return .job(job) }
            return state.isReady || nextDeliverable(state) != nil || !state.isWorking ? .over : nil
        }
        watch.lap(.wait, count: 0, &times)
        if case .job(let job) = turn { shared.run(job) }
    }

    /// Passes the oldest chunk, which must be ready, to `body` with the time spent on it, and removes it. Of a divided chunk the rest stays:
    /// it is decoded again, and remains the oldest one.
    func takeOldest(_ body: (inout RecordChunk, StageTimes) throws -> Void) throws {
        let (flight, times) = shared.state.withLock { ($0[$0.first], $0[$0.first].times) }
        do {
            try body(&flight.chunk, times)
        } catch {
            // A place must be empty before it is filled again.
            removeOldest(flight)
            throw error
        }
        guard flight.chunk.rest != nil else { return removeOldest(flight) }
        flight.chunk.continueWithRest()
        shared.state.change { _ in flight.begin() }
    }

    private func removeOldest(_ flight: Flight) {
        flight.chunk.removeRecords()
        flight.work = nil
        let isLast = shared.state.withLock { state in
            state.first += 1
            state.count -= 1
            // An error ends a chunk before all of it is delivered.
            if nextToDeliver < state.first {
                nextToDeliver = state.first
                state.skipLanes(upTo: nextToDeliver)
            }
            return state.count == 0
        }
        // A worker removes the results before it fills a chunk again, which may be much later when nothing is in flight.
        if isLast { for flight in flights { flight.chunk.removeResults() } }
    }
}
