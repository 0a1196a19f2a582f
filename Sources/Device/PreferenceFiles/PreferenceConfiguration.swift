package import AppSimulation
import PushFiles
import PushModel
import PushSystem
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
    /// - Throws: `PreferenceFileError`, with line and column for a mistake in the file.
    package static func read(_ path: String) throws(PreferenceFileError) -> PreferenceConfiguration {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileBytes.read(path, limit: FileBytes.maximumConfigurationBytes)
        } catch {
            let reason = FileBytes.message(for: error, limit: FileBytes.maximumConfigurationBytes)
            throw PreferenceFileError("\(FilePaths.shown(path)): \(reason)")
        }
        do throws(YAMLError) {
            return try PreferenceConfigurationReader().read(bytes)
        } catch {
            throw PreferenceFileError("\(FilePaths.shown(path))\(error.place): \(error.message)")
        }
    }
}

/// Parses the file and reports mistakes by line.
private struct PreferenceConfigurationReader {
    func read(_ bytes: [UInt8]) throws(YAMLError) -> PreferenceConfiguration {
        var configuration = PreferenceConfiguration()
        guard let root = try YAMLNode.read(bytes) else { return configuration }
        let sections = ["preferences", "taps", "posts", "removals"]
        for (section, value) in try root.members(of: "the configuration", allowed: sections) where !value.isEmpty {
            if section != "preferences" {
                let nodes = try value.list(of: section)
                switch section {
                case "taps": configuration.taps = TapRoutes(try map(nodes, route))
                case "posts": configuration.messages.posts = try map(nodes, post)
                default: configuration.messages.removals = try map(nodes, removal)
                }
                continue
            }
            for (key, value) in try value.members(of: section, allowed: ["types", "mapping", "site", "languages"]) {
                switch key {
                case "types": configuration.table = NotificationTypeTable(try map(try value.list(of: key), row))
                case "mapping": configuration.mapping = PreferenceMapping(try map(try value.list(of: key), rule))
                case "site": configuration.sites.pattern = try plain(value, key)
                default:
                    for (language, name) in try value.pairs(of: key) {
                        configuration.sites.languages[try plain(language, "a language")] = try plain(name, "its name")
                    }
                }
            }
        }
        return configuration
    }

    private func map<Result>(
        _ nodes: [YAMLNode], _ transform: (YAMLNode) throws(YAMLError) -> Result
    ) throws(YAMLError) -> [Result] {
        var results: [Result] = []
        for node in nodes { results.append(try transform(node)) }
        return results
    }

    /// `- sport`, or `- {name: sport, title: Sport}`.
    private func row(_ node: YAMLNode) throws(YAMLError) -> NotificationTypeTable.Row {
        guard node.isMapping else { return NotificationTypeTable.Row(try type(node).name) }
        var name: String?
        var title: String?
        for (key, value) in try node.members(of: "a type", allowed: ["name", "title"]) {
            if key == "name" { name = try type(value).name } else { title = try plain(value, "title") }
        }
        guard let name else { throw node.wrong("a type needs a name") }
        return NotificationTypeTable.Row(name, title: title)
    }

    /// `- {at: category, like: TALK_*, type: edit-user-talk}`. Without `like` everything matches; without `type` the value is the type.
    private func rule(_ node: YAMLNode) throws(YAMLError) -> PreferenceMapping.Rule {
        var place: PreferenceMapping.Place?
        var pattern: String?
        var type: NotificationType?
        for (key, value) in try node.members(of: "a rule", allowed: ["at", "like", "type"]) {
            switch key {
            case "at": place = try self.place(value)
            case "like": pattern = try plain(value, key)
            default: type = try self.type(value)
            }
        }
        guard let place else { throw node.wrong("a rule needs a place: at") }
        return PreferenceMapping.Rule(at: place, like: pattern, type: type)
    }

