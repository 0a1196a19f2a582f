/// The words of one language, as bytes: they are compared with the bytes of lines, because for Gherkin a letter and its accent are not
/// the same as the letter that has it, and for Swift's strings they are.
struct Dialect: Sendable {
    struct Keyword: Sendable {
        let text: String
        /// With the colon, where one belongs to it.
        let bytes: [UInt8]
        /// Of steps; for titles this means nothing.
        let type: KeywordType
    }

    /// As the table has it, such as `en`.
    let code: String
    let feature: [Keyword]
    let background: [Keyword]
    let rule: [Keyword]
    /// Scenarios and outlines: the parser treats them alike.
    let scenario: [Keyword]
    let examples: [Keyword]
    /// The longest first, so that a word that begins with another is found.
    let steps: [Keyword]

    /// The table has it. Without it there would be no keyword, and every file would be refused.
    static let english = named("en") ?? Dialect(row: [])

    /// Reads one row of the table. A file asks for it at most once.
    static func named(_ code: String) -> Dialect? {
        let prefix = Array("\(code);".utf8)
        let rows = LanguageTable.rows.withUTF8Buffer { Array($0) }.split(separator: UInt8(ascii: "\n"))
        return rows.first { $0.starts(with: prefix) }.map(Dialect.init(row:))
    }

    private init(row: ArraySlice<UInt8>) {
        let fields = row.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        func words(_ index: Int) -> [ArraySlice<UInt8>] {
            index < fields.count ? fields[index].split(separator: UInt8(ascii: "|")) : []
        }
        func titles(_ index: Int) -> [Keyword] {
            words(index).map { Keyword(text: $0.text, bytes: Array($0) + [UInt8(ascii: ":")], type: .unknown) }
        }
        code = fields.first?.text ?? ""
        feature = titles(1)
        background = titles(2)
        rule = titles(3)
        scenario = titles(4) + titles(5)
        examples = titles(6)
        var types: [[UInt8]: [KeywordType]] = [:]
        for (index, type) in [KeywordType.context, .action, .outcome, .conjunction, .conjunction].enumerated() {
            for word in words(7 + index) { types[Array(word), default: []].append(type) }
        }
        // A word that the table has twice says nothing about its step, not even when it is both "and" and "but".
        steps = types.map { word, types in
            Keyword(text: word[...].text, bytes: word, type: types.count == 1 ? types[0] : .unknown)
        }.sorted { $0.bytes.count > $1.bytes.count }
    }
}
