import PushPipeline

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The sources of the modules that an extension is built with: a checkout of pushpipe, or what `make install` put beside the command.
struct RuntimeSources {
    /// A module by a name of Apple's that extensions import.
    struct Shim {
        let name: String
        /// Other modules of ours that it needs.
        let dependencies: [String]
        let isC: Bool
        /// Whether it is made of the package swift-crypto.
        let needsCrypto: Bool

        init(_ name: String, _ dependencies: [String] = [], isC: Bool = false, needsCrypto: Bool = false) {
            self.name = name
            self.dependencies = dependencies
            self.isC = isC
            self.needsCrypto = needsCrypto
        }
    }

    private static let knownShims = [
        Shim("COS", isC: true), Shim("os", ["COS"]), Shim("UniformTypeIdentifiers"), Shim("MobileCoreServices"),
        Shim("UIKit"),
        Shim("Intents", ["UserNotifications"]), Shim("CryptoKit", needsCrypto: true),
    ]

    /// The folder `Sources`.
    let folder: String

    /// - Parameter named: what `--sources` or the variable says.
    init(named: String?) throws(Failure) {
        if let named {
            guard let folder = Self.folder(in: named) else {
                throw .trouble(
                    "\(FilePaths.shown(named)): neither a checkout nor an installation of pushpipe, for want of Sources/ExtensionRuntime"
                )
            }
            self.folder = folder
            return
        }
        guard let executable = Self.executable else { throw Self.nowhere }
        var place = FilePaths.parent(of: executable)
        let installed = FilePaths.absolute(place + "/../share/pushpipe")
        while place != "/" {
            if access(place + "/Package.swift", R_OK) == 0, let folder = Self.folder(in: place) {
                self.folder = folder
                return
            }
            place = FilePaths.parent(of: place)
        }
        guard let folder = Self.folder(in: installed) else { throw Self.nowhere }
        self.folder = folder
    }

    private static let nowhere = Failure.trouble(
        "the sources that extensions are built with were not found; name a checkout of pushpipe with --sources or PUSHPIPE_SOURCES"
    )

    private static func folder(in place: String) -> String? {
        let sources = FilePaths.absolute(place) + "/Sources"
        return ["ExtensionRuntime", "UserNotifications"].allSatisfy { FileTree.isFolder(sources + "/" + $0) }
            ? sources : nil
    }

    /// Where this command is, links resolved.
    private static var executable: String? {
        #if os(Linux)
            let path = "/proc/self/exe"
        #else
            guard let path = CommandLine.arguments.first else { return nil }
        #endif
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Those that are there.
    var shims: [Shim] { Self.knownShims.filter { FileTree.isFolder(folder + "/Shims/" + $0.name) } }

    /// What an extension can import, for messages.
    var modules: [String] {
        ["Foundation", "Dispatch", "UserNotifications"] + shims.filter { !$0.isC }.map(\.name)
    }

    /// All files by their paths below the folder.
    func files() throws(Failure) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for part in ["UserNotifications", "ExtensionRuntime"] + shims.map({ "Shims/" + $0.name }) {
            for name in try FileTree.files(below: folder + "/" + part) {
                files[part + "/" + name] = try FileTree.read(folder + "/" + part + "/" + name)
            }
        }
        return files
    }
}
