import Foundation
import TestSupport
import Testing

// MARK: - Places

/// Paths to the package and the built command.
enum Place {
    /// The root of the package.
    static let package = packageFolder
    static let samples = package.appendingPathComponent("Samples")

    /// The command under test: the one that `PUSHPIPE_COMMAND` names, or else the one that was built beside the tests. Either is in a
    /// file called `pushpipe`.
    static func executable() throws -> URL {
        if let path = ProcessInfo.processInfo.environment["PUSHPIPE_COMMAND"] { return URL(fileURLWithPath: path) }
        var folders = Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        if let path = CommandLine.arguments.first {
            folders.append(URL(fileURLWithPath: path).deletingLastPathComponent())
        }
        folders += ["debug", "release"].map { package.appendingPathComponent(".build").appendingPathComponent($0) }
        let candidates = folders.map { $0.appendingPathComponent("pushpipe") }
        return try #require(
            candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) && !$0.hasDirectoryPath },
            "no pushpipe in \(folders.map(\.path))")
    }
}

typealias Folder = TestFolder

extension TestFolder {
    func bytes(_ name: String) throws -> Data { try Data(contentsOf: url.appendingPathComponent(name)) }
}

// MARK: - Running

/// Exit status and output of a command.
struct Output {
    var stdout: Data
    var stderr: String
    var status: Int32

    var text: String { String(decoding: stdout, as: UTF8.self) }
    var lines: [String] { stdout.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) } }

    /// The lines of standard output as JSON.
    func json() throws -> [JSONValue] {
        try stdout.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(JSONValue.self, from: Data($0)) }
    }

    /// One member of each line.
    func values(_ key: String) throws -> [JSONValue?] { try json().map { $0[key] } }

    func outcomes() throws -> [String] { try json().map { $0["outcome"]?.string ?? "" } }
}

/// Limits how many child processes the tests run at once, because Swift Testing starts many tests at once on a machine of many cores.
private let childProcesses = DispatchSemaphore(value: min(8, max(2, ProcessInfo.processInfo.activeProcessorCount)))

extension Folder {
    /// Runs the built command in this folder. Standard input, output and error are files, so no pipe can block it.
    func pushpipe(
        _ arguments: String..., stdin: some Collection<UInt8> = [], environment: [String: String] = [:]
    ) throws -> Output {
        try run(Place.executable().path, arguments, stdin: stdin, environment: environment)
    }

    func pushpipe(_ arguments: String..., stdin: String, environment: [String: String] = [:]) throws -> Output {
        try run(Place.executable().path, arguments, stdin: Array(stdin.utf8), environment: environment)
    }

    func pushpipe(
        arguments: [String], stdin: some Collection<UInt8> = [], environment: [String: String] = [:]
    ) throws -> Output {
        try run(Place.executable().path, arguments, stdin: stdin, environment: environment)
    }

    // swift-corelibs-foundation waits until every process has closed the socket that it inherits, and a program in the background would
    // keep that open.
    private static let closeInherited =
        "for n in /dev/fd/*; do n=${n##*/}; ((n > 2)) && eval \"exec $n>&-\"; done\n"

    /// Runs a line of shell in this folder, where `pushpipe` is the built command.
    func shell(_ line: String, stdin: some Collection<UInt8> = []) throws -> Output {
        try run("/usr/bin/env", ["bash", "-c", Self.closeInherited + line], stdin: stdin)
    }

    /// A shell starts what is in the background with two of these signals ignored, and nohup ignores the third; the command would inherit
    /// that.
    private static let restoresSignals: Void = {
        for number in [SIGINT, SIGQUIT, SIGHUP] { signal(number, SIG_DFL) }
    }()

    /// True if the language that the environment names is installed: a shell starts without a warning.
    private static let hasLocale: Bool = {
        let shell = Process()
        let errors = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        shell.arguments = ["bash", "-c", ":"]
        shell.standardError = errors
        guard (try? shell.run()) != nil else { return true }
        shell.waitUntilExit()
        return (try? errors.fileHandleForReading.readToEnd())?.isEmpty ?? true
    }()

    /// A process that will run in this folder, where `pushpipe` is the built command. It is not started.
    func process(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws -> Process {
        Self.restoresSignals
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = url
        var variables = ProcessInfo.processInfo.environment
        for name in ["PUSHPIPE_STORE", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            variables[name] = nil
        }
        // Otherwise shells would say on standard error that it is not installed.
        if !Self.hasLocale { variables["LC_ALL"] = "C" }
        variables["PATH"] =
            try Place.executable().deletingLastPathComponent().path + ":" + (variables["PATH"] ?? "/usr/bin:/bin")
        variables.merge(environment) { $1 }
        process.environment = variables
        return process
    }

    /// Runs a program in this folder.
    func run(
        _ path: String, _ arguments: [String], stdin: some Collection<UInt8> = [], environment: [String: String] = [:]
    ) throws -> Output {
        let id = UUID().uuidString
        let names = ["in", "out", "err"].map { "\(id).\($0)" }
        try write(stdin, to: names[0])
        for name in names[1...] { try write("", to: name) }
        let process = try process(path, arguments, environment: environment)
        let input = try FileHandle(forReadingFrom: url.appendingPathComponent(names[0]))
        let output = try FileHandle(forWritingTo: url.appendingPathComponent(names[1]))
        let error = try FileHandle(forWritingTo: url.appendingPathComponent(names[2]))
        process.standardInput = input
        process.standardOutput = output
        process.standardError = error
        childProcesses.wait()
        defer { childProcesses.signal() }
        try process.run()
        process.waitUntilExit()
        for handle in [input, output, error] { try handle.close() }
        let result = Output(
            stdout: try Data(contentsOf: url.appendingPathComponent(names[1])), stderr: try read(names[2]),
            status: process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus)
        for name in names { try FileManager.default.removeItem(at: url.appendingPathComponent(name)) }
        return result
    }
}

// MARK: - JSON

/// A JSON value with Swift's equality.
enum JSONValue: Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else if let value = try? container.decode([String: JSONValue].self) {
            self = .object(value)
        } else {
            // A number that no double holds, or half of a surrogate pair.
            self = .null
        }
    }

    subscript(_ key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var members: [String: JSONValue] {
        if case .object(let members) = self { members } else { [:] }
    }

    var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }
}

// MARK: - Inputs

/// An APNs request as a line.
func apns(_ body: String, device: String = "ab54", collapse: String? = nil) -> String {
    let header = collapse.map { #","apns-collapse-id":"\#($0)""# } ?? ""
    return
        #"{"device":"\#(device)","headers":{"apns-topic":"org.example.news"\#(header)},"#
        + #""payload":{"aps":{"alert":{"body":"\#(body)"}}}}"#
        + "\n"
}
