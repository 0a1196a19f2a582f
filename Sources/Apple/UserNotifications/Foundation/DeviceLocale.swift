#if os(Linux)
    import Foundation

    /// The locale of the device. Foundation for Linux always has `en_001`, whatever the environment says.
    package enum DeviceLocale {
        /// Set by the host of a process, in `PUSHPIPE_LOCALE`: a language such as `de` or `pt-BR`.
        private static let ofProcess: String? = ProcessInfo.processInfo.environment["PUSHPIPE_LOCALE"].flatMap {
            $0.isEmpty ? nil : $0
        }

        /// That of the process, else that of the device that a harness emulates.
        private static var language: String? { ofProcess ?? LocalizedText.language }

        /// Foundation's own without a language.
        package static var current: Locale {
            language.map { Locale(identifier: $0.replacingOccurrences(of: "-", with: "_")) } ?? .current
        }

        package static var preferredLanguages: [String] {
            language.map { [$0.replacingOccurrences(of: "_", with: "-")] } ?? Locale.preferredLanguages
        }
    }
#endif
