import Foundation
import PushJSON
import PushLint
import PushLintConfiguration
import PushRPC
import Testing

@testable import PushLanguageServer

/// A session of an editor with the server, in process.
final class Session {
    private var connection = ServerConnection(LanguageServer(reader: LintConfiguration.init(yaml:path:directory:)))
    private var nextID = 0

    var exitStatus: Int32? { connection.exitStatus }

    /// - Parameter capabilities: of the client, as JSON.
    init(_ capabilities: String? = "{}") {
        guard let capabilities else { return }
        _ = request("initialize", #"{"processId":null,"rootUri":null,"capabilities":\#(capabilities)}"#)
        _ = notify("initialized", "{}")
    }

    /// Sends contents, each in a frame of its own but all at once, and returns the answers.
    func send(_ contents: String..., hasMore: Bool = false) -> [JSONValue] {
        send(bytes: contents.flatMap { MessageFramer.framed(Array($0.utf8)) }, hasMore: hasMore)
    }

    func send(bytes: [UInt8], hasMore: Bool = false) -> [JSONValue] {
        var framer = MessageFramer()
        framer.append(connection.receive(bytes, hasMore: hasMore))
        var messages: [JSONValue] = []
        while case .content(let content) = framer.next() { messages.append(JSONValue(reading: content) ?? .null) }
        return messages
    }

    @discardableResult
    func notify(_ method: String, _ params: String) -> [JSONValue] {
        send(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#)
    }

    /// Sends a request, and returns its answer.
    func request(_ method: String, _ params: String = "null") -> JSONValue {
        nextID += 1
        let id = nextID
        let answers = send(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#)
        return answers.first { $0["id"] == .integer(Int64(id)) } ?? .null
    }

    // MARK: - Documents

    static func json(_ text: String) -> String { String(decoding: JSONValue.string(text).text, as: UTF8.self) }

    /// Opens a document, and returns its published diagnostics.
    func open(_ text: String, uri: String = "file:///work/push.apns", language: String = "json") -> [JSONValue] {
        diagnostics(
            notify(
                "textDocument/didOpen",
                #"{"textDocument":{"uri":"\#(uri)","languageId":"\#(language)","version":1,"text":\#(Self.json(text))}}"#
            ))
    }

    func change(_ changes: String, uri: String = "file:///work/push.apns", version: Int = 2) -> [JSONValue] {
        diagnostics(
            notify(
                "textDocument/didChange",
                #"{"textDocument":{"uri":"\#(uri)","version":\#(version)},"contentChanges":[\#(changes)]}"#))
    }

    func diagnostics(_ messages: [JSONValue]) -> [JSONValue] {
        messages.last { $0["method"] == "textDocument/publishDiagnostics" }?[["params", "diagnostics"]]?.elements ?? []
    }

    static func range(_ line: Int, _ start: Int, _ end: Int) -> String {
        #"{"start":{"line":\#(line),"character":\#(start)},"end":{"line":\#(line),"character":\#(end)}}"#
    }
}

extension JSONValue {
    var code: String? { self["code"]?.string }

    init(json: String) throws { self = try #require(JSONValue(reading: Array(json.utf8))) }
}

enum Text {
    static let good = #"{"aps":{"alert":"Hi"}}"#
    static let misspelled = #"{"aps":{"alert":"Hi","mutable_content":1}}"#
}
