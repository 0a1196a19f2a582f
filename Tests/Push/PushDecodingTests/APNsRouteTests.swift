import PushDecoding
import PushModel
import Testing

struct APNsRouteTests {
    @Test(
        arguments: [
            ("/3/device/ab12", APNsRoute.device(token: "ab12") as APNsRoute?),
            ("/3/device/", .device(token: "")),
            ("/3/device/AB12?x=1", .device(token: "AB12?x=1")),
            ("/4/broadcasts/apps/org.example.app", .broadcast(bundle: "org.example.app")),
            ("/4/broadcasts/apps/org.example.app?x=1", .refused(.badPath)),
            ("/3/device", .refused(.badPath)),
            ("/3/device/ab/12", .refused(.badPath)),
            ("/3/devices/ab12", .refused(.badPath)),
            ("/3", .refused(.badPath)),
            ("/4/broadcasts", .refused(.badPath)),
            ("/1/apps/org.example.app/channels", .channels(bundle: "org.example.app")),
            ("/1/apps/org.example.app/all-channels", .refused(.methodNotAllowed)),
            ("/1/apps/org.example.app", .refused(.badPath)), ("/1/apps//channels", .refused(.badPath)),
            ("/", nil), ("", nil), ("/favicon.ico", nil), ("3/device/ab12", nil),
        ])
    func `the path says what is asked for`(path: String, route: APNsRoute?) {
        #expect(APNsRoute(method: "POST", path: path) == route)
    }

    @Test(arguments: ["GET", "PUT", "post", ""])
    func `pushes are posted`(method: String) {
        #expect(APNsRoute(method: method, path: "/3/device/ab12") == .refused(.methodNotAllowed))
        #expect(APNsRoute(method: method, path: "/3/nothing") == .refused(.badPath))
    }
}
