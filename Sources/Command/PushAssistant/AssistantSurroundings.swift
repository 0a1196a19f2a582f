import PushFiles
package import PushSystem

/// The world outside of the tools. One call at a time, on one thread.
package protocol AssistantSurroundings: AnyObject {
    /// Called while a call waits and the client has sent something.
    var hear: (() -> Heard)? { get set }

    /// Runs this command with other arguments, and returns what it wrote.
    ///
    /// - Throws: if it could not be started, took too long, or wrote too much. Any exit status is a result.
    func run(_ arguments: [String], input: [UInt8]) throws(PlainError) -> CommandOutput

    /// The path of a store that does not exist yet, in a folder that lives until `endCall`.
    func newStore() throws(PlainError) -> String

    /// Sends a request to the gateway's API. The first one starts a gateway if there is none.
    ///
    /// - Parameter seconds: how long the answer may take beyond the usual.
    func request(
        _ method: String, _ path: String, body: [UInt8], seconds: Int
    ) throws(PlainError) -> GatewayAnswer

    /// Removes what a call has left. Called after each tool and resource.
    func endCall()
}

/// A message of the client that came while a call waits.
package enum Heard: Sendable {
    /// Nothing about the call.
    case other
    /// The call is to end.
    case cancellation
    /// Nothing more is heard during the call: the input has ended, or too much of it waits already.
    case end
}

/// The output of a subcommand, and its exit status.
package struct CommandOutput: Sendable, Equatable {
    package let status: Int32
    package let output: [UInt8]
    /// Standard error.
    package let errors: String

    package init(status: Int32, output: [UInt8], errors: String) {
        self.status = status
        self.output = output
        self.errors = errors
    }
}

/// The answer of the gateway's API.
package struct GatewayAnswer: Sendable, Equatable {
    /// Of the gateway, such as `http://127.0.0.1:2197`.
    package let address: String
    package let status: Int
    package let body: [UInt8]

    package init(address: String, status: Int, body: [UInt8]) {
        self.address = address
        self.status = status
        self.body = body
    }
}

/// The folders whose files the tools may read.
package struct AllowedFolders: Sendable {
    /// Absolute paths without links.
    package let paths: [String]

    /// - Throws: `SystemError` if one of them does not exist.
    package init(_ paths: [String]) throws(SystemError) {
        var resolved: [String] = []
        for path in paths { resolved.append(try FileSystem.resolved(path)) }
        self.paths = resolved
    }

    /// The absolute path of a file or folder, without links: a link to somewhere else does not help.
    package func resolve(_ path: String) throws(PlainError) -> String {
        guard !path.utf8.contains(0) else { throw PlainError("a path has no NUL") }
        let resolved: String
        do throws(SystemError) {
            resolved = try FileSystem.resolved(FilePaths.absolute(path))
        } catch {
            // Where nothing may be read, it does not say what exists either.
            guard contains(FilePaths.absolute(path)) else { throw refusal(path) }
            throw PlainError("\(path.prefix(500)): \(error)")
        }
        guard contains(resolved) else { throw refusal(path) }
        return resolved
    }

    /// The resolved path of a store. In place of a file it may be a folder, which the command refuses; no entry of it may lead elsewhere.
    func resolveStore(_ path: String) throws(PlainError) -> String {
        let resolved = try resolve(path)
        // A file has no names in it, and a link that leads nowhere is no store.
        for name in (try? FileSystem.names(in: resolved)) ?? [] {
            guard let entry = try? FileSystem.resolved(resolved + "/" + name), !contains(entry),
                (try? FileStatus(entry))?.kind != .directory
            else { continue }
            throw refusal(path + "/" + name)
        }
        return resolved
    }

    private func contains(_ path: String) -> Bool {
        paths.contains { folder in path == folder || folder == "/" || path.hasPrefix(folder + "/") }
    }

    private func refusal(_ path: String) -> PlainError {
        PlainError(
            "\(path.prefix(500)) is not below \(paths.joined(separator: " or ")); start pushpipe mcp with --allow FOLDER to let it read there"
        )
    }
}
