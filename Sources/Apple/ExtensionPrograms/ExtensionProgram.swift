package import ExtensionHosting
import FoundationEssentials
import PushFiles
package import PushSystem

/// The program that an extension runs as: a bundle's executable, a program that speaks the protocol, or a built-in extension.
package struct ExtensionProgram: Sendable {
    package static let communicationEntitlement = "com.apple.developer.usernotifications.communication"

    package private(set) var executable: String
    package private(set) var arguments: [String] = []
    /// The language of the extension's texts; nil when none was asked for, or none fits.
    package private(set) var language: String?
    private let wantedLanguage: String?
    /// True if the bundle's entitlements let the extension show senders; nil for a bundle without a file of entitlements, and for programs.
    package private(set) var mayCommunicate: Bool?
    /// True if the bundle's entitlements let the extension keep pushes from being shown.
    package private(set) var mayFilter = false
    /// Something to know, on one line.
    package private(set) var notice: String?

    /// Finds the program.
    ///
    /// - Parameters:
    ///   - path: an .appex folder, a program, or `builtin:…`.
    ///   - command: the path of this command, which runs built-in extensions.
    package init(_ path: String, language: String?, command: String?) throws(PlainError) {
        executable = path
        self.language = language
        wantedLanguage = language
        if let builtin = try BuiltinExtension(named: path) {
            try builtin.check(language: language)
            guard let command else {
                throw PlainError("built-in extensions need to know where pushpipe is; call it by its path")
            }
            executable = command
            arguments = BuiltinExtension.command + [builtin.specification]
            return
        }
        let status: FileStatus
        do throws(SystemError) {
            status = try FileStatus(path)
        } catch {
            throw PlainError("\(path): \(error)")
        }
        if status.kind == .directory {
            chooseLanguage(inBundle: path)
            executable = try Self.program(inBundle: path)
            if let entitlements = Self.entitlements(executable: executable) {
                mayFilter = entitlements["com.apple.developer.usernotifications.filtering"] == .bool(true)
                mayCommunicate = entitlements[Self.communicationEntitlement] == .bool(true)
            }
        }
        guard FileSystem.hasAccess(executable, .execution) else {
            let hint =
                executable.hasSuffix(".swift")
                ? "build it first: pushpipe extension build \(executable)" : "chmod +x makes a script a program"
            throw PlainError("\(executable): not a program; \(hint)")
        }
        // A name without a slash would be looked up elsewhere.
        if !executable.contains("/") { executable = "./\(executable)" }
    }

    /// Sets what follows from the program and its bundle.
    package func apply(to configuration: inout ExtensionConfiguration) {
        configuration.executable = executable
        configuration.arguments = arguments
        configuration.locale = configuration.locale ?? wantedLanguage
        configuration.language = language
        configuration.mayFilter = configuration.mayFilter || mayFilter
        configuration.mayCommunicate = configuration.mayCommunicate ?? mayCommunicate
    }

    /// Makes the language one of those that the bundle has, by the names of its folders.
    private mutating func chooseLanguage(inBundle folder: String) {
        guard let wanted = language else { return }
        let entries = (try? FileSystem.names(in: folder)) ?? []
        let languages = Set(entries.filter { $0.hasSuffix(".lproj") }.map { String($0.dropLast(6)) })
        language = LanguageChoice.best(for: wanted, among: languages)
        if language == nil {
            let known = languages.isEmpty ? "none at all" : "some in \(languages.sorted().joined(separator: ", "))"
            notice = "\(folder) has no texts in \(wanted), and \(known)"
        }
    }

    /// Reads the file of entitlements that `pushpipe extension build` puts beside the executable.
    private static func entitlements(executable: String) -> [String: PropertyListValue]? {
        let path = executable + ".entitlements"
        guard let bytes = try? FileBytes.read(path, limit: FileBytes.maximumDocumentBytes),
            let file = try? PropertyListFile(bytes, path: path)
        else { return nil }
        return file.members
    }

    private struct BundleInformation: Decodable {
        var executable: String?

        enum CodingKeys: String, CodingKey { case executable = "CFBundleExecutable" }
    }

    /// The program of a flat bundle: `X.appex/X`, or what its Info.plist names.
    private static func program(inBundle folder: String) throws(PlainError) -> String {
        let path = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let information = (try? FileBytes.read("\(path)/Info.plist", limit: FileBytes.maximumDocumentBytes)).flatMap {
            try? PropertyListReader.read(BundleInformation.self, from: $0, path, otherwise: "")
        }
        let last = path.split(separator: "/").last.map(String.init) ?? path
        let name = information?.executable ?? (last.hasSuffix(".appex") ? String(last.dropLast(6)) : last)
        let program = "\(path)/\(name)"
        guard FileBytes.exists(program) else {
            throw PlainError(
                "\(path): no program in it called \(name); pushpipe extension build makes an .appex")
        }
        return program
    }
}

/// Chooses the best of a bundle's languages for the one that is asked for.
///
/// Foundation on Linux reads only the folder that `CFBundleDevelopmentRegion` names exactly, whatever the environment or preferences say.
/// So the choice that a device makes has to be made beforehand.
package enum LanguageChoice {
    private static let scripts = ["cn": "hans", "sg": "hans", "tw": "hant", "hk": "hant", "mo": "hant"]

    /// - Parameters:
    ///   - wanted: such as `de`, `pt-BR`, `zh_CN`.
    ///   - languages: names of `.lproj` folders.
    /// - Returns: one of them: the same, a more general one, or another variant of the language; nil if there is none.
    package static func best(for wanted: String, among languages: Set<String>) -> String? {
        let ordered = languages.sorted()
        let parts = split(wanted)
        guard let first = parts.first else { return nil }
        var spellings = (1...parts.count).reversed().map { Array(parts.prefix($0)) }
        if first == "zh", let region = parts.last, let script = scripts[region] {
            spellings.insert(["zh", script], at: 1)
        }
        for spelling in spellings {
            if let found = ordered.first(where: { split($0) == spelling }) { return found }
        }
        return ordered.first { split($0).first == first }
    }

    private static func split(_ language: String) -> [String] {
        language.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).map(String.init)
    }
}
