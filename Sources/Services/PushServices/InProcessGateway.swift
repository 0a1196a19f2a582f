import PushDecoding
import PushDevices
import PushFaults
package import PushModel
import PushPipeline
import PushRuns
package import PushSystem
import Synchronization

/// A gateway within a program, for tests of senders: what `pushpipe serve` does, without files, streams and signals.
///
/// It listens from the start, with a store in memory and without TLS. One thread calls `run`; the rest is for any thread.
package final class InProcessGateway: Sendable {
    private struct State {
        var isStopped = false
        /// True if `run` has returned, or is about to.
        var isOver = false
        var calls: [@Sendable (Tools?) -> Void] = []
    }

    /// The objects that calls work with, on the thread of `run`.
    package struct Tools {
        let session: GatewaySession
        let store: MemoryStore
    }

    /// The longest text of records, in bytes: 1 MiB.
    package static let maximumRecordsBytes = 1 << 20

    private let gateway: any ListeningGateway
    private let job: GatewayJob
    private let state = Mutex(State())

    /// - Parameters:
    ///   - options: which provider tokens are taken. Names no files of keys.
    ///   - rejectsUnknownDevices: true if tokens have to be registered.
    package init(_ options: GatewayOptions, rejectsUnknownDevices: Bool, over gateway: any ListeningGateway) {
        var run = RunJob([], output: .none)
        run.configuration.devicePolicy.rejectsUnknownDevices = rejectsUnknownDevices
        job = GatewayJob(run, options)
        self.gateway = gateway
    }

    /// The address on which it listens, with the port that the system chose.
    package var address: ListenAddress { gateway.address }

    /// Answers requests until `stop`.
    ///
    /// - Parameter onMessage: called with each message, before its answer leaves.
    /// - Throws: errors of the options' files.
    package func run(onMessage: @escaping (LoggedMessage) -> Void) throws {
        defer { end() }
        let store = MemoryStore(keepsJournal: false)
        let pipeline = Pipeline(try job.pipelineConfiguration(), store: store)
        let traffic = GatewayTraffic()
        traffic.onMessage = onMessage
        let api = APIService(traffic, store: store, forgetDevices: store.removeAll)
        let session = GatewaySession(pipeline, try job.services(.none) + [api], traffic: traffic) { _ in }
        let tools = Tools(session: session, store: store)
        try gateway.run(session, isStopped: { runCalls(tools) }, flush: {})
    }

    /// Runs the calls that wait. Returns true to stop.
    private func runCalls(_ tools: Tools) -> Bool {
        let (calls, isStopped) = state.withLock { state in
            defer { state.calls = [] }
            return (state.calls, state.isStopped)
        }
        for call in calls { call(tools) }
        return isStopped
    }

    private func end() {
        gateway.shutDown()
        let calls = state.withLock { state in
            defer { state.calls = [] }
            state.isOver = true
            return state.calls
        }
        for call in calls { call(nil) }
    }

    /// Has `run` return once what is in flight is answered.
    package func stop() {
        state.withLock { $0.isStopped = true }
        gateway.wakeUp.writeWakeUp()
    }

    /// Runs `body` on the thread of `run`, between two groups of requests.
    ///
    /// - Returns: nil if the gateway has stopped.
    private func perform<Value: Sendable>(_ body: @escaping @Sendable (Tools) -> Value) async -> Value? {
        await withCheckedContinuation { continuation in
            let isTaken = state.withLock { state in
                guard !state.isOver, !state.isStopped else { return false }
                state.calls.append { tools in continuation.resume(returning: tools.map(body)) }
                return true
            }
            if isTaken { gateway.wakeUp.writeWakeUp() } else { continuation.resume(returning: nil) }
        }
    }

    // MARK: - Calls

    /// The notifications on a device's screen, newest first; nil if the gateway has stopped.
    package func notifications(device: String, app: String?) async -> [DeliveredNotification]? {
        await perform { tools in
            (try? tools.store.notifications(device: device, app: app).reversed()) ?? []
        }
    }

    /// The number on an app's icon, nil if nothing has set it; nil if the gateway has stopped.
    package func badge(device: String, app: String) async -> Int?? {
        await perform { $0.store.badge(device: device, app: app) }
    }

    /// Processes records as `pushpipe run` does.
    ///
    /// - Returns: the report lines, or what is wrong with the records; nil if the gateway has stopped.
    package func add(records: String) async -> Result<[PushReport], PlainError>? {
        guard records.utf8.count <= Self.maximumRecordsBytes else {
            let limit = Self.maximumRecordsBytes
            return .failure(
                PlainError("the records have \(records.utf8.count) bytes; at most \(limit) can be added at a time"))
        }
        return await perform { tools -> Result<[PushReport], PlainError> in
            var lines: [PushReport] = []
            do {
                try tools.session.run(records: Array(records.utf8)) { lines.append(PushReport($0)) }
            } catch is APIError {
                return .failure(PlainError("the text has no record"))
            } catch {
                return .failure(PlainError("the records cannot be processed: \(error)"))
            }
            return Self.mistakes(lines).map { .failure(PlainError($0)) } ?? .success(lines)
        }
    }

    /// Registers devices, or makes other events happen; see `add(records:)`.
    package func add(_ events: [DeviceEvent]) async -> Result<[PushReport], PlainError>? {
        await add(records: .composed { for event in events { $0.appendEvent(event) } })
    }

    /// The records that are malformed, and the events with an unknown member, for people; nil if there are none.
    private static func mistakes(_ lines: [PushReport]) -> String? {
        // Numbers of records go on from one call to the next.
        let first = lines.map(\.seq).min() ?? 0
        let mistakes = lines.compactMap { line -> String? in
            let slip = line.event.flatMap { event in line.findings.first(where: \.isSlip)?.words(of: event) }
            let words = line.decodeFailure.map { "\($0.message) (\($0.rule))" } ?? slip
            return words.map { "record \(line.seq - first + 1): \($0)" }
        }
        guard !mistakes.isEmpty else { return nil }
        let count = mistakes.count
        let rest = count > 5 ? "\nand \(count - 5) more" : ""
        return mistakes.prefix(5).joined(separator: "\n") + rest
    }

    /// Replaces the fault rules. If they cannot be read, those in force stay.
    ///
    /// - Parameter line: the word for a line of the rules in an error.
    /// - Returns: nil if the gateway has stopped.
    package func setFaults(_ rules: String, line: String = "line") async -> Result<Void, PlainError>? {
        await perform { tools -> Result<Void, PlainError> in
            Result { () throws(PlainError) in try tools.session.faults.setRules(Array(rules.utf8), line: line) }
        }
    }

    /// Forgets messages, devices, screens and fault rules.
    ///
    /// - Returns: nil if the gateway has stopped.
    package func reset() async -> Void? {
        await perform { tools in
            tools.session.traffic.removeMessages()
            tools.session.faults.rules = FaultRules()
            try? tools.store.removeAll()
        }
    }
}
