import FoundationEssentials

/// Localized texts by key, from a `.strings` table or a JSON object.
package enum LocalizedTexts {
    /// - Parameter path: for messages.
    package static func read(_ bytes: [UInt8], path: String) throws(ExtensionBuildError) -> [String: String] {
        let bytes = StringsText.normalized(bytes)
        if let object = try? JSONDecoder().decode([String: String].self, from: Data(bytes)) { return object }
        do throws(ExtensionBuildError) { try PropertyListDepth.check(bytes) } catch {
            throw ExtensionBuildError("\(path): \(error.message)")
        }
        if let table = try? PropertyListDecoder().decode([String: String].self, from: Data(bytes)) { return table }
        throw ExtensionBuildError(
            "\(path): not a table of texts; use .strings, .xcstrings or a JSON object of strings")
    }
}
