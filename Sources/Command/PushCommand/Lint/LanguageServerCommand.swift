import ArgumentParser
import PushLanguageServer
import PushLint
import PushLintConfiguration
import PushStreams
import PushSystem

/// `pushpipe lsp`: the linter in an editor.
struct LanguageServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lsp",
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
