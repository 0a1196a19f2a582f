import ExtensionPrograms
import PushFiles
package import PushModel
package import PushSystem
import PushText

package enum ExtensionBuildEvent: Sendable {
    /// The start of something that takes long, on one line, and why it does.
    case progress(String)
    /// Packages that were found and that nobody has named, before a program of theirs runs; and the sandbox that it runs in, if there is one.
    case packages([String], sandbox: String?)
    /// Something to know, on one line, and what can be done about it.
    case notice(String, Advice? = nil)
    /// A line of the compiler's output, with the paths of the sources as they were given.
    case compilerLine(String)
    case compilerEnded
    /// The errors of a failed build, without warnings and repetitions.
    case compilerErrors(String)
}

/// Builds a Notification Service Extension, as it is written for iOS, into an .appex folder that runs on Linux.
package struct ExtensionBuilder {
    /// Swift files, Info.plist, resources, and folders of those.
    package var paths: [String]
    /// An `.xcodeproj` or `.xcworkspace` with the extension's target.
    package var project: String?
    /// The target; by default the only service extension of the project.
    package var target: String?
    /// Folders of modules that the extension imports, by name.
    package var modules: [String: String] = [:]
    package var packages: [String] = []
    /// False to use only the packages that are named here, and none that a folder or a project has.
    package var usesFoundPackages = true
    /// Name of the .appex; by default that of the folder, else of the class.
    package var name: String?
    /// Needed when several classes derive from UNNotificationServiceExtension and Info.plist names none.
    package var className: String?
    /// The bundle identifier; by default that of Info.plist, else `org.example.NAME`.
    package var bundleIdentifier: String?
    /// The entitlements file; by default found among the files.
    package var entitlements: String?
    /// Build settings that property lists refer to, beside those of Xcode.
    package var settings: [String: String] = [:]
    /// The folder for the .appex; by default one in the cache.
    package var output: String?
    package var configuration = PackageBuild.Configuration.debug
    package var cache: String
    package var runtime: RuntimeSources.Location

    package init(paths: [String], cache: String, runtime: RuntimeSources.Location) {
        self.paths = paths
        self.cache = cache
        self.runtime = runtime
    }

    /// Takes defaults from the environment.
    ///
    /// - Parameters:
    ///   - cache: by default `$XDG_CACHE_HOME/pushpipe/extensions`, else `~/.cache/pushpipe/extensions`.
    ///   - sources: a checkout; by default `$PUSHPIPE_SOURCES`, else found from the command.
    ///   - command: the path of the command, if it is known.
    package init(
        paths: [String], cache: String?, sources: String?, environment: [String: String], command: String?
    ) throws(PlainError) {
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        // The specification has a relative path ignored.
        let caches =
            variable("XDG_CACHE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? variable("HOME").map { $0 + "/.cache" }
        guard let cache = cache ?? caches.map({ $0 + "/pushpipe/extensions" }) else {
            throw PlainError("needs a folder: there is no home folder.", of: "cache")
        }
        self.init(
            paths: paths, cache: cache, runtime: .init(named: sources ?? variable("PUSHPIPE_SOURCES"), command: command)
        )
    }

    /// Adds a build setting, as `NAME=VALUE`.
    package mutating func addSetting(_ text: String) throws(PlainError) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            throw PlainError("takes NAME=VALUE, not '\(text)'.", of: "setting")
        }
        settings[String(text[..<equals])] = String(text[text.index(after: equals)...])
    }

    /// Adds a module, as `NAME=FOLDER`.
    package mutating func addModule(_ text: String) throws(PlainError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw PlainError("takes NAME=FOLDER, not '\(text)'.", of: "module")
        }
        modules[parts[0]] = parts[1]
    }

    /// Builds the extension.
    ///
    /// - Parameter report: called on this thread, while the build goes on.
    /// - Returns: the path of the .appex; nil when the compiler rejected the sources, which has been reported.
    /// - Throws: for what cannot be read or written, and where a choice is needed.
    package func build(
        with compiler: some ExtensionCompiler, report: @escaping (ExtensionBuildEvent) -> Void
    ) throws(PlainError) -> String? {
        var parts = try ExtensionParts(
            paths: paths, project: project, target: target, modules: modules, packages: packages)
        parts.usesFoundPackages = usesFoundPackages
        try checkSources(of: parts)
        let runtime = try RuntimeSources(runtime)
        let tree = try SourceTree(parts.inputs.sources)
        var plist = try parts.plist()
        var reader = PackageReader(compiler, cache: cache, report: report)
        let found = try ModuleSearch.modules(of: parts, for: tree.declarations.imports, &reader)
        let className = try ServiceClass(tree.declarations, modules: found.modules.map(\.tree.declarations))
            .choose(wanted: className, principal: plist.principalClass)
        let name = name ?? parts.name ?? defaultName(className)
        // A project decides it, too.
        guard FilePaths.isFileName(name) else {
            throw PlainError("is needed: '\(TextStyle.clean(name))' is not the name of a file", of: "name")
        }
        let imports = found.modules.reduce(tree.declarations.imports) { $0.union($1.tree.declarations.imports) }
        let package = try ExtensionPackage(
            cache: cache, runtime: runtime, imports: imports, own: found.own, packages: found.packages)
        try package.check(modules: found.modules.map(\.name) + found.modulesOfC.map(\.name))

        var own = ModuleSources(name: package.module(for: name), tree: tree, conditions: parts.conditions)
        let folder = tree.folder(of: className) + "/"
        own.cuttable = parts.sharedFiles.filter { !$0.utf8.starts(with: folder.utf8) }
        var contents = PackageContents(
            own: own, className: className, modules: found.modules, modulesOfC: found.modulesOfC,
            bridge: try parts.bridge(present: package.modulesOfC), packages: found.packages)
        let missing = contents.resolveImports(present: package.frameworks) { module in
            package.has(module) || found.own.contains(module)
        }
        var bundle = AppExtension(name: name)
        try bundle.add(parts.inputs)
        let unknown = try addPropertyLists(
            to: &bundle, &plist, parts, module: contents.module, className: className)
        for module in found.modules {
            if let resources = module.resources { try bundle.add(resources, as: module.resourceFolder) }
        }
        var told: Set<String> = []
        for notice in parts.notices + found.notices + bundle.notices where told.insert(notice).inserted {
            report(.notice(notice))
        }
        for notice in found.absent { report(.notice(notice, .clonePackage)) }
        for (module, reason) in found.refused.sorted(by: { $0.key < $1.key }) where !package.has(module) {
            report(.notice(reason, .standIn(module: module)))
        }
        for name in unknown.sorted() {
            report(.notice("$(\(name)) is not known here and counts as empty", .giveSetting(name)))
        }
        let others =
            notices(about: contents, parts, package.frameworks) + package.standInNotices(for: imports)
            + found.unused.sorted { $0.key < $1.key }.filter { !package.has($0.key) }.map { module, place in
                "the package \(place) is left out, which may have \(module)"
            }
        for notice in others { report(.notice(notice)) }
        let compilation = Compilation(
            found: found, package: package, bundle: bundle, configuration: configuration,
            output: output ?? cached(package), missing: missing, compiler: compiler,
            confined: package.confined(reader.compiler, for: found), report: report)
        return try compilation.run(contents)
    }

    private func checkSources(of parts: ExtensionParts) throws(PlainError) {
        guard parts.inputs.sources.isEmpty else { return }
        if let file = parts.inputs.objectiveC.first {
            throw PlainError(
                "\(FilePaths.shown(file)): Objective-C is not compiled here, and there is no Swift file; "
                    + "translate the class to Swift, which Xcode accepts next to Objective-C")
        }
        let places = (paths + [project].compactMap(\.self)).map(FilePaths.shown).joined(separator: ", ")
        throw PlainError("no Swift file in \(places)")
    }

    /// Notes about sources and settings, shown before they are compiled.
    ///
    /// - Parameter present: pushpipe's modules in place of Apple's.
    private func notices(
        about contents: PackageContents, _ parts: ExtensionParts, _ present: Set<String>
    ) -> [String] {
        var notices: [String] = []
        let blanked =
            contents.own.tree.blanked.map(FilePaths.shown)
            + contents.modules.flatMap { module in
                let files = module.tree.blanked.map(FilePaths.shown)
                return files.count > 3 ? ["\(files.count) files of \(module.name)"] : files
            }
        if !blanked.isEmpty {
            notices.append(
                "@objc is left out, which needs the Objective-C runtime: " + blanked.joined(separator: ", "))
        }
        if (contents.modules + [contents.own]).contains(where: { $0.tree.mentions(["webSocketTask"]) }) {
            notices.append(
                "web sockets are not emulated: those of URLSession fail with NSURLErrorUnsupportedURL where libcurl has none"
            )
        }
        if let bridge = contents.bridge {
            let missing = bridge.missing.filter { !parts.hasLibrary($0) && !present.contains($0) }
            if !missing.isEmpty {
                notices.append(
                    "the bridging header includes frameworks that are not on Linux; they are left out: "
                        + missing.sorted().joined(separator: ", "))
            }
            if !parts.inputs.objectiveC.isEmpty {
                notices.append(
                    "Objective-C is left out: " + parts.inputs.objectiveC.map(FilePaths.shown).joined(separator: ", "))
            }
        }
        return notices
    }

    /// Adds Info.plist and entitlements, filled in.
    ///
    /// - Returns: build settings that they refer to and that have no value.
    private func addPropertyLists(
        to bundle: inout AppExtension, _ plist: inout InfoPlist, _ parts: ExtensionParts, module: String,
        className: String
    ) throws(PlainError) -> Set<String> {
        let name = bundle.name
        let languages = bundle.languages
        let language =
            languages.isEmpty || !languages.isDisjoint(with: ["en", "Base"]) ? "en" : languages.min() ?? "en"
        let identifier =
            bundleIdentifier ?? parts.settings["PRODUCT_BUNDLE_IDENTIFIER"]
            ?? "org.example." + BuildSettings.identifier(name, allowing: "-.", inPlaceOfOthers: "-")
        var settings = BuildSettings(
            name: name, module: module, bundleIdentifier: identifier, language: language,
            own: parts.settings.merging(settings) { $1 })
        plist.addGenerated(parts.settings)
        plist.expand(&settings)
        plist.complete(
            name: name, module: module, className: className, bundleIdentifier: bundleIdentifier,
            defaultIdentifier: identifier, language: language)
        plist.chooseLanguage(among: languages, otherwise: language)
        try bundle.add(plist.file.encoded(), as: "Info.plist", from: "Info.plist")
        if var file = try entitlements(parts, of: name) {
            file.expand(&settings)
            try bundle.add(file.encoded(), as: name + ".entitlements", from: "entitlements")
        }
        return settings.missing
    }

    /// The entitlements of the extension, with the one for communication if an app that embeds it has it: Xcode adds that capability to apps.
    private func entitlements(_ parts: ExtensionParts, of name: String) throws(PlainError) -> PropertyListFile? {
        var path = entitlements ?? parts.entitlements
        if let path, entitlements == nil, !FileBytes.exists(path) {
            throw PlainError(
                "must name the file: \(FilePaths.shown(path)), which the target's setting CODE_SIGN_ENTITLEMENTS "
                    + "names, does not exist", of: "entitlements")
        }
        if path == nil { path = try parts.inputs.entitlements(of: name) }
        var file: PropertyListFile?
        if let path { file = try PropertyListFile(contentsOf: path) }
        let key = ExtensionProgram.communicationEntitlement
        for app in parts.appEntitlements where (try? PropertyListFile(contentsOf: app))?.members[key] == .bool(true) {
            file = file ?? PropertyListFile()
            file?.members[key] = .bool(true)
        }
        return file
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
    private func cached(_ package: ExtensionPackage) -> String {
        var hash = FNV1a()
        for path in paths + [project, target].compactMap(\.self) { hash.addPart(FilePaths.absolute(path).utf8) }
        hash.addPart(configuration.rawValue.utf8)
        return FilePaths.parent(of: package.folder) + "/built/" + hash.hexadecimal
    }
}

