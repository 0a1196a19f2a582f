import FoundationEssentials
import PushFiles
package import PushSystem

/// The command itself as a child process for each call, and a gateway on this machine.
///
/// A child has the command's own limits, answers as it does at a prompt, and takes nothing down with it.
package final class CommandSurroundings: AssistantSurroundings {
    /// How long a call may take, and how much it may write.
    package struct Limits: Sendable {
        package var milliseconds = 60_000
        package var outputBytes = 8 << 20  // 8 MiB

        package init() {}
    }

    /// The path of this command.
    private let executable: String
    /// The environment of the children, each variable as `NAME=value`.
    private let environment: [String]
    private let accessKey: String?
    private let limits: Limits
    /// The stream of the client's messages, which `hear` reads; nil to hear nothing during a call.
    private let input: FileDescriptor?
    package var hear: (() -> Heard)?
    private var address: GatewayAddress?
    /// The gateway that this one has started: it ends when the pipe to its standard input is closed, however this process ends.
    private var gateway: (process: ChildProcessID, input: FileDescriptor, errors: FileDescriptor)?
    /// The folder for stores and inputs; nil until the first.
    private var scratch: String?

    /// - Parameter gateway: nil to start one with the first request.
    package init(
        executable: String, environment: [String], gateway: GatewayAddress?, accessKey: String?,
        limits: Limits = Limits(), input: FileDescriptor? = nil
    ) {
        self.executable = executable
        self.environment = environment
        self.accessKey = accessKey
        self.limits = limits
        self.input = input
        address = gateway
    }

    deinit {
        if let gateway {
            gateway.input.close()
            gateway.errors.close()
            if gateway.process.wait(milliseconds: 2000) == nil { gateway.process.killGroup() }
        }
        if let scratch { try? FileManager.default.removeItem(atPath: scratch) }
    }

    private var client: (descriptor: FileDescriptor, hear: () -> Heard)? {
        guard let input, let hear else { return nil }
        return (input, hear)
    }

    // MARK: - Commands

    package func run(_ arguments: [String], input: [UInt8]) throws(PlainError) -> CommandOutput {
        do throws(SystemError) {
            return try output(of: arguments, input: input)
        } catch {
            throw PlainError("pushpipe \(arguments.first ?? ""): \(error)")
        }
    }

    private func output(of arguments: [String], input: [UInt8]) throws(SystemError) -> CommandOutput {
        // A file and not a pipe, so that nobody waits for the other to read.
        let file = try FileSystem.makeTemporaryFile(scratchFolder() + "/input-")
        defer { file.descriptor.close() }
        try FileSystem.removeFile(file.path)
        try file.descriptor.writeAll(input)
        try file.descriptor.rewind()
        let output = try FileDescriptor.pipe()
        defer { output.readEnd.close() }
        let errors: (readEnd: FileDescriptor, writeEnd: FileDescriptor)
        do throws(SystemError) {
            errors = try FileDescriptor.pipe()
        } catch {
            output.writeEnd.close()
            throw error
        }
        defer { errors.readEnd.close() }
        var program = launch(arguments)
        program.input = .descriptor(file.descriptor)
        program.output = .descriptor(output.writeEnd)
        program.errors = .descriptor(errors.writeEnd)
        let process = try start(program, closing: [output.writeEnd, errors.writeEnd])
        var reader = PipeReader([output.readEnd, errors.readEnd], limit: limits.outputBytes, client: client)
        let isWhole = try reader.read(milliseconds: limits.milliseconds)
        if !isWhole { process.killGroup() }
        let ending = try process.wait()
        guard isWhole, case .exited(let status) = ending else {
            let words =
                reader.isCancelled
                ? "the call was cancelled"
                : "it took more than \(limits.milliseconds / 1000) s, or wrote more than \(limits.outputBytes >> 20) MiB"
            return CommandOutput(status: -1, output: [], errors: isWhole ? "it was ended by a signal" : words)
        }
        return CommandOutput(
            status: status, output: reader.bytes[0], errors: String(decoding: reader.bytes[1], as: UTF8.self))
    }

    private func launch(_ arguments: [String]) -> ProgramLaunch {
        // A configuration that is found may say where a log has its payloads. An assistant gives payloads.
        let isPlain = ["run", "lint"].contains(arguments.first)
        var reset = isPlain ? ["--set=input.at=", "--set=input.skip-prefix=false"] : []
        // What is malformed has its line in the result.
        if arguments.first == "run" { reset.append("--set=input.allow-empty") }
        var launch = ProgramLaunch(
            executable: executable, arguments: ["pushpipe"] + arguments.prefix(1) + reset + arguments.dropFirst(),
            environment: environment)
        launch.isSeparate = true
        return launch
    }

    /// Starts a program, and closes what only it needs, also if it does not start.
    private func start(
        _ program: ProgramLaunch, closing ends: [FileDescriptor]
    ) throws(SystemError) -> ChildProcessID {
        defer { for end in ends { end.close() } }
        return try program.start()
    }

    // MARK: - Files

    package func newStore() throws(PlainError) -> String {
        do throws(SystemError) {
            return try FileSystem.makeTemporaryDirectory(scratchFolder() + "/store-") + "/phone.db"
        } catch {
            throw PlainError("the folder for temporary files: \(error)")
        }
    }

    package func endCall() {
        guard let scratch else { return }
        try? FileManager.default.removeItem(atPath: scratch)
        self.scratch = nil
    }

    private func scratchFolder() throws(SystemError) -> String {
        if let scratch { return scratch }
        let folder = Environment.nonEmptyVariable("TMPDIR") ?? "/tmp"
        let path = try FileSystem.makeTemporaryDirectory(folder + "/pushpipe-mcp-")
        scratch = path
        return path
    }

    // MARK: - The gateway

    package func request(
        _ method: String, _ path: String, body: [UInt8], seconds: Int
    ) throws(PlainError) -> GatewayAnswer {
        let address = try gatewayAddress()
        let bytes: [UInt8]?
        var isCancelled = false
        do throws(SystemError) {
            let connection = try FileDescriptor.connectToThisMachine(port: address.port, isIPv6: address.isIPv6)
            defer { connection.close() }
            // The answer of HTTP/1.0 ends with the connection.
            let key = accessKey.map { "X-Access-Key: \($0)\r\n" } ?? ""
            let head =
                "\(method) \(path) HTTP/1.0\r\nHost: \(address.host)\r\n\(key)Content-Length: \(body.count)\r\n\r\n"
            try connection.writeAll(Array(head.utf8) + body)
            var reader = PipeReader([connection], limit: limits.outputBytes, client: client)
            reader.endsWithInput = seconds > 0
            bytes = try reader.read(milliseconds: limits.milliseconds + seconds * 1000) ? reader.bytes[0] : nil
            isCancelled = reader.isCancelled
        } catch {
            throw PlainError("\(address.text): \(error); start pushpipe serve, or name its address with --gateway")
        }
        guard let bytes else {
            throw PlainError(
                isCancelled
                    ? "the wait ended with the session"
                    : "\(address.text) did not answer in time, or with too many bytes")
        }
        guard let answer = Self.answer(bytes, of: address) else {
            throw PlainError(
                bytes.isEmpty
                    ? "\(address.text) ended without an answer" : "\(address.text) is not pushpipe serve")
        }
        return answer
    }

    /// Status and body; nil if it is not an answer of HTTP.
    static func answer(_ bytes: [UInt8], of address: GatewayAddress) -> GatewayAnswer? {
        guard bytes.starts(with: Array("HTTP/1.".utf8)), bytes.count > 12,
            let status = Int(String(decoding: bytes[9..<12], as: UTF8.self)),
            let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
        else { return nil }
        return GatewayAnswer(address: address.text, status: status, body: Array(bytes[end.upperBound...]))
    }

    private func gatewayAddress() throws(PlainError) -> GatewayAddress {
        if let gateway, gateway.process.wait(milliseconds: 1) != nil {
            // It has ended, which nothing but a crash or a user does: the next one has another port.
            gateway.input.close()
            gateway.errors.close()
            self.gateway = nil
            address = nil
        }
        if let address { return address }
        let started: (address: GatewayAddress?, errors: [UInt8])
        do throws(SystemError) { started = try startGateway() } catch {
            throw PlainError("pushpipe serve did not start: \(error)")
        }
        guard let address = started.address else {
            let line = String(decoding: started.errors.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            throw PlainError("pushpipe serve did not start: \(line.isEmpty ? "it said nothing in time" : line)")
        }
        self.address = address
        return address
    }

    /// The address of a new gateway, or nil and what it wrote to standard error if it does not start.
    private func startGateway() throws(SystemError) -> (address: GatewayAddress?, errors: [UInt8]) {
        let input = try FileDescriptor.pipe()
        let errors = try FileDescriptor.pipe()
        let output = try FileDescriptor.open("/dev/null", .writeOnly)
        var program = launch(["serve", "--listen=127.0.0.1:0", "--format=none", "--until-input-ends"])
        program.input = .descriptor(input.readEnd)
        program.output = .descriptor(output)
        program.errors = .descriptor(errors.writeEnd)
        let process = try start(program, closing: [input.readEnd, output, errors.writeEnd])
        var reader = PipeReader([errors.readEnd], limit: 64 << 10)
        _ = try reader.read(milliseconds: limits.milliseconds) { GatewayAddress(greeting: $0.bytes[0]) != nil }
        guard let address = GatewayAddress(greeting: reader.bytes[0]) else {
            process.killGroup()
            _ = try process.wait()
            input.writeEnd.close()
            errors.readEnd.close()
            return (nil, reader.bytes[0])
        }
        gateway = (process, input.writeEnd, errors.readEnd)
        return (address, [])
    }
}

/// Reads several descriptors to their ends, with a limit of time and one of bytes.
struct PipeReader {
    /// The bytes that were read of each.
    private(set) var bytes: [[UInt8]]
    private var open: [FileDescriptor?]
    /// The most bytes that are kept, of all streams together.
    private let limit: Int
    /// The client's stream, and what is done when there is something to read; nil when nothing is heard.
    private var client: (descriptor: FileDescriptor, hear: () -> Heard)?
    /// True if the client has cancelled the call.
    private(set) var isCancelled = false
    /// True to stop when the client's stream ends: nobody waits any longer.
    var endsWithInput = false

    init(
        _ descriptors: [FileDescriptor], limit: Int, client: (descriptor: FileDescriptor, hear: () -> Heard)? = nil
    ) {
        bytes = descriptors.map { _ in [] }
        open = descriptors
        self.limit = limit
        self.client = client
    }

    /// Reads until all have ended, or until something holds.
    ///
    /// - Returns: false if the time is over, there are more bytes than the limit, or the call is cancelled.
    mutating func read(
        milliseconds: Int, until isEnough: (PipeReader) -> Bool = { _ in false }
    ) throws(SystemError) -> Bool {
        let end = SystemClock.monotonicNanoseconds() + Int64(milliseconds) * 1_000_000
        while open.contains(where: { $0 != nil }) {
            let left = (end - SystemClock.monotonicNanoseconds()) / 1_000_000
            guard left > 0 else { return false }
            let places = open.indices.filter { open[$0] != nil }
            var requests = places.compactMap { open[$0].map { FileDescriptor.PollRequest($0, .readable) } }
            if let client { requests.append(FileDescriptor.PollRequest(client.descriptor, .readable)) }
            for position in FileDescriptor.poll(requests, milliseconds: Int32(clamping: left)) {
                guard position < places.count else {
                    switch client?.hear() {
                    case .cancellation: isCancelled = true
                    case .full: client = nil
                    case .end:
                        client = nil
                        isCancelled = endsWithInput
                    case .other, nil: break
                    }
                    continue
                }
                let place = places[position]
                if try !requests[position].descriptor.appendPiece(to: &bytes[place], atMost: 64 << 10) {
                    open[place] = nil
                }
            }
            guard !isCancelled, bytes.reduce(0, { $0 + $1.count }) <= limit else { return false }
            if isEnough(self) { return true }
        }
        return true
    }
}

/// The address of a gateway on this machine.
package struct GatewayAddress: Sendable, Equatable {
    package let port: UInt16
    /// True for `[::1]`.
    package let isIPv6: Bool

    /// The address in a text such as `http://127.0.0.1:2197`; nil for any other host than this machine, and for TLS, which is on the same port.
    package init?(_ text: some StringProtocol) {
        let text = text.lowercased()
        guard text.hasPrefix("http://") else { return nil }
        var rest = text.dropFirst(7)
        if rest.last == "/" { rest = rest.dropLast() }
        guard let colon = rest.lastIndex(of: ":"), let port = UInt16(rest[rest.index(after: colon)...]), port > 0 else {
            return nil
        }
        switch rest[..<colon] {
        case "127.0.0.1", "localhost": isIPv6 = false
        case "[::1]": isIPv6 = true
        default: return nil
        }
        self.port = port
    }

    package var text: String { "http://\(host)" }

    /// The value of the header `host`.
    var host: String { "\(isIPv6 ? "[::1]" : "127.0.0.1"):\(port)" }

    /// The address in what `pushpipe serve` says when it listens; nil if it has not said it yet.
    init?(greeting: [UInt8]) {
        // The end of a line that is not whole may be missing a digit.
        let end = greeting.lastIndex(of: UInt8(ascii: "\n")) ?? 0
        let text = String(decoding: greeting[..<end], as: UTF8.self)
        for word in text.split(whereSeparator: { " ,\n".contains($0) }) {
            guard let address = GatewayAddress(word) else { continue }
            self = address
            return
        }
        return nil
    }
}

/// The world outside of the tools. One call at a time, on one thread; while a request waits for senders, `hear` may make others. Its errors are sentences for the assistant, which can correct its call.
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
    /// The message is not about the call.
    case other
    /// The call is to end.
    case cancellation
    /// Too much of the input waits already: nothing more is heard during the call.
    case full
    /// The input has ended.
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
    /// The address of the gateway, such as `http://127.0.0.1:2197`.
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
        if path.isEmpty { throw PlainError("the path is empty; \".\" is the folder of the server") }
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
