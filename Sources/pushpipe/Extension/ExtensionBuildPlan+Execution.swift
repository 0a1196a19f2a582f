import BundleFiles
import PushPipeline
import TerminalStyle

extension ExtensionBuildPlan {
    /// - Throws: `Failure.conditionMet` when the compiler found something, which is told then.
    func execute() throws {
        let inputs = try ExtensionInputs(paths)
        guard !inputs.sources.isEmpty else {
            throw Failure.trouble("no Swift file in \(paths.map(FilePaths.shown).joined(separator: ", "))")
        }
        let runtime = try RuntimeSources(named: sources)
        let tree = try SourceTree(inputs.sources)
        var plist = try infoPlist(among: inputs.infoPlists)
        let className = try ServiceClass(tree.declarations).choose(wanted: className, principal: plist.principalClass)
        let name = name ?? defaultName(className)
        let package = try ExtensionPackage(cache: cache, runtime: runtime, imports: tree.declarations.imports)
        let module = package.module(for: name)

        var bundle = AppExtension(name: name)
        try bundle.add(inputs)
        let languages = bundle.languages
        let language =
            languages.isEmpty || !languages.isDisjoint(with: ["en", "Base"]) ? "en" : languages.min() ?? "en"
        let identifier =
            bundleIdentifier
            ?? "org.example." + BuildSettings.identifier(name, allowing: "-.", inPlaceOfOthers: "-")
        var settings = BuildSettings(
            name: name, module: module, bundleIdentifier: identifier, language: language, own: settings)
        plist.expand(&settings)
        plist.complete(
            name: name, module: module, className: className, bundleIdentifier: bundleIdentifier,
            defaultIdentifier: identifier, language: language)
        plist.chooseLanguage(among: languages, otherwise: language)
        try bundle.add(Self.encoded(plist.file), as: "Info.plist", from: "Info.plist")
        if let path = try entitlements(among: inputs.entitlements, name: name) {
            var file = try Self.propertyList(path)
            file.expand(&settings)
            try bundle.add(Self.encoded(file), as: name + ".entitlements", from: path)
        }
        for missing in settings.missing.sorted() {
            StandardError.write(
                "pushpipe: $(\(missing)) is not known here and counts as empty; give it with --setting \(missing)=VALUE\n"
            )
        }
        if !tree.blanked.isEmpty {
            StandardError.write(
                "pushpipe: @objc is left out, which needs the Objective-C runtime: "
                    + tree.blanked.map(FilePaths.shown).joined(separator: ", ") + "\n")
        }
        try build(tree, package, module: module, className: className, bundle)
    }

    private func build(
        _ tree: SourceTree, _ package: ExtensionPackage, module: String, className: String, _ bundle: AppExtension
    ) throws {
        let lock = try package.lock()
        try package.write(tree, module: module, className: className)
        let folder = package.sourceFolder(of: module)
        let build = SwiftBuild(
            package: package, module: module, configuration: configuration, isVerbose: isVerbose,
            paths: [(folder + "/main.swift", "<main>"), (folder + "/", tree.shownRoot)])
        let (log, succeeded) = try build.run()
        guard succeeded else { throw told(BuildLog(log), package, bundle.name) }
        let path = try bundle.write(to: output ?? cached(package, bundle.name), executable: build.product)
        _ = consume lock
        let standardOutput = StandardOutput()
        try standardOutput.write(path + "\n")
    }

    private func told(_ log: BuildLog, _ package: ExtensionPackage, _ name: String) -> Failure {
        if !isVerbose { StandardError.write(TerminalText.cleanLines(log.text)) }
        if !log.missingModules.isEmpty {
            StandardError.write(
                """
                pushpipe: there is no module \(log.missingModules.sorted().joined(separator: ", ")) on Linux; there are \
                \(package.modules.joined(separator: ", "))

                """)
        }
        for hint in AbsentSymbols.hints(for: log) { StandardError.write("pushpipe: \(hint)\n") }
        StandardError.write("pushpipe: \(name) was not built\n")
        return .conditionMet
    }

    // MARK: - Choices

    private func defaultName(_ className: String) -> String {
        if paths.count == 1, FileTree.isFolder(paths[0]) {
            let name = ExtensionInputs.name(of: paths[0])
            if name != "/", !name.hasPrefix(".") { return name }
        }
        return className.split(separator: ".").last.map(String.init) ?? className
    }

    /// The folder of one's own in the cache: extensions of one name from different places do not get in each other's way.
    private func cached(_ package: ExtensionPackage, _ name: String) -> String {
        var hash = StableHash()
        for path in paths { hash.add(FilePaths.absolute(path)) }
        hash.add(configuration.rawValue)
        return FilePaths.parent(of: package.folder) + "/built/" + hash.text
    }

    private static func propertyList(_ path: String) throws -> PropertyListFile {
        let bytes = try FileTree.read(path)
        return try Failure.unlessReadable { () throws(UnreadableFile) in
            try PropertyListFile(bytes, path: FilePaths.shown(path))
        }
    }

    private static func encoded(_ file: PropertyListFile) throws -> [UInt8] {
        try Failure.unlessReadable { () throws(UnreadableFile) in try file.encoded() }
    }

    /// The one of a service extension, where there are several.
    private func infoPlist(among paths: [String]) throws -> InfoPlist {
        let found = try paths.map { path in
            (path, InfoPlist(try Self.propertyList(path)))
        }
        if found.count == 1 { return found[0].1 }
        if found.isEmpty { return InfoPlist(PropertyListFile()) }
        let suitable = found.filter { $0.1.isOfServiceExtension }
        guard suitable.count == 1 else { throw Self.several(paths, "an Info.plist") }
        return suitable[0].1
    }

    private func entitlements(among paths: [String], name: String) throws -> String? {
        if paths.count < 2 { return paths.first }
        let suitable = paths.filter { ExtensionInputs.name(of: $0) == name + ".entitlements" }
        guard suitable.count == 1 else { throw Self.several(paths, "an entitlements file") }
        return suitable[0]
    }

    private static func several(_ paths: [String], _ what: String) -> Failure {
        .trouble(
            "\(what) of the extension is to be chosen; name its files, not their folder: "
                + paths.map(FilePaths.shown).joined(separator: ", "))
    }
}
