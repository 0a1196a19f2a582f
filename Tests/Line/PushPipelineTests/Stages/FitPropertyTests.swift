import PushJSON
import PushModel
import PushPipeline
import TestSupport
import Testing

/// `FitToBudget` over random messages, checked against a simple model of what it guarantees.
struct FitPropertyTests {
    /// A text as scalars, each as it is written.
    struct Text {
        var scalars: [(scalar: Unicode.Scalar, written: String)] = []

        var written: String { scalars.map(\.written).joined() }
        var decoded: String { String(String.UnicodeScalarView(scalars.map(\.scalar))) }
        var isEscaped: Bool {
            scalars.contains { $0.scalar.value >= 0x80 }
                && scalars.allSatisfy { $0.written.utf8.allSatisfy { $0 < 0x80 } }
        }
        var ellipsis: String { isEscaped ? #"\u2026"# : "…" }

        /// Bytes of a text made of the first scalars, or of all of them.
        func cost(_ count: Int, counting isDecoded: Bool) -> Int {
            scalars[..<count].reduce(0) { $0 + (isDecoded ? $1.scalar.utf8.count : $1.written.utf8.count) }
        }

        func ellipsisCost(counting isDecoded: Bool) -> Int { isDecoded ? 3 : ellipsis.utf8.count }

        /// The longest text that fits in `room` bytes, as it is written: all of it, or whole characters and an ellipsis.
        func longest(in room: Int, counting isDecoded: Bool) -> String {
            if cost(scalars.count, counting: isDecoded) <= room { return written }
            var best = 0
            var end = 0
            for character in decoded {
                end += character.unicodeScalars.count
                let fits = cost(end, counting: isDecoded) + ellipsisCost(counting: isDecoded) <= room
                let isWhite = character.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
                if fits, !isWhite { best = end }
            }
            return scalars[..<best].map(\.written).joined() + ellipsis
        }
    }

    /// A kind of record with texts in it, in the order in which they are cut.
    struct Shape: Sendable {
        var pointers: [String]
        /// Whether escapes count as what they stand for.
        var isDecoded = false
        var record: @Sendable ([String]) -> String
        var payload: (@Sendable ([String]) -> String)?
    }

    static func aps(_ texts: [String]) -> String {
        #"{"k": 1.50 ,"aps":{"alert":{"title":"\#(texts[2])","subtitle":"\#(texts[1])","body" :"\#(texts[0])"}},"z":[ "é\u00e9"]}"#
    }

    static let alert = ["/aps/alert/body", "/aps/alert/subtitle", "/aps/alert/title"]

