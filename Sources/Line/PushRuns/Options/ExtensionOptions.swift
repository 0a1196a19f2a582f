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

extension ExtensionOptions {
    /// What the help says about each option.
    package enum Help {
        package static let path = """
            Pass pushes with mutable-content through this service extension: an .appex folder, a program that speaks the protocol, \
            builtin:attachment=KEY, which downloads the URL in this member of the payload, or builtin:localize=FILE, which resolves \
            loc-keys from a .strings file.
            """
        package static let instances = "Number of extension processes; each device always uses the same one."
        package static let timeout =
            "Time until serviceExtensionTimeWillExpire, in seconds or with a suffix ms or s."
        package static let memory =
            "Private memory limit per process, with an optional suffix K, M or G. (default: no limit)"
        package static let removal = """
            When removeDeliveredNotifications takes effect: immediate, delayed:MS, or lost-after-handler[:MS], which drops removals \
            still pending when the extension calls its content handler. Also for --replace-by. (default: immediate)
            """
        package static let removalWait =
            "How long the extension waits after a removal, by the run's clock. (default: 0)"
        package static let filtering =
            "Give the app the filtering entitlement: empty content shows nothing. (default: as the .appex says)"
        package static let language = "Language of the extension's texts and locale, such as de."
        package static let sandbox =
            "Folder for the home directory, temporary files and app groups. (default: a temporary one)"
        package static let attachments = "Move attachments to this folder. (default: one in the sandbox)"
        package static let appGroup =
            "Defaults that an app group begins with, from a property list or a JSON object. Repeatable."
        package static let certificates = "Certificates in PEM format that the extension trusts, as its system does."
    }
}
