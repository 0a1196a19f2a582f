#if os(Linux)
    import Foundation

    extension Bundle {
        private static let hosted = Locked<Bundle?>(nil)

        /// The bundle that texts are looked up in where the caller names none, for the whole process. A host sets that of the app which it
        /// stands for; by default it is the main one, in a process that is an extension's own.
        package static var ofApp: Bundle {
            get { hosted.snapshot ?? .main }
            set { hosted.withLock { $0 = newValue } }
        }
    }
#endif
