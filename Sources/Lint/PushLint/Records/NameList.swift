import PushJSON
import PushModel

/// Comparing names without making strings of them, because most records have nothing to report.

extension JSONString {
    /// True if it equals one of the names.
    func isOne(of names: [StaticString]) -> Bool {
        for name in names where self == name { return true }
        return false
    }

    /// True if every byte is ASCII, and none is part of an escape.
    var isPlain: Bool {
        // SOUND: `index` is below the number of bytes.
        if hasEscapes { return false }
        let text = raw
        var all: UInt8 = 0
        for index in 0..<text.count { all |= unsafe text.start[index] }
        return all < 0x80
    }

    /// The length of the beginning of a plain string that equals `name`, which is in lower case, whatever its own case; nil if there is none.
    ///
    /// - Parameter skipsSeparators: true to pass over `-`, `_` and spaces.
    private func plainPrefix(_ name: StaticString, skipsSeparators: Bool = false) -> Int? {
        // SOUND: both indices are compared with the number of bytes.
        let text = raw
        var matched = 0
        for index in 0..<text.count {
            if matched == name.utf8CodeUnitCount { return index }
            let byte = unsafe text.start[index]
            if skipsSeparators, byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == 0x20 { continue }
            let lower = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
            guard unsafe lower == name.utf8Start[matched] else { return nil }
            matched += 1
        }
        return matched == name.utf8CodeUnitCount ? text.count : nil
    }

    /// True if a plain string begins with `name`, which is in lower case, whatever its own case and separators.
    func beginsFolded(with name: StaticString) -> Bool { plainPrefix(name, skipsSeparators: true) != nil }

    /// True if it begins with `name`, which is in lower case, whatever its own case.
    func begins(with name: StaticString) -> Bool {
        isPlain ? plainPrefix(name) != nil : string.lowercased().hasPrefix(name.description)
    }

    /// True if it equals `name`, which is in lower case, whatever its own case.
    func isInAnyCase(_ name: StaticString) -> Bool {
        isPlain ? plainPrefix(name) == count : string.lowercased() == name.description
    }
}

/// Names that others are compared with, each also without case and separators.
struct NameList: Sendable {
    let names: [StaticString]
    let folded: [[UInt8]]
    /// Positions of the names that a slip of the pen may have meant.
    private let near: [Int]

    /// - Parameter rare: names that are hardly meant by one that only resembles them.
    init(_ names: [StaticString], rare: [StaticString] = []) {
        self.names = names
        folded = names.map { NearMiss.folded($0.description) }
        let excluded = Set(rare.map(\.description))
        near = names.indices.filter { !excluded.contains(names[$0].description) }
    }

    /// The name that differs from this one in case and separators only.
    func spelled(like name: String) -> StaticString? {
        let wanted = NearMiss.folded(name)
        return folded.firstIndex(of: wanted).map { names[$0] }
    }

    /// Words that are one letter away from a name, and mean something else.
    private static let otherWords = Set(
        ["date", "actions", "apps", "round", "found", "bound", "line", "tile"].map(NearMiss.folded))

    /// The name that an unexpected one resembles most.
    func suggestion(for name: String) -> SuggestedName? {
        let wanted = NearMiss.folded(name)
        if let same = folded.firstIndex(of: wanted) {
            return SuggestedName(name: names[same].description, differsInStyleOnly: true)
        }
        let close = near.filter { NearMiss.isClose(wanted, folded[$0]) }
        guard !close.isEmpty, !Self.otherWords.contains(wanted),
            let nearest = close.min(by: {
                NearMiss.distance(wanted, folded[$0]) < NearMiss.distance(wanted, folded[$1])
            })
        else { return nil }
        return SuggestedName(name: names[nearest].description, differsInStyleOnly: false)
    }
}

/// Advice about names that are known in another place, or by another name. They are compared without case and separators.
struct NameHints: Sendable {
    private let hints: [[UInt8]: String]

    /// - Parameter rows: names, and the end of a message about them.
    init(_ rows: [(names: [String], hint: String)]) {
        hints = Dictionary(
            rows.flatMap { row in row.names.map { (NearMiss.folded($0), row.hint) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The end of a message about a name.
    subscript(name: String) -> String? { hints[NearMiss.folded(name)] }
}

/// The name that was probably meant.
struct SuggestedName {
    let name: String
    /// True if the name as written differs in case and separators only. Then there is an edit.
    let differsInStyleOnly: Bool

    /// The end of a message about a name that does not exist.
    var hint: String { "; did you mean \(name)?" }

    /// The end of a message about a name of an object, which may have the other one, too.
    func hint(in object: LintNode) -> String { object.hasMember(name) ? "; did you mean \(name) (also set)?" : hint }

    /// The edit that gives a member the name.
    func renaming(_ member: LintMember, in object: LintNode) -> [TextEdit] {
        differsInStyleOnly ? member.renamed(to: name, in: object) : []
    }

    /// The edit that puts the name in place of a string.
    func replacing(_ value: LintNode) -> [TextEdit] {
        differsInStyleOnly ? [TextEdit(value.range, "\"\(name)\"")] : []
    }
}
