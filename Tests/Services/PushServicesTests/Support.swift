import PushDevices
import PushPipeline
import ServiceTestSupport

@testable import PushServices

extension SessionTrial {
    /// - Parameters:
    ///   - services: nil for APNs alone.
    ///   - access: who may use the API.
    ///   - traffic: for the API, which is asked after the services; nil to do without.
    convenience init(
        _ authentication: ProviderAuthentication = .wellFormed, services: [GatewayService]? = nil,
        traffic: GatewayTraffic? = nil, access: APIAccess = APIAccess(),
        _ configure: (inout PipelineConfiguration) -> Void = { _ in }
    ) {
        self.init(configure) { pipeline, store, report in
            let own = traffic.map {
                [
                    APIService(
                        $0, store: store, access: access, tracer: RecordTracer(pipeline.configuration),
                        forgetDevices: store.removeAll)
                ]
            }
            return GatewaySession(
                pipeline, (services ?? [APNsService(authentication)]) + (own ?? []),
                traffic: traffic ?? GatewayTraffic(), report: report)
        }
    }
}
