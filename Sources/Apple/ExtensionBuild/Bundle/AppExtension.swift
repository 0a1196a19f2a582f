import ExtensionPrograms
import FoundationEssentials
import PushFiles
import PushSystem

/// The folder `NAME.appex`: the executable, its Info.plist, and resources.
struct AppExtension {
    let name: String
    /// Contents by path in the folder.
    private(set) var files: [String: [UInt8]] = [:]
    /// The file that each comes from, for messages.
    private var origins: [String: String] = [:]
    /// A sentence about each catalog with pictures that are left out.
    private(set) var notices: [String] = []

    init(name: String) { self.name = name }

    mutating func add(_ bytes: [UInt8], as destination: String, from origin: String) throws(PlainError) {
        // Names of languages and tables come from files.
        if destination.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) }) {
            throw PlainError(
                "\(FilePaths.shown(origin)): \(FilePaths.shown(destination)) would be outside of the bundle")
        }
        if let other = origins[destination] {
            throw PlainError(
                "\(FilePaths.shown(other)) and \(FilePaths.shown(origin)) would both be \(destination) in the bundle")
        }
        origins[destination] = origin
        files[destination] = bytes
    }

    mutating func add(_ inputs: ExtensionInputs) throws(PlainError) {
        for resource in inputs.resources {
            let bytes = try FileTree.read(resource.path)
            let destination = resource.destination
            if destination.hasSuffix(".stringsdict") {
                // Under another name, because Foundation for Linux crashes when it reads such a table.
                try add(bytes, as: destination.dropLast("stringsdict".count) + "plurals", from: resource.path)
            } else {
                let isTable = destination.hasSuffix(".strings")
                try add(isTable ? StringsText.normalized(bytes) : bytes, as: destination, from: resource.path)
            }
        }
        for catalog in inputs.assetCatalogs { try add(assets: catalog) }
        for catalog in inputs.catalogs {
            let table = catalog.destination.split(separator: "/").last.map { $0.dropLast(".xcstrings".count) } ?? ""
            let bytes = try FileTree.read(catalog.path)
            let read = try StringCatalog.read(bytes, path: FilePaths.shown(catalog.path))
            // UserNotifications reads plurals from the catalog itself; the tables are for Foundation.
            if read.hasPlurals { try add(bytes, as: "\(table).xcstrings", from: catalog.path) }
            for (language, texts) in read.tables() {
                try add(StringsText.table(texts), as: "\(language).lproj/\(table).strings", from: catalog.path)
            }
        }
    }

    /// A set of pictures in an asset catalog: one picture for several kinds of devices.
    private struct ImageSet: Decodable {
        struct Image: Decodable {
            struct Appearance: Decodable {}

            var filename: String?
            var idiom: String?
            var scale: String?
            var appearances: [Appearance]?

            /// True for a file that `UIImage` reads, of a phone in light mode.
            var isReadable: Bool {
                let name = filename?.lowercased() ?? ""
                return FilePaths.isFileName(name) && [".png", ".jpg", ".jpeg"].contains(where: name.hasSuffix)
                    && ["universal", "iphone"].contains(idiom) && appearances == nil
            }
        }

        var images: [Image]
    }

    /// Adds the pictures of an asset catalog as files of its own, in which `UIImage(named:)` finds them: of each the largest.
    private mutating func add(assets folder: String) throws(PlainError) {
        let scope = ProjectScope(root: folder)
        var missing: [String] = []
        for file in try FileTree.files(below: folder, atMost: XcodeProject.maximumFiles)
        where file.hasSuffix(".imageset/Contents.json") {
            let place = FilePaths.parent(of: folder + "/" + file)
            let name = ExtensionInputs.name(of: place).dropLast(".imageset".count)
            let bytes = scope.read(place + "/Contents.json", limit: FileBytes.maximumConfigurationBytes) ?? []
            let images =
                (try? JSONDecoder().decode(ImageSet.self, from: Data(bytes)))?.images.filter(\.isReadable) ?? []
            guard let image = images.max(by: { $0.scale ?? "1x" < $1.scale ?? "1x" }), let picture = image.filename,
                scope.hasFile(place + "/" + picture)
            else {
                missing.append(String(name))
                continue
            }
            let scale = image.scale.flatMap { ["2x", "3x"].contains($0) ? "@" + $0 : nil } ?? ""
            let ending = picture.split(separator: ".").last.map { $0.lowercased() } ?? "png"
            let destination = "\(name)\(scale).\(ending)"
            if files[destination] == nil {
                try add(FileTree.read(place + "/" + picture), as: destination, from: place + "/" + picture)
            }
        }
        if !missing.isEmpty {
            notices.append(
                "\(FilePaths.shown(folder)): only PNG and JPEG are read here, so UIImage(named:) is nil for "
                    + missing.joined(separator: ", "))
        }
    }

    /// Adds a file, or a folder with all files that are in it and in the scope.
    mutating func add(copyOf path: String, within scope: ProjectScope) throws(PlainError) {
        let name = ExtensionInputs.name(of: path)
        guard FileTree.isFolder(path) else { return try add(FileTree.read(path), as: name, from: path) }
        let files = try FileTree.files(below: path, atMost: XcodeProject.maximumFiles)
        for file in files where scope.hasFile(path + "/" + file) {
            try add(FileTree.read(path + "/" + file), as: name + "/" + file, from: path + "/" + file)
        }
    }

    /// Adds a bundle within this one.
    mutating func add(_ other: AppExtension, as folder: String) throws(PlainError) {
        for (destination, bytes) in other.files {
            try add(bytes, as: folder + "/" + destination, from: other.origins[destination] ?? destination)
        }
    }

    /// Languages of its texts, and `Base`.
    var languages: Set<String> {
        Set(
            files.keys.compactMap { path in path.firstRange(of: ".lproj/").map { String(path[..<$0.lowerBound]) } }
                // Not those of a bundle within this one.
                .filter { !$0.contains("/") })
    }

    /// Writes the bundle, and replaces an older one.
    ///
    /// - Returns: the path of the bundle.
    func write(to folder: String, executable: String) throws(PlainError) -> String {
        try FileTree.makeFolder(folder)
        let path = FilePaths.joined(folder, name + ".appex")
        if FileBytes.exists(path), !Self.isReplaceable(path) {
            throw PlainError("\(FilePaths.shown(path)): not an extension; it is not replaced")
        }
        // So that there is a complete bundle or none.
        let draft = FilePaths.joined(folder, ".\(name).appex.\(CurrentProcess.id)")
        let old = draft + ".old"
        defer {
            FileTree.remove(draft)
            FileTree.remove(old)
        }
        FileTree.remove(draft)
        for (destination, bytes) in files { try FileTree.write(bytes, to: draft + "/" + destination) }
        try FileTree.write(FileTree.read(executable), to: draft + "/" + name, isExecutable: true)
        do throws(SystemError) {
            if FileBytes.exists(path) { try FileSystem.rename(path, to: old) }
            try FileSystem.rename(draft, to: path)
        } catch {
            throw PlainError(path, error)
        }
        return path
    }

    private static func isReplaceable(_ path: String) -> Bool {
        guard FileTree.isFolder(path), let names = try? FileSystem.names(in: path) else { return false }
        return names.isEmpty || names.contains("Info.plist")
    }
}

