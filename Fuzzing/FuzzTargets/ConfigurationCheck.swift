import PushLint
import PushLintConfiguration
import PushSettings
import PushSystem

/// A configuration, or a file next to a payload, is read or refused with a reason, and the same each time.
enum ConfigurationCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            let first = outcome(Array(bytes))
            if first != outcome(Array(bytes)) { return "read again, it has another result" }
            return first.isEmpty || first.hasSuffix("refused without a reason") ? "refused without a reason" : nil
        }
    }

    /// The messages of errors, or what was read, for the linter and for other commands.
    private static func outcome(_ bytes: [UInt8]) -> String {
        var settings = Settings()
        do throws(PlainError) {
            try settings.read(bytes, of: "/nonexistent/.pushpipe.yml", isFound: true)
        } catch {
            if error.message.isEmpty { return "" }
        }
        return "\(settings.origins.map(\.key)) \(lintOutcome(bytes))"
    }

    private static func lintOutcome(_ bytes: [UInt8]) -> String {
        do throws(ConfigurationError) {
            let configuration = try LintConfiguration(yaml: bytes, directory: "/nonexistent")
            let suppressions = configuration.suppressions.map { "\($0.text) \($0.record ?? 0) \($0.path)" }
            return "read: \(configuration.rules.disabled.count) \(configuration.perFile.count) \(suppressions)"
        } catch {
            return error.message.isEmpty ? "refused without a reason" : error.message
        }
    }
}