/// The compilation of an extension whose parts are known.
private struct Compilation<Compiler: ExtensionCompiler> {
    let found: ProjectModules
    let package: ExtensionPackage
    let bundle: AppExtension
    let configuration: PackageBuild.Configuration
    /// The folder for the .appex.
    let output: String
    /// Errors about modules that do not exist, in files that stay as they are and in those that may be cut.
    let missing: (own: [String], others: [String])
    let compiler: Compiler
    /// The compiler of the extension, in a sandbox where a package takes part that nobody named.
    let confined: Compiler
    let report: (ExtensionBuildEvent) -> Void

    /// - Returns: the path of the .appex; nil when the compiler rejected the sources.
    func run(_ contents: PackageContents) throws(PlainError) -> String? {
        let lock = try package.lock { report(.notice("waiting for another extension to be built")) }
        var contents = contents
        var leftOut = LeftOutModules(
            of: contents, manifest: Array(package.manifest(contents).utf8), in: FilePaths.parent(of: package.folder))
        leftOut.repeatLast(&contents)
        try package.write(contents)
        for line in missing.own + missing.others { report(.compilerLine(line)) }
        var log = (missing.own + (leftOut.names.isEmpty ? missing.others : [])).map { $0 + "\n" }.joined()
        let build = package.build(contents.module, configuration)
        var isBuilt = try prepare(&log)
        if isBuilt { isBuilt = try compile(build, &contents, &leftOut, &log) }
        for line in leftOut.details { report(.compilerLine(line)) }
        report(.compilerEnded)
        guard isBuilt else {
            explain(BuildLog(log), leftOut)
            return nil
        }
        try leftOut.keep()
        for notice in leftOut.notices { report(.notice(notice)) }
        // It was compiled without them, so nothing uses them.
        let missing = BuildLog((missing.own + missing.others).joined(separator: "\n")).missingModules
        for module in missing.subtracting(found.explained).sorted() {
            let use = leftOut.names.isEmpty ? "nothing uses it" : "what uses it is left out"
            report(.notice("import \(module) is left out: there is no such module on Linux, and \(use)"))
        }
        let path = try bundle.write(to: output, executable: build.product)
        _ = consume lock
        return path
    }

