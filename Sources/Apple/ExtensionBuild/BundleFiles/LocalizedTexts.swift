import FoundationEssentials

/// Localized texts by key, from a `.strings` table or a JSON object.
package enum LocalizedTexts {
    package static func read(_ bytes: [UInt8], path: String) throws(ExtensionBuildError) -> [String: String] {
        let bytes = StringsText.normalized(bytes)
        if let object = try? JSONDecoder().decode([String: String].self, from: Data(bytes)) { return object }
        do {
            return try PropertyListReader.read([String: String].self, from: bytes)
        } catch {
            throw ExtensionBuildError(
                (error as? ExtensionBuildError).map { "\(path): \($0.message)" }
                    ?? "\(path): not a table of texts; use .strings, .xcstrings or a JSON object of strings")
        }
    }
}
