import ExtensionBuild
package import ExtensionHosting
import PushModel

/// How `run` and `trace` run a service extension, as options say it.
package struct ExtensionOptions: Sendable {
    /// An .appex, a program, or `builtin:…`; nil without an extension.
    package var path: String?
    package var instances = 1
    package var timeout = "30s"
    package var memory: String?
    package var removal: String?
    package var removalWait: String?
    /// Each as `GROUP=FILE`.
    package var appGroups: [String] = []

    package init(path: String?) { self.path = path }

    /// Without an executable if there is no extension.
    ///
    /// - Throws: `OptionValue.Invalid`.
    package func configuration() throws(OptionValue.Invalid) -> ExtensionConfiguration {
        var configuration = ExtensionConfiguration(executable: path ?? "")
        guard 1...64 ~= instances else {
            throw OptionValue.Invalid(description: "--extension-instances takes a number from 1 to 64.")
        }
        configuration.instances = instances
        do {
            _ = try BuiltinExtension(named: path ?? "")
            configuration.timeLimit = try .extensionTimeLimit(timeout, option: "--extension-timeout")
            configuration.removal = try RemovalTiming(removal ?? "immediate", option: "--removal")
            configuration.removalWait = try .extensionTimeLimit(
                removalWait ?? "0", option: "--removal-wait", allowsZero: true)
            for text in appGroups {
                let seed = try AppGroupSeed.read(text)
                configuration.appGroups[seed.group] = seed.defaults
            }
        } catch let error as ExtensionOptionError {
            throw OptionValue.Invalid(description: error.message)
        } catch let error as ExtensionBuildError {
            throw OptionValue.Invalid(description: error.message)
        } catch {
            throw OptionValue.Invalid(description: "\(error)")
        }
        if let memory {
            #if os(Linux)
                configuration.memoryLimit = try OptionValue.byteCount(memory, option: "--extension-memory")
            #else
                throw OptionValue.Invalid(description: "--extension-memory works on Linux only.")
            #endif
        }
        return configuration
    }
}
