import ExtensionPrograms
import PushFiles
import PushSystem

/// A target of an Xcode project, as far as a build needs it.
struct XcodeTarget {
    var name: String
    var module: String
    /// Absolute paths, each once: sources, headers and resources. Folders are `.lproj` and others that are copied whole.
    var files: [String] = []
    var settings: XcodeSettings
    var scope: ProjectScope
    /// Paths that lead out of the project's folder; what is there is left out.
    var outside: [String] = []
    /// Products of Swift packages that it is linked with; the package is nil for one that is a folder among the project's files.
    var products: [(name: String, package: XcodePackage?)] = []
    /// Files whose names on disk differ in case.
    var renamedFiles: [FileNames.Renamed] = []
    /// `.xcconfig` files that cannot be read.
    var missingFiles: [String] = []
    /// Folders of the target whose files cannot be listed.
    var unreadableFolders: [String] = []
    /// Those of its files that another target of the project has, too.
    var sharedFiles: Set<String> = []
    /// The entitlements files of the apps that embed it.
    var appEntitlements: [String] = []
    /// True if other targets can import it.
    var isLibrary = false

    /// A line for each file that is another one than the project says, that does not exist, or that is left out.
    var notices: [String] {
        renamedFiles.map(\.notice)
            + files.filter { $0.hasSuffix(".swift") && !FileBytes.exists($0) }.map {
                "\(FilePaths.shown($0)) does not exist, though \(name) is built from it; a script or a template may make it"
            }
            + outside.map {
                "\(FilePaths.shown($0)) is left out: it is outside of \(scope.root); name it on the command line, too"
            }
    }
}

package struct XcodePackage: Equatable, Sendable {
    package enum Source: Equatable, Sendable {
        /// The absolute path of its folder.
        case local(String)
        /// A URL, and the versions that are wanted, as Swift code for a manifest.
        case remote(String, requirement: String)
    }

    package var source: Source

    package init(source: Source) { self.source = source }

    /// The folder of a local package.
    var folder: String? {
        if case .local(let path) = source { path } else { nil }
    }

    /// The package's place, for messages.
    var place: String {
        switch source {
        case .local(let path): FilePaths.shown(path)
        case .remote(let url, _): url
        }
    }

    var identity: String {
        let place =
            switch source {
            case .local(let path): path
            case .remote(let url, _): url
            }
        let name = place.split(whereSeparator: { $0 == "/" || $0 == ":" }).last.map(String.init) ?? place
        return name.hasSuffix(".git") ? String(name.dropLast(4)) : name
    }
}

/// Build settings of a target in one configuration: of the project, of the target, and of the `.xcconfig` files that both name.
struct XcodeSettings {
    private(set) var values: [String: String] = [:]
    /// How deep files may include others.
    private static let maximumDepth = 16
    /// The most bytes of a file and all that it includes. Each file counts as 4 KiB at least: a file may include itself several times.
    private static let maximumBytes = 1 << 20  // 1 MiB
    /// The longest value in bytes: a file decides how often values refer to each other.
    private static let maximumLength = 4096
    private let scope: ProjectScope

    /// Sets what Xcode sets for every target.
    ///
    /// - Parameter scope: of the files with further settings.
    init(target: String, folder: String, configuration: String, scope: ProjectScope) {
        self.scope = scope
        values = [
            "SRCROOT": folder, "PROJECT_DIR": folder, "SOURCE_ROOT": folder, "TARGET_NAME": target,
            "TARGETNAME": target, "PRODUCT_NAME": "$(TARGET_NAME)", "CONFIGURATION": configuration,
            "PRODUCT_MODULE_NAME": "$(PRODUCT_NAME:c99extidentifier)",
        ]
    }

    mutating func add(_ settings: XcodeObjects.Object) {
        add(settings.compactMapValues(\.setting))
    }

    private mutating func add(_ settings: [String: String]) {
        // `NAME[sdk=iphoneos*]` counts more than `NAME`; other conditions, such as the simulator's, are not met.
        for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
            var name = key[...]
            if let bracket = key.firstIndex(of: "[") {
                let condition = key[bracket...]
                guard ["[sdk=iphoneos*]", "[sdk=*]", "[arch=*]", "[arch=arm64]"].contains(condition) else { continue }
                name = key[..<bracket]
            }
            let above = values[String(name)] ?? ""
            guard value.utf8.count <= Self.maximumLength else { continue }
            var text = value
            // A setting that names itself means the value below it, too.
            for reference in ["$(inherited)", "${inherited}", "$(INHERITED)", "$(\(name))", "${\(name)}"]
            where text.utf8.count <= Self.maximumLength {
                text = text.replacing(reference, with: above)
            }
            if text.utf8.count <= Self.maximumLength { values[String(name)] = text }
        }
    }

    /// Adds the settings of an `.xcconfig` file. One that cannot be read has none, as when CocoaPods has not made it yet.
    ///
    /// - Parameter missing: receives the paths of files that cannot be read.
    mutating func add(file path: String, missing: inout [String]) {
        var reading = Reading(left: Self.maximumBytes)
        add(read(path, &reading, &missing))
    }

    private struct Reading {
        /// How many bytes may still be read.
        var left: Int
        /// The files that include the next one.
        var including: [String] = []
        /// Files that were read, so that one that is included often is read once.
        var known: [String: [String: String]] = [:]
    }

    private func read(_ path: String, _ reading: inout Reading, _ missing: inout [String]) -> [String: String] {
        // A file that includes itself has nothing to add.
        if reading.including.contains(path) { return [:] }
        if let known = reading.known[path] { return known }
        guard reading.including.count < Self.maximumDepth, reading.left > 0, path.hasSuffix(".xcconfig"),
            scope.contains(path), (try? FileStatus(path))?.kind == .regular,
            let bytes = try? FileBytes.read(path, limit: reading.left)
        else {
            if missing.last != path { missing.append(path) }
            return [:]
        }
        reading.left -= max(bytes.count, 4096)
        reading.including.append(path)
        var settings: [String: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let text = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
            if let include = text.firstMatch(of: /^\s*#include(\?)?\s+"([^"]+)"/) {
                let file = FilePaths.absolute(
                    include.2.hasPrefix("/") ? String(include.2) : FilePaths.parent(of: path) + "/" + include.2)
                var unread: [String] = []
                settings.merge(read(file, &reading, &unread)) { $1 }
                if include.1 == nil { missing += unread }
            } else if let pair = text.wholeMatch(of: /\s*([A-Za-z_][\w\[\]=*,]*?)\s*=\s*(.*?)\s*;?\s*/) {
                settings[String(pair.1)] = String(pair.2)
            }
        }
        reading.including.removeLast()
        reading.known[path] = settings
        return settings
    }

    /// The value with references filled in; nil if the setting is absent or empty.
    subscript(_ name: String) -> String? {
        guard let value = values[name] else { return nil }
        let text = expanded(value)
        return text.isEmpty ? nil : text
    }

    /// All values with references filled in.
    var expanded: [String: String] { values.mapValues(expanded) }

    /// A text with references filled in.
    func expanded(_ text: String) -> String {
        var settings = BuildSettings(nested: values)
        return settings.expand(text)
    }
}
