import Foundation
import Testing

/// A folder with a `swift` of its own, which makes an executable out of nothing, and with sources for it that hold next to nothing: what
/// `pushpipe extension build` does before and after the compiler, in no time.
struct Workshop {
    let folder: Folder

    init() throws {
        folder = try Folder()
        for name in [
            "pushpipe/Sources/UserNotifications/A.swift", "pushpipe/Sources/ExtensionRuntime/A.swift",
            "pushpipe/Sources/Shims/os/A.swift", "pushpipe/Sources/Shims/COS/os.c",
        ] {
            try write("// \(name)\n", to: name)
        }
        // Called as: swift build --package-path PACKAGE --configuration NAME --product MODULE
        try write(
            """
            #!/usr/bin/env bash
            set -e
            env > environment
            if [[ -n $SAYS ]]; then
                sed "s|SOURCES|$3/Extension/$7|" "$SAYS"
                exit 1
            fi
            mkdir "$3/busy"
            mkdir -p "$3/.build/$5"
            sleep 0.1
            printf 'built %s' "$7" > "$3/.build/$5/$7"
            rmdir "$3/busy"

            """, to: "bin/swift")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("bin/swift"))
    }

    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    func write(_ bytes: [UInt8], to name: String) throws {
        let url = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    func build(_ arguments: String..., says: String? = nil, path: String? = nil) throws -> Output {
        var environment = [
            "PATH": path ?? folder.path("bin") + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        ]
        environment["PUSHPIPE_STRICT"] = "1"
        environment["SAYS"] = says
        return try folder.pushpipe(
            arguments: ["extension", "build", "--cache", "cache", "--sources", "pushpipe"] + arguments,
            environment: environment)
    }

    /// The class that the main file of a module makes.
    func className(module: String) throws -> String? {
        let main = try folder.read(try generated("Extension/\(module)/main.swift"))
        return main.firstMatch(of: /main \{ (.+)\(\) \}/).map { String($0.1) }
    }

    /// The path of a file in the one package that was made, from this folder.
    func generated(_ name: String) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("cache"))
        return "cache/\(try #require(names.first { $0 != "built" && !$0.hasSuffix(".lock") }))/\(name)"
    }

    func plist(_ path: String) throws -> [String: Any] {
        let data = try Data(contentsOf: folder.url.appendingPathComponent(path))
        return try #require(PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    }

    /// All files below a folder.
    func files(_ path: String) throws -> Set<String> {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path(path))
        return Set(
            names.filter {
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: folder.path(path + "/" + $0), isDirectory: &isFolder)
                    && !isFolder.boolValue
            })
    }
}

/// A property list as XML.
func propertyList(_ contents: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>\(contents)</dict></plist>
    """
}

/// A class of an extension.
func serviceSource(_ name: String = "NotificationService", imports: [String] = ["UserNotifications"]) -> String {
    imports.map { "import \($0)\n" }.joined() + """

        class \(name): UNNotificationServiceExtension {
            var contentHandler: ((UNNotificationContent) -> Void)?
            var bestAttemptContent: UNMutableNotificationContent?

            override func didReceive(
                _ request: UNNotificationRequest,
                withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
            ) {
                self.contentHandler = contentHandler
                bestAttemptContent = (request.content.mutableCopy() as? UNMutableNotificationContent)
                if let bestAttemptContent = bestAttemptContent {
                    bestAttemptContent.title = "\\(bestAttemptContent.title) [modified]"
                    contentHandler(bestAttemptContent)
                }
            }

            override func serviceExtensionTimeWillExpire() {
                if let contentHandler = contentHandler, let bestAttemptContent = bestAttemptContent {
                    contentHandler(bestAttemptContent)
                }
            }
        }

        """
}
