// swift-tools-version: 6.2
import PackageDescription

// Service extensions as an app for iOS has them, with tests that need no device. A package of one's own names pushpipe by its address in
// place of `path`. The modules of `shims` are there when PUSHPIPE_EXTENSION_SHIMS=1 is set.
func products(_ names: [String]) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "pushpipe", condition: .when(platforms: [.linux])) }
}

func targets(_ name: String, shims: [String] = []) -> [Target] {
    [
        .target(
            name: name, dependencies: products(["UserNotifications"] + shims), swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: name + "Tests",
            dependencies: [.byName(name: name)] + products(["UserNotifications", "ServiceExtension"] + shims)),
    ]
}

let hasShims = Context.environment["PUSHPIPE_EXTENSION_SHIMS"] == "1"

let package = Package(
    name: "Extensions",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "pushpipe", path: "../..")],
    targets: targets("ReplaceByCustomID") + targets("CheckEcho") + targets("PhotoAttachment")
        + (hasShims ? targets("Chat", shims: ["os", "UniformTypeIdentifiers", "MobileCoreServices", "UIKit"]) : [])
)
