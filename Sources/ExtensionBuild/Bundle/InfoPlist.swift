/// Makes the Info.plist of a bundle out of the one in a project, as Xcode would.
struct InfoPlist {
    /// Which kind of extension this is.
    static let pointIdentifier = "com.apple.usernotifications.service"
    private static let point = "NSExtensionPointIdentifier"
    private static let principal = "NSExtensionPrincipalClass"

    private(set) var file: PropertyListFile

    init(_ file: PropertyListFile) { self.file = file }

    /// The one of a service extension, where there are several; an empty one where there is none.
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

    /// Whether it says so itself that it belongs to a service extension.
    var isOfServiceExtension: Bool { pushExtension[Self.point]?.string == Self.pointIdentifier }

    /// The class that it names, without the module; nothing is expanded yet.
    var principalClass: String? {
        guard let name = pushExtension[Self.principal]?.string, !name.isEmpty else { return nil }
        let dot = name.firstIndex(of: ".")
        guard let dot, name.hasPrefix("$") else { return name }
        return String(name[name.index(after: dot)...])
    }

    mutating func expand(_ settings: inout BuildSettings) { file.expand(&settings) }

    /// Says what has to be said, and adds what Xcode would add.
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

    /// Names a language that there is: no other would be found.
    mutating func chooseLanguage(among languages: Set<String>, otherwise language: String) {
        let key = "CFBundleDevelopmentRegion"
        if languages.isEmpty || languages.contains("Base") { return }
        let found = file.members[key]?.string.flatMap { LanguageChoice.best(for: $0, among: languages) }
        file.members[key] = .string(found ?? language)
    }

    private static func isEmpty(_ value: PropertyListValue?) -> Bool { value == nil || value == .string("") }
}
