import PushText

/// A command's help as swift-argument-parser writes it, taken apart: what the command does, its usage, and sections of entries.
struct HelpScreen {
    /// The most lines of `-h`.
    static let lines = 60

    private struct Entry {
        /// The names of an option with their dashes; empty for an argument and a subcommand.
        let names: [String]
        var lines: [Substring]

        init(_ line: Substring) {
            // `-j` and `--jobs` of `  -j, --jobs <n>  Number of cores`.
            names = line.split { " ,/".contains($0) }.prefix { $0.hasPrefix("-") }.map(String.init)
            lines = [line]
        }
    }

    private struct Section {
        /// The title in capitals.
        let title: String
        var entries: [Entry] = []

        var isOfArguments: Bool { title == "ARGUMENTS" }
        var isOfOptions: Bool { entries.contains { !$0.names.isEmpty } }
    }

    private let text: String
    private var paragraphs: [Substring]
    private let usage: [Substring]
    private var sections: [Section] = []
    /// The lines after the sections: how to get help about subcommands.
    private var ending: [String] = []

    /// Nil for a text that is not a help, such as the version.
    init?(_ text: String) {
        guard text.hasPrefix("OVERVIEW: "), let end = text.firstRange(of: "\n\nUSAGE: ") else { return nil }
        paragraphs = text[..<end.lowerBound].split(separator: "\n\n")
        let lines = Self.lines(of: text[end.lowerBound...].dropFirst(2))
        let written = lines.prefix { !$0.isEmpty }
        // swift-argument-parser wraps everything else.
        usage = Self.lines(of: TerminalText.wrappedLines(written.joined(separator: "\n"), to: 80))
        self.text =
            text[..<end.lowerBound] + "\n\n" + usage.joined(separator: "\n")
            + text[end.lowerBound...].dropFirst(2 + written.joined(separator: "\n").count)
        for line in lines.dropFirst(written.count) where !line.isEmpty {
            guard line.hasPrefix(" ") else {
                sections.append(Section(title: String(line.dropLast())))
                continue
            }
            guard !line.hasPrefix("  See '"), let section = sections.indices.last else {
                ending.append(String(line))
                continue
            }
            if line.hasPrefix("   "), let entry = sections[section].entries.indices.last {
                sections[section].entries[entry].lines.append(line)
            } else {
                sections[section].entries.append(Entry(line))
            }
        }
    }

    private static func lines(of text: some StringProtocol) -> [Substring] {
        Substring(text).split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func isLong(_ text: String) -> Bool { lines(of: text).count > lines }

    /// The names of all options, with their dashes.
    var optionNames: [String] { sections.flatMap(\.entries).flatMap(\.names) }

    // MARK: - What is printed

    /// All of it. Options that fill more than a screen are in groups, common ones first.
    func full() -> String {
        Self.isLong(text) ? Self.text(paragraphs, usage, grouped(), ending) : text
    }

    /// The help on one screen: what the command does, examples, and all options, or the common ones if there are more.
    func short() -> String {
        guard Self.isLong(text) else { return text }
        let paragraphs = paragraphs.prefix(1) + paragraphs.dropFirst().filter { $0.hasPrefix("  ") }
        let name = (usage.first ?? "").split(separator: " ").dropFirst().prefix { $0.first?.isLetter ?? false }
        let more = "  See '\(name.joined(separator: " ")) --help' for "
        let all = Self.text(paragraphs, usage, grouped(), ending + [more + "more."])
        guard Self.isLong(all) else { return all }
        let titles = grouped().filter(\.isOfOptions).map { $0.title.lowercased() }
        let list = more + "all options, in groups: \(titles.joined(separator: ", "))."
        return Self.text(paragraphs, usage, common(), ending + [TerminalText.wrappedLines(list, to: 80)])
    }

    private static func text(
        _ paragraphs: some Sequence<Substring>, _ usage: [Substring], _ sections: [Section], _ ending: [String]
    ) -> String {
        let entries = sections.map { ["\($0.title):"] + $0.entries.flatMap(\.lines).map(String.init) }
        let blocks = [usage.map(String.init)] + entries + [ending]
        let texts = paragraphs.map(String.init) + blocks.map { $0.joined(separator: "\n") }
        return texts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    // MARK: - Groups

    /// Arguments, sections that the table does not know, its groups, and subcommands.
    private func grouped() -> [Section] {
        var rest = sections
        var groups: [Section] = []
        for group in HelpGroup.all {
            var found = Section(title: group.title.uppercased())
            for name in group.common + group.others {
                for index in rest.indices {
                    found.entries += rest[index].entries.filter { $0.names.contains(name) }
                    rest[index].entries.removeAll { $0.names.contains(name) }
                }
            }
            for index in rest.indices where rest[index].title == found.title {
                // Those of each command come last among the options of this one.
                let place = found.title == "OPTIONS" ? 0 : found.entries.count
                found.entries.insert(contentsOf: rest[index].entries, at: place)
                rest[index].entries = []
            }
            groups.append(found)
        }
        let others = rest.filter { $0.isOfOptions && !$0.isOfArguments }
        let subcommands = rest.filter { !$0.isOfOptions && !$0.isOfArguments }
        return (rest.filter(\.isOfArguments) + others + groups + subcommands).filter { !$0.entries.isEmpty }
    }

    /// The common options in one section, in the order of the table.
    private func common() -> [Section] {
        let names = HelpGroup.all.flatMap { $0.common }
        let sections = grouped()
        let options = sections.filter(\.isOfOptions).flatMap(\.entries).filter { entry in
            entry.names.contains(where: names.contains)
        }
        return sections.filter(\.isOfArguments) + [Section(title: "COMMON OPTIONS", entries: options)]
            + sections.filter { !$0.isOfOptions && !$0.isOfArguments }
    }
}

/// The order of options in a help that is longer than a screen: common ones first.
///
/// A table of names. Their words stand where the options are declared, and what is not in the table keeps its section.
enum HelpGroup {
    /// The groups: title, options that `-h` shows as well, and options of the long help alone.
    static let all: [(title: String, common: [String], others: [String])] = [
        ("Measurement", ["--generate", "--time"], []),
        ("Output", ["--parts", "--output", "--key-column"], ["--by", "--force", "--first-seq", "--no-end"]),
        ("Sources", ["--project", "--target", "--module", "--package", "--no-packages"], []),
        ("Addresses", ["--listen"], ["--print-ca"]),
        ("Input", [], ["--provider", "--glob", "--stdin-filename"]),
        ("Messages", ["--device", "--fit"], ["--topic", "--budget"]),
        ("Devices", ["--devices", "--extension", "--replace-by"], []),
        ("Store", ["--store", "--seq"], ["--clock", "--resume", "--redact"]),
        ("Rules", ["--severity", "--select", "--ignore", "--extend"], ["--schema"]),
        ("Fixes", ["--fix", "--dry-run"], ["--add-ignores"]),
        (
            "Report",
            ["--format", "--show", "--rules", "--update", "--save", "--compare", "--fail-on-regression", "--screen"],
            ["--emit", "--emit-as", "--output-file", "--report-file", "--watch", "--check-answers"]
        ),
        ("Requests", ["--record", "--faults"], []),
        ("Senders", ["--no-auth"], []),
        ("Exit status", ["--fail-on"], []),
        ("Options", ["--config", "--set", "--quiet", "--version", "--help"], ["--jobs", "--color", "--verbose"]),
    ]
}
