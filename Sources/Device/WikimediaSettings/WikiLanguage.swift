/// The Wikipedia in a device's language.
package enum WikiLanguage {
    /// Wikipedias whose names are not the codes of their languages.
    ///
    /// Source: meta.wikimedia.org, "Special language codes"; MediaWiki, `LanguageCode::getDeprecatedCodeMapping`.
    private static let names = [
        "nb": "no", "gsw": "als", "lzh": "zh-classical", "nan": "zh-min-nan", "yue": "zh-yue", "rup": "roa-rup",
        "sgs": "bat-smg", "vro": "fiu-vro", "egl": "eml",
        // Apple's code for Filipino, which is written in the Wikipedia in Tagalog.
        "fil": "tl",
    ]

    /// The host name of the Wikipedia in a language, such as `de.wikipedia.org` for `de-AT`.
    ///
    /// Script and region do not matter: one Wikipedia has all variants of a language. Which Wikipedia an app chooses for a
    /// language that has none is not documented; here, as for a text that is not a language tag, it is the English one.
    ///
    /// - Parameter tag: a language tag (BCP 47); `_` separates its parts as well as `-`.
    package static func wikipedia(for tag: String) -> String {
        let language = (tag.split { $0 == "-" || $0 == "_" }.first ?? "").lowercased()
        let isCode = (2...3).contains(language.utf8.count) && language.utf8.allSatisfy { $0 &- UInt8(ascii: "a") < 26 }
        return "\(isCode ? names[language] ?? language : "en").wikipedia.org"
    }
}
