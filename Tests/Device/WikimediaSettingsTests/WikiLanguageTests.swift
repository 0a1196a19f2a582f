import Testing
import WikimediaSettings

/// The Wikipedia in a device's language. Source: meta.wikimedia.org, "Special language codes".
struct WikiLanguageTests {
    @Test(arguments: [
        ("en", "en"), ("de-AT", "de"), ("pt_BR", "pt"), ("zh-Hans-CN", "zh"), ("DE", "de"), ("nb-NO", "no"),
        ("nn", "nn"),
        ("yue-HK", "zh-yue"), ("lzh", "zh-classical"), ("nan", "zh-min-nan"), ("gsw-CH", "als"), ("fil", "tl"),
        // What is not a language tag.
        ("", "en"), ("-", "en"), ("klingon", "en"), ("../x", "en"), ("d\u{0}", "en"),
    ])
    func `a language tag names a Wikipedia`(tag: String, name: String) {
        #expect(WikiLanguage.wikipedia(for: tag) == "\(name).wikipedia.org")
    }
}
