#if os(Linux)
    import Foundation
    import Testing
    @_spi(Overlay) import UserNotifications

    /// Files on a locked device.
    ///
    /// Source: Apple, "Encrypting Your App's Files".
    struct ProtectedFileTests {
        private let scope = UUID().uuidString
        private let group = "group.org.example.files"

        /// Passes the container of an app group on a device, which forgets everything in the end.
        private func onDevice(_ body: (URL) throws -> Void) throws {
            try AppGroupScope.$ofTask.withValue(scope) {
                defer {
                    DeviceLock.set(.unlocked, scope: scope)
                    AppGroupScope.remove(scope)
                }
                try body(
                    try #require(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)))
            }
        }

        private func reads(_ url: URL) -> Bool { (try? AppleFoundation.data(of: url, options: [])) != nil }

        @Test func `what an app shares is closed until the first unlock, and nothing else without a class`() throws {
            try onDevice { folder in
                let file = folder.appendingPathComponent("key")
                try AppleFoundation.write(Data("key".utf8), to: file, options: [])
                let other = FileManager.default.temporaryDirectory.appendingPathComponent(scope)
                try AppleFoundation.write(Data("key".utf8), to: other, options: [])
                defer { try? FileManager.default.removeItem(at: other) }
                DeviceLock.set(.locked, scope: scope)
                #expect(reads(file) && reads(other))
                try AppleFoundation.write(Data("new".utf8), to: file, options: .atomic)
                DeviceLock.set(.beforeFirstUnlock, scope: scope)
                #expect(!reads(file) && reads(other))
                #expect(AppleFoundation.contents(atPath: file.path, of: .default) == nil)
                #expect { try AppleFoundation.text(of: file, encoding: .utf8) } throws: {
                    ($0 as? CocoaError)?.code == .fileReadNoPermission
                }
                #expect { try AppleFoundation.write(Data(), to: file, options: []) } throws: {
                    ($0 as? CocoaError)?.code == .fileWriteNoPermission
                }
                DeviceLock.set(.unlocked, scope: scope)
                #expect(try AppleFoundation.text(of: file, encoding: .utf8) == "new")
            }
        }

        @Test(
            arguments: [
                (.noFileProtection, true, true), (.completeFileProtection, false, false),
                (.completeFileProtectionUnlessOpen, false, false),
                (.completeFileProtectionUntilFirstUserAuthentication, true, false),
            ] as [(Data.WritingOptions, Bool, Bool)])
        func `a locked device reads files by their class`(
            options: Data.WritingOptions, isReadLocked: Bool, isReadBefore: Bool
        ) throws {
            try onDevice { folder in
                let file = folder.appendingPathComponent("key")
                try AppleFoundation.write(Data("key".utf8), to: file, options: options)
                let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
                // Not every file system has extended attributes.
                guard attributes[FileAttributeKey(rawValue: "NSFileExtendedAttributes")] != nil else { return }
                DeviceLock.set(.locked, scope: scope)
                #expect(reads(file) == isReadLocked)
                DeviceLock.set(.beforeFirstUnlock, scope: scope)
                #expect(reads(file) == isReadBefore)
            }
        }

        @Test func `a file may be given another class, and be created with one`() throws {
            try onDevice { folder in
                let file = folder.appendingPathComponent("key").path
                let complete: [FileAttributeKey: Any] = [.protectionKey: FileProtectionType.complete]
                DeviceLock.set(.locked, scope: scope)
                #expect(!AppleFoundation.createFile(atPath: file, contents: Data(), attributes: complete, of: .default))
                #expect(AppleFoundation.createFile(atPath: file, contents: Data(), attributes: nil, of: .default))
                #expect(reads(URL(fileURLWithPath: file)))
                DeviceLock.set(.beforeFirstUnlock, scope: scope)
                let none: [FileAttributeKey: Any] = [.protectionKey: FileProtectionType.none]
                try AppleFoundation.setAttributes(none, ofItemAtPath: file, of: .default)
                let attributes = try FileManager.default.attributesOfItem(atPath: file)
                let hasClass = attributes[FileAttributeKey(rawValue: "NSFileExtendedAttributes")] != nil
                #expect(reads(URL(fileURLWithPath: file)) == hasClass)
            }
        }
    }
#endif
