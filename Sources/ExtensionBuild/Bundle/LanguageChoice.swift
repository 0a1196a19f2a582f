/// Which of a bundle's languages serves somebody who asks for one.
///
/// Foundation on Linux looks nowhere but in the folder that `CFBundleDevelopmentRegion` names, letter by letter: neither the
/// environment nor preferences choose a language there. So what a device finds out has to be found out beforehand.
enum LanguageChoice {
    private static let scripts = ["cn": "hans", "sg": "hans", "tw": "hant", "hk": "hant", "mo": "hant"]

    /// - Parameters:
    ///   - wanted: such as `de`, `pt-BR`, `zh_CN`.
    ///   - languages: names of `.lproj` folders.
    /// - Returns: one of them: the same, a more general one, or else one of the same language.
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
