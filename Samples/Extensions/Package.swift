// swift-tools-version: 6.2
import PackageDescription

// Service extensions as an iOS app has them, with tests that need no device. In your own package, use pushpipe's URL instead of `path`.
// The modules of `shims` exist when PUSHPIPE_EXTENSION_SHIMS=1 is set; the trait ExtensionCrypto fills CryptoKit.
func products(_ names: [String]) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "pushpipe", condition: .when(platforms: [.linux])) }
}

func targets(_ name: String, shims: [String] = [], resources: [Resource]? = nil) -> [Target] {
    [
        .target(
            name: name, dependencies: products(["UserNotifications"] + shims), resources: resources,
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: name + "Tests",
            dependencies: [.byName(name: name)] + products(["UserNotifications", "ServiceExtension"] + shims)),
    ]
}

let hasShims = Context.environment["PUSHPIPE_EXTENSION_SHIMS"] == "1"

let package = Package(
    name: "Extensions",
    defaultLocalization: "en",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "pushpipe", path: "../..", traits: hasShims ? ["ExtensionCrypto"] : [])],
    targets: targets("ReplaceByCustomID") + targets("CheckEcho") + targets("PhotoAttachment")
        + targets("Courier", resources: [.process("Resources")])
)

if hasShims {
    package.targets += targets("Chat", shims: ["os", "UniformTypeIdentifiers", "MobileCoreServices", "UIKit"])
    package.targets += targets("TeamChat", shims: ["Intents"])
    package.targets += targets("EncryptedMessage", shims: ["CryptoKit"])
}
