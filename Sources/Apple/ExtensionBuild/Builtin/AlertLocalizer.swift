import FoundationEssentials
import PayloadJSON

/// Replaces `loc-key`, `title-loc-key` and `subtitle-loc-key` with texts from a table, as a device does with the app's own.
struct AlertLocalizer: BuiltinResponder {
    private let texts: [String: String]

    /// Reads a table (`.strings`), a string catalog (`.xcstrings`) or a JSON object of texts.
    ///
    /// - Parameter language: the language of a catalog to use; by default its source language.
    init(file: String, language: String?) throws(ExtensionBuildError) {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw ExtensionBuildError("\(file): cannot be read")
        }
        if file.hasSuffix(".xcstrings") {
            let catalog = try StringCatalog.read([UInt8](data), path: file)
            let tables = catalog.tables()
            let wanted = language ?? catalog.sourceLanguage ?? "en"
            guard let best = LanguageChoice.best(for: wanted, among: Set(tables.keys)), let table = tables[best] else {
                throw ExtensionBuildError(
                    "\(file): no texts in \(wanted), but in \(tables.keys.sorted().joined(separator: ", "))")
            }
            texts = table
            return
        }
        texts = try LocalizedTexts.read([UInt8](data), path: file)
    }

    func answer(to payload: JSONView) -> BuiltinAnswer {
        var answer = BuiltinAnswer()
        guard let alert = payload["aps"]?["alert"], alert.isObject else { return answer }
        append("title", key: alert["title-loc-key"], arguments: alert["title-loc-args"], to: &answer.changes)
        append("subtitle", key: alert["subtitle-loc-key"], arguments: alert["subtitle-loc-args"], to: &answer.changes)
        append("body", key: alert["loc-key"], arguments: alert["loc-args"], to: &answer.changes)
        return answer
    }

    private func append(_ name: String, key: JSONView?, arguments: JSONView?, to changes: inout ByteBuffer) {
        guard let key = key?.string?.string, let format = texts[key] else { return }
        let values = arguments?.elements.map { $0.string?.string ?? $0.text.string } ?? []
        if changes.count > 0 { changes.append(",") }
        changes.appendJSONString(name)
        changes.append(":")
        changes.appendJSONString(Self.fill(format, with: values))
    }

    /// Fills in arguments: `%@` takes the next one, `%2$@` the second, and so do placeholders for numbers; `%%` is a percent sign. A
    /// placeholder without an argument stays as it is.
    static func fill(_ format: String, with arguments: [String]) -> String {
        var result = ""
        var rest = format[...]
        var next = 0
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[percent...].dropFirst()
            if rest.hasPrefix("%") {
                result += "%"
                rest = rest.dropFirst()
                continue
            }
            var place = rest
            let digits = place.prefix { $0.isASCII && $0.isNumber }
            let position = place.dropFirst(digits.count).hasPrefix("$") ? Int(digits) : nil
            if position != nil { place = place.dropFirst(digits.count + 1) }
            place = place.drop { $0 == "l" }
            guard let kind = place.first, "@duf".contains(kind) else {
                result += "%"
                continue
            }
            let number = position ?? next + 1
            if position == nil { next += 1 }
            let after = place.dropFirst()
            result += arguments.indices.contains(number - 1) ? arguments[number - 1] : "%" + rest[..<after.startIndex]
            rest = after
        }
        return result + rest
    }
}
