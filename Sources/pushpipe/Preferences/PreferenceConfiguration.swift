import AppSimulation
import PushPipeline
import WikimediaSettings
import Yams

/// An app's types of notifications, and the rules by which a push is of one.
struct PreferenceConfiguration {
    var table = NotificationTypeTable.wikimedia
    var mapping = PreferenceMapping([])

    /// Reads a file.
    ///
    /// - Throws: `Failure.trouble`.
    static func read(_ path: String) throws -> PreferenceConfiguration {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileBytes.read(path)
        } catch {
            throw Failure.trouble("\(FilePaths.shown(path)): \(error)")
        }
        return try PreferenceConfigurationReader(path: FilePaths.shown(path)).read(bytes)
    }
}

/// Reads such a file, and says by line what is wrong with it.
struct PreferenceConfigurationReader: YAMLReading {
    let path: String

    func read(_ bytes: [UInt8]) throws -> PreferenceConfiguration {
        var configuration = PreferenceConfiguration()
        guard let root = try compose(bytes), !isEmpty(root) else { return configuration }
        for (key, value) in try members(root, of: "the configuration", allowed: ["preferences"])
        where key == "preferences" {
            if isEmpty(value) { continue }
            for (key, value) in try members(value, of: "preferences", allowed: ["types", "mapping"]) {
                if key == "types" {
                    configuration.table = NotificationTypeTable(try list(value, of: key).map(row))
                } else {
                    configuration.mapping = PreferenceMapping(try list(value, of: key).map(rule))
                }
            }
        }
        return configuration
    }

    /// `- sport`, or `- {name: sport, title: Sport}`.
    private func row(_ node: Node) throws -> NotificationTypeTable.Row {
        guard node.mapping != nil else { return NotificationTypeTable.Row(try type(node).name) }
        var name: String?
        var title: String?
        for (key, value) in try members(node, of: "a type", allowed: ["name", "title"]) {
            if key == "name" { name = try type(value).name } else { title = try plain(value, "title") }
        }
        guard let name else { throw wrong("a type needs a name", at: node.mark) }
        return NotificationTypeTable.Row(name, title: title)
    }

    /// `- {at: category, like: TALK_*, type: edit-user-talk}`; without `like` anything fits, without `type` what is there is the type.
    private func rule(_ node: Node) throws -> PreferenceMapping.Rule {
        var place: PreferenceMapping.Place?
        var pattern: String?
        var type: NotificationType?
        for (key, value) in try members(node, of: "a rule", allowed: ["at", "like", "type"]) {
            switch key {
            case "at":
                place = PreferenceMapping.Place(try plain(value, key))
                guard place != nil else {
                    let names = PreferenceMapping.Place.names.joined(separator: ", ")
                    throw wrong("at is one of \(names), or a JSON Pointer such as /data/type", at: value.mark)
                }
            case "like": pattern = try plain(value, key)
            default: type = try self.type(value)
            }
        }
        guard let place else { throw wrong("a rule needs a place: at", at: node.mark) }
        return PreferenceMapping.Rule(at: place, like: pattern, type: type)
    }

    private func plain(_ node: Node, _ name: String) throws -> String {
        guard let found = text(node) else { throw wrong("\(name) is a text", at: node.mark) }
        return found
    }

    private func type(_ node: Node) throws -> NotificationType {
        let type = NotificationType(try plain(node, "a type"))
        // An option that no request can name cannot be switched.
        guard !type.name.isEmpty, OptionsRequest.Change(type, isOn: true) != nil else {
            throw wrong("a type is a name, without '='", at: node.mark)
        }
        return type
    }
}
