extension ExtensionPackage {
    /// The text of Package.swift.
    func manifest(module: String) -> String {
        let needsCrypto = shims.contains { $0.needsCrypto }
        var text = """
            // swift-tools-version: 6.2
            import PackageDescription

            let settings: [SwiftSetting] = [
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("ExistentialAny"),
            ]
            let package = Package(
                name: "extensions",
                dependencies: [\(needsCrypto ? #".package(url: "https://github.com/apple/swift-crypto", "3.0.0"..<"5.0.0")"# : "")],
                targets: [
                    .target(
                        name: "UserNotifications", path: "Runtime/UserNotifications", swiftSettings: settings,
                        linkerSettings: [.linkedLibrary("_FoundationICU")]),
                    .target(
                        name: "ExtensionRuntime", dependencies: ["UserNotifications"], path: "Runtime/ExtensionRuntime",
                        swiftSettings: settings),

            """
        for shim in shims {
            var dependencies = shim.dependencies.map { "\"\($0)\"" }
            if shim.needsCrypto { dependencies.append(#".product(name: "Crypto", package: "swift-crypto")"#) }
            text += """
                        .target(
                            name: "\(shim.name)", dependencies: [\(dependencies.joined(separator: ", "))],
                            path: "Runtime/Shims/\(shim.name)"\(shim.isC ? "" : ", swiftSettings: settings")),

                """
        }
        // Files that import only Foundation use URLSession and autoreleasepool, which belong to Foundation on Apple's systems.
        let flags = ["-import-module", "UserNotifications"].map { "\"-Xfrontend\", \"\($0)\"" }.joined(separator: ", ")
        // Only imported shims: code that is built beside a module called os takes the system for one of Apple's.
        let used = ["UserNotifications", "ExtensionRuntime"] + shims.map(\.name).filter { imports.contains($0) }
        return text + """
                    .executableTarget(
                        name: "\(module)", dependencies: [\(used.map { "\"\($0)\"" }.joined(separator: ", "))],
                        path: "\(Self.extensionFolder)/\(module)",
                        swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags([\(flags)])]),
                ]
            )

            """
    }
}
