import FileAccess
import PushPipeline
import SystemSupport

/// The Swift package in which extensions are built: the runtime's modules, which are compiled once, and the current extension.
///
/// There is a folder for each state of the runtime's sources, so that versions of pushpipe do not rebuild each other's work, and another one
/// with swift-crypto, because a package has to fetch its dependencies.
struct ExtensionPackage {
    static let extensionFolder = "Extension"
    /// The name of `Sources/Shims/Overlay/Overlay.swift` among an extension's sources.
    static let overlayFile = "pushpipe-overlay.swift"
    /// Names that an extension's module cannot have: those of modules that it would hide, and keywords of Swift.
    private static let takenNames: Set<String> = [
        "Swift", "Foundation", "Dispatch", "UserNotifications", "ExtensionRuntime", "Glibc", "main", "_",
        "associatedtype", "actor", "class", "default", "enum", "extension", "func", "import", "init", "internal",
        "package",
        "private", "protocol", "public", "self", "static", "struct", "switch", "throw", "typealias", "var",
    ]

    let folder: String
    private let runtime: RuntimeSources
    private let runtimeFiles: [String: [UInt8]]
    private let overlay: [UInt8]?
    let shims: [RuntimeSources.Shim]
    let imports: Set<String>

    /// - Parameters:
    ///   - cache: the folder of all packages.
    ///   - imports: the extension's imports.
    init(cache: String, runtime: RuntimeSources, imports: Set<String>) throws(ExtensionBuildError) {
        self.runtime = runtime
        self.imports = imports
        runtimeFiles = try runtime.files()
        overlay = try runtime.overlay()
        let needsCrypto = runtime.shims.contains { $0.needsCrypto && imports.contains($0.name) }
        shims = runtime.shims.filter { needsCrypto || !$0.needsCrypto }
        try FileTree.makeFolder(cache)
        let place: String
        do throws(SystemError) {
            place = try FileSystem.resolved(cache)
        } catch {
            throw ExtensionBuildError(cache, error)
        }
        // Build products contain their path, so it is part of the hash.
        var hash = FNV1a()
        hash.addPart(place.utf8)
        for (name, bytes) in runtimeFiles.sorted(by: { $0.key < $1.key }) {
            hash.addPart(name.utf8)
            hash.addPart(bytes)
        }
        folder = "\(place)/\(hash.hexadecimal)\(needsCrypto ? "-crypto" : "")"
    }

    /// The modules that an extension can import, for messages.
    var modules: [String] { runtime.modules }

    /// The module name for an extension.
    func module(for name: String) -> String {
        let module = BuildSettings.module(name)
        return Self.takenNames.contains(module) || shims.contains { $0.name == module } ? module + "Extension" : module
    }

    /// - Parameter waits: called once if another process or thread has the lock.
    func lock(waits: () -> Void) throws(ExtensionBuildError) -> FileLock {
        try FileLock(folder + ".lock", waits: waits)
    }

    func sourceFolder(of module: String) -> String { "\(folder)/\(Self.extensionFolder)/\(module)" }

    /// Writes the package. The caller holds the lock.
    func write(_ tree: SourceTree, module: String, className: String) throws(ExtensionBuildError) {
        try FileTree.fill(folder + "/Runtime", with: runtimeFiles)
        var files = tree.files
        let main = "import ExtensionRuntime\n\nServiceExtensionProcess.main { \(className)() }\n"
        files["main.swift"] = Array(main.utf8)
        files[Self.overlayFile] = overlay
        try FileTree.fill(sourceFolder(of: module), with: files)
        let manifest = Array(manifest(module: module).utf8)
        let path = folder + "/Package.swift"
        if let present = try? FileBytes.read(path, limit: FileBytes.maximumBytes), present == manifest { return }
        try FileTree.write(manifest, to: path)
    }
}
