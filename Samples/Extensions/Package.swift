// swift-tools-version: 6.2
import PackageDescription

// Three service extensions as an app for iOS has them, with tests that need no device. A package of one's own names pushpipe by its
// address in place of `path`.
let pushpipe: [Target.Dependency] = [
    .product(name: "UserNotifications", package: "pushpipe", condition: .when(platforms: [.linux]))
]
let harness: [Target.Dependency] = [
    .product(name: "ServiceExtension", package: "pushpipe", condition: .when(platforms: [.linux]))
]

let package = Package(
    name: "Extensions",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "pushpipe", path: "../..")],
    targets: ["ReplaceByCustomID", "CheckEcho", "PhotoAttachment"].flatMap { name -> [Target] in
        [
            .target(name: name, dependencies: pushpipe, swiftSettings: [.swiftLanguageMode(.v5)]),
            .testTarget(name: name + "Tests", dependencies: [.byName(name: name)] + pushpipe + harness),
        ]
    }
)
