import PushDecoding
import PushFiles
import PushModel
package import PushSystem
import PushText
import PushYAML

/// The file of `--config`, in YAML or JSON: settings of the services of two organizations, Moodle's Airnotifier and Wikimedia's push service.
package struct GatewayFile: Sendable, Equatable {
    /// The file with the apps, access keys and blocked addresses; nil to take every app and key.
    package var airnotifierPath: String?
    /// True if tokens are maintained as planned for Moodle's notification server.
    package var maintainsTokens = false
    /// The longest time for which messages are kept before they are sent, in milliseconds; nil for none.
    package var flushDelay: Int64?
    /// The file of permissions and switches; nil for none.
    package var preferencesPath: String?
    /// The file of rules that give a push its notification type; nil for none.
    package var mappingPath: String?

    package init() {}

    /// 24 hours.
    package static let longestFlushDelay: Int64 = 86_400_000

    // MARK: - Keys

    private enum Value {
        case file(WritableKeyPath<GatewayFile, String?>)
        case flag(WritableKeyPath<GatewayFile, Bool>)
        case time(WritableKeyPath<GatewayFile, Int64?>, most: Int64)

        var schema: String {
            switch self {
            case .file: #""type":["string","null"],"minLength":1"#
            case .flag: #""type":["boolean","null"]"#
            case .time: #""type":["string","null"],"pattern":"^[0-9.]+(ms|s|m|h|d|w)""#
            }
        }
    }

    private struct Key {
        let name: String
        let value: Value
        let meaning: String
    }

    private struct Section {
        let name: String
        let meaning: String
        let keys: [Key]
    }

    private static var sections: [Section] {
        [
            Section(
                name: "airnotifier", meaning: "Moodle's gateway.",
                keys: [
                    Key(
                        name: "apps", value: .file(\.airnotifierPath),
                        meaning: "Apps, access keys and blocked addresses, in JSON; any without it."),
                    Key(
                        name: "token-life-cycle", value: .flag(\.maintainsTokens),
                        meaning:
                            "Maintain tokens as planned for Moodle's notification server: sweep unconfirmed tokens every hour; disable a dead token, notify its owner once, and delete it after 30 days."
                    ),
                ]),
            Section(
                name: "wikimedia", meaning: "Wikimedia's push service.",
                keys: [
                    Key(
                        name: "flush-delay", value: .time(\.flushDelay, most: longestFlushDelay),
                        meaning: "Delay sending by a random time up to this, such as 30s or 5m; at most a day."),
                    Key(
                        name: "preferences", value: .file(\.preferencesPath),
                        meaning: "Apply the permissions and switches in this file, as written by pushpipe preferences."),
                    Key(
                        name: "mapping", value: .file(\.mappingPath),
                        meaning: "Rules that give each push its notification type; see pushpipe preferences --mapping."),
                ]),
        ]
    }

    // MARK: - Reading

    /// - Throws: `PlainError`, which names the file, line and column, and says what is allowed.
    package init(path: String) throws(PlainError) {
        let bytes = try FileBytes.readConfiguration(path)
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        do throws(PlainError) { try self.init(yaml: bytes, folder: folder) } catch { throw error.located(in: path) }
    }

    /// - Parameter folder: what the names of files are relative to, with a slash at the end; empty for the working directory.
    package init(yaml: [UInt8], folder: String = "") throws(PlainError) {
        guard let root = try YAMLNode.read(yaml) else { return }
        let sections = Self.sections
        for (name, node) in try root.pairs(of: "the configuration") {
            let section = sections[try Self.place(of: name, in: "the configuration", among: sections.map(\.name))]
            for (name, node) in try node.pairs(of: section.name) {
                let key = section.keys[try Self.place(of: name, in: section.name, among: section.keys.map(\.name))]
                if !node.isEmpty { try set(key, node, folder) }
            }
        }
    }

    /// The key that it is.
    private static func place(of key: YAMLNode, in mapping: String, among keys: [String]) throws(PlainError) -> Int {
        let typed = key.text ?? ""
        if let place = keys.firstIndex(of: typed) { return place }
        let advice =
            NameSuggestion.nearest(to: typed, among: keys).map { "did you mean \($0)?" }
            ?? "the keys allowed are \(keys.joined(separator: ", "))"
        throw key.wrong("\(mapping) has no key '\(TerminalText.clean(typed))'; \(advice)")
    }

    private mutating func set(_ key: Key, _ node: YAMLNode, _ folder: String) throws(PlainError) {
        switch key.value {
        case .file(let path):
            guard let name = node.text, !name.isEmpty else { throw node.wrong("\(key.name) takes the name of a file") }
            self[keyPath: path] = name.hasPrefix("/") ? name : folder + name
        case .flag(let path):
            guard let flag = node.text.flatMap({ Bool($0) }) else { throw node.wrong("\(key.name) is true or false") }
            self[keyPath: path] = flag
        case .time(let path, let most):
            guard let time = node.text.flatMap(EventTime.duration), time <= most else {
                throw node.wrong("\(key.name) takes a time of at most a day, such as 30s or 5m")
            }
            self[keyPath: path] = time
        }
    }

    // MARK: - Schema

    /// A JSON Schema (draft 2020-12) of the file, for editors.
    package static var schema: String {
        let properties = sections.map { section in
            let keys = section.keys.map { #""\#($0.name)":{"description":"\#($0.meaning)",\#($0.value.schema)}"# }
            return """
                "\(section.name)":{"description":"\(section.meaning)","type":["object","null"],"properties":{
                \(keys.joined(separator: ",\n"))},
                "additionalProperties":false}
                """
        }
        return """
            {"$schema":"https://json-schema.org/draft/2020-12/schema",
            "title":"The configuration of pushpipe serve",
            "type":["object","null"],
            "properties":{
            \(properties.joined(separator: ",\n"))},
            "additionalProperties":false}

            """
    }
}
