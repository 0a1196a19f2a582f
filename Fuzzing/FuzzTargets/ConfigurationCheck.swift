import PushLint
import PushLintConfiguration

/// A configuration, or a file next to a payload, is read or refused with a reason, and the same each time.
enum ConfigurationCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            let first = outcome(Array(bytes))
            if first != outcome(Array(bytes)) { return "read again, it has another result" }
            return first == "" ? "refused without a reason" : nil
        }
    }

    /// The message of the error, or what was read.
    private static func outcome(_ bytes: [UInt8]) -> String {
        do throws(ConfigurationError) {
            let configuration = try LintConfiguration(yaml: bytes, directory: "/nonexistent")
            let suppressions = configuration.suppressions.map { "\($0.text) \($0.record ?? 0) \($0.path)" }
            return "read: \(configuration.rules.disabled.count) \(configuration.perFile.count) \(suppressions)"
        } catch {
            return error.message
        }
    }
}
