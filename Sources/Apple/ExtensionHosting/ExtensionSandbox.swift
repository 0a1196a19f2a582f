import FoundationEssentials
import PushJSON
import PushModel
import PushSystem

/// The folders that extensions write to: home, temporary files, app groups; and the device's attachment store.
struct ExtensionSandbox {
    /// The folders of an app's container on iOS, and those that Foundation on Linux uses instead.
    private static let homeFolders = [
        "Documents", "Library/Caches", "Library/Application Support", ".cache", ".config", ".local/share",
    ]

    /// The environment of the processes, each variable as `NAME=value`.
    let environment: [String]
    let root: String
    private let isTemporary: Bool
    private let attachments: String

    /// - Throws: `PlainError`.
    init(_ configuration: ExtensionConfiguration) throws {
        if let sandbox = configuration.sandbox {
            root = Self.absolute(sandbox)
            isTemporary = false
            try Self.makeFolder(root)
        } else {
            root = try Self.makeTemporaryFolder()
            isTemporary = true
        }
        attachments = configuration.attachments.map(Self.absolute) ?? "\(root)/attachments"
        for name in ["tmp", "groups"] + Self.homeFolders.map({ "home/\($0)" }) {
            try Self.makeFolder("\(root)/\(name)")
        }
        // Reading the stack takes seconds, and what Swift says before it is in the finding.
        let trace = ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] ?? "enable=no"
        var variables = configuration.environment.merging(["SWIFT_BACKTRACE": trace]) { own, _ in own }
        let own = [
            "PUSHPIPE_EXTENSION_PROTOCOL": "1", "HOME": "\(root)/home", "CFFIXED_USER_HOME": "\(root)/home",
            "TMPDIR": "\(root)/tmp", "PUSHPIPE_APP_GROUPS": "\(root)/groups",
        ]
        variables.merge(own) { $1 }
        if configuration.mayCommunicate == false { variables["PUSHPIPE_EXTENSION_COMMUNICATION"] = "no" }
        if let language = configuration.language { variables["PUSHPIPE_LANGUAGE"] = language }
        if let locale = configuration.locale { variables["PUSHPIPE_LOCALE"] = locale }
        try Self.seed(configuration.appGroups, in: "\(root)/groups")
        if let keychain = configuration.keychain { try Self.seed(keychain: keychain, in: "\(root)/home") }
        if let certificates = configuration.certificates {
            let path = try Self.trust(certificates, in: root)
            for name in Self.trustVariables { variables[name] = path }
        }
        environment = Self.inherited(without: Set(variables.keys)) + variables.map { "\($0)=\($1)" }.sorted()
    }

    /// Variables that name a file of certificates: for curl, for OpenSSL and built extensions, and for Python's requests.
    private static let trustVariables = ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"]
    /// Files that systems keep the certificates in that they trust.
    private static let systemCertificates = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    /// Writes a file with the system's certificates and these. Returns its path.
    private static func trust(_ path: String, in root: String) throws -> String {
        guard let own = FileManager.default.contents(atPath: path), !own.isEmpty else {
            throw PlainError("\(path): the certificates cannot be read")
        }
        let system = systemCertificates.lazy.compactMap { FileManager.default.contents(atPath: $0) }.first
        let file = "\(root)/certificates.pem"
        try write(system.map { $0 + Data("\n".utf8) + own } ?? own, to: file)
        return file
    }

    /// Puts defaults where iOS has them: in the group's container, in Library/Preferences.
    private static func seed(_ groups: [String: [UInt8]], in folder: String) throws {
        for (group, bytes) in groups {
            let place = "\(folder)/\(group)/Library/Preferences"
            try makeFolder(place)
            try write(Data(bytes), to: "\(place)/\(group).plist")
        }
    }

    /// Puts items where extensions keep theirs. A keychain that is there already stays as it is.
    private static func seed(keychain bytes: [UInt8], in home: String) throws {
        let folder = "\(home)/Library/Keychains"
        try makeFolder(folder)
        let file = "\(folder)/items.plist"
        if !FileManager.default.fileExists(atPath: file) { try write(Data(bytes), to: file) }
    }

    private static func write(_ bytes: Data, to file: String) throws {
        guard FileManager.default.createFile(atPath: file, contents: bytes) else {
            throw PlainError("\(file): the file cannot be written")
        }
    }

    /// Deletes the folder if it was made for this run only.
    func remove() {
        if isTemporary { try? FileManager.default.removeItem(atPath: root) }
    }

    /// The variables of this process that an extension may see. Not the rest: that may hold keys, and `XDG_CONFIG_HOME` and the like would
    /// place defaults and caches outside of the sandbox.
    static let inheritedNames: Set<String> = [
        "PATH", "LD_LIBRARY_PATH", "LANG", "LANGUAGE", "LOCPATH", "LOCALE_ARCHIVE", "TZ", "TERM", "USER", "LOGNAME",
        "SHELL", "NO_COLOR",
        "http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
        "SSL_CERT_FILE",
        "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "URLSessionCertificateAuthorityInfoFile",
        "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS", "LLVM_PROFILE_FILE", "SWIFT_BACKTRACE",
    ]
    static let inheritedPrefixes = ["LC_", "PUSHPIPE_EXTENSION_"]

    /// True if an extension sees a variable of this process.
    static func isInherited(_ name: String) -> Bool {
        // Of an extension that runs pushpipe.
        if name == ChildProcess.markName { return false }
        return inheritedNames.contains(name) || inheritedPrefixes.contains { name.hasPrefix($0) }
    }

    private static func inherited(without names: Set<String>) -> [String] {
        ProcessInfo.processInfo.environment.filter { isInherited($0.key) && !names.contains($0.key) }.map {
            "\($0)=\($1)"
        }.sorted()
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    private static func makeFolder(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw PlainError("\(path): the folder cannot be made: \(Self.reason(error))")
        }
    }

    private static func makeTemporaryFolder() throws -> String {
        let parent = Environment.variable("TMPDIR") ?? "/tmp"
        do {
            return try FileSystem.makeTemporaryDirectory("\(parent)/pushpipe-")
        } catch {
            throw PlainError("\(parent): no folder can be made there: \(error)")
        }
    }

    /// The reason without the path, which the message names already.
    private static func reason(_ error: any Error) -> String {
        switch (error as? CocoaError)?.code {
        case .fileWriteFileExists?: "there is a file in its way"
        case .fileWriteNoPermission?, .fileWriteVolumeReadOnly?: "it may not be written there"
        case .fileWriteOutOfSpace?: "there is no room"
        default: "\(error)"
        }
    }

    // MARK: - Attachments

    /// Moves attachment files to the device's store, and returns the changes with their new paths. An attachment whose file cannot be moved
    /// is left out with a finding.
    func takeOverAttachments(_ changes: [UInt8], _ findings: inout [Finding]) -> [UInt8] {
        // SOUND: the tape was just made of these bytes, and the list lies within them.
        unsafe changes.withUnsafeBytes { bytes in
            var scanner = JSONScanner()
            var tape = JSONTape()
            guard unsafe scanner.scan(bytes, into: &tape) == nil,
                let list = unsafe tape.root(of: bytes)?["attachments"]
            else { return changes }
            var moved = ByteBuffer()
            moved.append("[")
            for attachment in list.elements {
                let identifier = attachment["identifier"]?.string?.string ?? ""
                let path = attachment["path"]?.string?.string ?? ""
                do {
                    let type = attachment["type"]?.string?.string
                    let place = try takeOver(path, type: type)
                    if moved.count > 1 { moved.append(",") }
                    moved.append("{\"identifier\":")
                    moved.appendJSONString(identifier)
                    moved.appendMember("path", place)
                    moved.appendMember("type", type)
                    moved.append("}")
                } catch {
                    findings.append(
                        Finding(
                            rule: "extension.attachment-lost", severity: .warning, pointer: "",
                            message:
                                "the attachment '\(identifier)' cannot be taken over, and is left out: \(path): \(error)"
                        )
                    )
                }
            }
            moved.append("]")
            return unsafe Array(bytes[..<list.offset]) + Array(moved.bytes)
                + Array(bytes[(list.offset + list.text.count)...])
        }
    }

    private static func resolved(_ path: String) -> String {
        (try? FileSystem.resolved(path)) ?? path
    }

    /// The largest attachments, in MiB, by words of their types and extensions of their names.
    ///
    /// Source: Apple, `UNNotificationAttachment`, "Supported file types".
    private static let largest: [(words: [String], size: Int64)] = [
        (["audio", "mp3", "wav", "aif", "m4a"], 5), (["mpeg", "mpg", "mp4", "m2v", "avi"], 50),
        (["jpeg", "jpg", "png", "gif"], 10),
    ]

    private func takeOver(_ path: String, type: String?) throws -> String {
        // Of a symbolic link the device gets what it leads to: the link itself would lead nowhere once the sandbox is gone.
        let given = URL(fileURLWithPath: path).standardizedFileURL
        let source = Self.resolved(path)
        guard path.hasPrefix("/"), let status = try? FileStatus(path) else {
            throw PlainError("no such file")
        }
        guard status.kind == .regular else { throw PlainError("no regular file") }
        let kind = (type ?? given.pathExtension).lowercased()
        if let most = Self.largest.first(where: { $0.words.contains { kind.contains($0) } })?.size,
            status.size > most << 20
        {
            throw PlainError("it has \(status.size) bytes, and a device takes at most \(most) MiB of its kind")
        }
        let folder = "\(attachments)/\(UUID().uuidString)"
        try Self.makeFolder(folder)
        let target = "\(folder)/\(given.lastPathComponent)"
        do {
            // A device moves every file. Here an extension may name any file of this machine, so only those in the sandbox are moved.
            let isOwn = source.hasPrefix(Self.resolved(root) + "/")
            if !isOwn || (try? FileSystem.rename(source, to: target)) == nil {
                try FileManager.default.copyItem(atPath: source, toPath: target)
                if isOwn { try? FileSystem.removeFile(source) }
            }
        } catch {
            // What was copied until the disk was full, for instance.
            try? FileManager.default.removeItem(atPath: folder)
            throw PlainError("cannot be moved to \(folder)")
        }
        return target
    }
}
