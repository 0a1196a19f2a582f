#if os(Linux)
    public import Foundation

    /// The protection of files on a locked device. Their contents are not encrypted; their class is in an extended attribute, where the file
    /// system has these.
    ///
    /// A file without a class has Apple's default, until the first unlock, if it is in the container of an app group. Any other may be in the
    /// bundle, and can be read. Sources: Apple, "Encrypting Your App's Files", `FileProtectionType`.
    enum ProtectedFiles {
        private static let extendedAttributes = FileAttributeKey(rawValue: "NSFileExtendedAttributes")
        private static let name = "user.pushpipe.protection"

        /// The class of a file.
        static func protection(of path: String) -> FileProtectionType {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            if let text = (attributes?[extendedAttributes] as? [String: Data])?[name] {
                return FileProtectionType(rawValue: String(decoding: text, as: UTF8.self))
            }
            let groups = FileManager.appGroupsDirectory.standardizedFileURL.path + "/"
            let isShared = URL(fileURLWithPath: path).standardizedFileURL.path.hasPrefix(groups)
            return isShared ? .completeUntilFirstUserAuthentication : .none
        }

        /// Gives a file a class. Without effect where the file system has no extended attributes.
        static func protect(_ path: String, _ protection: FileProtectionType) {
            let value = [name: Data(protection.rawValue.utf8)]
            try? FileManager.default.setAttributes([extendedAttributes: value], ofItemAtPath: path)
        }

        /// The class that writing gives a file; nil for that of its folder.
        static func protection(_ options: Data.WritingOptions) -> FileProtectionType? {
            switch options.rawValue & Data.WritingOptions.fileProtectionMask.rawValue {
            case Data.WritingOptions.noFileProtection.rawValue: FileProtectionType.none
            case Data.WritingOptions.completeFileProtection.rawValue: .complete
            case Data.WritingOptions.completeFileProtectionUnlessOpen.rawValue: .completeUnlessOpen
            case Data.WritingOptions.completeFileProtectionUntilFirstUserAuthentication.rawValue:
                .completeUntilFirstUserAuthentication
            default: nil
            }
        }

        /// - Throws: `CocoaError` if the device is locked and does not decrypt the file.
        static func checkReading(_ path: String) throws {
            let lock = DeviceLock.current
            guard lock != .unlocked, isClosed(protection(of: path), lock) else { return }
            throw error(.fileReadNoPermission, path)
        }

        /// - Parameter new: the class of a file that is created; nil for the default.
        /// - Throws: `CocoaError` if the device is locked and does not encrypt the file.
        static func checkWriting(_ path: String, as new: FileProtectionType?) throws {
            let lock = DeviceLock.current
            guard lock != .unlocked else { return }
            let isNew = !FileManager.default.fileExists(atPath: path)
            let protection = isNew ? new ?? protection(of: path) : protection(of: path)
            // A new one may be written until it is closed.
            if isNew, protection.rawValue == FileProtectionType.completeUnlessOpen.rawValue { return }
            if isClosed(protection, lock) { throw error(.fileWriteNoPermission, path) }
        }

        private static func isClosed(_ protection: FileProtectionType, _ lock: DeviceLock) -> Bool {
            // Foundation's type is not equatable here.
            switch protection.rawValue {
            case FileProtectionType.none.rawValue: false
            case FileProtectionType.complete.rawValue, FileProtectionType.completeUnlessOpen.rawValue: true
            default: lock == .beforeFirstUnlock
            }
        }

        private static func error(_ code: CocoaError.Code, _ path: String) -> CocoaError {
            CocoaError(code, userInfo: [NSFilePathErrorKey: path, NSUnderlyingErrorKey: POSIXError(.EPERM)])
        }
    }

    extension AppleFoundation {
        /// Reads as `Data(contentsOf:options:)` does.
        public static func data(of url: URL, options: Data.ReadingOptions) throws -> Data {
            if url.isFileURL { try ProtectedFiles.checkReading(url.path) }
            return try Data(contentsOf: url, options: options)
        }

        /// Writes as `Data.write(to:options:)` does.
        public static func write(_ data: Data, to url: URL, options: Data.WritingOptions) throws {
            let protection = ProtectedFiles.protection(options)
            try ProtectedFiles.checkWriting(url.path, as: protection)
            try data.write(to: url, options: options)
            if let protection { ProtectedFiles.protect(url.path, protection) }
        }

        /// Reads as `String(contentsOf:encoding:)` does.
        public static func text(of url: URL, encoding: String.Encoding) throws -> String {
            if url.isFileURL { try ProtectedFiles.checkReading(url.path) }
            return try String(contentsOf: url, encoding: encoding)
        }

        /// Reads as `FileManager.contents(atPath:)` does.
        public static func contents(atPath path: String, of manager: FileManager) -> Data? {
            guard (try? ProtectedFiles.checkReading(path)) != nil else { return nil }
            return manager.contents(atPath: path)
        }

        /// Creates a file as `FileManager.createFile(atPath:contents:attributes:)` does.
        public static func createFile(
            atPath path: String, contents: Data?, attributes: [FileAttributeKey: Any]?, of manager: FileManager
        ) -> Bool {
            let protection = attributes?[.protectionKey] as? FileProtectionType
            guard (try? ProtectedFiles.checkWriting(path, as: protection)) != nil,
                manager.createFile(
                    atPath: path, contents: contents, attributes: attributes?.filter { $0.key != .protectionKey })
            else { return false }
            if let protection { ProtectedFiles.protect(path, protection) }
            return true
        }

        /// Sets attributes as `FileManager.setAttributes(_:ofItemAtPath:)` does.
        public static func setAttributes(
            _ attributes: [FileAttributeKey: Any], ofItemAtPath path: String, of manager: FileManager
        ) throws {
            try manager.setAttributes(attributes.filter { $0.key != .protectionKey }, ofItemAtPath: path)
            if let protection = attributes[.protectionKey] as? FileProtectionType {
                ProtectedFiles.protect(path, protection)
            }
        }
    }
#endif
