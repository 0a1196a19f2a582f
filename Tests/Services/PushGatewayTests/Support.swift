import Foundation
import PushDevices
import PushFaults
import PushFraming
import PushPipeline
import PushSystem
import ServiceTestSupport
import Synchronization

@testable import PushGateway
@testable import PushServices

extension SessionTrial {
    convenience init(services: [GatewayService]) {
        self.init(begin: { pipeline, _, report in GatewaySession(pipeline, services, report: report) })
    }
}

/// A gateway on a free port of the loopback address, with a pipeline on a thread of its own.
final class RunningGateway: Sendable {
    let gateway: PushGateway.Gateway
    let collector = LineCollector()
    /// The lines that the service for APNs has written to the log.
    let notes = Monitor<[String]>([])
    private let isStopped = Atomic(false)
    private let isDone = Monitor(false)

    /// - Parameter loggedMessages: how many the API shows.
    init(
        _ limits: GatewayLimits = GatewayLimits(), identity: (any GatewayTLS)? = nil, faults: [FaultRule] = [],
        loggedMessages: Int = 10_000
    ) throws {
        let free = ListenAddress(host: "127.0.0.1", port: 0)
        gateway = try PushGateway.Gateway(
            GatewayPorts(free, proxy: free, binary: free, feedback: free), identity: identity, limits: limits)
        let thread = Thread { [self] in
            var configuration = PipelineConfiguration()
            configuration.framing = .ndjson
            let store = MemoryStore(keepsJournal: false)
            let pipeline = Pipeline(configuration, store: store)
            let traffic = GatewayTraffic(MessageLog(maximumCount: loggedMessages))
            let apns = APNsService(.wellFormed)
            apns.note = { [notes] line in notes.change { $0.append(line) } }
            let session = GatewaySession(
                pipeline,
                [
                    apns, BinaryService(), FeedbackService(),
                    APIService(traffic, store: store),
                ], traffic: traffic,
                report: collector.add)
            session.faults.rules = FaultRules(faults, now: session.faults.monotonicMilliseconds())
            try? gateway.run(session, isStopped: { isStopped.load(ordering: .acquiring) }, flush: {})
            gateway.shutDown()
            isDone.change { $0 = true }
        }
        thread.start()
    }

    var port: Int { gateway.address.port }

    var proxyPort: Int { gateway.ports.proxy?.port ?? 0 }
    var binaryPort: Int { gateway.ports.binary?.port ?? 0 }
    var feedbackPort: Int { gateway.ports.feedback?.port ?? 0 }

    /// Tells it to stop, and returns at once.
    func beginStop() {
        isStopped.store(true, ordering: .releasing)
        gateway.wakeUp.writeWakeUp()
    }

    /// Returns when it has stopped.
    func stop() {
        beginStop()
        _ = isDone.wait { $0 ? true : nil }
    }
}
