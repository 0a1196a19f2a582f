import NIOCore
import PushServices
import PushSystem
import Synchronization

/// The shared state of a gateway's connections: their list, and what their requests take together. Used on all event loops.
final class ConnectionRegistry: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isStopping = false
        var added: UInt64 = 0
        /// The first error of accepting a connection.
        var refusal: SystemError?
        var isRefusalTaken = false
    }

    let queue: GatewayQueue
    let limits: GatewayLimits
    /// Nil to take only connections without TLS.
    let tls: (any GatewayTLS)?
    private let state = Mutex(State())
    private let heldBytes = Atomic(0)
    private let requests = Atomic(0)

    init(_ queue: GatewayQueue, _ limits: GatewayLimits, _ tls: (any GatewayTLS)?) {
        self.queue = queue
        self.limits = limits
        self.tls = tls
    }

    /// A number for a new connection, from 1; nil if there are too many, or no more are wanted.
    func add(_ channel: any Channel) -> UInt64? {
        state.withLock { state in
            guard !state.isStopping, state.channels.count < limits.connections else { return nil }
            state.channels[ObjectIdentifier(channel)] = channel
            state.added += 1
            return state.added
        }
    }

    func remove(_ channel: any Channel) {
        state.withLock { _ = $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
        queue.wake()
    }

    /// All of them; from now on none is added.
    func stop() -> [any Channel] {
        state.withLock { state in
            state.isStopping = true
            return Array(state.channels.values)
        }
    }

    /// How many clients are connected.
    var count: Int { state.withLock(\.channels.count) }

    // MARK: - Connections that cannot be accepted

    func noteRefusal(_ error: SystemError) {
        let isFirst = state.withLock { state in
            defer { state.refusal = state.refusal ?? error }
            return state.refusal == nil
        }
        if isFirst { queue.wake() }
    }

    /// Why a connection could not be accepted, the first time; nil from the second call on.
    func takeRefusal() -> SystemError? {
        state.withLock { state in
            guard let error = state.refusal, !state.isRefusalTaken else { return nil }
            state.isRefusalTaken = true
            return error
        }
    }

    var isStopping: Bool { state.withLock(\.isStopping) }

    // MARK: - What requests take

    /// Notes that a body grew by so many bytes, or shrank. False if all bodies together are too large; then nothing is noted.
    func hold(_ bytes: Int) -> Bool {
        let held = heldBytes.wrappingAdd(bytes, ordering: .relaxed).newValue
        if bytes <= 0 || held <= limits.receivingBytes { return true }
        release(bytes)
        return false
    }

    func release(_ bytes: Int) { _ = heldBytes.wrappingSubtract(bytes, ordering: .relaxed) }

    /// Counts a request that has begun to arrive.
    func beginRequest() { _ = requests.wrappingAdd(1, ordering: .relaxed) }

    /// Counts a request whose answer was sent, or that nobody waits for any more.
    func endRequest() {
        let left = requests.wrappingSubtract(1, ordering: .relaxed).newValue
        if left == 0, isStopping { queue.wake() }
    }

    /// How many requests have begun and are not answered.
    var requestsInFlight: Int { requests.load(ordering: .relaxed) }
}