/// Completes a project's Info.plist for the bundle, as Xcode does.
struct InfoPlist {
    static let pointIdentifier = "com.apple.usernotifications.service"
    /// That of content extensions, as Xcode's template for them has it.
    private static let contentPointIdentifier = "com.apple.usernotifications.content-extension"
    private static let point = "NSExtensionPointIdentifier"
    private static let principal = "NSExtensionPrincipalClass"

    private(set) var file: PropertyListFile

    init(_ file: PropertyListFile) { self.file = file }

    /// Chooses the file of a service extension among several; starts with an empty one if there is none.
    init(choosingFrom paths: [String]) throws(PlainError) {
        var found: [InfoPlist] = []
        for path in paths { found.append(InfoPlist(try PropertyListFile(contentsOf: path))) }
        if found.isEmpty { found = [InfoPlist(PropertyListFile())] }
        if found.count > 1 { found.removeAll { !$0.isOfServiceExtension } }
        guard found.count == 1, let only = found.first else {
            throw PlainError(
                "an Info.plist of the extension is ambiguous; name its files instead of their folder: "
                    + paths.map(FilePaths.shown).joined(separator: ", "))
        }
        self = only
    }

    private var pushExtension: [String: PropertyListValue] { file.members["NSExtension"]?.members ?? [:] }

