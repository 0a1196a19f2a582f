#if os(Linux)
    import Foundation

    extension Bundle {
        private static let hosted = Locked<Bundle?>(nil)

        /// The bundle for localized texts where the caller names none, for the whole process. A host sets the bundle of the app that it simulates;
        /// by default it is the main bundle, which fits a process that runs one extension.
        package static var ofApp: Bundle {
            get { hosted.snapshot ?? .main }
            set { hosted.withLock { $0 = newValue } }
        }
    }
#endif
