/// A package that SwiftPM cannot fetch, read from its output.
struct FetchFailure: Equatable {
    /// As SwiftPM compares packages.
    let identity: String
    let package: XcodePackage
    let reason: String

    private init?(_ place: some StringProtocol, _ reason: String) {
        package = XcodePackage(source: .remote(String(place), requirement: ""))
        identity = package.identity.lowercased()
        self.reason = reason
        // It becomes the name of a folder.
        guard ExtensionBuilder.isFileName(identity) else { return nil }
    }

    /// The packages that cannot be cloned, and those that have no version that is wanted, each once.
    ///
    /// Several are cloned at once, and all but one of the failures are warnings. So is each package that is not in a cache which cannot be
    /// written, as in the sandbox: that one is no failure.
    static func all(in log: String) -> [FetchFailure] {
        let lines = log.split(separator: "\n")
        var found: [FetchFailure] = []
        for (index, line) in lines.enumerated() {
            var failure: FetchFailure?
            if let place = line.firstMatch(of: /Failed to clone repository (.+?):?$/)?.1 {
                let details = lines[(index + 1)...].prefix { $0.hasPrefix(" ") }
                let fatal = details.first { $0.contains("fatal: ") }
                let isOfCache = fatal?.contains("org.swift.swiftpm") ?? true
                if line.hasPrefix("error: ") || !isOfCache {
                    failure = FetchFailure(place, afterColon(fatal ?? details.first ?? line))
                }
            } else if let match = line.firstMatch(of: /no versions of '([^']+)' match the requirement ([^ ]+)/) {
                failure = FetchFailure(match.1, "it has no version \(match.2)")
            }
            if let failure, !found.contains(where: { $0.identity == failure.identity }) { found.append(failure) }
        }
        return found
    }

    /// The reason of another failure.
    static func reason(in log: String) -> String {
        let lines = log.split(separator: "\n").drop { !$0.hasPrefix("error: ") }.filter { line in
            !BuildLog.noise.contains(where: line.hasPrefix)
        }
        return (lines.first { $0.contains("fatal: ") } ?? lines.first).map(afterColon) ?? "unknown"
    }

    private static func afterColon(_ line: Substring) -> String {
        String(line.firstRange(of: ": ").map { line[$0.upperBound...] } ?? line)
    }
}
