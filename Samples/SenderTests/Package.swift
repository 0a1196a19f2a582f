// swift-tools-version: 6.2
import PackageDescription

// A sender of pushes, and its tests against a push service in the test's own process. In your own package, use pushpipe's URL instead of
// `path`.
let package = Package(
    name: "SenderTests",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "pushpipe", path: "../..", traits: ["Testing"])],
    targets: [
        .target(name: "NewsSender"),
        .testTarget(
            name: "NewsSenderTests",
            dependencies: ["NewsSender", .product(name: "PushpipeTesting", package: "pushpipe")]),
    ]
)
