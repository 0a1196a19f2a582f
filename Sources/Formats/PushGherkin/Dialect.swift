import CPushGherkinLanguages

/// The keywords of one language. They are compared byte by byte: for Gherkin, a letter with a combining accent differs
/// from the precomposed letter, and Swift's strings treat the two as equal.
struct Dialect: Sendable {
    struct Keyword: Sendable {
        let text: String
        /// The bytes of the keyword; of one for titles, with the colon.
        let bytes: [UInt8]
    }

    /// The keywords of titles and steps. Scenarios and outlines have the same kind: the parser treats them alike. Of
    /// steps, the longest come first, because one keyword can be the beginning of another.
    let keywords: [TokenKind: [Keyword]]

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
            words(index).map { Keyword(text: $0.text, bytes: Array($0) + [UInt8(ascii: ":")]) }
        }
        let steps = (7...11).flatMap(words).map { Keyword(text: $0.text, bytes: Array($0)) }
        keywords = [
            .featureLine: titles(1), .backgroundLine: titles(2), .ruleLine: titles(3),
            .scenarioLine: titles(4) + titles(5), .examplesLine: titles(6),
            .stepLine: steps.sorted { $0.bytes.count > $1.bytes.count },
        ]
    }
}
