// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Cranes",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/pushpipe/pushpipe.git", from: "0.2.0")],
    targets: [
        .target(
            name: "NotificationService",
            dependencies: [.product(name: "UserNotifications", package: "pushpipe")],
            path: "NotificationService", exclude: ["Info.plist"],
            swiftSettings: [.swiftLanguageMode(.v5)],
            plugins: [.plugin(name: "AppleFoundation", package: "pushpipe")]),
        .testTarget(
            name: "NotificationServiceTests",
            dependencies: [
                "NotificationService", .product(name: "ServiceExtensionTesting", package: "pushpipe"),
            ],
            path: "NotificationServiceTests", exclude: ["__Snapshots__"]),
    ]
)
