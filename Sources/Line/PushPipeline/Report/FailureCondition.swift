import PushModel

/// The conditions that make a run fail, from the rarest to the most common. Each includes those before it.
package enum FailureCondition: String, Sendable, CaseIterable {
    /// A record contains no message.
    case malformed
    /// A service would have refused a message.
    case rejected
    /// There is a finding of severity `error`.
    case error
    /// There is a finding of severity `warning`.
    case warning

    /// True if any record of a run meets the condition. O(1).
    package func isMet(by summary: RunSummary) -> Bool {
        Self.allCases.prefix { $0 != self }.contains { $0.isMetAlone(by: summary) } || isMetAlone(by: summary)
    }

    private func isMetAlone(by summary: RunSummary) -> Bool {
        switch self {
        case .malformed: summary.count(.malformed) > 0
        case .rejected: summary.count(.rejected) > 0
        case .error: summary.count(Finding.Severity.error) > 0
        case .warning: summary.count(Finding.Severity.warning) > 0
        }
    }

    /// The conditions of a list, such as `malformed,error`.
    package static func list(_ text: String) throws(UnknownName) -> [FailureCondition] {
        var conditions: [FailureCondition] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let condition = FailureCondition(rawValue: String(name)) else {
                throw UnknownName(name: String(name))
            }
            conditions.append(condition)
        }
        return conditions
    }

    /// A name in a list that is no condition.
    package struct UnknownName: Error, CustomStringConvertible {
        /// As it was typed.
        package var name: String

        /// `'rain' is not one of malformed, rejected, error, warning`
        package var description: String {
            "'\(name)' is not one of \(FailureCondition.allCases.map(\.rawValue).joined(separator: ", "))"
        }
    }
}
