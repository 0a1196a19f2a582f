import FoundationEssentials
import PushFiles

/// A property list file with a dictionary at its top, as all property lists of an extension are.
package struct PropertyListFile: Equatable {
    package var members: [String: PropertyListValue] = [:]

    package init() {}

    package init(_ bytes: [UInt8], path: String) throws(ExtensionBuildError) {
        do {
            members = try PropertyListReader.read([String: PropertyListValue].self, from: bytes)
        } catch {
            throw ExtensionBuildError(
                (error as? ExtensionBuildError).map { "\(path): \($0.message)" }
                    ?? "\(path): not a property list with a dictionary at its top")
        }
    }

    init(contentsOf path: String) throws(ExtensionBuildError) {
        try self.init(FileTree.read(path), path: FilePaths.shown(path))
    }

    /// Fills in references to build settings.
    package mutating func expand(_ settings: inout BuildSettings) {
        members = PropertyListValue.mapTexts(of: members) { settings.expand($0) }
    }

    /// As XML, with sorted names.
    package func encoded() throws(ExtensionBuildError) -> [UInt8] {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        do {
            return Array(try encoder.encode(members))
        } catch {
            throw ExtensionBuildError("a property list cannot be written: \(error)")
        }
    }
}
