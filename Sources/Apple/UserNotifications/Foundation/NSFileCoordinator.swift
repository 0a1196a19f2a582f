#if os(Linux)
    public import Foundation

    /// Coordinates access to files among processes, which there are none of here: each closure is called at once.
    open class NSFileCoordinator: NSObject {
        /// How a file is read.
        public struct ReadingOptions: OptionSet, Sendable {
            /// The bits.
            public let rawValue: UInt
            /// Makes options of bits.
            public init(rawValue: UInt) { self.rawValue = rawValue }
            /// Presenters do not save first.
            public static let withoutChanges = ReadingOptions(rawValue: 1)
            /// A symbolic link is resolved.
            public static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
        }

        /// How a file is written.
        public struct WritingOptions: OptionSet, Sendable {
            /// The bits.
            public let rawValue: UInt
            /// Makes options of bits.
            public init(rawValue: UInt) { self.rawValue = rawValue }
            /// The file is deleted.
            public static let forDeleting = WritingOptions(rawValue: 1)
            /// The file is moved.
            public static let forMoving = WritingOptions(rawValue: 2)
            /// The file is changed.
            public static let forMerging = WritingOptions(rawValue: 4)
            /// The file is replaced.
            public static let forReplacing = WritingOptions(rawValue: 8)
        }

        /// Makes a coordinator. Presenters are not known here, so it takes nil only.
        public init(filePresenter: NSObject? = nil) {}

        /// Calls the closure with the URL.
        open func coordinate(
            readingItemAt url: URL, options: ReadingOptions = [], error: UnsafeMutablePointer<NSError?>?,
            byAccessor reader: (URL) -> Void
        ) {
            reader(url)
        }

        /// Calls the closure with the URL.
        open func coordinate(
            writingItemAt url: URL, options: WritingOptions = [], error: UnsafeMutablePointer<NSError?>?,
            byAccessor writer: (URL) -> Void
        ) {
            writer(url)
        }

        /// Has no effect: every closure has run.
        open func cancel() {}
    }
#endif