    var isOfServiceExtension: Bool { pushExtension[Self.point]?.string == Self.pointIdentifier }

    /// The extension point of a target, with settings filled in; nil if there is none.
    func extensionPoint(_ settings: XcodeSettings) -> String? {
        let name = pushExtension[Self.point]?.string.map(settings.expanded) ?? ""
        return name.isEmpty ? nil : name
    }

    func refuseContentExtension() throws(PlainError) {
        guard pushExtension[Self.point]?.string == Self.contentPointIdentifier else { return }
        throw PlainError(
            "this is a Notification Content Extension (\(Self.contentPointIdentifier)): it draws a notification with views of UIKit, "
                + "which there are none of on Linux; name the folder of a Notification Service Extension instead")
    }

    /// The class that it names, without the module, before build settings are filled in.
    var principalClass: String? {
        guard let name = pushExtension[Self.principal]?.string, !name.isEmpty else { return nil }
        let dot = name.firstIndex(of: ".")
        guard let dot, name.hasPrefix("$") else { return name }
        return String(name[name.index(after: dot)...])
    }

    /// Adds what a project has in settings instead of a file: `INFOPLIST_KEY_CFBundleDisplayName`.
    mutating func addGenerated(_ settings: [String: String]) {
        let prefix = "INFOPLIST_KEY_"
        for (name, value) in settings where name.hasPrefix(prefix) {
            let key = String(name.dropFirst(prefix.count))
            if Self.isEmpty(file.members[key]) { file.members[key] = .string(value) }
        }
    }

    mutating func expand(_ settings: inout BuildSettings) { file.expand(&settings) }

    /// Sets the members that follow from the build, and adds those that Xcode adds.
    mutating func complete(
        name: String, module: String, className: String, bundleIdentifier: String?, defaultIdentifier: String,
        language: String
    ) {
        file.members["CFBundleExecutable"] = .string(name)
        if let bundleIdentifier { file.members["CFBundleIdentifier"] = .string(bundleIdentifier) }
        let defaults = [
            "CFBundleDevelopmentRegion": language,
            "CFBundleIdentifier": defaultIdentifier,
            "CFBundleInfoDictionaryVersion": "6.0",
            "CFBundleName": name,
            "CFBundlePackageType": "XPC!",
            "CFBundleShortVersionString": "1.0",
            "CFBundleVersion": "1",
        ]
        for (key, value) in defaults where Self.isEmpty(file.members[key]) { file.members[key] = .string(value) }
        var members = pushExtension
        if Self.isEmpty(members[Self.point]) { members[Self.point] = .string(Self.pointIdentifier) }
        members[Self.principal] = .string(module + "." + className)
        file.members["NSExtension"] = .dictionary(members)
    }

    /// Sets the region to a language that the bundle has: Foundation on Linux finds no other.
    mutating func chooseLanguage(among languages: Set<String>, otherwise language: String) {
        let key = "CFBundleDevelopmentRegion"
        if languages.isEmpty || languages.contains("Base") { return }
        let found = file.members[key]?.string.flatMap { LanguageChoice.best(for: $0, among: languages) }
        file.members[key] = .string(found ?? language)
    }

    private static func isEmpty(_ value: PropertyListValue?) -> Bool { value == nil || value == .string("") }
}
