struct BuildLog {
    private(set) var reasons: [String] = []
    private(set) var missingModules: Set<String> = []
    /// Identifiers that are not declared.
    private(set) var unknownNames: Set<String> = []
    /// Members that a type does not have.
    private(set) var unknownMembers: Set<String> = []
    /// Expressions such as `#selector`, which need the Objective-C runtime.
    private(set) var objectiveCExpressions: Set<String> = []
    /// True if a member or an element of an `AnyObject` is looked up, whose type only Objective-C knows.
    private(set) var looksUpDynamically = false

    /// Lines of SwiftPM about progress, or about a failure without its reason.
    static let noise = [
        "Building for", "Build complete!", "error: emit-module command failed", "error: fatalError",
        "error: compile command failed", "Fetching ", "Fetched ", "Updating ", "Updated ", "Computing version",
        "Computed ",
        "Creating working copy", "Working copy of",
    ]

    init(_ log: String) {
        var block = ""
        var isWanted = true
        // A file is compiled more than once, and each time reports the same errors with more or less context.
        var firstLines: Set<Substring> = []
        func close() {
            if isWanted, let first = block.split(separator: "\n").first, firstLines.insert(first).inserted {
                reasons.append(block)
            }
            block = ""
        }
        for line in log.split(separator: "\n", omittingEmptySubsequences: false) {
            if let name = line.firstMatch(of: /error: cannot find (?:type )?'([^']+)' in scope/) {
                unknownNames.insert(String(name.1))
            }
            if let name = line.firstMatch(of: /error: .* has no member '([^'(]+)/) {
                unknownMembers.insert(String(name.1))
            }
            if line.contains("error: value of type 'AnyObject' has no") { looksUpDynamically = true }
            if let expression = line.firstMatch(of: /error: '(#(?:selector|keyPath))' can only be used/) {
                objectiveCExpressions.insert(String(expression.1))
            }
            if let module = line.firstMatch(of: /no such module '([^']+)'/) { missingModules.insert(String(module.1)) }
            if line.wholeMatch(of: #/\[\d+/\d+\] .*/#) != nil || Self.noise.contains(where: line.hasPrefix) {
                close()
                isWanted = true
            } else if let header = line.firstMatch(of: #/:\d+:\d+: (error|warning|note|remark):\s/#) {
                close()
                // A note belongs to the diagnostic above it.
                if header.1 != "note" { isWanted = header.1 == "error" }
                block = line + "\n"
            } else if !line.isEmpty || !block.isEmpty {
                block += line + "\n"
            }
        }
        close()
        if reasons.isEmpty { reasons = [log] }
    }

    var text: String {
        reasons.map { reason in
            var lines = reason.split(separator: "\n", omittingEmptySubsequences: false)
            while lines.last?.isEmpty == true { lines.removeLast() }
            return lines.joined(separator: "\n") + "\n"
        }.joined()
    }
}
