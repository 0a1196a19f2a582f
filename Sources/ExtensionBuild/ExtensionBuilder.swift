import FileAccess
import SystemSupport

/// What `ExtensionBuilder` tells while it works.
package enum ExtensionBuildEvent: Sendable {
    /// Something to know, on one line.
    case notice(String)
    /// A line of the compiler's output, with the paths of the sources as they were given.
    case compilerLine(String)
    /// The compiler has exited.
    case compilerEnded
    /// The errors of a failed build, without warnings and repetitions.
    case compilerErrors(String)
}

/// Builds a Notification Service Extension, as it is written for iOS, into an .appex folder that runs on Linux.
package struct ExtensionBuilder {
    /// Swift files, Info.plist, resources, and folders of those.
    package var paths: [String]
    /// Name of the .appex; by default that of the folder, else of the class.
    package var name: String?
    /// Needed when several classes derive from UNNotificationServiceExtension and Info.plist names none.
    package var className: String?
    /// By default as Info.plist says, else `org.example.NAME`.
    package var bundleIdentifier: String?
    /// The entitlements file; by default found among the files.
    package var entitlements: String?
    /// Build settings that property lists refer to, beside those of Xcode.
    package var settings: [String: String] = [:]
    /// The folder for the .appex; by default one in the cache.
    package var output: String?
    package var configuration = PackageBuild.Configuration.debug
    /// The folder that keeps what was built.
    package var cache: String
    package var runtime: RuntimeSources.Location

    package init(paths: [String], cache: String, runtime: RuntimeSources.Location) {
        self.paths = paths
        self.cache = cache
        self.runtime = runtime
    }

    /// With defaults from the environment.
    ///
    /// - Parameters:
    ///   - cache: by default `$XDG_CACHE_HOME/pushpipe/extensions`, else `~/.cache/pushpipe/extensions`.
    ///   - sources: a checkout; by default `$PUSHPIPE_SOURCES`, else found from the command.
    ///   - command: the path of the command, if it is known.
    package init(
        paths: [String], cache: String?, sources: String?, environment: [String: String], command: String?
    ) throws(ExtensionBuildError) {
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        // The specification has a relative path ignored.
        let caches =
            variable("XDG_CACHE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? variable("HOME").map { $0 + "/.cache" }
        guard let cache = cache ?? caches.map({ $0 + "/pushpipe/extensions" }) else {
            throw ExtensionBuildError("There is no home folder for the cache; name one with --cache.")
        }
        self.init(
            paths: paths, cache: cache, runtime: .init(named: sources ?? variable("PUSHPIPE_SOURCES"), command: command)
        )
    }

    /// Throws what is wrong with the properties, as far as that shows before a file is read.
    package func check() throws(ExtensionBuildError) {
        if paths.contains("") { throw ExtensionBuildError("A file has no name.") }
        if let name,
            name.isEmpty || name.hasPrefix(".") || name.unicodeScalars.contains(where: { $0 == "/" || $0 < " " })
        {
            throw ExtensionBuildError("--name takes the name of a file, not '\(name)'.")
        }
        if bundleIdentifier == "" { throw ExtensionBuildError("--bundle-id needs an identifier.") }
        for (option, folder) in [("--output", output), ("--cache", cache), ("--sources", runtime.named)]
        where folder == "" {
            throw ExtensionBuildError("\(option) needs the name of a folder.")
        }
    }

    /// Adds a build setting, as `NAME=VALUE`.
    package mutating func addSetting(_ text: String) throws(ExtensionBuildError) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            throw ExtensionBuildError("--setting takes NAME=VALUE, not '\(text)'.")
        }
        settings[String(text[..<equals])] = String(text[text.index(after: equals)...])
    }

    /// Builds the extension.
    ///
    /// - Parameter report: called on this thread, while the build goes on.
    /// - Returns: the path of the .appex; nil when the compiler rejected the sources, which has been reported.
    /// - Throws: for what cannot be read or written, and where a choice is needed.
    package func build(
        with compiler: some ExtensionCompiler, report: (ExtensionBuildEvent) -> Void
    ) throws(ExtensionBuildError) -> String? {
        let inputs = try ExtensionInputs(paths)
        guard !inputs.sources.isEmpty else {
            throw ExtensionBuildError("no Swift file in \(paths.map(FilePaths.shown).joined(separator: ", "))")
        }
        let runtime = try RuntimeSources(runtime)
        let tree = try SourceTree(inputs.sources)
        var plist = try InfoPlist(choosingFrom: inputs.infoPlists)
        let className = try ServiceClass(tree.declarations).choose(wanted: className, principal: plist.principalClass)
        let name = name ?? defaultName(className)
        let package = try ExtensionPackage(cache: cache, runtime: runtime, imports: tree.declarations.imports)
        let module = package.module(for: name)

        var bundle = AppExtension(name: name)
        try bundle.add(inputs)
        let missing = try addPropertyLists(to: &bundle, &plist, inputs, module: module, className: className)
        for setting in missing.sorted() {
            report(
                .notice(
                    "$(\(setting)) is not known here and counts as empty; give it with --setting \(setting)=VALUE"))
        }
        if !tree.blanked.isEmpty {
            report(
                .notice(
                    "@objc is left out, which needs the Objective-C runtime: "
                        + tree.blanked.map(FilePaths.shown).joined(separator: ", ")))
        }
        return try compile(tree, package, module: module, className: className, bundle, compiler, report)
    }

    /// Adds Info.plist and entitlements, filled in.
    ///
    /// - Returns: build settings that they refer to and that have no value.
    private func addPropertyLists(
        to bundle: inout AppExtension, _ plist: inout InfoPlist, _ inputs: ExtensionInputs, module: String,
        className: String
    ) throws(ExtensionBuildError) -> Set<String> {
        let name = bundle.name
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
        try bundle.add(plist.file.encoded(), as: "Info.plist", from: "Info.plist")
        let named = entitlements == nil ? try inputs.entitlements(of: name) : entitlements
        if let path = named {
            var file = try PropertyListFile(contentsOf: path)
            file.expand(&settings)
            try bundle.add(file.encoded(), as: name + ".entitlements", from: path)
        }
        return settings.missing
    }

    private func compile(
        _ tree: SourceTree, _ package: ExtensionPackage, module: String, className: String, _ bundle: AppExtension,
        _ compiler: some ExtensionCompiler, _ report: (ExtensionBuildEvent) -> Void
    ) throws(ExtensionBuildError) -> String? {
        let lock = try package.lock { report(.notice("waiting for another extension to be built")) }
        try package.write(tree, module: module, className: className)
        let folder = package.sourceFolder(of: module)
        let build = PackageBuild(folder: package.folder, module: module, configuration: configuration)
        var log = ""
        let isBuilt = try compiler.compile(build) { line in
            let line = line.replacing(folder + "/main.swift", with: "<main>")
                .replacing(folder + "/", with: tree.shownRoot)
            log += line + "\n"
            report(.compilerLine(line))
        }
        report(.compilerEnded)
        guard isBuilt else {
            explain(BuildLog(log), package, bundle.name, report)
            return nil
        }
        let path = try bundle.write(to: output ?? cached(package, bundle.name), executable: build.product)
        _ = consume lock
        return path
    }

    private func explain(
        _ log: BuildLog, _ package: ExtensionPackage, _ name: String, _ report: (ExtensionBuildEvent) -> Void
    ) {
        report(.compilerErrors(log.text))
        if !log.missingModules.isEmpty {
            report(
                .notice(
                    "there is no module \(log.missingModules.sorted().joined(separator: ", ")) on Linux; there are "
                        + package.modules.joined(separator: ", ")))
        }
        for hint in AbsentSymbols.hints(for: log) { report(.notice(hint)) }
        report(.notice("\(name) was not built"))
    }

    // MARK: - Defaults

    private func defaultName(_ className: String) -> String {
        if paths.count == 1, FileTree.isFolder(paths[0]) {
            let name = ExtensionInputs.name(of: paths[0])
            if name != "/", !name.hasPrefix(".") { return name }
        }
        return className.split(separator: ".").last.map(String.init) ?? className
    }

    /// A folder in the cache for these paths alone, so that extensions of one name from different places do not replace each other.
    private func cached(_ package: ExtensionPackage, _ name: String) -> String {
        var hash = FNV1a()
        for path in paths { hash.addPart(FilePaths.absolute(path).utf8) }
        hash.addPart(configuration.rawValue.utf8)
        return FilePaths.parent(of: package.folder) + "/built/" + hash.hexadecimal
    }
}
