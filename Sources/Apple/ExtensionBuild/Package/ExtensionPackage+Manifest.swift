/// The targets and settings of the package in the cache for one extension.
struct PackageContents {
    let module: String
    let className: String
    var tree: SourceTree
    /// Names for `#if`.
    var conditions: [String] = []
    var modules: [ModuleSources] = []
    var modulesOfC: [ModuleOfC] = []
    var bridge: CBridge?
    var packages = ExtensionParts.Packages()

    var bridgeModule: String { module + "Bridge" }
}

extension ExtensionPackage {
    func manifest(_ contents: PackageContents) -> String {
        var dependencies = contents.packages.dependencies.map(Self.dependency)
        dependencies += shims.compactMap(dependency(of:)).map { ".package(\($0.requirement))" }
        // SwiftPM wants it where a target has resources.
        let languages = contents.modules.filter { $0.resources != nil }.map { $0.defaultLanguage ?? "en" }
        let language = languages.first.map { "defaultLocalization: \(Self.literal($0)), " } ?? ""
        // Packages that are built as they are come first, so that they see no module that is not theirs: `canImport` finds any that is there.
        let products = contents.packages.products.sorted { ($0.package, $0.name) < ($1.package, $1.name) }
            .map { ".product(name: \(Self.literal($0.name)), package: \(Self.literal($0.package)))" }
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
                \(language)dependencies: [\(dependencies.joined(separator: ", "))],
                targets: [
                    .target(
                        name: "UserNotifications", dependencies: [\(products.joined(separator: ", "))], path: "Runtime/UserNotifications",
                        swiftSettings: settings, linkerSettings: [.linkedLibrary("_FoundationICU")]),
                    .target(name: "CAuthorities", path: "Runtime/CAuthorities"),
                    .target(
                        name: "ExtensionRuntime", dependencies: ["CAuthorities", "UserNotifications"],
                        path: "Runtime/ExtensionRuntime", swiftSettings: settings),

            """
        for shim in shims {
            var dependencies = shim.dependencies.filter { name in
                name == "UserNotifications" || shims.contains { $0.name == name }
            }.map { "\"\($0)\"" }
            if let package = dependency(of: shim) {
                dependencies += package.products.map { #".product(name: "\#($0)", package: "\#(package.name)")"# }
            }
            if !shim.isC { dependencies += products }
            text += """
                        .target(
                            name: "\(shim.name)", dependencies: [\(dependencies.joined(separator: ", "))],
                            path: "Runtime/Shims/\(shim.name)"\(settings(of: shim))),

                """
        }
        if let bridge = contents.bridge {
            let folders = bridge.folders.sorted().map { ".headerSearchPath(\(Self.literal($0)))" }
            let dependencies = modulesOfC.sorted().map(Self.literal).joined(separator: ", ")
            text += """
                        .target(
                            name: "\(contents.bridgeModule)", dependencies: [\(dependencies)], path: "\(Self.bridgeFolder)/\(contents.module)",
                            publicHeadersPath: "include", cSettings: [\(folders.joined(separator: ", "))]),

                """
        }
        text += contents.modulesOfC.map { Self.target($0, contents) }.joined()
        for module in contents.modules {
            text += target(
                ".target", module, path: "\(Self.moduleFolder)/\(module.name)", [], contents)
        }
        let own = ModuleSources(name: contents.module, tree: contents.tree, conditions: contents.conditions)
        return text
            + target(
                ".executableTarget", own, path: "\(Self.extensionFolder)/\(contents.module)", ["ExtensionRuntime"],
                contents) + """
                    ]
                )

                """
    }

    private func settings(of shim: RuntimeSources.Shim) -> String {
        var libraries = shim.libraries.keys.sorted().map { ".linkedLibrary(\(Self.literal($0)))" }
        if let crypto, shim.isOfCrypto {
            libraries = PackageBuild.Configuration.allCases.map {
                ".unsafeFlags([\(Self.literal("-L" + crypto.products($0)))], .when(configuration: .\($0.rawValue)))"
            }
            // BoringSSL is C++.
            libraries += [CryptoLibrary.name, "stdc++"].map { ".linkedLibrary(\(Self.literal($0)))" }
        }
        let linked = libraries.isEmpty ? "" : ", linkerSettings: [\(libraries.joined(separator: ", "))]"
        if shim.isC { return linked }
        // In pushpipe's own package this is a trait.
        return ", swiftSettings: settings" + (shim.package.map { #" + [.define("\#($0.condition)")]"# } ?? "") + linked
    }

    private static func target(_ module: ModuleOfC, _ contents: PackageContents) -> String {
        let path = literal("\(moduleFolder)/\(module.name)")
        if module.isOfSystem {
            return """
                        .systemLibrary(name: \(literal(module.name)), path: \(path)),

