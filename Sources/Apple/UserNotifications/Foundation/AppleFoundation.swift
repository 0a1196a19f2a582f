// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AvoidRetroactiveConformances

#if os(Linux)
    import Dispatch
    public import Foundation
    public import FoundationNetworking

    /// The implementation behind the calls of Foundation that `Sources/Apple/Shims/Overlay` replaces. For that file only.
    @_spi(Overlay) public enum AppleFoundation {
        /// Does what `Bundle.localizedString(forKey:value:table:)` does, with plurals and string catalogs. The main bundle stands for the app's.
        public static func string(forKey key: String, value: String?, table: String?, bundle: Bundle) -> String {
            LocalizedText.string(
                forKey: key, value: value, table: table, bundle: bundle === Bundle.main ? .ofApp : bundle)
        }

        /// A format with its arguments, as `String(format:locale:arguments:)`, with plurals.
        public static func formatted(_ format: String, locale: Locale?, _ arguments: [any CVarArg]) -> String {
            LocalizedText.formatted(format, locale: locale, arguments)
        }

        /// The language that the host of a process sets, such as `de` or `pt-BR`; empty for none.
        private static let languageOfProcess = ProcessInfo.processInfo.environment["PUSHPIPE_LOCALE"] ?? ""

        /// The device's language: that of the process, else that of the device that a harness emulates.
        private static var language: String? {
            languageOfProcess.isEmpty ? LocalizedText.language : languageOfProcess
        }

        /// The device's locale; Foundation's own without a language, which for Linux is always `en_001`.
        public static var locale: Locale {
            language.map { Locale(identifier: $0.replacingOccurrences(of: "-", with: "_")) } ?? .current
        }

        /// The device's languages.
        public static var preferredLanguages: [String] {
            language.map { [$0.replacingOccurrences(of: "_", with: "-")] } ?? Locale.preferredLanguages
        }

        /// Returns what `error.localizedDescription` does, which for Linux forgets the text of an error that is a `CustomNSError` too.
        public static func localizedDescription(of error: any Error) -> String {
            (error as? any LocalizedError)?.errorDescription ?? error.localizedDescription
        }

        /// The text of a status of HTTP.
        public static func text(ofStatus status: Int) -> String {
            status == 200 ? "no error" : HTTPURLResponse.localizedString(forStatusCode: status).lowercased()
        }
    }

    extension UserDefaults {
        /// Does what `set(_:forKey:)` does, which for Linux calls itself for ever when it is given nil or a `URL?` that is nil.
        @_spi(Overlay) public func store(_ value: Any?, forKey key: String) {
            switch value {
            case nil: removeObject(forKey: key)
            case let url as URL: set(url, forKey: key)
            case let value?: set(value, forKey: key)
            }
        }
    }

    extension FileManager {
        /// Does what `urls(for:in:)` does, which for Linux has no library folder.
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

    /// The name that a response suggests for a file. Foundation for Linux says `Unknown` for every response over HTTP.
    ///
    /// Apple's documentation of `URLResponse.suggestedFilename`: the name in the header Content-Disposition, else the last component of the URL,
    /// else its host; and most often with the extension for the MIME type. When exactly an extension is added is not documented: here
    /// when the name has none of those that notifications know.
    @_spi(Overlay) public enum SuggestedFilename {
        /// The name for the file of a response.
        public static func of(_ response: URLResponse) -> String? {
            let header = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Disposition")
            let component = response.url?.lastPathComponent ?? ""
            let name =
                header.flatMap(filename(inDisposition:)).map(withoutFolders)
                ?? (component.isEmpty || component == "/" ? nil : component)
                ?? response.url?.host ?? "Unknown"
            guard let type = response.mimeType?.lowercased(), let wanted = extensions[type],
                AttachmentType.forExtension((name as NSString).pathExtension) == nil
            else { return name }
            return name + "." + wanted
        }

        /// The extensions that Apple's types prefer, for what notifications show.
        private static let extensions = [
            "image/jpeg": "jpeg", "image/jpg": "jpeg", "image/gif": "gif", "image/png": "png",
            "audio/aiff": "aiff", "audio/x-aiff": "aiff", "audio/wav": "wav", "audio/x-wav": "wav",
            "audio/vnd.wave": "wav", "audio/mpeg": "mp3", "audio/mp3": "mp3", "audio/mp4": "m4a", "audio/x-m4a": "m4a",
            "video/mpeg": "mpg", "video/mp4": "mp4", "video/avi": "avi", "video/x-msvideo": "avi",
        ]

        /// The parameter `filename*` or `filename` of a Content-Disposition (RFC 6266, and RFC 8187 for its encoding).
        static func filename(inDisposition header: String) -> String? {
            if let extended = header.firstMatch(of: /(?i)filename\*\s*=\s*UTF-8'[^']*'([^;\s]+)/),
                let name = String(extended.1).removingPercentEncoding, !name.isEmpty
            {
                return name
            }
            if let quoted = header.firstMatch(of: /(?i)filename\s*=\s*"((?:[^"\\]|\\.)*)"/), !quoted.1.isEmpty {
                return String(quoted.1).replacing(/\\(.)/) { String($0.1) }
            }
            let plain = header.firstMatch(of: /(?i)filename\s*=\s*([^;"\s]+)/)
            return plain.map { String($0.1) }
        }

        /// A server must not choose the folder.
        private static func withoutFolders(_ name: String) -> String {
            let name = name.replacingOccurrences(of: "/", with: "_")
            return name.hasPrefix(".") ? "_" + name.dropFirst() : name
        }
    }

    /// The state of the device: it is cool, and its battery is full.
    extension ProcessInfo {
        /// How hot a device is.
        public enum ThermalState: Int, Sendable {
            /// The usual temperature.
            case nominal
            /// Slightly warm.
            case fair
            /// Hot.
            case serious
            /// Too hot.
            case critical
        }

        /// Nominal.
        public var thermalState: ThermalState { .nominal }
        /// Off.
        public var isLowPowerModeEnabled: Bool { false }

        /// Runs a closure on another thread. It is never told that its time is over.
        public func performExpiringActivity(
            withReason reason: String, using block: @escaping @Sendable (_ expired: Bool) -> Void
        ) {
            DispatchQueue.global().async { block(false) }
        }

        /// The wishes of a process while an activity lasts. Without effect.
        public struct ActivityOptions: OptionSet, Sendable {
            /// The bits.
            public let rawValue: UInt64
            /// Options by their bits.
            public init(rawValue: UInt64) { self.rawValue = rawValue }
            /// An activity that the user waits for.
            public static let userInitiated = ActivityOptions(rawValue: 0xFFFFFF)
            /// An activity that nobody waits for.
            public static let background = ActivityOptions(rawValue: 0xFF)
        }

        /// Begins an activity. Without effect.
        public func beginActivity(options: ActivityOptions = [], reason: String) -> any NSObjectProtocol { NSObject() }
        /// Ends an activity. Without effect.
        public func endActivity(_ activity: any NSObjectProtocol) {}
    }

    /// Makes `ProcessInfo()` the process's own object, as good as one of its own: Foundation for Linux lets nobody make one.
    public protocol ProcessInfoMaking {}

    extension ProcessInfoMaking where Self == ProcessInfo {
        /// The process's own object.
        public init() { self = .processInfo }
    }

    extension ProcessInfo: ProcessInfoMaking {}

    /// Ticks since the machine started: nanoseconds.
    public func mach_absolute_time() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Folders of the process, which `FileManager` has too.
    extension URL {
        private static func folder(_ directory: FileManager.SearchPathDirectory) -> URL {
            FileManager.default.folders(for: directory, in: .userDomainMask).first
                ?? URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
        }

        /// Documents.
        public static var documentsDirectory: URL { folder(.documentDirectory) }
        /// The folder of files that can be made again.
        public static var cachesDirectory: URL { folder(.cachesDirectory) }
        /// The app's own files.
        public static var applicationSupportDirectory: URL { folder(.applicationSupportDirectory) }
        /// Sounds and others.
        public static var libraryDirectory: URL { folder(.libraryDirectory) }
    }

    // Foundation has these on Apple's systems, so code that imports this module expects them.

    /// Lets `%@` in `NSLog` and `String(format:)` take any object, as on Apple's systems. The text is the object's description.
    extension NSObject: @retroactive CVarArg {}

    extension NSObject: @retroactive _CVarArgObject {
        /// The string that is passed instead of the object, and kept until the text is formatted. Foundation formats strings, not other classes.
        public var _cVarArgObject: any CVarArg { description._cVarArgObject }
    }

    extension Array: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The array as Foundation's.
        public var _cVarArgObject: any CVarArg { NSArray(array: self).description._cVarArgObject }
    }

    extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The dictionary as text.
        public var _cVarArgObject: any CVarArg { "\(self)"._cVarArgObject }
    }

    extension Set: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The set as text.
        public var _cVarArgObject: any CVarArg { "\(self)"._cVarArgObject }
    }

    extension Date: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The date as text.
        public var _cVarArgObject: any CVarArg { description._cVarArgObject }
    }

    extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The identifier as text.
        public var _cVarArgObject: any CVarArg { uuidString._cVarArgObject }
    }

    extension URL: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The address as text.
        public var _cVarArgObject: any CVarArg { absoluteString._cVarArgObject }
    }

    extension _CVarArgObject {
        /// Never used: a formatter asks for the replacing object first.
        public var _cVarArgEncoding: [Int] { [0] }
    }
#endif
