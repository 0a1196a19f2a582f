import PushDevices
import PushLint
import PushModel
import PushPictures
import ScreenPictures

/// Whatever the texts of a push are, its pictures are well-formed and of bounded size, and nothing in them is the text's own markup.
enum PictureCheck {
    /// Far more than a picture of one device needs.
    private static let mostBytes = 400_000

    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            let text = String(decoding: input.text, as: UTF8.self)
            let store = RepeatedText(text, isGoogle: input.options.0 & 1 != 0, count: Int(input.options.1 % 40) + 1)
            do {
                var pictures = [
                    ScreensPicture.draw(try ScreenContents(store)), TimelinePicture.draw(try Timeline(store)),
                ]
                let budgets = Linter().budgets(of: text)
                pictures.append(
                    BudgetPicture.draw(budgets.map { MeasuredMessage(file: text, line: 1, report: $0) }))
                for picture in pictures {
                    if picture.svg.utf8.count > mostBytes { return "\(picture.svg.utf8.count) bytes of SVG" }
                    if let trouble = Markup.trouble(in: picture.svg) { return "\(picture.title): \(trouble)" }
                }
                return nil
            } catch {
                return "drawing threw \(error)"
            }
        }
    }
}

/// A store whose every text is the same one.
private final class RepeatedText: BrowsableStore {
    private let text: String
    private let payload: String
    private let count: Int

    init(_ text: String, isGoogle: Bool, count: Int) {
        (self.text, self.count) = (text, count)
        payload = isGoogle ? #"{"to":"x"}"# : #"{"aps":{}}"#
    }

    func forEachNotification(device: String?, app: String?, _ body: (DeliveredNotification) throws -> Void) throws {
        for number in 0..<count {
            let content = ShownContent(
                title: text, subtitle: number.isMultiple(of: 2) ? text : nil, body: text, thread: text, badge: number)
            try body(
                DeliveredNotification(
                    seq: UInt64(number), device: text, app: text, identifier: text, content: content,
                    deliveredAt: Int64(number) << (number % 60), payload: number == 3 ? text : payload,
                    changes: number == 5 ? text : nil))
        }
    }

    func forEachLiveActivity(device: String?, app: String?, _ body: (LiveActivity) throws -> Void) throws {
        for number in 0..<count {
            var activity = LiveActivity(
                seq: UInt64(number), device: text, app: text, identifier: text, token: text, hasOwnToken: false,
                startedAt: Int64(number) << (number % 60))
            (activity.attributesType, activity.alertTitle) = (text, number.isMultiple(of: 2) ? text : nil)
            (activity.attributes, activity.contentState) = (text, text)
            activity.state = LiveActivity.State.allCases[number % LiveActivity.State.allCases.count]
            try body(activity)
        }
    }

    // What pictures do not read.
    func apps(matching search: String?, offset: Int, limit: Int) -> [CenterSummary] { [] }
    func apps(on device: String) -> [CenterSummary] { [] }
    func newest(on device: String, app: String?, before place: UInt64, limit: Int) -> [PlacedNotification] { [] }
    func journal(_ query: JournalQuery) -> [PlacedEntry] { [] }
    func journalPlaces() -> Range<UInt64> { 1..<1 }
    func hasLostLines() -> Bool { false }

    func forEachBadge(_ body: (_ device: String, _ app: String, _ badge: Int?) throws -> Void) throws {
        try body(text, text, count)
    }

    func badges(on device: String) -> [(app: String, badge: Int)] { (0..<count).map { (text, $0) } }
    func registered(on device: String) -> [RegisteredApp] { [] }
    func lockedDevices() -> Set<String> { [text] }
    func devicesSeenDifferently() -> Set<String> { [text] }

    func forEachEvent(device: String?, _ body: (JournalEntry) throws -> Void) throws {
        let kinds = JournalKind.allCases
        for number in 0..<count {
            try body(
                JournalEntry(
                    seq: UInt64(number / 2), at: Int64(number) << (number % 60), device: text, app: text,
                    kind: kinds[(number + text.utf8.count) % kinds.count], identifier: text))
        }
    }
}

/// What XML 1.0 demands of elements, attributes and references, as far as SVG of this package needs it.
private enum Markup {
    private static let names: Set<String> = [
        "svg", "title", "desc", "style", "defs", "linearGradient", "stop", "clipPath", "g", "rect", "circle", "path",
        "line", "text",
    ]
    private static let references: Set<String> = ["amp", "lt", "gt", "quot", "#9", "#10", "#13"]

    /// Scalars and not characters: a mark after a bracket makes one character with it.
    static func trouble(in text: String) -> String? {
        var open: [String] = []
        var rest = text.unicodeScalars[...]
        while let index = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
            let isReference = rest[index] == "&"
            rest = rest[rest.index(after: index)...]
            guard let end = rest.firstIndex(of: isReference ? ";" : ">") else { return "an open end" }
            let inside = String(rest[..<end])
            rest = rest[rest.index(after: end)...]
            if isReference {
                if !references.contains(inside) { return "the reference \(inside.prefix(40))" }
            } else if inside.hasPrefix("/") {
                guard open.popLast() == String(inside.dropFirst()) else { return "the end of \(inside.prefix(40))" }
            } else {
                let name = String(inside.prefix { $0.isASCII && $0.isLetter })
                guard names.contains(name) else { return "an element \(name.prefix(40))" }
                guard inside.utf8.count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2) else {
                    return "a quote in \(name)"
                }
                if !inside.hasSuffix("/") { open.append(name) }
            }
        }
        for scalar in text.unicodeScalars where scalar.value < 0x20 && scalar != "\n" || scalar.value & 0xFFFE == 0xFFFE
        {
            return "U+\(String(scalar.value, radix: 16))"
        }
        return open.isEmpty ? nil : "\(open.count) elements are open"
    }
}