                """
        }
        let dependencies = module.dependencies.filter { name in contents.modulesOfC.contains { $0.name == name } }
        return """
                    .target(
                        name: \(literal(module.name)), dependencies: [\(dependencies.map(literal).joined(separator: ", "))],
                        path: \(path), publicHeadersPath: \(literal(module.publicHeaders)),
                        cSettings: [\(module.settings.joined(separator: ", "))],
                        linkerSettings: [\(module.libraries.map { ".linkedLibrary(\(literal($0)))" }.joined(separator: ", "))]),

            """
    }

    private func target(
        _ kind: String, _ module: ModuleSources, path: String, _ dependencies: [String], _ contents: PackageContents
    ) -> String {
        let name = module.name
        let declarations = module.tree.declarations
        let imports = declarations.imports
        // Only imported shims: code that is built beside a module called os takes the system for one of Apple's.
        // For all files, though some may import it themselves.
        let implied = shims.map(\.name).filter(declarations.implied.contains)
        var names = ["UserNotifications"] + dependencies + shims.map(\.name).filter(imports.contains)
        names += (contents.modules.map(\.name) + contents.modulesOfC.map(\.name)).filter {
            imports.contains($0) && $0 != name
        }
        // Files that import only Foundation use URLSession and autoreleasepool, which belong to Foundation on Apple's systems.
        var flags = ["-Xfrontend", "-import-module", "-Xfrontend", "UserNotifications"]
        names += implied.filter { !imports.contains($0) }
        let ofToolchain = declarations.implied.filter { $0 == "FoundationXML" }
        for module in implied + ofToolchain { flags += ["-Xfrontend", "-import-module", "-Xfrontend", module] }
        if let bridge = contents.bridge, name == contents.module {
            names.append(contents.bridgeModule)
            flags += ["-Xfrontend", "-import-module", "-Xfrontend", contents.bridgeModule]
            for inner in bridge.folders.sorted() {
                flags += ["-Xcc", "-I\(folder)/\(Self.bridgeFolder)/\(contents.module)/\(inner)"]
            }
        }
        var all = names.map { "\"\($0)\"" }
        all += contents.packages.products.sorted { ($0.package, $0.name) < ($1.package, $1.name) }.map {
            ".product(name: \(Self.literal($0.name)), package: \(Self.literal($0.package)))"
        }
        let settings =
            // Regular expressions between slashes, which projects turn on.
            [
                ".swiftLanguageMode(.v5)", #".enableUpcomingFeature("BareSlashRegexLiterals")"#,
                ".unsafeFlags([\(flags.map(Self.literal).joined(separator: ", "))])",
            ]
            + module.conditions.map { ".define(\(Self.literal($0)))" } + module.features
            + (module.isOnMainActor ? [".defaultIsolation(MainActor.self)"] : [])
        let resources = module.resources.map { bundle in
            Set(bundle.files.keys.map { Self.resourceFolder + "/" + $0.prefix { $0 != "/" } }).sorted()
                .map { ".copy(\(Self.literal($0)))" }.joined(separator: ", ")
        }
        return """
                    \(kind)(
                        name: "\(name)", dependencies: [\(all.joined(separator: ", "))],
                        path: "\(path)",\(resources.map { " resources: [\($0)]," } ?? "")
                        swiftSettings: [\(settings.joined(separator: ", "))]),

            """
    }

    static func dependency(_ package: XcodePackage) -> String {
        switch package.source {
        case .local(let path): ".package(path: \(literal(path)))"
        case .remote(let url, let requirement): ".package(url: \(literal(url)), \(requirement))"
        }
    }

    static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
