import ArgumentParser
import FoundationEssentials
import PushAssistant
import PushCommand
import PushLanguageServer
import PushLint
import PushLintConfiguration
import PushServices
import PushStreams
import PushSystem

/// `pushpipe mcp`: what the command does, for an assistant that writes code.
struct AssistantCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        named: "mcp",
        abstract:
            "Let an assistant check and deliver payloads, as a server of the Model Context Protocol on standard input and output.",
        discussion: """
            An assistant's program starts it; Documentation/guides/assistant.md shows how. It reads files only below the folder where it was \
            started, starts no service extension, and talks to no other machine. A gateway for senders is started with the first call that \
            needs one, on a free port, and ends with the session.

              pushpipe mcp
              pushpipe mcp --gateway http://127.0.0.1:2197 --allow ../templates

            Exit status: 0 when standard input ends.
            """)

    @Option(help: ArgumentHelp("Use the pushpipe serve at this address of this machine.", valueName: "url"))
    var gateway: String?
    @Option(help: ArgumentHelp("Access key of that gateway's API, or the one in @FILE.", valueName: "key|@file"))
    var accessKey: String?
    @Option(
        help: ArgumentHelp("Also read files below this folder. Repeatable.", valueName: "folder"),
        completion: .directory)
    var allow: [String] = []

    func validate() throws { _ = try address() }

    private func address() throws -> GatewayAddress? {
        guard let gateway else {
            if accessKey != nil { throw ValidationError("--access-key needs --gateway.") }
            return nil
        }
        guard let address = GatewayAddress(gateway) else {
            throw ValidationError("--gateway takes an address of this machine, such as http://127.0.0.1:2197.")
        }
        return address
    }

    /// The variable that tells the commands it calls whose schemas they may read: a folder a line.
    static let foldersVariable = "PUSHPIPE_SCHEMA_FOLDERS"

    func run() throws {
        guard let executable = CommandProcess.path else {
            throw PlainError("the path of pushpipe is unknown")
        }
        let folders: AllowedFolders
        do throws(SystemError) {
            folders = try AllowedFolders(["."] + allow)
        } catch {
            throw PlainError("--allow: \(error)")
        }
        let surroundings = CommandSurroundings(
            executable: executable,
            environment: ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
                + ["\(Self.foldersVariable)=\(folders.paths.joined(separator: "\n"))"],
            gateway: try address(), accessKey: try key(), input: .standardInput)
        let output = StandardOutput()
        let connection = AssistantConnection(
            AssistantServer(surroundings, folders: folders, version: "\(ToolVersion.current)"), arrived: Self.arrived
        ) { answer in
            // SOUND: the bytes live until the closure returns.
            try answer.withUnsafeBytes { try output.write($0) }
        }
        StandardInput.invite("messages of an assistant")
        var bytes: [UInt8] = []
        while try FileDescriptor.standardInput.appendPiece(to: &bytes, atMost: 64 << 10) {
            try connection.receive(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
    }

    /// A piece of what can be read without waiting; nil at the end of the input, and after an error, which the next read finds again.
    private static func arrived() -> [UInt8]? {
        guard FileDescriptor.standardInput.isReadable else { return [] }
        var bytes: [UInt8] = []
        let isOpen = (try? FileDescriptor.standardInput.appendPiece(to: &bytes, atMost: 64 << 10)) ?? false
        return isOpen ? bytes : nil
    }

    private func key() throws -> String? {
        guard gateway != nil else { return nil }
        return try (accessKey ?? Environment.nonEmptyVariable("PUSHPIPE_ACCESS_KEY")).map(APIAccess.key)
    }
}

/// `pushpipe lsp`: the linter in an editor.
struct LanguageServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        named: "lsp",
        abstract:
            "Lint payloads in an editor, as a server of the Language Server Protocol on standard input and output.",
        discussion: """
            An editor starts it; Documentation/guides/editor.md shows how. Diagnostics are those of pushpipe lint, with the configuration \
            that it would use.

            Exit status: 0 if the editor asked to shut down before it ended the session, and otherwise 1.
            """)

    @Flag(help: ArgumentHelp("Accepted because editors pass it; there is no other transport.", visibility: .hidden))
    var stdio = false

    func run() throws {
        StandardInput.invite("messages of an editor")
        let output = StandardOutput()
        var connection = ServerConnection(LanguageServer(reader: LintConfiguration.init(yaml:path:directory:)))
        var bytes: [UInt8] = []
        while connection.exitStatus == nil, try FileDescriptor.standardInput.appendPiece(to: &bytes, atMost: 64 << 10) {
            let answer = connection.receive(bytes, hasMore: FileDescriptor.standardInput.isReadable)
            bytes.removeAll(keepingCapacity: true)
            // SOUND: the bytes live until the closure returns.
            try answer.withUnsafeBytes { try output.write($0) }
        }
        if connection.statusAtEnd != 0 { throw Failure.conditionMet }
    }
}
