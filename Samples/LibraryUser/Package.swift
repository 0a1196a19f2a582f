// swift-tools-version: 6.2
import PackageDescription

// A package of its own that uses all libraries of pushpipe, by URL and version as yours would. Scripts/library-user.sh tests it with a
// clone in place of the URL.
let url = Context.environment["PUSHPIPE_URL"] ?? "https://github.com/pushpipe/pushpipe"

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "pushpipe") }
// Elsewhere these are Apple's.
func linuxProduct(_ name: String) -> Target.Dependency {
    .product(name: name, package: "pushpipe", condition: .when(platforms: [.linux]))
}

let package = Package(
    name: "LibraryUser",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: url, from: "0.2.0", traits: ["Testing"])],
    targets: [
        // A service extension, as an app has it.
        .target(
            name: "RaiseBadge", dependencies: [linuxProduct("UserNotifications")],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "LibraryUserTests",
            dependencies: [
                "RaiseBadge", product("PushPipeline"), product("PushLint"), product("PushLintConfiguration"),
                product("PushScenarios"), product("PushSQLite"), product("PushpipeTesting"),
                linuxProduct("ServiceExtension"), linuxProduct("UserNotifications"),
            ],
            swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
    ]
)