    /// Builds the library that the extension is linked with, if there is one. Returns false if the compiler failed.
    private func prepare(_ log: inout String) throws(PlainError) -> Bool {
        if let crypto = package.neededCrypto {
            let isReady = try crypto.build(configuration, with: compiler) { event in
                if case .compilerLine(let line) = event { log += line + "\n" }
                report(event)
            }
            guard isReady else { return false }
        }
        if package.isNew(configuration) {
            report(
                .progress(
                    "compiling UserNotifications and what else the extension needs of pushpipe, once for this version; "
                        + "later builds compile only the extension"))
        }
        return true
    }

    /// Compiles, again and again without what the compiler rejects of modules that are not the extension's own.
    private func compile(
        _ build: PackageBuild, _ contents: inout PackageContents, _ leftOut: inout LeftOutModules, _ log: inout String
    ) throws(PlainError) -> Bool {
        let folder = package.sourceFolder(of: contents.module)
        let modules = contents.modules.map { ($0, package.moduleFolder(of: $0.name)) } + [(contents.own, folder)]
        let roots = modules.map { (module: $0.name, path: $1 + "/", shown: $0.tree.shownRoot) }
        while true {
            var lines: [String] = []
            let isBuilt = try confined.compile(build) { line in
                lines.append(line)
                let line = roots.reduce(line.replacing(folder + "/main.swift", with: "<main>")) {
                    $0.replacing($1.path, with: $1.shown)
                }
                log += line + "\n"
                report(.compilerLine(line))
            }
            guard !isBuilt, leftOut.leaveOut(lines, of: &contents, folders: roots.map { ($0.module, $0.path) })
            else { return isBuilt }
            report(.progress(leftOut.progress))
            // These errors are no more, and neither are those about modules that what was left out imports.
            log = missing.own.map { $0 + "\n" }.joined()
            try package.write(contents)
        }
    }

