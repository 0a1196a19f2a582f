package import DeviceScreens
import PayloadJSON
import PushDevices
import PushFaults
import PushPipeline
import PushRuns
import PushStore
import PushSystem
import PushYAML
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
        let traffic: GatewayTraffic
    }

    private let gateway: any ListeningGateway
    private let signatures: SignatureKeys
    private let job: GatewayJob
    private let state = Mutex(State())

    /// - Parameters:
    ///   - options: where to listen, and which provider tokens are taken.
    ///   - rejectsUnknownDevices: true if tokens have to be registered.
    /// - Throws: `RunError` if nothing can listen there.
    package init(
        _ options: GatewayOptions, rejectsUnknownDevices: Bool, over network: some GatewayNetwork
    ) throws {
        var run = RunJob([], output: .none)
        run.configuration.devicePolicy.rejectsUnknownDevices = rejectsUnknownDevices
        job = GatewayJob(run, options)
        // So that a key that cannot be read is found here.
        signatures = network.signatures
        _ = try job.services(signatures)
        gateway = try network.listen(on: GatewayPorts(options.ports.main), tls: nil, limits: GatewayLimits())
    }

    /// Where it listens, with the port that the system chose.
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
        let api = APIService(traffic, pipeline, store: store, forgetDevices: store.removeAll)
        let session = GatewaySession(pipeline, try job.services(signatures) + [api], traffic: traffic) { _ in }
        let tools = Tools(session: session, store: store, traffic: traffic)
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
    private func perform<Result: Sendable>(_ body: @escaping @Sendable (Tools) -> Result) async -> Result? {
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

    /// The notifications on a device's screen, newest first. Empty if the gateway has stopped.
    package func notifications(device: String, app: String?) async -> [DeliveredNotification] {
        await perform { tools in
            (try? tools.store.notifications(device: device, app: app).reversed()) ?? []
        } ?? []
    }

    /// Processes records as `pushpipe run` does.
    ///
    /// - Returns: the status of the API's answer, and the report lines; nil if the gateway has stopped.
    package func add(records: String) async -> (status: Int, lines: [ReportedOutcome])? {
        await perform { tools in
            let request = GatewayRequest(
                method: "POST", path: APIRoute.addRecords.path, body: Array(records.utf8))
            guard let answer = try? tools.session.answers(to: [request]).first else { return (500, []) }
            return (answer.status, ReportedOutcome.list(inAnswer: answer.body))
        }
    }

    /// Replaces the fault rules.
    ///
    /// - Returns: why they cannot be read; nil if they are set, or the gateway has stopped.
    package func setFaults(_ rules: String) async -> String? {
        await perform { tools -> String? in
            do throws(YAMLError) {
                let faults = tools.session.faults
                faults.rules = FaultRules(
                    try FaultFile.rules(Array(rules.utf8)), now: faults.monotonicMilliseconds())
                return nil
            } catch {
                return error.line.map { "line \($0): \(error.message)" } ?? error.message
            }
        } ?? nil
    }

    /// Forgets messages, devices and screens.
    package func reset() async {
        _ = await perform { tools in
            tools.traffic.removeMessages()
            try? tools.store.removeAll()
        }
    }
}
