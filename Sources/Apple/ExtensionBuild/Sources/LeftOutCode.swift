/// Leaves out of a source what the compiler rejects: the body of a function, or else the whole declaration.
///
/// Whatever uses a declaration that is gone is rejected in the next round. A function without its body ends the extension, and says so.
package struct LeftOutCode {
    /// An error of the compiler, at a line and a column of bytes, which begin at 1.
    package struct Problem: Hashable, Codable {
        let line: Int
        let column: Int
        let message: String

        package init(line: Int, column: Int, message: String) {
            self.line = line
            self.column = column
            self.message = message
        }
    }

    /// The function that takes the place of a body.
    static let function = "pushpipeLeftOut"
    /// The name of the file that declares it.
    static let file = "pushpipe-left-out.swift"

    package private(set) var source: [UInt8]
    /// Names of what was left out, and the error that was the reason.
    private(set) var names: [String: String] = [:]

    package init(_ source: [UInt8]) { self.source = source }

    /// A source that declares the function, for each module that needs it. It ends the extension, and not the builder: a body that is gone has
    /// nothing that it could return.
    static func declaration(isOnMainActor: Bool) -> String {
        """
        import UserNotifications

        \(isOnMainActor ? "nonisolated " : "")func \(function)(_ name: String) -> Never {
            let message = name + " was called, which was left out when the extension was built"
            UNUserNotificationCenter.current().report("extension.reported", message)
            fatalError(message)
        }

        """
    }

    /// Leaves out what has these errors.
    ///
    /// - Returns: false if none of them belongs to something that can be left out.
    package mutating func leaveOut(_ problems: Set<Problem>) -> Bool {
        let outline = SwiftOutline(of: source)
        var lines = [0]
        for (index, byte) in source.enumerated() where byte == UInt8(ascii: "\n") { lines.append(index + 1) }
        /// By where they begin, with the text that takes their place.
        var edits: [Range<Int>: String] = [:]
        for problem in problems.sorted(by: { ($0.line, $0.column) < ($1.line, $1.column) }) {
            guard problem.line > 0, problem.line <= lines.count else { continue }
            let place = lines[problem.line - 1] + max(problem.column - 1, 0)
            guard let (range, text, name) = edit(for: problem, at: place, outline.path(to: place)) else { continue }
            edits[range] = text
            if names[name] == nil { names[name] = problem.message }
        }
        // The largest ones: what is in a range that is left out is gone with it.
        var end = source.count
        var kept: [(Range<Int>, String)] = []
        for (range, text) in edits.sorted(by: {
            ($0.key.lowerBound, -$0.key.count) < ($1.key.lowerBound, -$1.key.count)
        }) {
            if let last = kept.last, range.lowerBound < last.0.upperBound { continue }
            kept.append((range, text))
        }
        for (range, text) in kept.reversed() where range.upperBound <= end {
            end = range.lowerBound
            let breaks = source[range].filter { $0 == UInt8(ascii: "\n") }
            source.replaceSubrange(range, with: text.utf8 + breaks)
        }
        return !kept.isEmpty
    }

    private func edit(
        for problem: Problem, at place: Int, _ path: [SwiftOutline.Declaration]
    ) -> (range: Range<Int>, text: String, name: String)? {
        guard let declaration = path.last else { return nil }
        let gone = (declaration.place, "", declaration.name)
        switch declaration.kind {
        case .type:
            guard let body = declaration.body, !body.contains(place) || declaration.parents.isEmpty else {
                // Between its members.
                return gone
            }
            return conformance(problem, at: place, of: declaration) ?? gone
        case .function, .property:
            guard let body = declaration.body else { return gone }
            guard let inner = (declaration.accessors + [body]).first(where: { $0.contains(place) }) else {
                return gone
            }
            // Rejected even so: its result is opaque, or it is one of a result builder.
            if String(decoding: source[inner], as: UTF8.self).contains(Self.function) { return gone }
            return (inner, " \(Self.function)(\"\(declaration.name)\") ", declaration.name)
        case .other: return gone
        }
    }

    /// The protocol that a type was to conform to, if that is what is wrong and the type can be without it.
    private func conformance(
        _ problem: Problem, at place: Int, of type: SwiftOutline.Declaration
    ) -> (range: Range<Int>, text: String, name: String)? {
        let entries = type.parents.dropFirst()
        var index = entries.firstIndex { $0.contains(place) }
        if index == nil, let found = problem.message.firstMatch(of: /does not conform to protocol '([^']+)'/) {
            index = entries.firstIndex { text($0).split(separator: ".").last == found.1 }
        }
        guard let index else { return nil }
        let name = text(entries[index])
        // A class without its superclass would be another one.
        let isProtocol =
            index > entries.startIndex || !isClass(type)
            || ["Delegate", "DataSource", "Handler", "Protocol", "able"].contains { name.hasSuffix($0) }
        guard isProtocol else { return nil }
        var range = entries[index]
        if index + 1 < entries.endIndex {
            range = range.lowerBound..<entries[index + 1].lowerBound
        } else {
            // With the colon or the comma.
            range = type.parents[index - 1].upperBound..<range.upperBound
        }
        return (range, " ", "\(type.name): \(name)")
    }

    private func isClass(_ type: SwiftOutline.Declaration) -> Bool {
        let end = type.parents.first?.lowerBound ?? type.place.upperBound
        return SwiftTokens(Array(source[type.place.lowerBound..<end])).tokens.contains(.word("class"))
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: source[range], as: UTF8.self) }
}
