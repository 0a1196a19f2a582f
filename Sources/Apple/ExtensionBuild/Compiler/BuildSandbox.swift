import ExtensionPrograms
import FoundationEssentials
import PushFiles
import PushSystem

/// The folders that a confined compiler sees, beside the system's.
package struct BuildAccess: Sendable, Equatable {
    package var readable: [String]
    package var writable: [String]
    package var hasNetwork: Bool

    package init(readable: [String] = [], writable: [String] = [], hasNetwork: Bool = false) {
        self.readable = readable
        self.writable = writable
        self.hasNetwork = hasNetwork
    }
}

/// Runs the compiler in namespaces of its own: a package's manifest, plugins and macros are programs of whoever wrote it.
///
/// Such a program sees the system, the compiler and the folders of a `BuildAccess`; no other file of the user, no process, no socket
/// and few variables. Written with what Linux has: bubblewrap where it is installed, else `unshare`. Neither needs rights where user
/// namespaces are allowed, which `find` tries out.
struct BuildSandbox: Sendable {
    private enum Tool: Sendable {
        case bubblewrap(String)
        /// `unshare`, and a folder for the root of the file system.
        case namespaces(String, root: String)
    }

    private let tool: Tool
    private let home: String?

    /// The name of the tool, for messages.
    var name: String {
        switch tool {
        case .bubblewrap: "bubblewrap"
        case .namespaces: "user namespaces"
        }
    }

    /// - Parameter root: an empty folder for this alone, which is created.
    /// - Returns: nil if the system has no sandbox that this user may make.
    static func find(environment: [String: String], root: String) -> BuildSandbox? {
        #if os(Linux)
            guard (try? FileTree.makeFolder(root)) != nil else { return nil }
            let path = environment["PATH"]
            var tools = [FileSystem.program("bwrap", on: path).map(Tool.bubblewrap)]
            tools.append(FileSystem.program("unshare", on: path).map { .namespaces($0, root: root) })
            for tool in tools.compactMap(\.self) {
                let sandbox = BuildSandbox(tool: tool, home: environment["HOME"])
                let command = sandbox.command(["/bin/sh", "-c", ":"], BuildAccess())
                let program = Program(executable: command[0], errors: .merged, environment: environment)
                if (try? program.run(Array(command.dropFirst()), received: { _ in })) == 0 { return sandbox }
            }
        #endif
        return nil
    }

    /// Variables that a build may need. Others may be secrets.
    static func variables(of environment: [String: String]) -> [String: String] {
        let names: Set = [
            "HOME", "PATH", "LANG", "TERM", "CC", "CXX", "TOOLCHAINS", "DEVELOPER_DIR", "SWIFT_EXEC", "SSL_CERT_FILE",
            "SSL_CERT_DIR", "GIT_SSL_CAINFO", "http_proxy", "https_proxy", "no_proxy", "all_proxy", "HTTP_PROXY",
            "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY",
        ]
        return environment.filter { names.contains($0.key) || $0.key.hasPrefix("LC_") }
    }

    // MARK: - Commands

    private static let systemFolders = [
        "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix",
        // Where /etc/resolv.conf may lead.
        "/run/systemd/resolve",
    ]
    private static let devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]

    /// Files of the user's home that say where packages come from, and copies of repositories.
    private var homeFiles: [String] {
        guard let home else { return [] }
        return [
            ".gitconfig", ".swiftpm/configuration/mirrors.json", ".swiftpm/configuration/registries.json",
            ".cache/org.swift.swiftpm/repositories",
        ].map { home + "/" + $0 }
    }

    /// The command that runs another one.
    func command(_ command: [String], _ access: BuildAccess) -> [String] {
        let readable = Self.systemFolders + homeFiles + access.readable
        switch tool {
        case .bubblewrap(let program):
            var result = [
                program, "--unshare-user", "--unshare-ipc", "--unshare-pid", "--die-with-parent", "--new-session",
                "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp",
            ]
            if !access.hasNetwork { result.append("--unshare-net") }
            for path in readable { result += ["--ro-bind-try", path, path] }
            for path in access.writable { result += ["--bind", path, path] }
            return result + ["--chdir", "/", "--"] + command
        case .namespaces(let program, let root):
            var result = [
                program, "--user", "--map-root-user", "--mount", "--ipc", "--pid", "--fork", "--kill-child",
            ]
            if !access.hasNetwork { result.append("--net") }
            result += ["--", "/bin/sh", "-c", Self.script, "sh", root]
            for path in readable { result += ["r", path] }
            for path in Self.devices + access.writable { result += ["w", path] }
            return result + ["--"] + command
        }
    }

    /// Makes a root of the named folders and nothing else, drops all capabilities, with which they could be mounted differently, and runs
    /// the command.
    private static let script = """
        set -e
        PATH=$PATH:/usr/sbin:/sbin
        root=$1
        shift
        mount -t tmpfs tmpfs "$root"
        while [ "$1" != -- ]; do
            if [ -e "$2" ]; then
                if [ -d "$2" ]; then
                    mkdir -p "$root$2"
                else
                    mkdir -p "$root${2%/*}"
                    : >> "$root$2"
                fi
                mount --rbind "$2" "$root$2"
                if [ "$1" = r ]; then
                    # Restrictions of the file system stay: taking one away is refused.
                    flags=$(findmnt -n -o VFS-OPTIONS --target "$root$2" | tr , '\\n' |
                        grep -E '^(no(suid|dev|exec|atime|diratime)|relatime)$' | tr '\\n' ,) || flags=
                    mount -o "remount,bind,${flags}ro" "$root$2"
                fi
            fi
            shift 2
        done
        shift
        mkdir -p "$root/tmp" "$root/proc" "$root/old"
        mount -t proc proc "$root/proc" 2>/dev/null || mount --rbind /proc "$root/proc"
        cd "$root"
        pivot_root . old
        cd /
        umount -l old
        exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs -- "$@"
        """
}
