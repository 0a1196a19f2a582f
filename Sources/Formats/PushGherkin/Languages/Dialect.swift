import CGherkinLanguages

/// The keywords of one language. They are compared byte by byte: for Gherkin, a letter with a combining accent differs
/// from the precomposed letter, and Swift's strings treat the two as equal.
struct Dialect: Sendable {
    struct Keyword: Sendable {
        let text: String
        /// With the colon, for titles.
        let bytes: [UInt8]
        /// For steps only.
        let type: KeywordType
    }

    /// The code in the table, such as `en`.
    let code: String
    let feature: [Keyword]
    let background: [Keyword]
    let rule: [Keyword]
    /// Scenarios and outlines, which the parser treats alike.
    let scenario: [Keyword]
    let examples: [Keyword]
    /// The longest first, because one keyword can be the beginning of another.
    let steps: [Keyword]

    /// The table contains it. Without it, there would be no keywords and every file would be rejected.
    static let english = named("en") ?? Dialect(row: [])

    /// The rows of the table, one language each.
    static var rows: [ArraySlice<UInt8>] {
        let table = gherkin_languages()
        return Array(UnsafeBufferPointer(start: table.bytes, count: table.count)).split(separator: UInt8(ascii: "\n"))
    }

    /// Reads one row of the table. Called at most once per file.
    static func named(_ code: String) -> Dialect? {
        let prefix = Array("\(code);".utf8)
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
        // A keyword that the table lists twice does not determine the type of a step, even if it means both "and" and
        // "but".
        steps = types.map { word, types in
            Keyword(text: word[...].text, bytes: word, type: types.count == 1 ? types[0] : .unknown)
        }.sorted { $0.bytes.count > $1.bytes.count }
    }
}
