import PushModel
import Testing

@testable import PushGateway

struct GatewayRouteTests {
    @Test(
        arguments: [
            ("/3/device/ab12", GatewayRoute.device(token: "ab12")),
            ("/3/device/", .device(token: "")),
            ("/3/device/AB12?x=1", .device(token: "AB12?x=1")),
            ("/4/broadcasts/apps/org.example.app", .broadcast),
            ("/3/device", .refused(.badPath)),
            ("/3/device/ab/12", .refused(.badPath)),
            ("/3/devices/ab12", .refused(.badPath)),
            ("/3", .refused(.badPath)),
            ("/4/broadcasts", .refused(.badPath)),
            ("/1/apps/org.example.app/channels", .refused(.badPath)),
            ("/", .unknown), ("", .unknown), ("/favicon.ico", .unknown), ("3/device/ab12", .unknown),
        ])
    func `the path says what is asked for`(path: String, route: GatewayRoute) {
        #expect(GatewayRoute(method: "POST", path: path) == route)
    }

    @Test(arguments: ["GET", "PUT", "post", ""])
    func `pushes are posted`(method: String) {
        #expect(GatewayRoute(method: method, path: "/3/device/ab12") == .refused(.methodNotAllowed))
        #expect(GatewayRoute(method: method, path: "/3/nothing") == .refused(.badPath))
    }
}
