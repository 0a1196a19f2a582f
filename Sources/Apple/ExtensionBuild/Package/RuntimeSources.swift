import PushFiles
package import PushSystem

/// The sources of the modules that an extension is built with: in a checkout of pushpipe, or where `make install` put them.
package struct RuntimeSources {
    package struct Location: Sendable {
        /// A checkout or an installation; nil to search from the command.
        package var named: String?
        package var command: String?

        package init(named: String?, command: String?) {
            self.named = named
            self.command = command
        }
    }

    /// A module with the name of one of Apple's that extensions import.
    struct Shim {
        let name: String
        /// Modules of pushpipe that it depends on.
        let dependencies: [String]
        let isC: Bool
        /// The package that fills it, if it needs one.
        let package: ShimPackage?
        /// Libraries of the system that it is linked with, and a header of each. Without them it is left out.
        let libraries: [String: String]
        /// True if extensions import it.
        let isImported: Bool
        /// A sentence about a stand-in for an SDK, with what it leaves out; nil for a module of Apple's.
        let standIn: String?
        /// True if swift-crypto fills it.
        var isOfCrypto: Bool { package?.name == ShimPackage.crypto.name }

        init(
            _ name: String, _ dependencies: [String] = [], isC: Bool = false, isImported: Bool? = nil,
            package: ShimPackage? = nil, libraries: [String: String] = [:], standIn: String? = nil
        ) {
            self.libraries = libraries
            self.standIn = standIn
            self.isImported = isImported ?? !isC
            self.name = name
            self.dependencies = dependencies
            self.isC = isC
            self.package = package
        }
    }

    /// A package that fills a shim: fetched and built only for extensions that import it.
    struct ShimPackage: Sendable {
        let name: String
        /// The arguments of `.package`.
        let requirement: String
        let products: [String]
        /// The condition of the shim's sources, which in pushpipe's own package is a trait.
        let condition: String
        /// The end of the folder's name in the cache.
        let suffix: String

        static let crypto = ShimPackage(
            name: "swift-crypto", requirement: #"url: "https://github.com/apple/swift-crypto", "3.0.0"..<"5.0.0""#,
            products: ["Crypto"], condition: "ExtensionCrypto", suffix: "-crypto")
        static let combine = ShimPackage(
            name: "OpenCombine", requirement: #"url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0""#,
            products: ["OpenCombine", "OpenCombineDispatch", "OpenCombineFoundation"], condition: "ExtensionCombine",
            suffix: "-combine")
    }

    private static let oneSignal =
        "it attaches the files in att and adds buttons, sends no receipt, and does not count badges"

    private static let knownShims = [
        Shim("COS", isC: true), Shim("os", ["COS"]), Shim("UniformTypeIdentifiers"),
        Shim("MobileCoreServices"),
        Shim("CImageCodecs", isC: true, libraries: ["png": "png.h", "jpeg": "jpeglib.h"]),
        Shim("SQLite3", isC: true, isImported: true, libraries: ["sqlite3": "sqlite3.h"]),
        Shim("UIKit", ["CImageCodecs", "UserNotifications"]),
        Shim("CoreGraphics", ["UIKit"]), Shim("CoreServices", ["MobileCoreServices"]),
        Shim("CSecurityKeys", isC: true, libraries: ["crypto": "openssl/evp.h"]),
        Shim("Security", ["CSecurityKeys", "UserNotifications"]),
        Shim("CommonCrypto", isC: true, isImported: true, libraries: ["crypto": "openssl/evp.h"]),
        Shim("CoreData", ["UserNotifications"]), Shim("Intents", ["UserNotifications"]), Shim("OSLog", ["os"]),
        Shim("WidgetKit"),
        Shim(
            "FirebaseMessaging", ["UserNotifications"],
            standIn: "it attaches the picture in fcm_options.image, and exports no delivery metrics"),
        Shim("OneSignalExtension", ["UserNotifications"], standIn: oneSignal),
        Shim("OneSignal", ["OneSignalExtension"], standIn: oneSignal),
        Shim("CryptoKit", package: .crypto),
        Shim("Combine", package: .combine),
    ]

    /// The folder `Sources/Apple`.
    package let folder: String

    package init(_ location: Location) throws(PlainError) {
        if let named = location.named {
            guard let folder = Self.folder(in: named) else {
                throw PlainError(
                    "\(FilePaths.shown(named)): not a checkout or installation of pushpipe: there is no Sources/Apple/ExtensionRuntime"
                )
            }
            self.folder = folder
            return
        }
        guard let executable = location.command.flatMap(Self.resolved) else { throw Self.nowhere }
        var place = FilePaths.parent(of: executable)
        let installed = FilePaths.absolute(place + "/../share/pushpipe")
        while place != "/" {
            if FileSystem.hasAccess(place + "/Package.swift", .reading), let folder = Self.folder(in: place) {
                self.folder = folder
                return
            }
            place = FilePaths.parent(of: place)
        }
        guard let folder = Self.folder(in: installed) else { throw Self.nowhere }
        self.folder = folder
    }

    private static let nowhere = PlainError(
        "or PUSHPIPE_SOURCES must name a checkout of pushpipe: the sources that extensions are built with were not found",
        of: "sources")

    private static func folder(in place: String) -> String? {
        let sources = FilePaths.absolute(place) + "/Sources/Apple"
        return ["ExtensionRuntime", "UserNotifications"].allSatisfy { FileTree.isFolder(sources + "/" + $0) }
            ? sources : nil
    }

    private static func resolved(_ path: String) -> String? {
        try? FileSystem.resolved(path)
    }

    var shims: [Shim] { Self.knownShims.filter { FileTree.isFolder(folder + "/Shims/" + $0.name) } }

    /// Debian's packages of libraries.
    private static let packages = [
        "png": "libpng-dev", "jpeg": "libjpeg-dev", "sqlite3": "libsqlite3-dev", "crypto": "libssl-dev",
    ]

    /// Debian's packages that a module needs, directly or through another, and that are not on this machine.
    static func missingPackages(for module: String, withDependencies: Bool = true) -> Set<String> {
        guard let shim = knownShims.first(where: { $0.name == module }) else { return [] }
        let own = shim.libraries.filter { !hasHeader($0.value) }.compactMap { packages[$0.key] }
        guard withDependencies else { return Set(own) }
        return shim.dependencies.reduce(into: Set(own)) { $0.formUnion(missingPackages(for: $1)) }
    }

    static func hasHeader(_ name: String) -> Bool {
        ["/usr/include/", "/usr/local/include/"].contains { FileBytes.exists($0 + name) }
    }

    /// The modules that an extension can import, for messages.
    var modules: [String] {
        ["Foundation", "Dispatch", "UserNotifications"] + shims.filter(\.isImported).map(\.name)
    }

    /// The source that is compiled into the module of each extension; nil in the sources of an older version.
    func overlay() throws(PlainError) -> [UInt8]? {
        let path = folder + "/Shims/Overlay/Overlay.swift"
        return FileBytes.exists(path) ? try FileTree.read(path) : nil
    }

    /// All files, by path below the folder.
    func files() throws(PlainError) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        let own = ["CPushAuthorities", "UserNotifications", "ExtensionRuntime"]
        for part in own + shims.map({ "Shims/" + $0.name }) {
            for name in try FileTree.files(below: folder + "/" + part) {
                files[part + "/" + name] = try FileTree.read(folder + "/" + part + "/" + name)
            }
        }
        return files
    }
}
