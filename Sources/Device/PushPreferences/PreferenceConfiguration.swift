package import AppSimulation
import PushFiles
package import PushSystem
import PushYAML

/// An app's notification types, where it stores which are on, the rules that map a push to a type, where taps lead, and what the app does
/// with messages.
package struct PreferenceConfiguration {
    package fileprivate(set) var table = NotificationTypeTable([])
    package fileprivate(set) var sites = SettingsSites()
    package fileprivate(set) var mapping = PreferenceMapping([])
    /// Nil when the file says nothing about taps.
    package fileprivate(set) var taps: TapRoutes?
    package fileprivate(set) var messages = MessageRules()

    /// Reads a YAML file.
    ///
    /// - Throws: `PlainError`, with line and column for a mistake in the file.
    package static func read(_ path: String) throws(PlainError) -> PreferenceConfiguration {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileBytes.read(path, limit: FileBytes.maximumConfigurationBytes)
        } catch {
            let reason = FileBytes.message(for: error, limit: FileBytes.maximumConfigurationBytes)
            throw PlainError("\(FilePaths.shown(path)): \(reason)")
        }
        do throws(PlainError) {
            return try PreferenceConfigurationReader().read(bytes)
        } catch {
            throw error.located(in: FilePaths.shown(path))
        }
    }
}

/// Parses the file and reports mistakes by line.
private struct PreferenceConfigurationReader {
    func read(_ bytes: [UInt8]) throws(PlainError) -> PreferenceConfiguration {
        var configuration = PreferenceConfiguration()
        guard let root = try YAMLNode.read(bytes) else { return configuration }
        let sections = ["preferences", "taps", "posts", "removals"]
        for (section, value) in try root.members(of: "the configuration", allowed: sections) where !value.isEmpty {
            switch section {
            case "taps": configuration.taps = TapRoutes(try rules(value, "taps"))
            case "posts": configuration.messages.posts = try rules(value, "posts")
            case "removals": configuration.messages.removals = try rules(value, "removals")
            default: try read(value, into: &configuration)
            }
        }
        return configuration
    }

    private func read(_ preferences: YAMLNode, into configuration: inout PreferenceConfiguration) throws(PlainError) {
        let keys = ["types", "mapping", "site", "languages"]
        for (key, value) in try preferences.members(of: "preferences", allowed: keys) {
            switch key {
            case "types": configuration.table = NotificationTypeTable(try map(try value.list(of: key), row))
            case "mapping": configuration.mapping = PreferenceMapping(try rules(value, "mapping"))
            case "site": configuration.sites.pattern = try plain(value, key)
            default:
                for (language, name) in try value.pairs(of: key) {
                    configuration.sites.languages[try plain(language, "a language")] = try plain(name, "its name")
                }
            }
        }
    }

    private func map<Result>(
        _ nodes: [YAMLNode], _ transform: (YAMLNode) throws(PlainError) -> Result
    ) throws(PlainError) -> [Result] {
        var results: [Result] = []
        for node in nodes { results.append(try transform(node)) }
        return results
    }

    /// `- sport`, or `- {name: sport, title: Sport}`.
    private func row(_ node: YAMLNode) throws(PlainError) -> NotificationTypeTable.Row {
        guard node.isMapping else { return NotificationTypeTable.Row(try type(node).name) }
        var name: String?
        var title: String?
        for (key, value) in try node.members(of: "a type", allowed: ["name", "title"]) {
            if key == "name" { name = try type(value).name } else { title = try plain(value, "title") }
        }
        guard let name else { throw node.wrong("a type needs a name") }
        return NotificationTypeTable.Row(name, title: title)
    }

    private func rules<Rule: AppRule>(_ list: YAMLNode, _ name: String) throws(PlainError) -> [Rule] {
        try map(try list.list(of: name), rule)
    }

    private func rule<Rule: AppRule>(_ node: YAMLNode) throws(PlainError) -> Rule {
        var rule = Rule()
        // Nothing, or null, is a member that is not there.
        for (key, value) in try node.members(of: "a rule", allowed: Rule.members) where !value.isEmpty {
            let text = try plain(value, key)
            do throws(PlainError) { try rule.set(key, text) } catch { throw value.wrong(error.message) }
        }
        if let mistake = rule.mistake { throw node.wrong(mistake) }
        return rule
    }

    private func plain(_ node: YAMLNode, _ name: String) throws(PlainError) -> String {
        guard let found = node.text else { throw node.wrong("\(name) is a text") }
        return found
    }

    private func type(_ node: YAMLNode) throws(PlainError) -> NotificationType {
        let name = try plain(node, "a type")
        if name.isEmpty { throw node.wrong("a type needs a name") }
        return NotificationType(name)
    }
}