    /// `- {at: /url, like: https://example.org/*, screen: article}`, with `action`, `kind` and `modal` if need be. Without
    /// `at` every notification matches; without `screen` the value is the name of the screen.
    private func route(_ node: YAMLNode) throws(YAMLError) -> TapRoutes.Rule {
        var rule = TapRoutes.Rule(at: nil, opens: AppScreen(""))
        for (key, value) in try node.members(
            of: "a rule for taps", allowed: ["at", "like", "action", "screen", "kind", "modal"])
        {
            switch key {
            case "at": rule.place = try place(value)
            case "like": rule.pattern = try plain(value, key)
            case "action": rule.action = try plain(value, key)
            case "screen": rule.screen.name = try plain(value, key)
            case "kind":
                guard let kind = DeviceEvent.ScreenKind(rawValue: try plain(value, key)) else {
                    let names = DeviceEvent.ScreenKind.allCases.map(\.rawValue).joined(separator: ", ")
                    throw value.wrong("kind is one of \(names)")
                }
                rule.screen.kind = AppScreen.Kind(kind)
            default:
                rule.screen.isModal = try flag(value, key)
            }
        }
        if let mistake = rule.mistake { throw node.wrong(mistake) }
        return rule
    }

    private static let condition = ["at", "like", "notifications", "web"]

    /// `- {at: /data/type, like: chat, title: "{/data/sender} wrote", body: /data/text, tag: /data/chat, channel: chats}`, with `notifications`
    /// if need be. Without `at` every message matches.
    private func post(_ node: YAMLNode) throws(YAMLError) -> MessageRules.Post {
        var rule = MessageRules.Post()
        let allowed = Self.condition + ["title", "body", "tag", "channel"]
        for (key, value) in try node.members(of: "a rule for posts", allowed: allowed) {
            switch key {
            case "title", "body", "tag", "channel":
                // Nothing, or null, is a member that is not there.
                if value.isEmpty { continue }
                let text = try text(value, key)
                switch key {
                case "title": rule.title = text
                case "body": rule.body = text
                case "tag": rule.tag = text
                default: rule.channel = text
                }
            default: try set(&rule.condition, key, value)
            }
        }
        if let mistake = rule.mistake { throw node.wrong(mistake) }
        return rule
    }

    /// `- {identifiers: /data/read}`, with `at`, `like` and `notifications` as for posts.
    private func removal(_ node: YAMLNode) throws(YAMLError) -> MessageRules.Removal {
        var rule = MessageRules.Removal()
        for (key, value) in try node.members(of: "a rule for removals", allowed: Self.condition + ["identifiers"]) {
            if key == "identifiers" {
                rule.identifiers = value.isEmpty ? nil : try text(value, key)
            } else {
                try set(&rule.condition, key, value)
            }
        }
        if let mistake = rule.mistake { throw node.wrong(mistake) }
        return rule
    }

    private func set(
        _ condition: inout MessageRules.Condition, _ key: String, _ value: YAMLNode
    ) throws(YAMLError) {
        switch key {
        case "at": condition.place = try place(value)
        case "like": condition.pattern = try plain(value, key)
        case "web": condition.includesWeb = try flag(value, key)
        default: condition.includesNotifications = try flag(value, key)
        }
    }

    private func text(_ node: YAMLNode, _ name: String) throws(YAMLError) -> MessageText {
        guard let text = MessageText(try plain(node, name)) else {
            throw node.wrong(
                "\(name) is a text, which may have JSON Pointers in braces such as {/data/title}, or a JSON Pointer")
        }
        return text
    }

    private func flag(_ node: YAMLNode, _ name: String) throws(YAMLError) -> Bool {
        guard let flag = ["true": true, "false": false][try plain(node, name)] else {
            throw node.wrong("\(name) is true or false")
        }
        return flag
    }

    private func place(_ node: YAMLNode) throws(YAMLError) -> PreferenceMapping.Place {
        guard let place = PreferenceMapping.Place(try plain(node, "at")) else {
            let names = PreferenceMapping.Place.names.joined(separator: ", ")
            throw node.wrong("at is one of \(names), or a JSON Pointer such as /data/type")
        }
        return place
    }

    private func plain(_ node: YAMLNode, _ name: String) throws(YAMLError) -> String {
        guard let found = node.text else { throw node.wrong("\(name) is a text") }
        return found
    }

    private func type(_ node: YAMLNode) throws(YAMLError) -> NotificationType {
        let name = try plain(node, "a type")
        if name.isEmpty { throw node.wrong("a type needs a name") }
        return NotificationType(name)
    }
}
