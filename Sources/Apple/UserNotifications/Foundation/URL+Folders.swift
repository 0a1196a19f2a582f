#if os(Linux)
    public import Foundation

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
#endif
