import FoundationEssentials
import PushFiles

/// An app group's identifier, and a file with the defaults that it begins with.
package enum AppGroupSeed {
    /// - Parameter text: `GROUP=FILE`; the file is a property list or JSON, with a dictionary at its top.
    /// - Returns: the identifier, and the defaults as a property list.
    package static func read(_ text: String) throws(ExtensionBuildError) -> (group: String, defaults: [UInt8]) {
        guard let equals = text.firstIndex(of: "=") else {
            throw ExtensionBuildError("takes GROUP=FILE, not '\(text)'.", of: "app group")
        }
        let group = String(text[..<equals])
        let path = String(text[text.index(after: equals)...])
        guard !group.isEmpty, !group.hasPrefix("."), !group.contains("/"), !group.contains("\0") else {
            throw ExtensionBuildError("takes the identifier of an app group, not '\(group)'.", of: "app group")
        }
        let bytes = try FileTree.read(path)
        if bytes.first(where: { $0 > UInt8(ascii: " ") }) == UInt8(ascii: "{") {
            do {
                let members = try JSONDecoder().decode([String: PropertyListValue].self, from: Data(bytes))
                var file = PropertyListFile()
                file.members = members
                return (group, try file.encoded())
            } catch let error as ExtensionBuildError {
                throw ExtensionBuildError("\(FilePaths.shown(path)): \(error.message)")
            } catch {
                throw ExtensionBuildError(
                    "\(FilePaths.shown(path)): not a JSON object of values that a property list can have")
            }
        }
        return (group, try PropertyListFile(bytes, path: FilePaths.shown(path)).encoded())
    }
}
