/// Completes a project's Info.plist for the bundle, as Xcode does.
struct InfoPlist {
    static let pointIdentifier = "com.apple.usernotifications.service"
    /// That of content extensions, as Xcode's template for them has it.
    private static let contentPointIdentifier = "com.apple.usernotifications.content-extension"
    private static let point = "NSExtensionPointIdentifier"
    private static let principal = "NSExtensionPrincipalClass"

    private(set) var file: PropertyListFile

    init(_ file: PropertyListFile) { self.file = file }

    /// Of several files, takes the one of a service extension; of none, starts with an empty one.
    init(choosingFrom paths: [String]) throws(ExtensionBuildError) {
        var found: [InfoPlist] = []
        for path in paths { found.append(InfoPlist(try PropertyListFile(contentsOf: path))) }
        if found.isEmpty { found = [InfoPlist(PropertyListFile())] }
        if found.count > 1 { found.removeAll { !$0.isOfServiceExtension } }
        guard found.count == 1, let only = found.first else {
            throw ExtensionInputs.several(paths, "an Info.plist")
        }
        self = only
    }

    private var pushExtension: [String: PropertyListValue] { file.members["NSExtension"]?.members ?? [:] }

    var isOfServiceExtension: Bool { pushExtension[Self.point]?.string == Self.pointIdentifier }

    func refuseContentExtension() throws(ExtensionBuildError) {
        guard pushExtension[Self.point]?.string == Self.contentPointIdentifier else { return }
        throw ExtensionBuildError(
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
