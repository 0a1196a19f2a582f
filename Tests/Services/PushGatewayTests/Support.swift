import Foundation
import PayloadJSON
import PushFaults
import PushPipeline
import PushReports
import PushStore
import PushSystem
import RecordFraming
import Synchronization

@testable import PushGateway
@testable import PushServices

/// A push to `ab12` that is accepted.
func push(
    _ body: String = #"{"aps":{"alert":"Hi"}}"#, to token: String = "ab12", method: String = "POST",
    headers: [(String, String)] = [("apns-topic", "org.example.app")]
) -> GatewayRequest {
    GatewayRequest(
        method: method, path: "/3/device/\(token)", headers: headers.map { HeaderField($0.0, $0.1) },
        body: Array(body.utf8))
}

/// A request to FCM v1.
func send(_ body: String, to project: String = "demo", headers: [(String, String)] = []) -> GatewayRequest {
    GatewayRequest(
        method: "POST", path: "/v1/projects/\(project)/messages:send",
        headers: headers.map { HeaderField($0.0, $0.1) }, body: Array(body.utf8))
}

extension GatewayAnswer {
    /// The body as JSON; empty if it is no object.
    var object: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:] }
    var text: String { String(decoding: body, as: UTF8.self) }
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    /// APNs' reason; nil without one.
    var reason: String? {
        guard let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else { return nil }
        return object["reason"] as? String
    }
}

/// A session with a store in memory, and the report lines that it wrote.
final class SessionTrial {
    let pipeline: Pipeline
    let apns: APNsService
    let session: GatewaySession
    private let written = LineCollector()
    var lines: [String] { written.lines }

    /// - Parameters:
    ///   - services: nil for APNs alone.
    ///   - access: who may use the API.
    ///   - traffic: for the API, which is asked after the services; nil to do without.
    init(
        _ authentication: ProviderAuthentication = .wellFormed, services: [any GatewayService]? = nil,
        traffic: GatewayTraffic? = nil, access: APIAccess = APIAccess(),
        _ configure: (inout PipelineConfiguration) -> Void = { _ in }
    ) {
        var configuration = PipelineConfiguration()
        configuration.framing = .ndjson
        configure(&configuration)
        let store = MemoryStore(journalLimit: 1000)
        let pipeline = Pipeline(configuration, store: store)
        self.pipeline = pipeline
        apns = APNsService(authentication)
        let own = traffic.map {
            [
                APIService(
                    $0, pipeline, store: store, access: access, tracer: RecordTracer(configuration),
                    forgetDevices: store.removeAll)
            ]
        }
        session = GatewaySession(pipeline, (services ?? [apns]) + (own ?? []), traffic: traffic, report: written.add)
    }

    func answer(_ request: GatewayRequest) throws -> GatewayAnswer {
        let answers = try session.answers(to: [request])
        return answers.first ?? GatewayAnswer(status: 0)
    }
}

/// Report lines as text.
final class LineCollector: Sendable {
    private let text = Monitor("")

    func add(_ line: RecordReport) {
        var buffer = ByteBuffer()
        NDJSONReport().append(line, to: &buffer)
        let line = String(decoding: buffer.bytes, as: UTF8.self)
        text.change { $0 += line }
    }

    var lines: [String] { text.change { $0.split(separator: "\n").map(String.init) } }

    /// Returns once there are so many.
    func waitForLines(_ count: Int) {
        text.wait { $0.count(where: { $0 == "\n" }) >= count ? () : nil }
    }
}

/// A gateway on a free port of the loopback address, with a pipeline on a thread of its own.
final class RunningGateway: Sendable {
    let gateway: Gateway
    let collector = LineCollector()
    private let isStopped = Atomic(false)
    private let isDone = Monitor(false)

    /// - Parameter loggedMessages: how many the API shows.
    init(
        _ limits: GatewayLimits = GatewayLimits(), identity: GatewayIdentity? = nil, faults: [FaultRule] = [],
        loggedMessages: Int = 10_000
    ) throws {
        let free = ListenAddress(host: "127.0.0.1", port: 0)
        gateway = try Gateway(
            GatewayPorts(free, proxy: free, binary: free, feedback: free), identity: identity, limits: limits)
        let thread = Thread { [self] in
            var configuration = PipelineConfiguration()
            configuration.framing = .ndjson
            let store = MemoryStore(keepsJournal: false)
            let pipeline = Pipeline(configuration, store: store)
            let traffic = GatewayTraffic(MessageLog(maximumCount: loggedMessages))
            let session = GatewaySession(
                pipeline,
                [
                    APNsService(.wellFormed), BinaryService(), FeedbackService(),
                    APIService(traffic, pipeline, store: store),
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
