#if os(Linux)
    public import Foundation
    public import FoundationNetworking

    /// The implementation behind the calls of Foundation that `Sources/Apple/Shims/Overlay` replaces. For that file only.
    @_spi(Overlay) public enum AppleFoundation {
        /// As `Bundle.localizedString(forKey:value:table:)`, with plurals and string catalogs. The main bundle stands for the app's.
        public static func string(forKey key: String, value: String?, table: String?, bundle: Bundle) -> String {
            LocalizedText.string(
                forKey: key, value: value, table: table, bundle: bundle === Bundle.main ? .ofApp : bundle)
        }

        /// A format with its arguments, as `String(format:locale:arguments:)`, with plurals.
        public static func formatted(_ format: String, locale: Locale?, _ arguments: [any CVarArg]) -> String {
            LocalizedText.formatted(format, locale: locale, arguments)
        }

        /// The device's locale.
        public static var locale: Locale { DeviceLocale.current }

        /// The device's languages.
        public static var preferredLanguages: [String] { DeviceLocale.preferredLanguages }

        /// The text of an error.
        public static func localizedDescription(of error: any Error) -> String { LocalizedDescription.of(error) }

        /// The text of a status of HTTP.
        public static func text(ofStatus status: Int) -> String {
            status == 200 ? "no error" : HTTPURLResponse.localizedString(forStatusCode: status).lowercased()
        }

        /// The name that a response suggests for a file.
        public static func suggestedFilename(of response: URLResponse) -> String? { SuggestedFilename.of(response) }
    }

    extension UserDefaults {
        /// As `set(_:forKey:)`, which for Linux calls itself for ever when it is given nil or a `URL?` that is nil.
        @_spi(Overlay) public func store(_ value: Any?, forKey key: String) {
            switch value {
            case nil: removeObject(forKey: key)
            case let url as URL: set(url, forKey: key)
            case let value?: set(value, forKey: key)
            }
        }
    }

    extension FileManager {
        /// As `urls(for:in:)`, which for Linux has no library folder.
        @_spi(Overlay) public func folders(for directory: SearchPathDirectory, in domainMask: SearchPathDomainMask)
            -> [URL]
        {
            let found = urls(for: directory, in: domainMask)
            guard found.isEmpty, directory == .libraryDirectory, domainMask.contains(.userDomainMask) else {
                return found
            }
            return [URL(fileURLWithPath: NSHomeDirectory() + "/Library", isDirectory: true)]
        }
    }

    /// The text of errors.
    package enum LocalizedDescription {
        /// As `error.localizedDescription`, which for Linux forgets the text of an error that is a `CustomNSError` too.
        package static func of(_ error: any Error) -> String {
            (error as? any LocalizedError)?.errorDescription ?? error.localizedDescription
        }
    }
#endif
