import FoundationEssentials

/// Localised texts by their keys, as in a table (`.strings`) or a JSON object.
package enum LocalizedTexts {
    /// - Parameter path: as messages name it.
    package static func read(_ bytes: [UInt8], path: String) throws(ExtensionBuildError) -> [String: String] {
        let bytes = StringsText.normalized(bytes)
        if let object = try? JSONDecoder().decode([String: String].self, from: Data(bytes)) { return object }
        do throws(ExtensionBuildError) { try PropertyListDepth.check(bytes) } catch {
            throw ExtensionBuildError("\(path): \(error.message)")
        }
        if let table = try? PropertyListDecoder().decode([String: String].self, from: Data(bytes)) { return table }
        throw ExtensionBuildError(
            "\(path): no table of texts: .strings, .xcstrings and JSON objects of texts are")
    }
}
