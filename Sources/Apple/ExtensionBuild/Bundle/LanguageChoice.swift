/// Chooses the best of a bundle's languages for the one that is asked for.
///
/// Foundation on Linux reads only the folder that `CFBundleDevelopmentRegion` names exactly, whatever the environment or preferences say.
/// So the choice that a device makes has to be made beforehand.
enum LanguageChoice {
    private static let scripts = ["cn": "hans", "sg": "hans", "tw": "hant", "hk": "hant", "mo": "hant"]

    /// - Parameters:
    ///   - wanted: such as `de`, `pt-BR`, `zh_CN`.
    ///   - languages: names of `.lproj` folders.
    /// - Returns: one of them: the same, a more general one, or another variant of the language; nil if there is none.
    static func best(for wanted: String, among languages: Set<String>) -> String? {
        let ordered = languages.sorted()
        let parts = split(wanted)
        guard let first = parts.first else { return nil }
        var spellings = (1...parts.count).reversed().map { Array(parts.prefix($0)) }
        if first == "zh", let region = parts.last, let script = scripts[region] {
            spellings.insert(["zh", script], at: 1)
        }
        for spelling in spellings {
            if let found = ordered.first(where: { split($0) == spelling }) { return found }
        }
        return ordered.first { split($0).first == first }
    }

    private static func split(_ language: String) -> [String] {
        language.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).map(String.init)
    }
}
