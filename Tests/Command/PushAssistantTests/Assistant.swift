import PushAssistant
import PushJSON
import PushSystem
import Testing

/// A client of the server, in process: it notes which commands and requests the server makes, and answers them.
final class Assistant: AssistantSurroundings {
    struct Command {
        let arguments: [String]
        /// Standard input.
        let input: String
    }

    private(set) var commands: [Command] = []
    /// The requests to the gateway: method, path and body.
    private(set) var requests: [String] = []
    private(set) var endedCalls = 0
    /// Messages that the client sends during a call.
    var arrives: [UInt8] = []
    var hear: (() -> Heard)?
    /// True if the server hears it while a command runs.
    var hears = false
    private(set) var heard: Heard?
    private(set) var answers: [JSONValue] = []
    /// The output of commands, by their first words.
    var outputs: [String: CommandOutput] = [:]
    var answer = GatewayAnswer(address: "http://127.0.0.1:2197", status: 200, body: Array(#"{"messages":[]}"#.utf8))
    private var nextID = 0
    private let folders: [String]
    private lazy var connection: AssistantConnection = {
        guard let allowed = try? AllowedFolders(folders) else { preconditionFailure("no such folder: \(folders)") }
        let arrived = { [unowned self] in
            defer { arrives = [] }
            return arrives
        }
        return AssistantConnection(
            AssistantServer(Surroundings(self), folders: allowed, version: "1.2.3"), arrived: arrived
        ) { [unowned self] in answers.append(JSONValue(reading: $0) ?? .null) }
    }()

    init(folders: [String] = ["."]) { self.folders = folders }

    func run(_ arguments: [String], input: [UInt8]) throws(PlainError) -> CommandOutput {
        commands.append(Command(arguments: arguments, input: String(decoding: input, as: UTF8.self)))
        if hears { heard = hear?() }
        let line = arguments.joined(separator: " ")
        return outputs.first { line.hasPrefix($0.key) }?.value ?? CommandOutput(status: 0, output: [], errors: "")
    }

    func newStore() throws(PlainError) -> String { "/scratch/phone.db" }

    func request(
        _ method: String, _ path: String, body: [UInt8], seconds: Int
    ) throws(PlainError) -> GatewayAnswer {
        requests.append("\(method) \(path) \(String(decoding: body, as: UTF8.self))")
        if hears, seconds > 0 { heard = hear?() }
        return answer
    }

    func endCall() { endedCalls += 1 }

    // MARK: - Messages

    func send(bytes: [UInt8]) -> [JSONValue] {
        answers = []
        // Nothing is thrown where every answer can be written.
        try? connection.receive(bytes)
        return answers
    }

    func send(_ lines: String...) -> [JSONValue] { send(bytes: lines.flatMap { Array("\($0)\n".utf8) }) }

    /// Sends a request of the revision without sessions, and returns its answer.
    func request(_ method: String, _ members: String = "", revision: String = "2026-07-28") -> JSONValue {
        nextID += 1
        let meta = #"""
            "_meta":{"io.modelcontextprotocol/protocolVersion":"\#(revision)","io.modelcontextprotocol/clientCapabilities":{}}
            """#
        let params = members.isEmpty ? meta : "\(meta),\(members)"
        return send(#"{"jsonrpc":"2.0","id":\#(nextID),"method":"\#(method)","params":{\#(params)}}"#).first ?? .null
    }

    /// Calls a tool, and returns its result.
    func call(_ tool: String, _ arguments: String) -> JSONValue {
        request("tools/call", #""name":"\#(tool)","arguments":\#(arguments)"#)["result"] ?? .null
    }

    /// Begins a session as clients of older revisions do.
    func initialize(_ revision: String) -> JSONValue {
        send(
            #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(revision)","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
            #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
        ).first ?? .null
    }
}

/// Passes calls on to an assistant, which owns the server that owns this.
private final class Surroundings: AssistantSurroundings {
    private unowned let assistant: Assistant
    var hear: (() -> Heard)? {
        get { assistant.hear }
        set { assistant.hear = newValue }
    }

    init(_ assistant: Assistant) { self.assistant = assistant }

    func run(_ arguments: [String], input: [UInt8]) throws(PlainError) -> CommandOutput {
        try assistant.run(arguments, input: input)
    }

    func newStore() throws(PlainError) -> String { try assistant.newStore() }

    func request(
        _ method: String, _ path: String, body: [UInt8], seconds: Int
    ) throws(PlainError) -> GatewayAnswer {
        try assistant.request(method, path, body: body, seconds: seconds)
    }

    func endCall() { assistant.endCall() }
}

extension JSONValue {
    /// The text of the first block of a result.
    var firstText: String { self["content"]?.elements.first?["text"]?.string ?? "" }
    var isError: Bool { self["isError"]?.isTrue ?? false }
}
