import FoundationEssentials

/// Reads property lists in any format that Foundation knows, after checking for what would make Foundation crash.
enum PropertyListReader {
    /// - Throws: `ExtensionBuildError` if Foundation must not read the file, or Foundation's own error.
    static func read<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws -> T {
        try PropertyListDepth.check(bytes)
        try checkCharacters(of: bytes)
        let decoder = PropertyListDecoder()
        PropertyListBudget.give(bytes.count, to: decoder)
        return try decoder.decode(type, from: Data(bytes))
    }

    /// Foundation takes a number's characters apart without checking them: invalid UTF-8 in an `<integer>` crashes the process.
    private static func checkCharacters(of bytes: [UInt8]) throws(ExtensionBuildError) {
        guard !bytes.starts(with: "bplist".utf8) else { return }
        // UTF-16 is repaired when it is converted, by Foundation too.
        guard String(validating: StringsText.normalized(bytes), as: UTF8.self) != nil else {
            throw ExtensionBuildError("not valid UTF-8; save the file as UTF-8")
        }
    }
}
