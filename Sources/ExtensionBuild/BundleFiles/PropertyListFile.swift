import FileAccess
import FoundationEssentials

/// A property list in a file: a dictionary, as every one is that an extension has.
package struct PropertyListFile: Equatable {
    package var members: [String: PropertyListValue] = [:]

    package init() {}

    /// - Parameter path: as messages name it.
    package init(_ bytes: [UInt8], path: String) throws(ExtensionBuildError) {
        do {
            try PropertyListDepth.check(bytes)
            let decoder = PropertyListDecoder()
            PropertyListBudget.give(bytes.count, to: decoder)
            members = try decoder.decode([String: PropertyListValue].self, from: Data(bytes))
        } catch {
            throw ExtensionBuildError(
                (error as? ExtensionBuildError).map { "\(path): \($0.message)" }
                    ?? "\(path): no property list with a dictionary at its top")
        }
    }

    init(contentsOf path: String) throws(ExtensionBuildError) {
        try self.init(FileTree.read(path), path: FilePaths.shown(path))
    }

    /// Fills in the build settings that it refers to.
    package mutating func expand(_ settings: inout BuildSettings) {
        members = PropertyListValue.mapTexts(of: members) { settings.expand($0) }
    }

    /// As XML, names in order.
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