    static let shapes = [
        Shape(pointers: alert) { aps($0) },
        Shape(pointers: ["/aps/alert"]) { #"{"aps":{"alert":"\#($0[0])","badge":1}}"# },
        Shape(pointers: alert) {
            #"{"headers":{"apns-topic":"t","apns-push-type":"voip"},"payload":\#(aps($0))}"#
        } payload: {
            aps($0)
        },
        Shape(pointers: alert) {
            #"{"device":"ab","payload":\#(quoted(aps($0)))}"#
        } payload: {
            aps($0)
        },
        Shape(pointers: ["/notification/body", "/notification/title"], isDecoded: true) {
            #"{"to":"t","data":{"k":"v"},"notification":{"body":"\#($0[0])","title":"\#($0[1])"}}"#
        },
        Shape(
            pointers: ["/notification/body", "/android/notification/body", "/notification/title"], isDecoded: true
        ) {
            #"{"message":{"token":"t","notification":{"body":"\#($0[0])","title":"\#($0[2])"},"#
                + #""android":{"notification":{"body":"\#($0[1])","icon":"i"}}}}"#
        } payload: {
            #"{"token":"t","notification":{"body":"\#($0[0])","title":"\#($0[2])"},"#
                + #""android":{"notification":{"body":"\#($0[1])","icon":"i"}}}"#
        },
        Shape(pointers: ["/aps/alert/body", "/aps/alert/title"]) {
            #"{"message":{"token":"t","data":{"k":"v"},"notification":{"body":"\#($0[0])","title":"\#($0[1])"},"apns":{}}}"#
        } payload: {
            #"{"aps":{"alert":{"title":"\#($0[1])","body":"\#($0[0])"}},"k":"v"}"#
        },
    ]

    /// Scalars that form and split characters. U+FFFD stands for half of a surrogate pair.
    static let pieces = [
        "a", "b", " ", "é", "e\u{301}", "\u{301}", "\u{200D}", "👩", "👨‍👩‍👧‍👦", "👍🏽", "🇩🇪", "🇫", "한", "\u{1112}\u{1161}",
        "\u{11AB}",
        "क्षि", "\u{94D}", "\n", "\r\n", "\t", "\"", "\\", "\u{0}", "\u{600}", "\u{A0}", "\u{2026}", "\u{FFFD}", "日本語",
        "\u{FE0F}", "1️⃣", "words and more words ", "\u{E0061}",
    ]

    /// How a text is written: as itself, with every other character escaped, or as it comes.
    enum Style: CaseIterable { case plain, escaped, mixed }

    static func text(_ generator: inout SeededGenerator) -> Text {
        let style = generator.pick(Style.allCases)
        var text = Text()
        for _ in 0..<generator.below(generator.pick([1, 4, 30])) {
            for scalar in generator.pick(pieces).unicodeScalars {
                let isEscaped =
                    switch style {
                    case .plain: false
                    case .escaped: scalar.value >= 0x80
                    case .mixed: generator.below(2) == 0
                    }
                text.scalars.append((scalar, written(scalar, isEscaped: isEscaped)))
            }
        }
        return text
    }

    static func written(_ scalar: Unicode.Scalar, isEscaped: Bool) -> String {
        switch scalar {
        case "\"": return #"\""#
        case "\\": return #"\\"#
        case "\n" where !isEscaped: return #"\n"#
        case "\u{FFFD}" where isEscaped: return #"\udc00"#
        default: break
        }
        guard isEscaped || scalar.value < 0x20 else { return String(scalar) }
        return Character(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return #"\u"# + repeated("0", 4 - digits.count) + digits
        }.joined()
    }

    /// The texts as they are written at these places in a payload; nil when it is not JSON or has no such text.
    static func texts(at pointers: [String], in payload: String) -> [String]? {
        var scanner = JSONScanner()
        var tape = JSONTape()
        return Array(payload.utf8).withUnsafeBytes { bytes in
            guard scanner.scan(bytes, into: &tape) == nil, let root = tape.root(of: bytes) else { return nil }
            let texts = pointers.compactMap { root[pointer: $0]?.string?.raw.string }
            return texts.count == pointers.count ? texts : nil
        }
    }

    @Test(arguments: 0..<12) func `texts are as long as the budget allows, and nothing else changes`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var cutCount = 0
        for _ in 0..<150 {
            let shape = generator.pick(Self.shapes)
            let texts = shape.pointers.map { _ in Self.text(&generator) }
            // FCM creates no alert when all texts are empty.
            guard texts.contains(where: { !$0.scalars.isEmpty }) else { continue }
            let input = shape.record(texts.map(\.written))
            let payload = shape.payload ?? shape.record
            let before = try #require(try Pipeline(configuration()).reports(input).first).bytes
            let limit = max(before - generator.below(generator.pick([3, 40, 300])), 1)
            let fitted = try #require(try fit(input, budget: limit).first)
            let comment: Comment = "\(input) in \(limit)"

            let whole = texts.map { $0.cost($0.scalars.count, counting: shape.isDecoded) }
            let least = zip(texts, whole).map { min($0.ellipsisCost(counting: shape.isDecoded), $1) }
            let savings = zip(whole, least).map { $0 - $1 }
            guard before - savings.reduce(0, +) <= limit else {
                #expect(fitted.payload == payload(texts.map(\.written)), comment)
                #expect(fitted.rules == ["fit.cannot"], comment)
                #expect(fitted.outcome == .rejected, comment)
                continue
            }
            #expect(fitted.bytes <= limit, comment)
            #expect(fitted.outcome != .rejected, comment)
            let left = try #require(Self.texts(at: shape.pointers, in: fitted.payload), comment)
            // Nothing but the texts has changed.
            #expect(fitted.payload == payload(left), comment)
            let isCut = zip(texts, left).map { $0.written != $1 }
            #expect(fitted.rules == isCut.filter(\.self).map { _ in "fit.cut" }, comment)
            // No later text is cut unless cutting the earlier ones is not enough.
            if let last = isCut.lastIndex(of: true) {
                #expect(before - savings[..<last].reduce(0, +) > limit, comment)
                cutCount += 1
            } else {
                #expect(before <= limit, comment)
            }
            // Each is as long as the others leave room for.
            let lengths = left.map { Self.length($0, counting: shape.isDecoded) }
            for (index, text) in texts.enumerated() {
                let room = limit - fitted.bytes + lengths[index]
                #expect(left[index] == text.longest(in: room, counting: shape.isDecoded), comment)
            }
        }
        #expect(cutCount > 50)
    }

    static func length(_ written: String, counting isDecoded: Bool) -> Int {
        guard isDecoded else { return written.utf8.count }
        var scanner = JSONScanner()
        var tape = JSONTape()
        return Array("\"\(written)\"".utf8).withUnsafeBytes { bytes in
            scanner.scan(bytes, into: &tape) == nil ? tape.root(of: bytes)?.string?.decodedCount ?? 0 : 0
        }
    }
}