    private func explain(_ log: BuildLog, _ leftOut: LeftOutModules) {
        report(.compilerErrors(log.text))
        let missing = log.missingModules.subtracting(found.explained)
        let refused = RefusedModules.notices(for: missing)
        for (module, notice) in refused { report(.notice(notice, .standIn(module: module))) }
        let declared = package.declarations(of: log.unknownNames)
        var needs = log.missingModules.reduce(into: [String: Set<String>]()) {
            $0[$1] = RuntimeSources.missingPackages(for: $1)
        }
        for place in log.unknownNames.compactMap({ declared[$0] }) {
            needs[place.module, default: []].formUnion(place.missing)
        }
        for (module, packages) in needs.sorted(by: { $0.key < $1.key }) where !packages.isEmpty {
            let list = packages.sorted().joined(separator: ", ")
            report(.notice("\(module) needs \(list), or what your system calls them"))
        }
        for hint in AbsentSymbols.hints(for: log, declared: declared, has: package.has) { report(.notice(hint)) }
        let unknown = log.unknownNames.union(log.unknownMembers)
        for notice in leftOut.reasons(for: unknown) { report(.notice(notice)) }
        let unexplained = missing.subtracting(refused.map(\.module))
        if !unexplained.isEmpty {
            report(
                .notice(
                    "there is no module \(unexplained.sorted().joined(separator: ", ")) on Linux; there are "
                        + package.modules.joined(separator: ", "), .bringModules))
        }
        report(.notice("\(bundle.name) was not built"))
    }
}
