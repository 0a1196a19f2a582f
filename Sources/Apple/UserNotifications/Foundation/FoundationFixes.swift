#if os(Linux)
    public import Foundation

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
#endif
