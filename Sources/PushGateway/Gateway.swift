import PushModel
package import PushRuns
package import SystemSupport

/// A push endpoint: sockets on event loops of their own, and a pipeline on the thread that calls `run`.
///
/// What arrives while a transaction is written goes into the next one, and an answer leaves after its commit.
package final class Gateway: Sendable {
    private let limits: GatewayLimits
    private let queue: GatewayQueue
    private let server: GatewayServer

    /// Starts to accept connections. They wait until `run` is called.
    ///
    /// - Parameter identity: for TLS; nil to take only connections without it.
    /// - Throws: `RunError` if nothing can listen there.
    package init(
        _ address: ListenAddress, identity: GatewayIdentity? = nil, limits: GatewayLimits = GatewayLimits()
    ) throws(RunError) {
        self.limits = limits
        do {
            queue = try GatewayQueue(maximumBytes: limits.waitingBytes)
            server = try GatewayServer(address, queue, limits, identity)
        } catch {
            throw RunError("cannot listen on \(address): \(error); --listen takes another address or port")
        }
    }

    /// Where it listens, with the port that the system chose.
    package var address: ListenAddress { server.address }

    /// A descriptor that `run` waits for: whoever writes a byte to it has `isStopped` asked again.
    package var wakeUp: FileDescriptor { queue.wakeUp.writeEnd }

    /// Answers requests until `isStopped` returns true and those in flight are answered.
    ///
    /// - Parameters:
    ///   - session: used on this thread.
    ///   - isStopped: asked between two groups of requests, and when a byte was written to `wakeUp`.
    ///   - flush: called after each group, before its answers leave.
    /// - Throws: errors of the session and of `flush`. Requests that wait then are told that the server failed.
    package func run(_ session: GatewaySession, isStopped: () -> Bool, flush: () throws -> Void) throws {
        var (deadline, settled): (Double?, Double) = (nil, 0)
        while true {
            if deadline == nil, isStopped() {
                let now = SystemClock.monotonicSeconds()
                (deadline, settled) = (now + Double(limits.secondsToFinish), now + Self.secondsToSettle)
                server.stopAccepting()
            }
            let waiting = queue.takeGroup()
            if !waiting.isEmpty { try answer(waiting, session, flush) }
            let now = SystemClock.monotonicSeconds()
            if let due = session.nextDue, due <= now, try session.runDue(now: now) { try flush() }
            guard waiting.isEmpty else { continue }
            if let deadline {
                if server.isIdle || now >= deadline || (now >= settled && server.isQuiet) {
                    if try session.runDue(now: .infinity) { try flush() }
                    return
                }
                queue.wait(milliseconds: Self.milliseconds(until: now < settled ? settled : deadline))
            } else {
                queue.wait(milliseconds: Self.milliseconds(until: session.nextDue))
            }
        }
    }

    /// For requests that were sent before their clients learned of the end: the time of a way there and back, and some more.
    private static let secondsToSettle = 0.25

    /// How long to wait for a time, in milliseconds; negative for ever.
    private static func milliseconds(until due: Double?) -> Int32 {
        guard let due else { return -1 }
        let seconds = max(due - SystemClock.monotonicSeconds(), 0)
        return Int32(min(seconds, 3600) * 1000) + 1
    }

    private func answer(
        _ waiting: [GatewayQueue.Waiting], _ session: GatewaySession, _ flush: () throws -> Void
    ) throws {
        do {
            let answers = try session.answers(to: waiting.map(\.request))
            try flush()
            Reply.send(zip(waiting, answers).map { ($0.reply, $1) })
        } catch {
            var unanswered = waiting
            while !unanswered.isEmpty {
                Reply.send(unanswered.map { ($0.reply, APNsAnswer.refusal(.internalServerError, of: $0.request)) })
                unanswered = queue.takeGroup()
            }
            throw error
        }
    }

    /// Closes all connections. Call it once, after `run`.
    package func shutDown() { server.shutDown() }
}
